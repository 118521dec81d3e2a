/** What the library's modules know of each other's values; what others may rely on is homeboard.d.ts. */
import type { Edit, Icon, PendingEdit, Section } from './homeboard.js';

/** An icon and where it stands. */
export interface Found { section: Section; index: number; icon: Icon }
export type Pinned = Icon & { pinnedAt: number };

/** A Target of either kind. */
export interface AnyTarget {
  section?: string;
  at?: 'start' | 'end';
  after?: string;
  before?: string;
  index?: number;
}

/** An edit of any kind, with the fields of all: `kind` says which of them are there. */
export interface AnyEdit {
  kind: Edit['kind'];
  icons: string[];
  /** The whole icon of an `icon.add`, else its identifier. */
  icon: any;
  newIDs: string[];
  to: AnyTarget;
  set: { [field: string]: any };
  /** The whole section of a `section.add`, else its identifier. */
  section: any;
  before?: string;
}

export type Entry = Omit<PendingEdit, 'edit'> & { edit: AnyEdit };
export interface Saved { epoch: string | null; lastSeq: number; queue: Entry[] }

/** What the server says, of any type, with the fields of all. */
export interface AnyEvent {
  type: string;
  [field: string]: any;
}

export interface ConnectionOptions {
  url: string;
  WebSocket?: typeof WebSocket;
  random?: () => number;
  /** Says hello, or that it can't. */
  hello: (say: (hello: object) => void, fail: () => void) => void;
  /** Whether another hello may bring another token. */
  refreshes: boolean;
  receive: (events: AnyEvent[]) => void;
  changed: (state: 'connecting' | 'closed', code: number, reason: string) => void;
}
