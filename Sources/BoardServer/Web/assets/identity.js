/**
 * Who this tab is: one id per tab, kept over reloads, and a new one for a duplicated tab, whose
 * `sessionStorage` is a copy of the first one's.
 * @module
 */

const KEY = 'homeboard:client';

/** A random UUID, also where there is no `randomUUID`: on pages without a secure context. */
export function uuid() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-');
}

/** `sessionStorage` where there is one and it may be used, else a store that ends with the page. */
export const tabStorage = () => usable(() => globalThis.sessionStorage);

/** `localStorage`, likewise: a browser that blocks it forgets the person's name, and no more. */
export const personStorage = () => (person ??= usable(() => globalThis.localStorage));
/** @type {import('./homeboard.js').ClientStorage | undefined} */
let person;

/**
 * @param {() => Storage} find throws, or gives nothing usable, where storage is blocked
 * @returns {import('./homeboard.js').ClientStorage}
 */
function usable(find) {
  try {
    const storage = find();
    storage.getItem(KEY);
    return storage;
  } catch {
    const memory = new Map();
    /** @type {import('./homeboard.js').ClientStorage} */
    // @ts-ignore the types are those of the interface
    return {
      getItem: (key) => memory.get(key) ?? null,
      setItem: (key, value) => memory.set(key, value),
      removeItem: (key) => memory.delete(key),
    };
  }
}

/**
 * @param {import('./homeboard.js').ClientStorage} storage
 * @returns {Promise<string>} an id that no other open tab has
 */
export async function tabClient(storage = tabStorage()) {
  const stored = storage.getItem(KEY);
  const id = stored && (await isFree(stored)) ? stored : uuid();
  if (id !== stored) await isFree(id);
  storage.setItem(KEY, id);
  return id;
}

/**
 * Claims an id until it is released or the page is gone.
 * @param {string} id
 */
export async function isFree(id) {
  const name = `${KEY}:${id}`;
  if (globalThis.navigator?.locks) {
    return new Promise((resolve) => {
      navigator.locks.request(name, { ifAvailable: true }, (lock) => {
        resolve(Boolean(lock));
        return lock && new Promise((done) => held.set(id, done));
      });
    });
  }
  if (!globalThis.BroadcastChannel || !globalThis.document) return true;
  const channel = new BroadcastChannel(name);
  const taken = await new Promise((resolve) => {
    channel.onmessage = () => resolve(true);
    channel.postMessage('who');
    setTimeout(resolve, 80, false);
  });
  channel.onmessage = ({ data }) => data === 'who' && channel.postMessage('me');
  held.set(id, () => channel.close());
  if (taken) release(id);
  return !taken;
}

const held = new Map();

/**
 * Gives an id back, so that the next client of this tab, or another tab, can be it.
 * @param {string} id
 */
export const release = (id) => held.get(id)?.();
