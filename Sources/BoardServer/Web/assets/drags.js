/**
 * Live drags: my own, as a handle that the page steers, and everyone else's, as the server tells.
 * @module
 * @typedef {import('./homeboard.js').Target} Target
 * @typedef {import('./homeboard.js').RemoteDrag} RemoteDrag
 */

const REPEAT_MS = 10_000;
const BACKLOG_BYTES = 16_384;

/** Calls back in the next animation frame, or soon when nothing is drawn. */
export function nextFrame(callback) {
  const visible = globalThis.document?.visibilityState === 'visible';
  if (visible && globalThis.requestAnimationFrame) requestAnimationFrame(callback);
  else setTimeout(callback, 16);
}

/** My own drag. Made by `client.begin`. */
export class OwnDrag {
  /** The number the server knows it by on this connection; 0 while it knows none. */
  number = 0;
  /** @type {'held' | 'done'} */ state = 'held';
  /** @type {Target | null} */ place = null;
  #said = '';
  #scheduled = false;
  #timer;

  /** @param {import('./homeboard.js').BoardClient} client @param {string[]} icons */
  constructor(client, icons, schedule = nextFrame) {
    this.client = client;
    this.icons = icons;
    this.schedule = schedule;
    this.#timer = setInterval(() => this.#flush(true), REPEAT_MS);
    this.#timer.unref?.();
  }

  /**
   * Where the icons would go if they were let go now. Sent at most once a frame and only when it
   * has changed; the last one always.
   * @param {Target | null} place @param {{x: number, y: number}} [point] 0...1 of the section
   */
  target(place, point, copy = false) {
    if (this.state !== 'held') return;
    Object.assign(this, { place, point, copy });
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.schedule(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  /** Commits the drag where `place` is, at once on this screen; over nothing it is a cancel. */
  drop(place = this.place) {
    if (this.state !== 'held') return null;
    if (!place) return this.cancel();
    this.stop();
    return this.client.dropped(this, place);
  }

  cancel() {
    if (this.state !== 'held') return null;
    this.stop();
    if (this.number) this.client.send({ type: 'drag.cancel', drag: this.number });
    this.client.ownEnded(this, 'cancelled');
    return null;
  }

  /** Ends it on this side, without a word to the server. */
  stop() {
    this.state = 'done';
    clearInterval(this.#timer);
  }

  /** Says begin (again), under the next number, with the target as it stands. */
  announce(number) {
    this.number = number;
    this.#said = '';
    this.client.send({ type: 'drag.begin', drag: number, icons: this.icons });
    if (this.place) this.#flush();
  }

  #flush(repeat = false) {
    if (this.state !== 'held' || !this.client.isLive) return;
    if (this.client.backlog > BACKLOG_BYTES) {
      this.target(this.place, this.point, this.copy);
      return;
    }
    if (!this.number) {
      this.client.announce(this);
      return;
    }
    const { place: target, point, copy } = this;
    const message = { type: 'drag.target', drag: this.number, target };
    if (point) message.point = point;
    if (copy) message.copy = true;
    const said = JSON.stringify(message);
    if (said === this.#said && !repeat) return;
    this.#said = said;
    this.client.send({ ...message, base: this.client.board.revision });
  }
}

/**
 * Other people's drags, in the order in which they began. A peer has one in the hand at most, and
 * others that it has dropped and the server has not decided.
 */
export class RemoteDrags {
  /** @type {Map<string, RemoteDrag>} */ #drags = new Map();

  get all() {
    return [...this.#drags.values()];
  }

  /** @param {RemoteDrag[]} drags @param {number} me */
  reset(drags, me) {
    this.#drags.clear();
    for (const drag of drags) if (drag.peer !== me) this.#drags.set(keyOf(drag), drag);
  }

  began({ peer, drag, icons }) {
    this.#drags.set(keyOf({ peer, drag }), { peer, drag, icons, target: null, proposal: 'cancel' });
  }

  /** A target of a drag that has ended is late news and changes nothing. */
  target({ peer, drag, target, proposal, reason, point }) {
    const key = keyOf({ peer, drag });
    const known = this.#drags.get(key);
    if (known) this.#drags.set(key, { ...known, target, proposal, reason, point });
  }

  ended(event) {
    this.#drags.delete(keyOf(event));
  }

  left(peer) {
    for (const drag of this.all) if (drag.peer === peer) this.ended(drag);
  }

  /** The same client is back under a new number. */
  renamed(from, to) {
    this.reset(this.all.map((drag) => (drag.peer === from ? { ...drag, peer: to } : drag)));
  }
}

const keyOf = ({ peer, drag }) => `${peer} ${drag}`;
