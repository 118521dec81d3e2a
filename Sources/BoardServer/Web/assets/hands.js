/**
 * What a person's hands do to the board, whatever steers them: lift, carry, drop, take away. Loaded
 * once the board is on the screen; a page that only shows never loads it.
 * @module
 */
import { find } from './board.js';
import { Carry, liftRefusal } from './carry.js';
import { KeyboardInput } from './keyboard.js';
import { Myself } from './myself.js';
import { PointerInput } from './pointer.js';
import { deed, reasonWords } from './telling.js';
import { nameOf, placeWords } from './words.js';

const TOAST_MS = 3_500;
const UNDO_MS = 7_000;
const byId = (id) => document.getElementById(id);

export class Hands {
  #toastTimer;
  /** @type {Carry | null} what is held */ carry = null;
  /** Until when clicks are the end of a drag, and mean nothing. */ quietUntil = 0;

  /** @param {import('./page.js').Page} page */
  constructor(page) {
    this.page = page;
    this.client = page.client;
    this.view = page.view;
    this.root = page.root;
    this.pointer = new PointerInput(this);
    this.keyboard = new KeyboardInput(this);
    this.root.addEventListener('click', (event) => this.#click(event));
    this.client.on('dragend', (end) => this.#ended(end));
    this.client.on('commit', (event) => this.#committed(event));
    byId('undo').addEventListener('click', () => this.undo());
    byId('redo').addEventListener('click', () => this.redo());
    new Myself(this);
    this.client.on('change', () => this.#changed());
  }

  /** Work for each frame, before it is drawn. @returns {boolean} whether it wants another */
  frame() {
    return this.pointer.frame();
  }

  #say(text) {
    this.page.announcer.say(text);
  }

  #refuse(id, reason, holder) {
    const element = this.view.icons.get(id)?.element;
    element?.classList.remove('shake');
    void element?.offsetWidth;                  // So that it starts anew.
    element?.classList.add('shake');
    this.toast(reasonWords(reason, holder));
  }

  /** An edit of mine won't happen. */
  refused({ reason, edit }) {
    this.#refuse(edit.icons?.[0] ?? edit.icon, reason);
  }

  #committed({ commit, mine }) {
    if (mine) return;
    this.carry?.others(commit.edit.moves ?? []);
    if (commit.peer !== this.client.peer) this.page.announcer.hear(deed(this.client, commit));
  }

  /** @returns {Carry | null} */
  lift(id) {
    const refused = liftRefusal(this.client, id);
    if (refused) {
      this.#refuse(id, refused.reason, refused.holder);
      return null;
    }
    this.page.editing?.closeEditor();
    this.hideToast();
    this.carry = new Carry(this.client, [id]);
    document.body.classList.add('carrying');
    const { section, index, icon } = find(this.client.shown, id);
    this.carry.told = section.id;
    this.#say(`${nameOf(icon)} lifted, ${placeWords(section, index, section.icons.length)}`);
    this.view.invalidate();
    return this.carry;
  }

  /** A further icon joins what is held. */
  join(id) {
    const { carry } = this;
    const refused = liftRefusal(this.client, id);
    if (refused) this.#refuse(id, refused.reason, refused.holder);
    else if (carry.join(id)) this.#say(`${carry.icons.length} icons held`);
    this.view.invalidate();
  }

  over(section, slot, point) {
    const { carry } = this;
    const before = JSON.stringify([carry.place, carry.reason]);
    carry.over(section, slot, point);
    if (JSON.stringify([carry.place, carry.reason]) !== before) this.#over();
  }

  #over() {
    const { carry } = this;
    carry.words = carry.reason ? reasonWords(carry.reason) : '';
    if (carry.words) {
      carry.told = null;
      this.#say(carry.words);
    } else if (carry.keyboard) this.#say(carry.gapWords());
    this.view.invalidate();
  }

  drop() {
    const { carry } = this;
    carry.told = null;
    const words = carry.gapWords();
    this.#putDown();
    const { reason } = carry;
    const outcome = carry.drop();
    if (outcome === 'refused') this.#refuse(carry.icons[0], reason);
    else this.#say(outcome === 'dropped' ? `Dropped, ${words}` : 'Back in its place');
  }

  cancel() {
    const { carry } = this;
    this.#putDown();
    carry.cancel();
    this.#say('Cancelled, back in its place');
  }

  #putDown() {
    this.carry = null;
    document.body.classList.remove('carrying');
    this.view.invalidate();
  }

  /** The client or the server ended what I hold. */
  #ended({ drag, outcome, reason, holder }) {
    if (this.carry?.drag !== drag) return;
    const [icon] = this.carry.icons;
    this.#putDown();
    if (outcome !== 'cancelled') this.#refuse(icon, reason ?? outcome, holder);
  }

  #changed() {
    const { carry, client } = this;
    if (!carry || !client.shown) return;
    if (!find(client.shown, carry.icons[0])) {
      this.#putDown();
      carry.cancel();
      this.#refuse(carry.icons[0], 'icon_gone');
      // Under a still hand a section may fill up, or have room again.
    } else if (carry.judge()) this.#over();
  }

  // What else is done to an icon.

  #click(event) {
    const id = event.target.closest('[data-icon]')?.dataset.icon;
    if (this.carry) this.view.focus(this.carry.icons[0]);
    else if (id && performance.now() >= this.quietUntil) this.activate(id);
  }

  activate(id) {
    const icon = find(this.client.shown, id)?.icon;
    if (this.page.editing?.isOn) this.page.openEditor(id);
    else if (/^https?:\/\//i.test(icon?.link ?? '')) open(icon.link, '_blank', 'noopener');
    else this.view.focus(id);
  }

  remove(id) {
    const place = find(this.client.shown, id);
    if (!place || !this.client.edit({ kind: 'icon.remove', icons: [id] })) return;
    const { icons } = place.section;
    this.view.focus((icons[place.index + 1] ?? icons[place.index - 1])?.id);
    const undo = { label: 'Undo', run: () => this.undo() };
    this.toast(`${nameOf(place.icon)} removed`, undo);
  }

  undo() {
    this.hideToast();
    if (this.client.undo()) this.#say('Undone');
  }

  redo() {
    if (this.client.redo()) this.#say('Done again');
  }

  /** One line in words, and perhaps one thing to do about it. */
  toast(text, action = null) {
    const toast = byId('toast');
    toast.firstElementChild.textContent = text;
    const button = toast.lastElementChild;
    button.hidden = !action;
    button.textContent = action?.label ?? '';
    button.onclick = action?.run ?? null;
    toast.dataset.shown = '';
    this.#say(text);
    clearTimeout(this.#toastTimer);
    this.#toastTimer = setTimeout(() => this.hideToast(), action ? UNDO_MS : TOAST_MS);
  }

  hideToast() {
    delete byId('toast').dataset.shown;
  }
}
