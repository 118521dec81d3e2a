/**
 * Storage for `connect` that outlives the browser: undecided edits in IndexedDB.
 *
 *     const board = connect('home', { storage: openStorage() });
 *
 * Tabs share it without sharing an id: on each board every tab is a client of its own. A new tab
 * prefers an id whose tab has gone and left edits behind; what others left is delivered beside it.
 * @module
 * @typedef {import('./client.js').BoardClient} BoardClient
 */
import { isFree, release, tabStorage, uuid } from './identity.js';

const STORE = 'entries';
const CLIENT = 'homeboard:client:';
const TAB = 'homeboard:durable';
const OPEN_MS = 5_000;

/**
 * Opens it. Where there is no IndexedDB, or none that may be used or answers, `otherwise` is given
 * instead: `sessionStorage` unless said otherwise; with `null` it throws.
 * @param {import('./indexed.js').StorageOptions} options
 * @returns {Promise<import('./homeboard.js').ClientStorage>}
 */
export async function openStorage({ name = 'homeboard', otherwise = tabStorage() } = {}) {
  try {
    const storage = new IndexedStorage(name);
    await storage.open();
    return storage;
  } catch (error) {
    if (!otherwise) throw error;
    return otherwise;
  }
}

export class IndexedStorage {
  isDurable = true;
  /** @type {Promise<void>} resolves once everything set so far is on the disk */ written = Promise.resolve();
  /** @type {Map<string, string>} */ #entries = new Map();
  /** @type {IDBDatabase} */
  // @ts-expect-error `openStorage` opens it
  #database;

  /** @param {string} name of the database: one a signed-in person, where there are several */
  constructor(name) {
    this.name = name;
  }

  async open() {
    this.#database = await opened(this.name);
    this.#database.onversionchange = () => this.#database.close();
    this.#database.onclose = () => this.#reopen().catch(() => {});
    const store = this.#store();
    const [keys, values] = await Promise.all([answer(store.getAllKeys()), answer(store.getAll())]);
    this.#entries = new Map(keys.map((/** @type {string} */ key, /** @type {number} */ n) => [key, values[n]]));
  }

  /** The browser took the database away, with what was in it: what is known here is written anew. */
  async #reopen() {
    const entries = this.#entries;
    await this.open();
    this.#entries = entries;
    this.#write((store) => entries.forEach((value, key) => store.put(value, key)));
  }

  /** @param {string} key */
  getItem(key) {
    return this.#entries.get(key) ?? null;
  }

  /** @param {string} key @param {string} value */
  setItem(key, value) {
    if (this.#entries.get(key) === value) return;
    this.#entries.set(key, value);
    this.#write((store) => store.put(value, key));
  }

  /** @param {string} key */
  removeItem(key) {
    if (this.#entries.delete(key)) this.#write((store) => store.delete(key));
  }

  /**
   * Says who a client is: who this tab was before, else someone who has gone, else someone new.
   * @param {any} client @returns {Promise<string>}
   */
  async claim(client) {
    const tab = tabStorage();
    const { address } = client;
    const claims = (/** @type {string} */ id) => isFree(`${id}:${address}`);
    /** @type {string[]} */
    const left = [];
    /** @type {any} */
    let mine;
    for (const { id, waits } of await this.#known(address, tab.getItem(TAB))) {
      if ((waits || !mine) && (await claims(id))) mine ? left.push(id) : (mine = id);
    }
    mine ??= uuid();
    await claims(mine);
    // Its last tab may have written until the moment it let go of the id.
    for (const key of [mine, ...left].map((id) => queueKey(address, id))) {
      const value = await answer(this.#store().get(key));
      if (value === undefined) this.#entries.delete(key);
      else this.#entries.set(key, value);
    }
    this.setItem(CLIENT + mine, '');
    tab.setItem(TAB, mine);
    for (const id of left) this.#deliver(client, id);
    client.on('status', () => client.state === 'closed' && release(`${mine}:${address}`));
    return mine;
  }

  /**
   * Who has been here: first who this tab was, then who left edits for this board.
   * @param {string} address @param {string | null} tab
   */
  async #known(address, tab) {
    /** @type {Set<string>} */
    const all = new Set(await answer(this.#store().getAllKeys()));
    const ids = [...all].filter((key) => key.startsWith(CLIENT)).map((key) => key.slice(CLIENT.length));
    /** @param {{id: string, waits: boolean}} known */
    const rank = ({ id, waits }) => (id === tab ? 2 : 0) + (waits ? 1 : 0);
    return ids.map((id) => ({ id, waits: all.has(queueKey(address, id)) })).sort((a, b) => rank(b) - rank(a));
  }

  /**
   * Sends what a tab has left behind, as that tab's client, so that nothing of it is done twice.
   * @param {BoardClient} client @param {string} id
   */
  #deliver(client, id) {
    const { options, address } = client;
    /** @type {any} */
    const Client = client.constructor;
    const courier = new Client(address, { ...options, client: id, storage: this });
    const done = () => {
      if (courier.state === 'closed') return;
      if (client.state === 'closed' || (courier.isLive && !courier.pending.length)) courier.close();
    };
    courier.on('change', done);
    courier.on('refused', (/** @type {object} */ detail) => client.emit('refused', detail));
    client.on('status', done);
    courier.on('status', () => courier.state === 'closed' && release(`${id}:${address}`));
  }

  /** @returns {IDBObjectStore} */
  #store() {
    return this.#database.transaction(STORE).objectStore(STORE);
  }

  /**
   * Handed over in the same moment, so that a page that ends now still has it written.
   * @param {(store: IDBObjectStore) => void} act
   */
  #write(act) {
    this.written = new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(STORE, 'readwrite', { durability: 'strict' });
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
      act(transaction.objectStore(STORE));
      transaction.commit?.();
    });
    this.written.catch(() => {});
  }
}

/** @param {string} address @param {string} id */
const queueKey = (address, id) => `homeboard:queue:${address}:${id}`;

/** @type {(request: IDBRequest) => Promise<any>} */
const answer = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** @param {string} name @returns {Promise<IDBDatabase>} */
function opened(name) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(reject, OPEN_MS, new Error('IndexedDB does not answer'));
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    answer(request).then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
