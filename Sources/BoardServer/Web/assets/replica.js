/**
 * The board as the server has confirmed it, with this client's undecided edits put on top.
 * Nothing here knows of sockets: the caller feeds events in and sends what `outgoing` hands out.
 * @module
 * @typedef {import('./homeboard.js').Board} Board
 * @typedef {import('./types.js').AnyEdit} AnyEdit
 * @typedef {import('./types.js').Entry} Entry
 */
import { applyChange, find, sectionOf } from './board.js';
import { applyEdit, flowOf, targetFor } from './edits.js';

/** @param {Entry} entry */
const isStep = ({ edit }) => edit.kind === 'undo' || edit.kind === 'redo';

export class Replica {
  /** @type {Board} the last announced revision */
  // @ts-expect-error there is none before the first welcome
  board = null;
  /** @type {Entry[]} in the order of `seq` */ queue = [];
  role = 'owner';
  lastSeq = 0;
  /** @type {Board | null} */ #shown = null;

  /** @param {string} client @param {import('./types.js').Saved} [saved] */
  constructor(client, saved) {
    this.client = client;
    // What was kept may be older than its sending: as far as `lastSeq` reaches, it was decided.
    this.queue = (saved?.queue ?? []).map((entry) => ({ ...entry, sent: true }));
    this.lastSeq = saved?.lastSeq ?? 0;
    this.epoch = saved?.epoch ?? null;
  }

  /** What has to survive a reload. */
  get saved() {
    return { epoch: this.epoch, lastSeq: this.lastSeq, queue: this.queue };
  }

  /**
   * The confirmed board with the queue on top: what a person should see.
   * @returns {Board | null}
   */
  get shown() {
    return (this.#shown ??= this.#upTo(this.queue.length));
  }

  /** @param {number} count */
  #upTo(count) {
    /** @param {Board} board @param {Entry} entry */
    const done = (board, entry) => applyEdit(board, entry.edit, this.role);
    return this.board && this.queue.slice(0, count).reduce(done, this.board);
  }

  #changed() {
    this.#shown = null;
  }

  /**
   * Queues an own edit, made on the board as it is shown now.
   * @param {AnyEdit} edit @param {number} [drag] when it is the drop of a drag @returns {Entry}
   */
  submit(edit, drag = undefined) {
    const seq = (this.queue.at(-1)?.seq ?? this.lastSeq) + 1;
    const entry = { seq, base: this.board.revision, edit, sent: false, drag, at: Date.now() };
    this.queue.push(entry);
    this.#changed();
    return entry;
  }

  /**
   * The entries that may be sent now, in order. What was made while an own undo or redo is not
   * answered waits, and is then written anew for the board as it is.
   */
  outgoing() {
    const ready = [];
    let waiting = false;
    for (const entry of this.queue) {
      if (!entry.sent && waiting) entry.held = true;
      else if (!entry.sent) {
        if (entry.held) this.#retarget(entry);
        entry.sent = true;
        ready.push(entry);
      }
      waiting ||= isStep(entry);
    }
    return ready;
  }

  /** After a lost connection, or when the server asks for it: everything goes out once more. */
  unsend() {
    for (const entry of this.queue) entry.sent = false;
  }

  /**
   * @param {import('./homeboard.js').Commit} commit
   * @returns {Entry | undefined} the own entry that it decides
   */
  commit(commit) {
    if (commit.revision !== this.board.revision + 1) {
      if (commit.revision <= this.board.revision) return undefined;
      throw new RangeError(`revision ${commit.revision} after ${this.board.revision}`);
    }
    this.board = { ...applyChange(this.board, commit.edit), revision: commit.revision };
    this.#changed();
    return commit.client === this.client ? this.#decided(commit.seq) : undefined;
  }

  /** @param {number} seq */
  #decided(seq) {
    const index = this.queue.findIndex((entry) => entry.seq === seq);
    this.lastSeq = Math.max(this.lastSeq, seq);
    this.#changed();
    return index < 0 ? undefined : this.queue.splice(index, 1)[0];
  }

  /**
   * An answer that is no commit. `again` means that nothing was decided: send once more, later.
   * @param {import('./homeboard.js').Result} result
   * @returns {{entry?: Entry, again?: boolean, repeated?: boolean}}
   */
  result(result) {
    const { seq, reason } = result;
    if (reason === 'seq_gap' || reason === 'storage') {
      if (reason === 'seq_gap') this.#renumber(result.lastSeq ?? this.lastSeq);
      this.unsend();
      return { again: true };
    }
    const entry = this.#decided(seq);
    if (!entry || reason !== 'stale_base') return { entry };
    this.queue.push({ ...entry, seq: (this.queue.at(-1)?.seq ?? this.lastSeq) + 1, sent: false });
    /** @type {any} */
    const moved = this.queue.at(-1);
    moved.drag = undefined;
    this.#retarget(moved, true);
    return { entry, repeated: true };
  }

  /** @param {number} lastSeq */
  #renumber(lastSeq) {
    this.lastSeq = lastSeq;
    this.queue.forEach((entry, n) => (entry.seq = lastSeq + 1 + n));
  }

  /**
   * Takes over a welcome. Entries the server has decided are dropped and returned.
   * @param {Omit<import('./homeboard.js').Welcome, 'type' | 'peer' | 'peers' | 'drags' | 'limits'>} welcome
   */
  welcome(welcome) {
    const { epoch, lastSeq, commits, revision } = welcome;
    const resumed = Math.max(this.board?.revision ?? 0, ...this.queue.map((entry) => entry.base));
    const foreign = this.epoch !== null && (epoch !== this.epoch || resumed > revision);
    if (welcome.board) this.board = welcome.board;
    this.role = welcome.role;
    this.epoch = epoch;
    const before = this.queue;
    if (welcome.recovered) for (const commit of commits ?? []) this.commit(commit);
    this.queue = this.queue.filter((entry) => !entry.sent || entry.seq > lastSeq);
    this.#renumber(lastSeq);
    this.unsend();
    if (foreign) for (const entry of this.queue) this.#retarget(entry, true);
    this.#changed();
    return before.filter((entry) => !this.queue.includes(entry));
  }

  /**
   * Writes an entry anew for the board as it is, beside the neighbours that still stand.
   * @param {Entry} entry @param {boolean} bare whether no index may be said
   */
  #retarget(entry, bare = false) {
    const { edit } = entry;
    const board = this.#upTo(this.queue.indexOf(entry));
    entry.base = this.board.revision;
    entry.held = false;
    const section = edit.to && sectionOf(board, edit.to.section ?? find(board, edit.icons?.[0])?.section.id);
    if (!section || edit.to.at) return;
    /** @param {string | undefined} id */
    const stands = (id) => section.icons.some((icon) => icon.id === id);
    const after = applyEdit(board, edit, this.role);
    const first = (edit.newIDs ?? edit.icons ?? [edit.icon.id]).find((id) => find(after, id));
    /** @type {any} */
    const there = first && find(after, first)?.section;
    /** @type {import('./types.js').AnyTarget} */
    let to = { section: section.id, at: 'end' };
    if (bare ? stands(edit.to.after) || stands(edit.to.before) : there) {
      if (after !== board && there?.id === section.id) {
        const moving = new Set(edit.newIDs ?? edit.icons ?? [edit.icon.id]);
        const slot = flowOf(there).findIndex((icon) => icon.id === first);
        to = targetFor(there, slot, moving);
      } else {
        const { after: left, before: right } = edit.to;
        to = { section: section.id, after: left, before: right };
      }
    }
    if (bare) delete to.index;
    entry.edit = { ...edit, to };
    this.#changed();
  }
}
