/**
 * Which gap a point means: arithmetic on the cells that are drawn, with a dead zone in the middle
 * of each so that a still hand never makes the board flicker.
 * @module
 */
import { isPinned, slotFor } from './edits.js';

const DEAD_ZONE = 0.1;
const MARGIN_PX = 28;
const PANEL_PX = 12;

/**
 * The section at a point of the layer: the nearest within a small margin of its panel.
 * @param {import('./view.js').View} view
 */
export function sectionAt(view, x, y, hold) {
  let best = null;
  for (const [id, { origin, extent, isDock }] of view.sections) {
    if (hold && id !== hold) continue;
    const dx = Math.max(origin.x - x, x - origin.x - extent.x, 0);
    const dy = Math.max(origin.y - y, y - origin.y - extent.y, 0);
    // The dock lies, with all of its panel, on top of what is scrolled under it.
    const far = hold ? 0 : Math.hypot(dx, dy) - (isDock ? PANEL_PX : 0);
    if (far <= MARGIN_PX && (!best || far < best.far)) best = { id, far };
  }
  return best?.id ?? null;
}

/**
 * The slot of a section's flow that a point means.
 * @param {{cells: object[], columns: number, w: number, h: number, origin: object, list: HTMLElement}} grid
 * @param {object} section the shown section @param {import('./carry.js').Carry} carry
 * @param {Map<string, unknown>} holders
 */
export function slotAtPoint(grid, section, carry, holders, x, y) {
  const { cells, columns, w, h, origin, list } = grid;
  const px = (x - origin.x + list.scrollLeft) / w;
  const py = (y - origin.y) / h;
  const across = Math.min(columns, Math.max(1, cells.length));
  const column = Math.min(across - 1, Math.max(0, Math.floor(px)));
  const row = columns === Infinity ? 0 : Math.max(0, Math.floor(py));
  const index = columns === Infinity ? column : row * columns + column;
  const mine = (icon) => carry.moving.has(icon.id) || icon.id.startsWith('gap:me');
  const moving = carry.copy ? new Set() : carry.moving;
  if (index >= cells.length) return slotFor(section, { at: 'end' }, moving);
  if (mine(cells[index]) && carry.gap?.section === section.id) return carry.gap.slot;
  const part = columns === 1 ? py - row : px - column;
  const hole = cells.findIndex(mine);
  const beside = hole >= 0 && Math.abs(hole - index) === 1 && carry.place?.section === section.id;
  if (beside && Math.abs(part - 0.5) < DEAD_ZONE) return carry.gap.slot;
  const end = part < 0.5 ? index : index + 1;
  const anchor = (icon) => !isPinned(icon) && !holders.has(icon.id) && !icon.id.startsWith('gap:');
  const left = cells.slice(0, end).findLast(anchor);
  const right = cells.slice(end).find(anchor);
  if (!left) return 0;
  if (!right) return slotFor(section, { at: 'end' }, moving);
  return slotFor(section, { after: left.id, before: right.id }, moving);
}
