/**
 * One thing on its way: where it is drawn, from where and to where it goes.
 * @module
 */
const FADE_MS = 150;
const still = matchMedia('(prefers-reduced-motion: reduce)');
export const ZERO = { x: 0, y: 0 };
const ease = (t) => 1 - (1 - t) ** 3;

/** Something drawn at a place of the layer, or on its way to one. */
export class Mover {
  x = 0;
  y = 0;
  #from = [0, 0];
  #to = [0, 0];
  #start = 0;
  #length = 0;
  #drawn = '';
  /** Where its parent began when it had arrived. */ #rest = null;

  constructor(element) {
    this.element = element;
  }

  /** Sets out for a place; without a length it is there. */
  go(x, y, length, now) {
    // Sums of fractions of pixels differ in their last bits: that is no new place.
    if (length && Math.abs(this.#to[0] - x) + Math.abs(this.#to[1] - y) < 0.1) return;
    const flies = length && !still.matches;
    this.#from = flies ? [this.x, this.y] : [x, y];
    this.#to = [x, y];
    this.#start = now;
    this.#length = flies ? length : 0;
    this.#rest = null;
    // Who is unwell with motion sees it fade in where it went.
    if (length && !flies) this.element.animate({ opacity: [0, 1] }, FADE_MS);
  }

  /** Goes along with what it stands on. */
  shift(dx, dy) {
    for (const point of [this.#from, this.#to]) {
      point[0] += dx;
      point[1] += dy;
    }
    this.#rest = null;
  }

  /** Draws it, relative to where its parent begins. @returns {boolean} whether it is on its way */
  step(now, origin) {
    if (this.#rest === origin) return false;
    const t = this.#length ? Math.min(1, (now - this.#start) / this.#length) : 1;
    this.x = this.#from[0] + (this.#to[0] - this.#from[0]) * ease(t);
    this.y = this.#from[1] + (this.#to[1] - this.#from[1]) * ease(t);
    const drawn = `translate(${(this.x - origin.x).toFixed(1)}px,${(this.y - origin.y).toFixed(1)}px)`;
    if (drawn !== this.#drawn) this.element.style.transform = this.#drawn = drawn;
    this.#rest = t === 1 ? origin : null;
    return t < 1;
  }
}
