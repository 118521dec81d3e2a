/**
 * How large icons are drawn, from the width there is.
 * @module
 * @typedef {import('./homeboard.d.ts').Board} Board
 */

/** A short row at the end of a board with more is its dock: always in reach, whatever is scrolled. */
export const isDocked = (/** @type {Board} */ { sections }, { id, layout, capacity }) =>
  sections.length > 1 && sections.at(-1).id === id && layout.kind === 'row' && capacity != null && capacity <= 8;

/** One size for every icon of the board; a board of two columns has room for large ones. */
export function sizes(/** @type {Board} */ { sections }, /** @type {number} */ width, /** @type {number} */ height) {
  const isWide = width >= 1500 && height >= 800;
  const few = sections.length && sections.every(({ layout }) => layout.kind === 'grid' && layout.columns <= 2);
  const size = isWide ? 100 : Math.min(76, Math.max(56, width * 0.18));
  return { size: Math.round(few ? size * 1.75 : size), gap: isWide ? 16 : width < 360 ? 8 : 10 };
}
