/**
 * The elements that the view moves about: sections, icons and what is held. Everything that people
 * wrote goes in as text, never as markup.
 * @module
 */
import { colourName, nameOf } from './words.js';

const PULSE_MS = 400;
let segments;
/** Two characters of Latin, kana or Han stand alone: finding out about others takes a while to load. */
const ALONE = '[ -\u02ff\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]';
const PLAIN = new RegExp(`^${ALONE}(?:${ALONE}|$)`);

/** @param {string} tag @param {string} className @param {string} [text] */
export function make(tag, className, text = undefined) {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function initial(text) {
  if (!text || PLAIN.test(text)) return text.slice(0, 1);
  if (!globalThis.Intl?.Segmenter) return [...text][0];
  segments ??= new Intl.Segmenter();
  return [...segments.segment(text)][0].segment;
}
export const cssColour = ({ red, green, blue }) =>
  `rgb(${[red, green, blue].map((c) => Math.round(c * 255)).join(' ')})`;
const widthOf = (character) => (character < 'a' ? 90 : character < '\u1100' ? 70 : 130);
/** Whether it may be wider than so many hundredths of its own size. */
const isWide = (text, room) => [...text].reduce((width, character) => width + widthOf(character), 0) > room;
/** Whether white on it would have less contrast than 3 to 1. */
const isLight = ({ red, green, blue }) => red ** 2.2 * 0.21 + green ** 2.2 * 0.72 + blue ** 2.2 * 0.07 > 0.29;
const set = (element, name, value) => {
  if (element.getAttribute(name) === value) return;
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
};

export class Faces {
  /** Whether icons can be reached by Tab. */ stops = true;

  section({ id }) {
    const element = make('section', 'section');
    element.dataset.section = id;
    const head = make('div', 'head');
    const title = make('h2', 'title');
    title.id = `title-${id}`;
    const note = make('span', 'note');
    const tools = make('span', 'tools');
    head.append(title, note, tools);
    const list = make('div', 'list');
    set(list, 'aria-describedby', 'how');
    const empty = make('p', 'empty');
    const slots = make('div', 'slots');
    element.append(slots, head, list, empty);
    return { element, slots, list, title, note, tools, empty, scroll: 0, origin: { x: 0, y: 0 } };
  }

  dressSection(known, section, { mine, editing }) {
    const { element, slots, list, title, note, empty } = known;
    set(element, 'data-layout', known.isDock ? 'dock' : section.layout.kind);
    element.classList.toggle('docked', known.isDock);
    const places = known.isDock ? section.capacity : 0;
    while (slots.childElementCount > places) slots.lastChild.remove();
    while (slots.childElementCount < places) slots.append(make('i', ''));
    set(list, 'aria-label', section.title || 'Icons');
    if (title.textContent !== section.title) title.textContent = section.title;
    element.classList.toggle('untitled', !section.title);
    const full = section.capacity != null ? `${section.icons.length} of ${section.capacity}` : '';
    const rule = section.lift === 'copy' ? 'drag out a copy' : section.lift === 'none' ? 'fixed' : '';
    const words = [rule, full].filter(Boolean).join(' · ');
    if (note.textContent !== words) note.textContent = words;
    element.classList.toggle('fixed', section.lift === 'none');
    const bare = !section.icons.length;
    element.classList.toggle('bare', bare);
    // A listbox without options is none.
    set(list, 'role', bare ? 'group' : 'listbox');
    set(list, 'aria-orientation', bare ? null : 'horizontal');
    const invites = known.isDock ? `Drag up to ${section.capacity} icons here` : 'Empty - drag icons here';
    empty.textContent = bare ? (editing && !known.isDock ? 'Empty - add an icon' : invites) : '';
    const over = mine?.place?.section === section.id;
    set(element, 'data-over', over ? (mine.reason ? 'forbidden' : 'open') : null);
  }

  icon(icon, isNew) {
    const element = make('div', isNew ? 'icon lively enter' : 'icon');
    const face = make('div', 'face');
    const tile = make('div', 'tile');
    tile.append(make('span', 'symbol'), make('span', 'badge'));
    face.append(tile, make('span', 'label'));
    element.append(face);
    if (icon.id.startsWith('gap:')) {
      element.classList.add('twin');
      set(element, 'aria-hidden', 'true');
      return element;
    }
    element.dataset.icon = icon.id;
    element.tabIndex = -1;
    set(element, 'role', 'option');
    return element;
  }

  dress(node, icon, { pending, selected }) {
    const { element } = node;
    const marks = `${pending.has(icon.id)} ${selected === icon.id}`;
    if (node.icon === icon && node.marks === marks) return;
    Object.assign(node, { icon, marks });
    element.classList.toggle('pending', pending.has(icon.id));
    if (!element.dataset.icon) return;
    set(element, 'aria-selected', String(selected === icon.id));
    const [tile, label] = element.firstChild.children;
    tile.style.setProperty('--c', cssColour(icon));
    tile.classList.toggle('light', isLight(icon));
    const symbol = icon.symbol || initial(icon.label ?? '');
    tile.firstChild.textContent = symbol;
    tile.firstChild.classList.toggle('long', isWide(symbol, 200));
    const state = icon.locked ? 'locked' : icon.pinnedAt != null ? 'pinned' : '';
    tile.lastChild.textContent = { locked: '🔒', pinned: '📌' }[state] ?? '';
    label.textContent = icon.label ?? '';
    label.classList.toggle('long', isWide(label.textContent, 500));
    set(element, 'title', icon.label || null);
    set(element, 'data-state', state || null);
    set(element, 'data-link', icon.link ? '' : null);
    const words = [nameOf(icon), icon.label && colourName(icon), state, icon.link && 'link'];
    set(element, 'aria-label', words.filter(Boolean).join(', '));
  }

  /** A held icon's own cell shows as the gap, in the holder's colour, or as an empty home. */
  hold(node, owner, isOpen, colour) {
    const { element, index, at, parent } = node;
    const holding = [owner, isOpen, at, index, colour, parent];
    if (node.holding?.every((value, n) => value === holding[n])) return;
    node.holding = holding;
    const held = owner !== undefined;
    element.classList.toggle('held', held);
    element.classList.toggle('away', at !== parent);
    element.classList.toggle('open', isOpen);
    set(element, 'data-gap', isOpen ? String(owner) : null);
    set(element, 'data-cell', `${at} ${index}`);
    element.style.setProperty('--peer', held ? (colour ?? 'var(--accent)') : '');
  }

  /** A row fades out on the side where there is more of it. */
  fade({ list, scroll, columns }) {
    const more = columns === Infinity ? list.scrollWidth - list.clientWidth - scroll : 0;
    set(list, 'data-more', [scroll > 1 && 'left', more > 1 && 'right'].filter(Boolean).join(' ') || null);
  }

  /** Tells screen readers where each icon is, and leaves one tab stop for the section. */
  number(icons, section, known) {
    if (known.numbered === section) return;
    known.numbered = section;
    const nodes = section.icons.map((icon) => icons.get(icon.id));
    const stop = nodes.find((node) => node.element === document.activeElement)
      ?? nodes.find((node) => node.element.tabIndex === 0) ?? nodes[0];
    nodes.forEach((node, index) => {
      set(node.element, 'aria-posinset', String(index + 1));
      set(node.element, 'aria-setsize', String(nodes.length));
      node.element.tabIndex = node === stop && this.stops ? 0 : -1;
    });
  }

  leave({ element }) {
    element.removeAttribute('data-icon');
    element.classList.add('leave');
    set(element, 'aria-hidden', 'true');
    setTimeout(() => element.remove(), 160);
  }

  hand(node, owner, colour, name) {
    const element = make('div', owner === 'me' ? 'hand mine' : 'hand');
    element.append(node.element.firstChild.cloneNode(true), make('span', 'tag', name), make('span', 'count'));
    if (colour) element.style.setProperty('--peer', colour);
    if (owner === 'me') element.dataset.myDrag = '';
    else element.dataset.remoteDrag = owner;
    element.dataset.held = node.element.dataset.icon;
    set(element, 'aria-hidden', 'true');
    return element;
  }

  dressHand({ element, owner, n }, node, count, state) {
    const { reason } = state;
    element.classList.add('lifted');
    element.classList.toggle('refused', Boolean(reason) || state.proposal === 'forbidden');
    element.classList.toggle('nowhere', owner === 'me' && !state.place);
    element.classList.toggle('keyboard', Boolean(state.keyboard));
    element.lastChild.textContent = count > 1 && !n ? String(count) : '';
    if (owner === 'me') element.children[1].textContent = n ? '' : (state.words ?? '');
    element.style.zIndex = String((owner === 'me' ? 200 : 100) - n);
    node.element.classList.remove('enter');
  }

  /** The hand gives the icon back to its cell. */
  landed({ element }, node) {
    element.remove();
    node?.element.classList.remove('landing');
  }
}

/** Which icons have been waiting for the server long enough to show it, and when to look again. */
export function waiting(queue, now) {
  const icons = new Set();
  let next = Infinity;
  for (const { edit, at } of queue) {
    if (now - at < PULSE_MS) next = Math.min(next, at + PULSE_MS - now);
    else for (const id of edit.newIDs ?? edit.icons ?? [edit.icon?.id ?? edit.icon]) icons.add(id);
  }
  return { icons, next };
}
