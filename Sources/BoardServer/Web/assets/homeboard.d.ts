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
  | 'external' | 'read_only' | 'invalid' | 'limit' | 'storage';

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

export interface Options {
  /** Shown to the others. A token's own name wins. */
  name?: string;
  token?: string;
  /** A UUID, one per tab or installation; made and kept in `storage` when it is left out. */
  client?: string | Promise<string>;
  /** Where undecided edits outlive the page; `sessionStorage` unless said otherwise. */
  storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
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
  welcome: { welcome: object; settled: object[]; missed: number };
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
  drop(place?: Target | null): object | null;
  cancel(): null;
}

export interface BoardClient {
  readonly state: 'connecting' | 'live' | 'closed';
  /** The last close, while not live. */
  readonly closing: { code: number; reason: string } | null;
  /** Resolves when the first attempt to connect begins. */
  readonly ready: Promise<void>;
  /** The board as the server has confirmed it. Never changed in place. */
  readonly board: Board | null;
  /** The board with own undecided edits on top: what to draw. */
  readonly shown: Board | null;
  /** Own undecided edits, in order. */
  readonly pending: { seq: number; base: number; edit: Edit; at: number }[];
  readonly drags: RemoteDrag[];
  readonly peers: Map<number, Peer>;
  /** My own number in `peers`. */
  readonly peer: number;
  readonly role: Role;
  readonly drag: OwnDrag | null;
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

/** The final index from an insertion offset that counts before the icon is taken out. */
export function finalIndex(offset: number, from: number): number;
/** The target that means a place in a section, by final index: `targetFor(s, slotAt(s, index))`. */
export function targetFor(section: Section, slot: number, moving?: Set<string>): Target;
export function slotAt(section: Section, index: number, moving?: Set<string>): number;
/** Why the server would refuse an edit as the board stands. */
export function refusal(board: Board, edit: Edit, role?: Role): Reason | null;
/** The board with an edit done, as far as it can be foreseen. */
export function applyEdit(board: Board, edit: Edit, role?: Role): Board;
/** The board with a commit's change done. Throws when the change doesn't fit. */
export function applyChange(board: Board, change: Change): Board;
export function uuid(): string;
