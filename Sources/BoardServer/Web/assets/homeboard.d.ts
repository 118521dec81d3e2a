/** Types of Homeboard's client library, `homeboard.js`. The protocol is docs/PROTOCOL.md. */

/** One coloured tile. Colours are 0...1. */
export interface Icon {
  id: string;
  red: number;
  green: number;
  blue: number;
  label?: string;
  symbol?: string;
  link?: string;
  /** Cannot be lifted; may be pushed along. */
  locked?: boolean;
  /** Cannot be lifted, and holds this final index while the others flow round it. */
  pinnedAt?: number;
}

export interface Section {
  id: string;
  title: string;
  layout: { kind: 'grid' | 'row'; columns: number };
  /** What may leave. */
  lift: 'move' | 'copy' | 'none';
  /** What may enter. */
  drop: 'any' | 'own' | 'none';
  capacity?: number;
  icons: Icon[];
}

export interface Board {
  id: string;
  title: string;
  revision: number;
  epoch: string;
  presentation: { axis: 'free' | 'horizontal' | 'vertical'; minimumPressMs: number };
  sections: Section[];
}

/** Where icons should go: an end, or beside a neighbour. `index` is a final index. */
export type Target =
  | { section?: string; at: 'start' | 'end' }
  | { section?: string; after?: string; before?: string; index?: number; at?: undefined };

export type Proposal = 'move' | 'copy' | 'forbidden' | 'cancel';
export type Role = 'viewer' | 'editor' | 'owner';

export type Reason =
  | 'icon_gone' | 'section_gone' | 'section_locked' | 'icon_locked' | 'icon_pinned'
  | 'section_full' | 'section_not_empty' | 'drop_forbidden' | 'duplicate_id' | 'stale_base'
  | 'seq_gap' | 'superseded' | 'nothing_to_undo' | 'nothing_to_redo' | 'no_drag' | 'held'
  | 'external' | 'read_only' | 'invalid' | 'limit' | 'storage'
  /** Only said by the client: the connection was closed for good. */
  | 'closed';

/** A patch: `null` clears an optional field. */
export type Patch<T> = { [K in keyof T]?: T[K] | null };

/** What a person wants. */
export type Edit =
  | { kind: 'icon.move'; icons: string[]; to: Target }
  | { kind: 'icon.add'; icon: Icon; to: Target }
  | { kind: 'icon.copy'; icons: string[]; newIDs?: string[]; to: Target }
  | { kind: 'icon.update'; icon: string; set: Patch<Omit<Icon, 'id'>> }
  | { kind: 'icon.remove'; icons: string[] }
  | { kind: 'section.add'; section: Section; before?: string }
  | { kind: 'section.update'; section: string; set: Patch<Omit<Section, 'id' | 'icons'>> }
  | { kind: 'section.move'; section: string; before?: string }
  | { kind: 'section.remove'; section: string }
  | { kind: 'board.update'; set: { title?: string; presentation?: Partial<Board['presentation']> } }
  | { kind: 'undo' }
  | { kind: 'redo' };

export interface Place { section: string; index: number }
export interface Move { icon: string; from: Place; to: Place }

/** What was done; applying it needs no rule. */
export type Change =
  | { kind: 'icon.move'; moves: Move[] }
  | { kind: 'icon.add'; adds: ({ icon: Icon } & Place)[]; moves?: Move[] }
  | { kind: 'icon.remove'; removes: ({ icon: string } & Place)[]; moves?: Move[] }
  | { kind: 'icon.update'; icon: string; set: Patch<Icon>; moves?: Move[] }
  | { kind: 'section.add'; section: Section; index: number }
  | { kind: 'section.update'; section: string; set: Patch<Section> }
  | { kind: 'section.move'; section: string; from: number; to: number }
  | { kind: 'section.remove'; section: string; index: number }
  | { kind: 'board.update'; set: Patch<Board> }
  | { kind: 'board.restore'; title: string; presentation: Board['presentation']; sections: Section[] };

/** An applied edit: exactly one revision. */
export interface Commit {
  type: 'commit';
  revision: number;
  /** `null` over HTTP and in what is caught up on. */
  peer: number | null;
  client: string;
  seq: number;
  /** Milliseconds since 1970. */
  at: number;
  edit: Change;
  undo?: true;
}

/** Somebody on the board: one connection. */
export interface Peer {
  peer: number;
  client: string;
  name: string;
  /** `#rrggbb` */
  colour: string;
  /** In an edit mode. */
  editing?: true;
}

/** Somebody else's live drag. `target.index` counts in the confirmed list without its icons. */
export interface RemoteDrag {
  peer: number;
  drag: number;
  icons: string[];
  target: Place | null;
  proposal: Proposal;
  reason?: Reason;
  /** The middle of the held icon, 0...1 of the section. */
  point?: { x: number; y: number };
}

/** Keeps texts by key, in the order in which they are set. */
export interface ClientStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
  /** Says who a client is whose options don't, when the storage is shared by several tabs. */
  claim?(client: BoardClient): Promise<string>;
}

/** An own edit that the server has not decided. */
export interface PendingEdit {
  seq: number;
  /** The revision that the person saw. */
  base: number;
  edit: Edit;
  /** Milliseconds since 1970. */
  at: number;
  /** Handed to the server at least once. */
  sent: boolean;
  /** Waits for the answer to an undo or redo before it. */
  held?: boolean;
  /** The number of the drag whose drop it is. */
  drag?: number;
}

/** The first event of a connection. `board` or, when `recovered`, every commit that was missed. */
export interface Welcome {
  type: 'welcome';
  peer: number;
  role: Role;
  epoch: string;
  revision: number;
  lastSeq: number;
  recovered: boolean;
  board?: Board;
  commits?: Commit[];
  peers: Peer[];
  drags: RemoteDrag[];
  limits: Limits;
}

export interface Limits {
  messageBytes: number;
  icons?: number;
  labelCharacters?: number;
  labelBytes?: number;
}

export interface Options {
  /** Shown to the others. A token's own name wins. */
  name?: string;
  /** A function is asked anew for each connection, so that it can refresh; one that fails is tried again. */
  token?: string | (() => string | Promise<string>);
  /** A UUID, one per tab or installation; made and kept in `storage` when it is left out. */
  client?: string | Promise<string>;
  /**
   * Where undecided edits outlive the page; `sessionStorage` unless said otherwise. `openStorage()` of
   * `indexed.js` keeps them beyond the browser.
   */
  storage?: ClientStorage | Promise<ClientStorage>;
  /** The server of a board given by its id; the page's own unless said otherwise. */
  origin?: string;
  /** For Node before 22: any class with the browser's interface. */
  WebSocket?: typeof WebSocket;
  /** 0 up to 1, for the waits between attempts. */
  random?: () => number;
  /** Calls back in the next frame. */
  schedule?: (callback: () => void) => void;
}

export interface Events {
  /** Anything to draw has changed: board, queue, drags, peers. Once a frame from the server. */
  change: undefined;
  /** `state` has changed. */
  status: undefined;
  /** Joined or back. `settled`: own edits that were decided while away. */
  welcome: { welcome: Welcome; settled: PendingEdit[]; missed: number };
  commit: { commit: Commit; mine: boolean };
  /** An own edit won't happen. */
  refused: { edit: Edit; reason: Reason; field?: string };
  /** An own drag is over without a drop. */
  dragend: {
    drag: OwnDrag;
    outcome: 'cancelled' | 'denied' | 'removed' | 'forbidden' | 'rejected';
    reason?: Reason;
    holder?: Peer;
  };
  /** Any drag has ended, as the server says. */
  ended: { peer: number; drag: number; outcome: string; revision?: number };
  error: { code: string; message: string; field?: string };
}

export interface OwnDrag {
  readonly icons: string[];
  readonly state: 'held' | 'done';
  /** Sent at most once a frame, the last one always. */
  target(place: Target | null, point?: { x: number; y: number }, copy?: boolean): void;
  /** Commits it, at once on this screen; over nothing it is a cancel. */
  drop(place?: Target | null): PendingEdit | null;
  cancel(): null;
}

/** A board, joined. Made by `connect`. */
export class BoardClient {
  private constructor();
  /**
   * `connecting`: not joined (yet, or for a moment), edits are kept; `live`: joined; `closed`: by
   * `close()` or by a final close code, for good.
   */
  readonly state: 'connecting' | 'live' | 'closed';
  readonly isLive: boolean;
  /** Shown to the others; `rename` changes it. */
  readonly name: string;
  /** Who I am, once `ready`: a UUID that outlives connections. */
  readonly client: string;
  /** The live endpoint. */
  readonly address: string;
  readonly limits: Limits;
  /** The last close, while not live. `CLOSE` names the codes. */
  readonly closing: { code: number; reason: string } | null;
  /** Resolves when the first attempt to connect begins. */
  readonly ready: Promise<void>;
  /** The board as the server has confirmed it. Never changed in place. */
  readonly board: Board | null;
  /** The board with own undecided edits on top: what to draw. The same object until that changes. */
  readonly shown: Board | null;
  /** Own undecided edits, in order. */
  readonly pending: readonly PendingEdit[];
  readonly drags: RemoteDrag[];
  readonly peers: Map<number, Peer>;
  /** My own number in `peers`. */
  readonly peer: number;
  readonly role: Role;
  readonly drag: OwnDrag | null;
  /** Bytes that wait in the socket. */
  readonly backlog: number;
  /** Tells `shown` at once and whenever it is another. Needs no `this`. @returns stops it */
  readonly subscribe: (listener: (shown: Board | null) => void) => () => void;
  /** Listens to an event. @returns stops it */
  on<K extends keyof Events>(type: K, listener: (detail: Events[K]) => void): () => void;
  /** Whether it was taken; otherwise `refused` says why. */
  edit(edit: Edit): boolean;
  undo(): boolean;
  redo(): boolean;
  begin(icons: string[]): OwnDrag;
  rename(name: string): void;
  /** Tells the others whether this person is in an edit mode. */
  setEditing(isEditing: boolean): void;
  close(): void;
}

/** Joins a board, by its id or the address of its live endpoint. */
export function connect(board: string, options?: Options): BoardClient;

/** Why a connection closed: `client.closing.code`. */
export const CLOSE: Readonly<{
  done: 1000; binary: 1003; lost: 1006; tooBig: 1009; restart: 1012; overloaded: 1013;
  badHello: 4400; notSignedIn: 4401; forbidden: 4403; noBoard: 4404; replaced: 4409; deleted: 4410;
  internal: 4500; storage: 4503; notReading: 4508; flooded: 4529;
}>;
/** Milliseconds before the next attempt, or `null` after a final close. `attempt` counts from 0. */
export function retryDelay(code: number, attempt: number, random?: () => number): number | null;
/** The address of a board's live endpoint. */
export function liveURL(board: string, origin?: string): string;

/** The final index from an insertion offset, which counts before the icons (none: a copy) leave `from`. */
export function finalIndex(offset: number, ...from: number[]): number;
/** The target of an insertion offset: SwiftUI's `onMove`, the gap between two rows. */
export function offsetTarget(section: Section, offset: number, icons?: string[]): Target;
/** The target of hovering over a tile: its place now. `null` over one of the moving icons. */
export function tileTarget(board: Board, tile: string, icons?: string[]): Target | null;
/** The target that means a place in a section, by final index: `targetFor(s, slotAt(s, index))`. */
export function targetFor(section: Section, slot: number, moving?: Set<string>): Target;
/** The place in the flow of unpinned icons from a final index in the list without the moving ones. */
export function slotAt(section: Section, index: number, moving?: Set<string>): number;
/** The place in the flow that a target means. */
export function slotFor(section: Section, target: Target, moving?: Set<string>): number;

export function find(board: Board, icon: string): { section: Section; index: number; icon: Icon } | null;
export function sectionOf(board: Board, section: string | undefined): Section | undefined;
/** Why the server would refuse an edit as the board stands. */
export function refusal(board: Board, edit: Edit, role?: Role): Reason | null;
/** The board with an edit done, as far as it can be foreseen. */
export function applyEdit(board: Board, edit: Edit, role?: Role): Board;
/** The board with a commit's change done. @throws {Diverged} when the change doesn't fit */
export function applyChange(board: Board, change: Change): Board;
export class Diverged extends Error {}

export interface Result {
  seq: number;
  status: 'noop' | 'rejected' | 'duplicate';
  revision: number;
  reason?: Reason;
  field?: string;
  lastSeq?: number;
  decided?: 'applied' | 'noop' | 'rejected';
}

/** What `BoardClient` keeps: for who brings a transport of their own. */
export class Replica {
  constructor(client: string, saved?: { epoch: string | null; lastSeq: number; queue: PendingEdit[] });
  readonly board: Board | null;
  readonly shown: Board | null;
  readonly queue: PendingEdit[];
  readonly role: Role;
  readonly lastSeq: number;
  readonly saved: { epoch: string | null; lastSeq: number; queue: PendingEdit[] };
  submit(edit: Edit, drag?: number): PendingEdit;
  /** What to send now, in order. */
  outgoing(): PendingEdit[];
  unsend(): void;
  /** @throws {Diverged | RangeError} when a new snapshot is needed */
  commit(commit: Commit): PendingEdit | undefined;
  /** `again`: not decided, to be sent later; `repeated`: sent again by itself, under a new number. */
  result(result: Result): { entry?: PendingEdit; again?: boolean; repeated?: boolean };
  /** @returns own edits that were decided meanwhile */
  welcome(welcome: Omit<Welcome, 'type' | 'peer' | 'peers' | 'drags' | 'limits'>): PendingEdit[];
}

/** A random UUID, also on pages without a secure context. */
export function uuid(): string;
