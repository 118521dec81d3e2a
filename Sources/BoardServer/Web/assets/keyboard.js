/**
 * The whole board by keyboard: one tab stop for a section, arrows in two dimensions, Space lifts.
 * @module
 */
import { sectionOf } from './board.js';
import { flowOf } from './edits.js';
import { follow } from './follow.js';

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class KeyboardInput {
  /** @param {import('./hands.js').Hands} hands */
  constructor(hands) {
    this.hands = hands;
    hands.root.addEventListener('keydown', (event) => this.#key(event));
    hands.root.addEventListener('focusin', ({ target }) => this.#stop(target));
    addEventListener('keydown', (event) => this.#global(event));
  }

  /** Tab leaves a section and comes back to the icon that was left. */
  #stop(target) {
    if (!target.matches('[data-icon]')) return;
    for (const icon of target.parentElement.children) icon.tabIndex = icon === target ? 0 : -1;
  }

  #global(event) {
    const { hands } = this;
    if (event.key === 'Escape' && hands.carry) {
      event.preventDefault();
      hands.cancel();
      return;
    }
    const typing = event.target.closest?.('input, textarea, select');
    if (typing || !(event.ctrlKey || event.metaKey) || hands.carry) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    if (key === 'y' || event.shiftKey) hands.redo();
    else hands.undo();
  }

  #key(event) {
    const element = event.target.closest('[data-icon]');
    if (!element) return;
    const id = element.dataset.icon;
    const done = this.hands.carry ? this.#carrying(event) : this.#walking(event, id);
    if (done) event.preventDefault();
  }

  #walking(event, id) {
    const { hands } = this;
    const { key } = event;
    if (key === ' ') {
      const carry = hands.lift(id);
      if (carry) {
        const { section, slot } = carry.home;
        hands.over(section, slot);           // Said already: "Mail lifted, position 3 of 24".
        carry.keyboard = true;
      }
    } else if (key === 'Enter') hands.activate(id);
    else if (key === 'Delete' || key === 'Backspace') hands.remove(id);
    else if (key === 'F2' || key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) hands.page.openEditor(id);
    else if (key in STEPS || key === 'Home' || key === 'End') this.#walk(event, id);
    else return false;
    return true;
  }

  /** Arrows walk the grid as it is on screen, and on into the next section. */
  #walk(event, id) {
    const { view } = this.hands;
    const order = [...view.sections.values()]
      .sort((a, b) => a.isDock - b.isDock || a.origin.y - b.origin.y || a.origin.x - b.origin.x);
    const at = order.findIndex(({ cells }) => cells.some((icon) => icon.id === id));
    const { cells, columns } = order[at];
    const index = cells.findIndex((icon) => icon.id === id);
    const [dx, dy] = STEPS[event.key] ?? [0, 0];
    const wide = Math.min(columns, Math.max(1, cells.length));
    let next = event.key === 'Home' ? 0 : event.key === 'End' ? cells.length - 1 : index + dx + dy * wide;
    let list = cells;
    if (event.ctrlKey || (dy && (next < 0 || Math.floor(next / wide) > Math.floor((cells.length - 1) / wide)))) {
      const step = dx + dy;
      const other = order.slice(step < 0 ? 0 : at + 1, step < 0 ? at : undefined);
      const found = (step < 0 ? other.reverse() : other).find((section) => section.cells.length);
      if (!found) return;
      list = found.cells;
      next = Math.min(index % wide, list.length - 1);
    }
    const icon = list[Math.min(Math.max(next, 0), list.length - 1)];
    view.focus(icon.id);
  }

  #carrying(event) {
    const { hands } = this;
    const { key } = event;
    if (key === ' ' || key === 'Enter') hands.drop();
    else if (key in STEPS || key === 'Home' || key === 'End') this.#carry(event);
    else return key === 'Tab';
    return true;
  }

  #carry(event) {
    const { hands } = this;
    const { carry, client, view } = hands;
    if (!carry.gap) return;
    let { section: id, slot } = carry.gap;
    const [dx, dy] = STEPS[event.key] ?? [0, 0];
    const count = (name) => flowOf(sectionOf(client.shown, name), carry.moving).length;
    if (event.ctrlKey || event.metaKey) {
      const ids = client.shown.sections.map((section) => section.id);
      id = ids[ids.indexOf(id) + Math.sign(dx + dy)] ?? id;
      slot = Math.min(slot, count(id));
    } else if (event.key === 'Home') slot = 0;
    else if (event.key === 'End') slot = count(id);
    else {
      const { columns, cells } = view.sections.get(id);
      slot += dx + dy * Math.min(columns, Math.max(1, cells.length));
      slot = Math.min(Math.max(slot, 0), count(id));
    }
    hands.over(id, slot);
    requestAnimationFrame(() => follow(view, carry.icons[0]));
  }
}
