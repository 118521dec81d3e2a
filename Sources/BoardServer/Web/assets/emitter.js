/**
 * Events with names, told in the order in which the listeners came.
 * @module
 */

export class Emitter {
  /** @type {Map<string, Set<(detail?: any) => void>>} */ #listeners = new Map();

  /**
   * @param {string} type @param {(detail: any) => void} listener
   * @returns {() => void} stops listening
   */
  on(type, listener) {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  // A listener's own mistake is reported as any other, and keeps nothing from anyone.
  /** @internal @param {string} type @param {any} [detail] */
  emit(type, detail) {
    for (const listener of this.#listeners.get(type) ?? []) {
      try {
        listener(detail);
      } catch (error) {
        Promise.reject(error);
      }
    }
  }
}
