/**
 * How large icons are drawn, from the width there is.
 * @module
 * @typedef {import('./homeboard.d.ts').Board} Board
 */

/** A short row at the end of a board with more is its dock: always in reach, whatever is scrolled. */
export const isDocked = (/** @type {Board} */ { sections }, { id, layout, capacity }) =>
  sections.length > 1 && sections.at(-1).id === id && layout.kind === 'row' && capacity != null && capacity <= 8;

/** How many cells a section has room for side by side, where the screen is wide enough. */
export const acrossOf = ({ layout, icons, capacity }) =>
  layout.kind === 'row' ? Math.max(1, icons.length, Math.min(capacity ?? 0, 8)) : layout.columns;

/**
 * One size for every icon of the board; two columns have room for large ones. It doesn't follow the
 * number of icons: one that comes or goes makes no other jump.
 * @param {Board} board @param {number} width @param {number} height of the screen
 * @returns {{size: number, gap: number, label: number}} px; `label` is what a label adds below
 */
export function sizes({ sections }, width, height) {
  const isWide = width >= 1500 && height >= 800;
  const gap = isWide ? 16 : width < 360 ? 8 : 10;
  const usual = isWide ? 100 : Math.min(76, Math.max(56, width * 0.18));
  const few = sections.length && sections.every(({ layout }) => layout.kind === 'grid' && layout.columns <= 2);
  const large = few ? Math.min((width - 64) / 2 - gap, height * 0.36 - 40, 280) : 0;
  const size = Math.round(Math.max(usual, large));
  return { size, gap, label: Math.min(32, Math.max(22, Math.round(size / 4))) };
}
