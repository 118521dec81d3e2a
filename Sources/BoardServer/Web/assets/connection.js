/**
 * One WebSocket after another: opens, greets, watches for silence, waits and opens again.
 * @module
 */

const SILENCE_MS = 30_000;
const HANDSHAKE_MS = 10_000;
const SETTLED_MS = 5_000;

/**
 * How long to wait after a close, in milliseconds; `null` when trying again can't help.
 * @param {number} code @param {number} attempt failures in a row, from 0
 * @param {() => number} random 0 up to 1
 */
export function retryDelay(code, attempt, random = Math.random) {
  if (code >= 4400 && code < 4500) return null;
  const isBusy = code === 1013 || code >= 4500;
  const doublings = code === 1012 ? Math.min(attempt, 2) : attempt + (isBusy ? 3 : 0);
  return random() * Math.min(20_000, 250 * 2 ** doublings);
}

/**
 * The address of a board's live endpoint.
 * @param {string} board an id or an address
 */
export function liveURL(board, origin = globalThis.location?.origin) {
  const path = board.includes('/') ? board : `/v1/boards/${encodeURIComponent(board)}/live`;
  const url = new URL(path, origin);
  url.protocol = url.protocol.replace('http', 'ws');
  return url.href;
}

export class Connection {
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {any} */ #timer;
  /** @type {any} */ #watch;
  #heard = 0;
  #since = 0;
  #attempt = 0;
  #ended = false;

  /** @param {import('./types.js').ConnectionOptions} options */
  constructor(options) {
    this.options = options;
    this.#watch = setInterval(() => this.#checkSilence(), 1_000);
    this.#watch.unref?.();
    this.#listen('addEventListener');
    this.#open();
  }

  get isOpen() {
    return this.#socket?.readyState === 1;
  }

  /** Bytes that wait in the socket: a sender of disposable messages holds back when there are many. */
  get backlog() {
    return this.#socket?.bufferedAmount ?? 0;
  }

  /** @param {object} message @returns {boolean} whether it could be handed to the socket */
  send(message) {
    // @ts-expect-error an open one is there
    if (this.isOpen) this.#socket.send(JSON.stringify(message));
    return this.isOpen;
  }

  /** The server has said welcome: silence counts from here, and the next failure is a first one. */
  settled() {
    this.#since = Date.now();
  }

  /** Gives up this socket and opens the next one at once. */
  restart() {
    this.#lost(1012, 'restart');
  }

  close(code = 1000) {
    this.#ended = true;
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    this.#listen('removeEventListener');
    this.#drop(code);
  }

  /** @param {'addEventListener' | 'removeEventListener'} how */
  #listen(how) {
    for (const type of ['online', 'pageshow']) globalThis[how]?.(type, this.#wake);
    for (const type of ['visibilitychange', 'resume']) globalThis.document?.[how](type, this.#wake);
  }

  #open() {
    const { url, WebSocket: Socket = globalThis.WebSocket } = this.options;
    const socket = (this.#socket = new Socket(url, 'homeboard.v1'));
    this.#heard = Date.now();
    this.#since = 0;
    const isMine = () => socket === this.#socket;
    socket.onopen = () => this.options.hello(
      (hello) => isMine() && this.send(hello),
      () => isMine() && this.#lost(1006, 'token'),
    );
    socket.onmessage = ({ data }) => {
      this.#checkSilence();
      if (!isMine()) return;
      this.#heard = Date.now();
      this.options.receive(JSON.parse(data));
    };
    socket.onclose = ({ code, reason }) => isMine() && this.#lost(code, reason);
    socket.onerror = () => {};
  }

  #drop(code = 1000) {
    const socket = this.#socket;
    this.#socket = null;
    if (socket && socket.readyState < 2) socket.close(code);
  }

  /** @param {number} code */
  #lost(code, reason = '') {
    if (this.#ended) return;
    if (this.#since && Date.now() - this.#since >= SETTLED_MS) this.#attempt = 0;
    this.#drop();
    clearTimeout(this.#timer);
    const isExpired = code === 4401 && this.#since && this.options.refreshes;
    const delay = retryDelay(isExpired ? 1012 : code, this.#attempt, this.options.random);
    this.#attempt += 1;
    if (delay === null) {
      this.close();
      this.options.changed('closed', code, reason);
      return;
    }
    this.#timer = setTimeout(() => this.#open(), delay);
    this.options.changed('connecting', code, reason);
  }

  /** Also before what is heard: of what a page was sent in its sleep, there may be no more. */
  #checkSilence() {
    if (!this.#socket) return;
    const limit = this.#since ? SILENCE_MS : HANDSHAKE_MS;
    if (Date.now() - this.#heard > limit) this.#lost(1006, 'silence');
  }

  /** The network or the page is back: don't sit out a wait, don't trust a socket that slept. */
  #wake = () => {
    if (this.#ended || globalThis.document?.visibilityState === 'hidden') return;
    if (this.#socket) {
      this.#checkSilence();
    } else {
      clearTimeout(this.#timer);
      this.#open();
    }
  };
}
