/**
 * A board as one client has it: joined, edited, dragged on. The library's entry is homeboard.js.
 * @module
 * @typedef {import('./homeboard.js').Board} Board
 * @typedef {import('./homeboard.js').Target} Target
 * @typedef {import('./types.js').AnyEdit} AnyEdit
 * @typedef {import('./types.js').AnyEvent} AnyEvent
 * @typedef {import('./types.js').Entry} Entry
 */
import { Diverged, find } from './board.js';
import { Connection, liveURL } from './connection.js';
import { OwnDrag, RemoteDrags } from './drags.js';
import { refusal } from './edits.js';
import { Emitter } from './emitter.js';
import { release, tabClient, tabStorage, uuid } from './identity.js';
import { Replica } from './replica.js';

const RETRY_MS = 400;

/** @param {string} board an id or an address @param {import('./homeboard.js').Options} options */
export const connect = (board, options = {}) => new BoardClient(board, options);

/** Its events are those of `homeboard.d.ts`. */
export class BoardClient extends Emitter {
  /** @type {'connecting' | 'live' | 'closed'} */ state = 'connecting';
  /** @type {{code: number, reason: string} | null} why it isn't live: the last close */ closing = null;
  /** @type {Map<number, import('./homeboard.js').Peer>} */ peers = new Map();
  /** My own number among them. */ peer = 0;
  /** @type {OwnDrag | null} */ drag = null;
  /** @type {import('./homeboard.js').Limits} */ limits = { messageBytes: 65_536 };
  #remote = new RemoteDrags();
  #isEditing = false;
  #lastDrag = 0;
  /** @type {any} */ #retry;
  #retryMs = RETRY_MS;
  // What is set once `ready` is near; who may come earlier asks with a question mark.
  /** @type {string} */
  // @ts-expect-error
  client;
  /** @type {import('./homeboard.js').ClientStorage} */
  // @ts-expect-error
  storage;
  key = '';
  /** @type {Replica} */
  // @ts-expect-error
  replica;
  /** @type {Connection} */
  // @ts-expect-error
  connection;

  /** @param {string} board @param {import('./homeboard.js').Options} options */
  constructor(board, options) {
    super();
    this.options = options;
    this.name = options.name ?? 'Guest';
    this.address = liveURL(board, options.origin);
    this.ready = this.#start();
  }

  /** Who this is takes a while to find out, and so does opening a socket: both at once. */
  async #start() {
    const identified = this.#identify();
    this.connection = new Connection({
      url: this.address,
      WebSocket: this.options.WebSocket,
      random: this.options.random,
      hello: (say, fail) => {
        if (this.replica) this.#hello(say, fail);
        else identified.then(() => this.#hello(say, fail), () => {});
      },
      refreshes: typeof this.options.token === 'function',
      receive: (events) => this.#receive(events),
      changed: (state, code, reason) => this.#lost(state, code, reason),
    });
    try {
      await identified;
    } catch (error) {
      this.close();
      throw error;
    }
    if (this.state === 'closed') release(this.client);
  }

  async #identify() {
    this.storage = (await this.options.storage) ?? tabStorage();
    // @ts-ignore a storage is told of this very class
    const client = this.options.client ?? this.storage.claim?.(this) ?? tabClient(this.storage);
    this.client = (await client).toLowerCase();
    this.key = `homeboard:queue:${this.address}:${this.client}`;
    let saved;
    try {
      // @ts-ignore `null` is none
      saved = JSON.parse(this.storage.getItem(this.key));
    } catch {
      // What can't be read can't be sent either.
    }
    this.replica = new Replica(this.client, saved ?? undefined);
  }

  /** The board as the server has confirmed it; `null` before the first welcome. */
  get board() {
    return this.replica?.board ?? null;
  }

  /** The board with my undecided edits on top: what to draw. */
  get shown() {
    return this.replica?.shown ?? null;
  }

  /** Own edits that the server has not decided yet. */
  get pending() {
    return this.replica?.queue ?? [];
  }

  /** Other people's drags. */
  get drags() {
    return this.#remote.all;
  }

  get role() {
    return this.replica?.role ?? 'viewer';
  }

  get isLive() {
    return this.state === 'live';
  }

  get backlog() {
    return this.connection?.backlog ?? 0;
  }

  /**
   * Tells what to draw, at once and whenever it is another board: `shown` is the same object until
   * then. An arrow, so that it can be handed on by itself.
   * @param {(shown: Board | null) => void} listener @returns {() => void} stops it
   */
  subscribe = (listener) => {
    /** @type {any} */
    let last;
    const tell = () => last !== this.shown && listener((last = this.shown));
    tell();
    return this.on('change', tell);
  };

  /**
   * Does an edit: at once on this screen, in order on the server. Refused at once where the board as
   * it stands forbids it.
   * @param {any} edit an Edit @returns {boolean} whether it was taken
   */
  edit(edit) {
    if (edit.kind === 'icon.copy') edit = { newIDs: edit.icons.map(uuid), ...edit };
    const reason = this.state === 'closed' ? 'closed' : this.shown ? refusal(this.shown, edit, this.role) : 'read_only';
    const size = new TextEncoder().encode(JSON.stringify(edit)).length;
    if (reason || size > this.limits.messageBytes - 200) {
      this.emit('refused', { edit, reason: reason ?? 'limit' });
      return false;
    }
    this.replica.submit(edit);
    this.#push();
    this.emit('change');
    return true;
  }

  undo() {
    return this.edit({ kind: 'undo' });
  }

  redo() {
    return this.edit({ kind: 'redo' });
  }

  // Lifts icons. A drag already held is cancelled.
  /** @param {string[]} icons @returns {OwnDrag} */
  begin(icons) {
    this.drag?.cancel();
    this.drag = new OwnDrag(this, icons, this.options.schedule);
    if (this.isLive) this.announce(this.drag);
    this.emit('change');
    return this.drag;
  }

  // Tells the others whether this person is in an edit mode.
  /** @param {boolean} isEditing */
  setEditing(isEditing) {
    this.#isEditing = isEditing;
    this.send({ type: 'presence', editing: isEditing });
  }

  /** @param {string} name Goes by another one, at the cost of one reconnect. */
  rename(name) {
    this.name = name;
    this.connection?.restart();
  }

  close() {
    this.drag?.cancel();
    this.state = 'closed';
    clearTimeout(this.#retry);
    this.connection?.close();
    release(this.client);
    this.emit('status');
  }

  /** @internal @param {object} message */
  send(message) {
    return this.isLive && this.connection.send(message);
  }

  /**
   * The server takes a begin for the end of the last drag: its drop, if it has to wait, goes as an edit.
   * @internal @param {OwnDrag} drag
   */
  announce(drag) {
    for (const entry of this.pending) if (!entry.sent) entry.drag = undefined;
    drag.announce((this.#lastDrag += 1));
  }

  // A drop is queued like any edit, so that it outlives its connection.
  /** @internal @param {OwnDrag} drag @param {Target} place */
  dropped(drag, place) {
    if (this.drag === drag) this.drag = null;
    // @ts-expect-error what is held came from a board
    const source = find(this.shown, drag.icons[0])?.section;
    const copies = drag.copy || (source?.lift === 'copy' && source.id !== place.section);
    /** @type {any} */
    const edit = copies
      ? { kind: 'icon.copy', icons: drag.icons, newIDs: drag.icons.map(uuid), to: place }
      : { kind: 'icon.move', icons: drag.icons, to: place };
    if (this.state === 'closed') return this.edit(edit) || null;
    const entry = this.replica.submit(edit, drag.number || undefined);
    this.#push();
    this.emit('change');
    return entry;
  }

  /** @internal @param {OwnDrag} drag @param {string} outcome */
  ownEnded(drag, outcome, detail = {}) {
    if (this.drag === drag) this.drag = null;
    this.emit('dragend', { drag, outcome, ...detail });
    this.emit('change');
  }

  // A token that is a function is asked anew for each connection.
  /** @param {(hello: object) => void} say @param {() => void} fail */
  #hello(say, fail) {
    const { client, name, board } = this;
    const resume = board ? { epoch: board.epoch, revision: board.revision } : undefined;
    /** @param {any} token */
    const greet = (token) => say({ type: 'hello', client, name, token, resume });
    const { token } = this.options;
    if (typeof token === 'function') new Promise((resolve) => resolve(token())).then(greet, fail);
    else greet(token);
  }

  /** Sends what may be sent and keeps the rest where a reload finds it. */
  #push() {
    if (this.isLive) for (const entry of this.replica.outgoing()) this.#sendEntry(entry);
    try {
      if (this.pending.length) this.storage.setItem(this.key, JSON.stringify(this.replica.saved));
      else this.storage.removeItem(this.key);
    } catch {
      // A full store costs the reload, not the edit.
    }
  }

  /** @param {Entry} entry */
  #sendEntry({ seq, base, edit, drag }) {
    const { to: target, newIDs } = edit;
    const drop = { type: 'drag.drop', drag, target, newIDs, copy: newIDs && true };
    this.connection.send({ ...(drag ? drop : { type: 'edit', edit }), seq, base });
  }

  /** @param {AnyEvent[]} events */
  #receive(events) {
    try {
      for (const event of events) this.#heard[event.type]?.(event);
      this.#push();
    } catch (error) {
      if (!(error instanceof Diverged || error instanceof RangeError)) throw error;
      // @ts-expect-error as before the first welcome
      this.replica.board = null;
      this.connection.restart();
      this.emit('error', { code: 'diverged', message: error.message });
      return;
    }
    if (events.length) this.emit('change');
  }

  /** @param {'connecting' | 'closed'} state @param {number} code @param {string} reason */
  #lost(state, code, reason) {
    this.state = state;
    this.closing = { code, reason };
    clearTimeout(this.#retry);
    if (this.drag) this.drag.number = 0;
    this.#remote.reset([], 0);
    if (state === 'closed') this.drag?.cancel();
    this.emit('status');
    this.emit('change');
  }

  /** @param {import('./homeboard.js').Welcome} welcome */
  #welcome(welcome) {
    const known = this.board?.revision;
    const settled = this.replica.welcome(welcome);
    Object.assign(this, { peer: welcome.peer, limits: welcome.limits, closing: null, state: 'live' });
    this.peers = new Map(welcome.peers.map((peer) => [peer.peer, peer]));
    this.#remote.reset(welcome.drags, this.peer);
    this.connection.settled();
    if (this.#isEditing) this.setEditing(true);
    this.#resumeDrag(welcome.drags.find((drag) => drag.peer === this.peer));
    this.emit('status');
    this.emit('welcome', { welcome, settled, missed: welcome.revision - (known ?? welcome.revision) });
  }

  // What was in my hand when the connection went: goes on, ends, or begins anew.
  /** @param {import('./homeboard.js').RemoteDrag | undefined} mine */
  #resumeDrag(mine) {
    const drop = mine && this.pending.find((entry) => entry.drag === mine.drag);
    for (const entry of this.pending) if (entry !== drop) entry.drag = undefined;
    this.#lastDrag = Math.max(this.#lastDrag, mine?.drag ?? 0);
    const same = mine && this.drag && String(mine.icons) === String(this.drag.icons);
    // @ts-expect-error then there is one
    if (same) this.drag.number = mine.drag;
    else if (mine && !drop) this.connection.send({ type: 'drag.cancel', drag: mine.drag });
    if (this.drag && !same) this.announce(this.drag);
  }

  #later() {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#push(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, 10_000);
  }

  /** @type {{ [type: string]: (event: any) => void }} */
  #heard = {
    welcome: (event) => this.#welcome(event),
    commit: (event) => {
      const entry = this.replica.commit(event);
      if (entry) this.#retryMs = RETRY_MS;
      this.emit('commit', { commit: event, mine: Boolean(entry) });
    },
    result: (event) => {
      const { entry, again, repeated } = this.replica.result(event);
      if (again) this.#later();
      else if (entry && !repeated && event.status === 'rejected') {
        this.emit('refused', { edit: entry.edit, reason: event.reason, field: event.field });
      }
    },
    'drag.began': (event) => event.peer !== this.peer && this.#remote.began(event),
    'drag.target': (event) => {
      if (event.peer !== this.peer) this.#remote.target(event);
      // @ts-expect-error then there is one
      else if (event.drag === this.drag?.number) this.drag.said = event;
    },
    'drag.ended': (event) => {
      if (event.peer !== this.peer) this.#remote.ended(event);
      else if (this.drag && event.drag === this.drag.number) this.#ownEnded(event);
      this.emit('ended', event);
    },
    'drag.denied': (event) => {
      const { drag } = this;
      if (!drag || event.drag !== drag.number) return;
      if (event.reason === 'no_drag') drag.number = 0;
      else {
        drag.stop();
        this.ownEnded(drag, 'denied', { reason: event.reason, holder: event.holder });
      }
    },
    'peer.joined': ({ peer, replaces }) => {
      if (replaces !== undefined) {
        this.peers.delete(replaces);
        this.#remote.renamed(replaces, peer.peer);
      }
      this.peers.set(peer.peer, peer);
    },
    'peer.changed': ({ peer }) => this.peers.set(peer.peer, peer),
    'peer.left': ({ peer }) => {
      this.peers.delete(peer);
      this.#remote.left(peer);
    },
    error: (event) => this.emit('error', event),
  };

  // The server ended what I still hold: gone for good, or only forgotten and begun again.
  /** @param {AnyEvent} event */
  #ownEnded({ outcome }) {
    /** @type {any} */
    const { drag } = this;
    if (outcome === 'expired' || outcome === 'disconnected') {
      drag.number = 0;
      drag.target(drag.place, drag.point, drag.copy);
    } else if (outcome !== 'cancelled') {
      drag.stop();
      this.ownEnded(drag, outcome);
    }
  }
}
