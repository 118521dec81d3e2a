/**
 * The view that only shows (`?view=kiosk`): the board as large as the screen allows, and nothing to
 * press.
 * @module
 */
import { acrossOf, isDocked } from './sizes.js';

const REST_MS = 3_000;
const READABLE = 48;

/**
 * The sizes with which the whole board fits a screen; the smallest there is when none does.
 * @param {import('./homeboard.d.ts').Board} board @param {number} width @param {number} height px
 */
export function fit(board, width, height) {
  const largest = (labels) => {
    let size = 480;
    while (size > 24 && !fits(board, size, labels, width - 40, height - 64)) size -= 2;
    return size;
  };
  const labelled = largest(true);
  // Labels below small icons can't be read, and without them the icons are larger.
  const size = labelled < READABLE ? largest(false) : labelled;
  return { size, gap: gapOf(size), label: labelled < READABLE ? 0 : labelOf(size) };
}

const gapOf = (size) => Math.round(size * 0.14);
const labelOf = (size) => Math.max(22, Math.round(size * 0.24));
const headOf = (size) => Math.max(31, size * 0.23 + 10);

/** Sections stand side by side while there is room, each as high as its rows; a dock has its own line. */
function fits(board, size, labels, width, height) {
  const cell = size + gapOf(size);
  let [x, line, y] = [0, 0, 0];
  for (const section of board.sections) {
    const { layout, icons, title } = section;
    const isDock = isDocked(board, section);
    const columns = acrossOf(section);
    const rows = layout.kind === 'row' ? 1 : Math.max(1, Math.ceil(icons.length / columns));
    const across = columns * cell + 24;
    const down = rows * (cell + (isDock || !labels ? 0 : labelOf(size))) + 26 + (title && !isDock ? headOf(size) : 0);
    if (across > width) return false;
    if (x && (x + across + 14 > width || isDock)) {
      y += line + 14;
      [x, line] = [0, 0];
    }
    x += across + 14;
    line = Math.max(line, down);
  }
  return y + line <= height;
}

/**
 * Keeps the screen on where the browser lets a page, and hides a pointer that rests.
 * @param {import('./view.js').View} view
 */
export function show(view) {
  view.faces.stops = false;
  const awake = () => document.visibilityState === 'visible' && navigator.wakeLock?.request('screen').catch(() => {});
  document.addEventListener('visibilitychange', awake);
  awake();
  let timer;
  const moved = () => {
    delete document.body.dataset.idle;
    clearTimeout(timer);
    timer = setTimeout(() => (document.body.dataset.idle = ''), REST_MS);
  };
  addEventListener('pointermove', moved);
  moved();
}
