/**
 * Edit mode: add, rename, recolour, lock, pin, copy and remove icons; add, name, move and remove
 * sections.
 * @module
 */
import { find } from './board.js';
import { refusal } from './edits.js';
import { make } from './faces.js';
import { follow } from './follow.js';
import { uuid } from './identity.js';
import { isDocked } from './sizes.js';
import { nameOf } from './words.js';

const byId = (id) => document.getElementById(id);
const SWATCHES = ['#ef4444', '#f97316', '#f59e0b', '#84cc16', '#22c55e', '#14b8a6', '#0ea5e9', '#3b82f6',
  '#6366f1', '#a855f7', '#ec4899', '#92400e', '#64748b', '#111827', '#f8fafc'];
const parts = (hex) => [1, 3, 5].map((at) => Math.round((parseInt(hex.slice(at, at + 2), 16) / 255) * 1e4) / 1e4);
const colour = (hex) => Object.fromEntries(['red', 'green', 'blue'].map((key, n) => [key, parts(hex)[n]]));
const hexOf = ({ red, green, blue }) =>
  `#${[red, green, blue].map((c) => Math.round(c * 255).toString(16).padStart(2, '0')).join('')}`;

export class Editing {
  isOn = false;
  /** @type {string | null} */ selected = null;

  /** @param {import('./page.js').Page} page */
  constructor(page) {
    this.page = page;
    this.form = byId('editor');
    byId('add-section').addEventListener('click', () => this.#addSection());
    byId('rename').addEventListener('change', ({ target }) => {
      this.#send({ kind: 'board.update', set: { title: target.value } });
    });
    this.form.addEventListener('submit', (event) => event.preventDefault());
    this.form.addEventListener('change', ({ target }) => this.#field(target));
    this.form.addEventListener('click', ({ target }) => this.#press(target.closest('button')));
    this.form.addEventListener('keydown', (event) => event.key === 'Escape' && this.closeEditor(true));
    for (const hex of SWATCHES) {
      const swatch = make('button', 'swatch');
      swatch.type = 'button';
      swatch.dataset.colour = hex;
      swatch.style.background = hex;
      swatch.setAttribute('aria-label', nameOf(colour(hex)).replace(' icon', ''));
      byId('swatches').insertBefore(swatch, byId('colour'));
    }
    this.refresh();
  }

  #send(edit) {
    return this.page.client.edit(edit);
  }

  toggle() {
    this.isOn = !this.isOn;
    document.body.toggleAttribute('data-editing', this.isOn);
    this.page.client.setEditing(this.isOn);
    byId('edit').setAttribute('aria-pressed', String(this.isOn));
    byId('edit').lastElementChild.textContent = this.isOn ? 'Done' : 'Edit';
    if (!this.isOn) this.closeEditor();
    this.page.view.invalidate();
  }

  add(section = this.#roomy()) {
    const { client } = this.page;
    if (!section) {
      this.page.hands.toast('No section here takes new icons - add a section in edit mode');
      return;
    }
    const icon = { id: uuid(), ...colour(SWATCHES[Math.floor(Math.random() * 12)]), label: 'New' };
    if (!this.#send({ kind: 'icon.add', icon, to: { section, at: 'end' } })) return;
    requestAnimationFrame(() => {
      if (!find(client.shown, icon.id)) return;
      follow(this.page.view, icon.id);
      this.openEditor(icon.id);
    });
  }

  /** The first section that a new icon may enter. */
  #roomy() {
    const { shown, role } = this.page.client;
    const takes = ({ id }) => !refusal(shown, { kind: 'icon.add', icon: { id: '' }, to: { section: id } }, role);
    return shown?.sections.find(takes)?.id;
  }

  #addSection() {
    const section = { id: `s-${uuid().slice(0, 8)}`, title: 'New section',
      layout: { kind: 'grid', columns: 4 }, lift: 'move', drop: 'any', icons: [] };
    const { shown } = this.page.client;
    const last = shown?.sections.at(-1);
    // The dock stays the last.
    const before = last && isDocked(shown, last) ? { before: last.id } : {};
    if (this.#send({ kind: 'section.add', section, ...before })) this.page.hands.toast('Section added');
  }

  // The editor of one icon.

  openEditor(id) {
    const { client } = this.page;
    if (!find(client.shown, id)) return;
    if (client.role === 'viewer') {
      this.page.hands.toast('You can look, but not change this');
      return;
    }
    this.selected = id;
    this.form.hidden = false;
    this.#fill(true);
    this.page.view.invalidate();
    requestAnimationFrame(() => this.selected === id && follow(this.page.view, id));
    this.form.elements.label.focus({ preventScroll: true });
    this.form.elements.label.select();
  }

  closeEditor(back = false) {
    if (!this.selected) return;
    const node = this.page.view.icons.get(this.selected);
    this.form.contains(document.activeElement) && document.activeElement.blur();
    this.selected = null;
    this.form.hidden = true;
    if (back) node?.element.focus();
    this.page.view.invalidate();
  }

  #fill(anew = false) {
    const { client } = this.page;
    const place = this.selected && client.shown && find(client.shown, this.selected);
    if (!place) {
      this.closeEditor(this.form.contains(document.activeElement));
      return;
    }
    const { icon } = place;
    const { elements } = this.form;
    for (const key of ['label', 'symbol', 'link']) {
      if (anew || elements[key] !== document.activeElement) elements[key].value = icon[key] ?? '';
    }
    elements.colour.value = hexOf(icon);
    for (const swatch of this.form.querySelectorAll('.swatch')) {
      swatch.setAttribute('aria-pressed', String(swatch.dataset.colour === hexOf(icon)));
    }
    const press = (name, on) => {
      elements[name].setAttribute('aria-pressed', String(on));
      elements[name].disabled = client.role !== 'owner';
    };
    press('lock', Boolean(icon.locked));
    press('pin', icon.pinnedAt != null);
  }

  #update(set) {
    if (this.selected) this.#send({ kind: 'icon.update', icon: this.selected, set });
  }

  #field({ name, value }) {
    if (name === 'colour') this.#update(colour(value));
    else this.#update({ [name]: value.trim() || null });
  }

  #press(button) {
    const place = button && this.selected && find(this.page.client.shown, this.selected);
    if (!place) return;
    const { icon, index, section } = place;
    const to = { section: section.id, after: icon.id };
    if (button.dataset.colour) this.#update(colour(button.dataset.colour));
    else if (button.name === 'lock') this.#update({ locked: icon.locked ? null : true });
    else if (button.name === 'pin') this.#update({ pinnedAt: icon.pinnedAt == null ? index : null });
    else if (button.name === 'copy') this.#send({ kind: 'icon.copy', icons: [icon.id], to });
    else if (button.name === 'remove') this.page.hands.remove(icon.id);
    else if (button.name === 'close') this.closeEditor(true);
  }

  // Sections.

  refresh() {
    const { shown } = this.page.client;
    if (!shown) return;
    if (byId('rename') !== document.activeElement) byId('rename').value = shown.title;
    if (this.selected) this.#fill();
  }

  /** Called when the sections have been drawn. */
  drawn() {
    const { sections } = this.page.client.shown;
    sections.forEach((section, index) => {
      const { tools } = this.page.view.sections.get(section.id) ?? {};
      if (!tools) return;
      if (!tools.childElementCount) this.#tools(tools, section.id);
      const [name, , up, down, remove] = tools.children;
      if (name !== document.activeElement) name.value = section.title;
      up.disabled = index === 0;
      down.disabled = index === sections.length - 1;
      remove.disabled = section.icons.length > 0;
    });
  }

  #tools(tools, id) {
    const name = make('input', 'rename');
    name.setAttribute('aria-label', 'Name of the section');
    name.maxLength = 100;
    name.onchange = () => this.#send({ kind: 'section.update', section: id, set: { title: name.value.trim() } });
    const button = (text, label, run) => {
      const element = make('button', 'tool', text);
      element.title = label;
      element.setAttribute('aria-label', label);
      element.dataset.testid = label.toLowerCase().replaceAll(' ', '-');
      element.onclick = run;
      return element;
    };
    const move = (by) => {
      const ids = this.page.client.shown.sections.map((section) => section.id);
      const before = ids[ids.indexOf(id) + by];
      this.#send({ kind: 'section.move', section: id, ...(before && { before }) });
    };
    tools.append(
      name,
      button('＋', 'Add icon here', () => this.add(id)),
      button('↑', 'Move section up', () => move(-1)),
      button('↓', 'Move section down', () => move(2)),
      button('✕', 'Remove section', () => this.#send({ kind: 'section.remove', section: id })),
    );
  }
}
