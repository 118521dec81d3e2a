/** Types of `indexed.js`: storage for `connect` that outlives the browser. */
import type { BoardClient, ClientStorage } from './homeboard.js';

export interface StorageOptions {
  /** Of the database; one for each signed-in person, where several use one browser. */
  name?: string;
  /** Taken where IndexedDB can't be used; `sessionStorage` unless said otherwise, `null` throws. */
  otherwise?: ClientStorage | null;
}

/** Opens it. `isDurable` tells whether it is IndexedDB or `otherwise`. */
export function openStorage(options?: StorageOptions): Promise<ClientStorage & { isDurable?: true }>;

export class IndexedStorage implements ClientStorage {
  constructor(name: string);
  readonly name: string;
  readonly isDurable: true;
  /** Everything set so far is on the disk; rejects when it can't be. */
  readonly written: Promise<void>;
  open(): Promise<void>;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  claim(client: BoardClient): Promise<string>;
}
