/**
 * Live drags: my own, as a handle that the page steers, and everyone else's, as the server tells.
 * @module
 * @typedef {import('./homeboard.js').Target} Target
 * @typedef {import('./homeboard.js').RemoteDrag} RemoteDrag
 * @typedef {import('./types.js').AnyEvent} AnyEvent
 */

const REPEAT_MS = 10_000;
const BACKLOG_BYTES = 16_384;

/**
 * Calls back in the next animation frame, or soon when nothing is drawn.
 * @param {() => void} callback
 */
function nextFrame(callback) {
  const visible = globalThis.document?.visibilityState === 'visible';
  // @ts-ignore Node has none
  if (visible && globalThis.requestAnimationFrame) requestAnimationFrame(callback);
  else setTimeout(callback, 16);
}

/** My own drag. Made by `client.begin`. */
export class OwnDrag {
  /** The number the server knows it by on this connection; 0 while it knows none. */
  number = 0;
  /** @type {'held' | 'done'} */ state = 'held';
  /** @type {Target | null} */ place = null;
  /** @type {{x: number, y: number} | undefined} */ point;
  copy = false;
  /** @type {AnyEvent | undefined} what the server said of it last */ said;
  #said = '';
  #scheduled = false;
  /** @type {any} */ #timer;

  /** @param {import('./client.js').BoardClient} client @param {string[]} icons */
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

  /**
   * Says begin (again), under the next number, with the target as it stands.
   * @param {number} number
   */
  announce(number) {
    this.number = number;
    this.#said = '';
    this.client.send({ type: 'drag.begin', drag: number, icons: this.icons });
    if (this.place) this.#flush();
  }

  #flush(repeat = false) {
    if (this.state !== 'held' || !this.client.isLive) return;
    const { number: drag, place: target, point, copy } = this;
    if (this.client.backlog > BACKLOG_BYTES) return this.target(target, point, copy);
    if (!drag) return this.client.announce(this);
    const message = { type: 'drag.target', drag, target, point, copy: copy || undefined };
    const said = JSON.stringify(message);
    if (said === this.#said && !repeat) return;
    this.#said = said;
    this.client.send({ ...message, base: this.client.board.revision });
  }
}

/**
 * Other people's drags, in the order in which they began. A peer holds one at a time, but may begin it
 * while the drop of the last is being decided.
 */
export class RemoteDrags {
  /** @type {RemoteDrag[]} */ all = [];

  /** @param {RemoteDrag[]} drags @param {number} me */
  reset(drags, me) {
    this.all = drags.filter((drag) => drag.peer !== me);
  }

  /** @param {AnyEvent} event */
  began({ peer, drag, icons }) {
    this.all = [...this.all, { peer, drag, icons, target: null, proposal: 'cancel' }];
  }

  /**
   * A target of a drag that has ended is late news and changes nothing.
   * @param {AnyEvent} event
   */
  target({ peer, drag, target, proposal, reason, point }) {
    this.all = this.all.map((known) =>
      known.peer === peer && known.drag === drag ? { ...known, target, proposal, reason, point } : known);
  }

  /** @param {AnyEvent} event */
  ended({ peer, drag }) {
    this.all = this.all.filter((known) => known.peer !== peer || known.drag !== drag);
  }

  /** @param {number} peer */
  left(peer) {
    this.all = this.all.filter((known) => known.peer !== peer);
  }

  /**
   * The same client is back under a new number.
   * @param {number} from @param {number} to
   */
  renamed(from, to) {
    this.all = this.all.map((known) => (known.peer === from ? { ...known, peer: to } : known));
  }
}
