/**
 * From the indices that other lists speak of to Homeboard's: a **final index** is where the first of
 * the icons stands once it has moved: take out, then put in.
 * @module
 * @typedef {import('./homeboard.js').Board} Board
 * @typedef {import('./homeboard.js').Section} Section
 * @typedef {import('./homeboard.js').Target} Target
 */
import { find } from './board.js';
import { isPinned, targetFor } from './edits.js';

/**
 * The final index from an insertion offset, which counts before anything is taken out: SwiftUI's
 * `onMove`, or the gap between two rows.
 * @param {number} offset @param {...number} from where the moving icons stand; none for a copy
 */
export const finalIndex = (offset, ...from) => offset - from.filter((index) => index < offset).length;

/**
 * The target that an insertion offset means.
 * @param {Section} section @param {number} offset 0...N, before anything is taken out
 * @param {string[]} [icons] the moving ones; none for a copy or a new icon @returns {Target}
 */
export function offsetTarget(section, offset, icons = []) {
  const moving = new Set(icons);
  const passed = section.icons.slice(0, offset).filter((icon) => !isPinned(icon) && !moving.has(icon.id));
  return targetFor(section, passed.length, moving);
}

/**
 * The target that hovering over another icon's tile means: the place the tile has now. What comes
 * from before it lands behind it; what comes from behind it, or from elsewhere, before it.
 * @param {Board} board @param {string} tile @param {string[]} [icons] the moving ones
 * @returns {Target | null} `null` over one of them, and over a tile that has gone
 */
export function tileTarget(board, tile, icons = []) {
  const place = find(board, tile);
  if (!place || icons.includes(tile)) return null;
  const { section, index } = place;
  const isForward = section.icons.slice(0, index).some(({ id }) => id === icons[0]);
  return offsetTarget(section, index + (isForward ? 1 : 0), icons);
}
