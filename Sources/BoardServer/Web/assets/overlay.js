/**
 * The board as it is drawn: what is shown, with every live drag's gap opened in it. Nothing here is
 * ever committed; it is thought anew for each frame that needs it.
 * @module
 * @typedef {import('./homeboard.d.ts').Board} Board
 * @typedef {import('./homeboard.d.ts').RemoteDrag} RemoteDrag
 * @typedef {{icons: string[], place: import('./homeboard.d.ts').Target | null, copy: boolean,
 *   reason: string | null}} Held what is in my own hand
 */
import { find, sectionOf } from './board.js';
import { done, slotAt, targetFor } from './edits.js';

/**
 * @param {Board} shown the confirmed board with my queue on top
 * @param {Board} confirmed the revision that other people's indices count in
 * @param {RemoteDrag[]} drags @param {Held | null} mine
 * @returns {{board: Board, holders: Map<string, number | 'me'>, open: Set<string>}} where every icon
 *   is drawn; who holds which; which cells are gaps
 */
export function overlay(shown, confirmed, drags, mine) {
  const holders = new Map();
  const open = new Set();
  let board = shown;
  const lay = (owner, icons, to, copy) => {
    for (const id of icons) holders.set(id, owner);
    if (!sectionOf(board, to?.section)) return;
    const newIDs = icons.map((id) => `gap:${owner}:${id}`);
    // A gap fills no place: a section with one to spare shows as many gaps as there are drags over it.
    board = done(board, { kind: copy ? 'icon.copy' : 'icon.move', icons, newIDs, to });
    for (const id of copy ? newIDs : icons) open.add(id);
  };
  for (const drag of drags) {
    const icons = drag.icons.filter((id) => find(board, id) && !mine?.icons.includes(id));
    const copy = drag.proposal === 'copy';
    const goes = copy || drag.proposal === 'move';
    const section = goes && sectionOf(confirmed, drag.target?.section);
    const moving = new Set(copy ? [] : icons);
    const to = section && targetFor(section, slotAt(section, drag.target.index, moving), moving);
    if (icons.length) lay(drag.peer, icons, to, copy);
  }
  if (mine) lay('me', mine.icons, mine.reason ? null : mine.place, mine.copy);
  return { board, holders, open };
}
