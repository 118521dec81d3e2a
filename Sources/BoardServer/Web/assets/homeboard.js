/**
 * Homeboard's client library: a shared board, live, in any page or in Node 20 and later.
 *
 *     import { connect } from '/assets/homeboard.js';
 *     const board = connect('home', { name: 'Mia' });
 *     board.subscribe((shown) => draw(shown));
 *     const drag = board.begin([iconID]);
 *     drag.target({ section: 'home', at: 'end' });
 *     drag.drop();
 *
 * Edits show at once, are kept in order over lost connections and reloads, and are decided once. How
 * to use it: docs/CLIENT.md. Types: homeboard.d.ts. Edits that outlive the browser: indexed.js.
 * @module
 */
export { applyChange, Diverged, find, sectionOf } from './board.js';
export { BoardClient, connect } from './client.js';
export { liveURL, retryDelay } from './connection.js';
export { applyEdit, refusal, slotAt, slotFor, targetFor } from './edits.js';
export { uuid } from './identity.js';
export { finalIndex, offsetTarget, tileTarget } from './indices.js';
export { Replica } from './replica.js';

/** Why a connection closed, `client.closing.code`. 4400 to 4499 are final, after all others it comes back. */
export const CLOSE = Object.freeze({
  done: 1000, binary: 1003, lost: 1006, tooBig: 1009, restart: 1012, overloaded: 1013,
  badHello: 4400, notSignedIn: 4401, forbidden: 4403, noBoard: 4404, replaced: 4409, deleted: 4410,
  internal: 4500, storage: 4503, notReading: 4508, flooded: 4529,
});
