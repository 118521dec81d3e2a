/**
 * Mouse, pen and touch: press, lift, carry, drop.
 * @module
 */
import { sectionOf } from './board.js';
import { sectionAt, slotAtPoint } from './gaps.js';

const SLOP = { touch: 8, pen: 4, mouse: 4 };
const EDGE_PX = 70;
const FASTEST_PX = 16;
const QUIET_MS = 60;

export class PointerInput {
  #press = null;
  #point = { x: 0, y: 0 };
  #steered = '';

  /** @param {import('./hands.js').Hands} hands */
  constructor(hands) {
    this.hands = hands;
    const { root } = hands;
    root.addEventListener('pointerdown', (event) => this.#down(event));
    addEventListener('pointermove', (event) => this.#move(event));
    addEventListener('pointerup', (event) => this.#up(event));
    addEventListener('pointercancel', (event) => this.#cancelled(event));
    root.addEventListener('touchmove', (event) => this.isCarrying && event.preventDefault(), { passive: false });
    root.addEventListener('contextmenu', (event) => this.#menu(event));
    root.addEventListener('dragstart', (event) => event.preventDefault());
  }

  /** Whether a pointer holds icons. */
  get isCarrying() {
    return Boolean(this.#press?.lifted && this.hands.carry);
  }

  #down(event) {
    const element = event.target.closest('[data-icon]');
    if (!element || event.button !== 0) return;
    if (this.hands.carry) {
      if (event.pointerId !== this.#press?.id) this.hands.join(element.dataset.icon);
      return;
    }
    this.#forget();
    const { clientX: x, clientY: y, pointerId: id, pointerType: type } = event;
    this.#press = { id, x, y, type, icon: element.dataset.icon, lifted: false };
    this.#point = { x, y };
    if (type === 'touch') {
      const press = this.hands.client.shown?.presentation.minimumPressMs ?? 300;
      this.#press.timer = setTimeout(() => this.#lift(), press);
      element.classList.add('pressed');
      this.#press.element = element;
    }
  }

  #move(event) {
    const press = this.#press;
    if (press?.id !== event.pointerId) return;
    this.#point = { x: event.clientX, y: event.clientY };
    if (press.lifted) {
      this.hands.view.schedule();
      return;
    }
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < (SLOP[press.type] ?? 4)) return;
    if (press.type === 'touch') this.#forget();
    else this.#lift();
  }

  #lift() {
    const press = this.#press;
    press.element?.classList.remove('pressed');
    const carry = this.hands.lift(press.icon);
    if (!carry) {
      this.#forget();
      return;
    }
    press.lifted = true;
    try {
      this.hands.root.setPointerCapture(press.id);
    } catch {
      // The pointer has gone meanwhile; its `pointerup` follows.
    }
    if (press.type === 'touch') navigator.vibrate?.(10);
    const cell = this.hands.view.placeOf(press.icon);
    const base = this.hands.view.base();
    press.grab = { x: press.x - base.x - cell.x, y: press.y - base.y - cell.y };
    press.home = cell;
    this.hands.view.schedule();
  }

  #up(event) {
    if (this.#press?.id !== event.pointerId) return;
    const { lifted } = this.#press;
    if (this.isCarrying) {
      this.#point = { x: event.clientX, y: event.clientY };
      this.steer();
      this.hands.drop();
    }
    this.#forget();
    if (lifted) this.hands.quietUntil = performance.now() + QUIET_MS;
  }

  #cancelled(event) {
    if (this.#press?.id !== event.pointerId) return;
    if (this.isCarrying) this.hands.cancel();
    this.#forget();
  }

  #forget() {
    clearTimeout(this.#press?.timer);
    this.#press?.element?.classList.remove('pressed');
    this.#press = null;
  }

  #menu(event) {
    const element = event.target.closest('[data-icon]');
    if (!element) return;
    event.preventDefault();
    if (!this.#press && !this.hands.carry) this.hands.page.openEditor(element.dataset.icon);
  }

  /** Once a frame: scrolls at the edges and says where the hand is. @returns {boolean} go on */
  frame() {
    if (!this.isCarrying) return false;
    const scrolled = this.#scroll();
    this.steer();
    return scrolled;
  }

  /** Only a hand that moves over the board chooses a gap: what others do under a still one doesn't. */
  steer() {
    const { view, carry, client } = this.hands;
    const { grab, home } = this.#press;
    const base = view.base();
    const steered = `${this.#point.x} ${this.#point.y} ${base.x} ${base.y}`;
    if (steered === this.#steered && carry.at) return;
    this.#steered = steered;
    let x = this.#point.x - base.x;
    let y = this.#point.y - base.y;
    const { axis } = client.shown.presentation;
    const bound = axis === 'free' ? null : view.sections.get(carry.source);
    const middle = view.size / 2;
    // The icon stays inside; a hand beyond the first or last cell still means that cell's far half.
    const hand = { x, y };
    if (bound) {
      const inside = (value, from, length) => Math.min(Math.max(value, from), from + Math.max(0, length - view.size));
      const left = axis === 'vertical' ? home.x : x - grab.x;
      const top = axis === 'horizontal' ? home.y : y - grab.y;
      hand.x = left + middle;
      hand.y = top + middle;
      x = inside(left, bound.origin.x, bound.extent.x) + grab.x;
      y = inside(top, bound.origin.y, bound.extent.y) + grab.y;
    }
    carry.at = { x: x - grab.x, y: y - grab.y };
    const id = sectionAt(view, hand.x, hand.y, bound && carry.source);
    const grid = id && view.sections.get(id);
    if (!grid) {
      this.hands.over(null);
      return;
    }
    const { origin, extent } = grid;
    const part = (value, length) => Math.round(Math.min(1, Math.max(0, value / length)) * 1e4) / 1e4;
    const point = {
      x: part(carry.at.x + middle - origin.x, extent.x),
      y: part(carry.at.y + middle - origin.y, extent.y),
    };
    const section = sectionOf(client.shown, id);
    const slot = section && slotAtPoint(grid, section, carry, view.model.holders, hand.x, hand.y);
    this.hands.over(section ? id : null, slot, point);
  }

  /** Faster the nearer to the edge; rows scroll sideways, the page up and down. */
  #scroll() {
    const { x, y } = this.#point;
    const speed = (near, far) => {
      const push = near < EDGE_PX ? near - EDGE_PX : far < EDGE_PX ? EDGE_PX - far : 0;
      return (Math.max(-EDGE_PX, Math.min(EDGE_PX, push)) / EDGE_PX) * FASTEST_PX;
    };
    const dy = this.hands.client.shown.presentation.axis === 'horizontal' ? 0 : speed(y, innerHeight - y);
    const before = scrollY;
    // What is held makes the page longer where it sticks out: the body alone says where the board ends.
    if (dy) scrollBy(0, Math.min(dy, Math.max(0, document.body.offsetHeight - innerHeight - scrollY)));
    let moved = scrollY !== before;
    const list = this.hands.view.sections.get(this.hands.carry.place?.section)?.list;
    if (list && list.scrollWidth > list.clientWidth) {
      const box = list.getBoundingClientRect();
      const left = list.scrollLeft;
      list.scrollLeft += speed(x - box.left, box.right - x);
      if (list.scrollLeft !== left) {
        moved = true;
        this.#steered = '';
      }
    }
    return moved;
  }
}
