/**
 * A board as a small picture: its sections, columns, colours and symbols. Each icon is one element
 * that is moved by transform, so that a picture of the next revision flows out of the last one.
 * @module
 * @typedef {import('./homeboard.d.ts').Board} Board
 */
import { cssColour } from './faces.js';
import { acrossOf, isDocked } from './sizes.js';

const SVG = 'http://www.w3.org/2000/svg';
export const WIDTH = 160;
export const HEIGHT = 112;
const PAD = 5;
const GAP = 6;
/** Smaller ones can't be told apart; what doesn't fit is left out below. */
const SMALLEST = 7;
const LARGEST = 40;

const columnsOf = (section) =>
  section.layout.kind === 'row' ? Math.min(12, acrossOf(section)) : section.layout.columns;
const rowsOf = (section) => Math.max(1, Math.ceil(section.icons.length / columnsOf(section)));

/** How large a cell may be, px, when sections stand side by side and a dock below them. */
function cellOf(beside, dock) {
  const across = beside.reduce((sum, section) => sum + columnsOf(section), 0);
  const room = WIDTH - beside.length * 2 * PAD - (beside.length - 1) * GAP;
  const down = Math.max(0, ...beside.map(rowsOf)) + (dock ? 1 : 0);
  const high = HEIGHT - 2 * PAD - (dock ? 2 * PAD + GAP : 0);
  const shelf = dock ? (WIDTH - 2 * PAD) / columnsOf(dock) : LARGEST;
  return Math.max(SMALLEST, Math.min(LARGEST, shelf, room / Math.max(1, across), high / Math.max(1, down)));
}

/**
 * Where everything is in the picture.
 * @param {Board} board
 * @returns {{cell: number, panels: object[], icons: {icon: object, x: number, y: number}[]}}
 */
export function arrange(board) {
  const dock = board.sections.find((section) => isDocked(board, section));
  const beside = board.sections.filter((section) => section !== dock);
  const cell = cellOf(beside, dock);
  const panels = [];
  const icons = [];
  const put = (section, x, y, rows) => {
    const columns = columnsOf(section);
    panels.push({ x, y, width: columns * cell + 2 * PAD, height: rows * cell + 2 * PAD, isDock: section === dock });
    section.icons.slice(0, rows * columns).forEach((icon, n) => {
      icons.push({ icon, x: x + PAD + (n % columns) * cell, y: y + PAD + Math.floor(n / columns) * cell });
    });
  };
  const foot = dock ? cell + 2 * PAD + GAP : 0;
  const most = Math.max(1, Math.floor((HEIGHT - foot - 2 * PAD) / cell));
  const widths = beside.map((section) => columnsOf(section) * cell + 2 * PAD);
  const all = widths.reduce((sum, width) => sum + width + GAP, -GAP);
  const high = Math.min(most, Math.max(1, ...beside.map(rowsOf))) * cell + 2 * PAD;
  let x = Math.max(0, (WIDTH - all) / 2);
  beside.forEach((section, n) => {
    put(section, x, Math.max(0, (HEIGHT - foot - high) / 2), Math.min(most, rowsOf(section)));
    x += widths[n] + GAP;
  });
  if (dock) put(dock, (WIDTH - columnsOf(dock) * cell) / 2 - PAD, HEIGHT - cell - 2 * PAD, 1);
  return { cell, panels, icons };
}

const svg = (name, attributes) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

export class Miniature {
  #icons = new Map();
  #panels = svg('g', {});
  #layer = svg('g', {});

  constructor() {
    this.element = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'picture', 'aria-hidden': 'true' });
    this.element.append(this.#panels, this.#layer);
  }

  /** @param {Board} board */
  draw(board) {
    const { cell, panels, icons } = arrange(board);
    this.#panels.replaceChildren(...panels.map(({ isDock, ...box }) =>
      svg('rect', { ...box, rx: 6, class: isDock ? 'shelf' : 'part' })));
    const before = this.#icons;
    this.#icons = new Map();
    for (const { icon, x, y } of icons) {
      const element = before.get(icon.id) ?? this.#icon(icon);
      before.delete(icon.id);
      this.#icons.set(icon.id, element);
      const side = cell - Math.max(1, cell * 0.16);
      const [tile, symbol] = element.children;
      tile.setAttribute('width', side);
      tile.setAttribute('height', side);
      tile.setAttribute('rx', side / 5);
      tile.style.fill = cssColour(icon);
      const text = cell < 11 ? '' : (icon.symbol ?? '');
      if (symbol.textContent !== text) symbol.textContent = text;
      symbol.setAttribute('x', side / 2);
      symbol.setAttribute('y', side / 2);
      symbol.setAttribute('font-size', side * 0.5);
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
    for (const element of before.values()) element.remove();
  }

  #icon({ id }) {
    const element = svg('g', { 'data-dot': id });
    element.append(svg('rect', {}), svg('text', { 'text-anchor': 'middle', 'dominant-baseline': 'central' }));
    this.#layer.append(element);
    return element;
  }
}
