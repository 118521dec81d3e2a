/**
 * The page of one board. What tests and scripts may rely on:
 *
 * - `body[data-state="connecting|live|closed"]`, `body[data-role]`, `body[data-revision]` (the last
 *   confirmed one), `body[data-pending]` (own undecided edits), `body[data-editing]`
 * - `[data-section="ID"]`, with `data-over="open|forbidden"` while I hold something over it
 * - `[data-icon="UUID"]` inside its section, in the shown order; `data-cell="SECTION INDEX"` is where
 *   it is drawn, `data-gap="me|PEER"` marks cells that are somebody's gap, `data-state="locked|pinned"`
 * - `[data-my-drag]`, `[data-remote-drag="PEER"]`: what is held, with `data-held="UUID"`
 * - `[data-peer="N"]`: who is here, `[data-me]` myself
 * - `#status` the connection line, `#toast` the last word, `#live` the live region, `#count`
 * - `?view=kiosk` only shows; `[data-testid]` on every control; `window.homeboard` is the client
 * @module
 */
import { find } from './board.js';
import { Carry, liftRefusal } from './carry.js';
import { Editing } from './editing.js';
import { waiting } from './faces.js';
import { connect } from './homeboard.js';
import { personStorage } from './identity.js';
import { gapWords, KeyboardInput } from './keyboard.js';
import { overlay } from './overlay.js';
import { People } from './people.js';
import { PointerInput } from './pointer.js';
import { View } from './view.js';
import { Announcer, nameOf, placeWords, reasonWords } from './words.js';

const TOAST_MS = 3_500;
const UNDO_MS = 7_000;
const kiosk = new URLSearchParams(location.search).get('view') === 'kiosk';
const byId = (id) => document.getElementById(id);

export class Page {
  /** @type {Carry | null} */ carry = null;
  quietUntil = 0;
  #toastTimer;
  #pulse;

  constructor(id, options) {
    this.root = byId('board');
    this.announcer = new Announcer(byId('live'));
    this.client = connect(id, options);
    this.view = new View(this.root, byId('hands'), {
      model: () => this.#model(),
      frame: () => this.pointer.frame(),
      drawn: () => this.editing.drawn(),
    });
    this.pointer = kiosk ? { frame: () => false } : new PointerInput(this);
    this.keyboard = kiosk ? null : new KeyboardInput(this);
    this.editing = new Editing(this);
    this.people = new People(this);
    this.root.addEventListener('click', (event) => this.#click(event));
    this.#listen();
  }

  #listen() {
    const { client } = this;
    client.on('change', () => this.#changed());
    client.on('refused', ({ reason, edit }) => {
      const icon = edit.icons?.[0] ?? edit.icon;
      if (typeof icon === 'string') this.view.shake(icon);
      this.toast(reasonWords(reason));
    });
    client.on('dragend', ({ drag, outcome, reason, holder }) => {
      if (this.carry?.drag !== drag) return;
      const [icon] = this.carry.icons;
      this.#putDown();
      if (outcome === 'cancelled') return;
      this.view.shake(icon);
      this.toast(reasonWords(reason ?? outcome, holder));
    });
    client.on('commit', ({ commit, mine }) => {
      if (!mine && commit.peer !== client.peer) this.announcer.hear(this.#told(commit));
    });
  }

  #model() {
    const { client, carry } = this;
    const { shown, board, drags, peers, pending } = client;
    if (!shown) return null;
    const { icons, next } = waiting(pending, Date.now());
    clearTimeout(this.#pulse);
    if (next < Infinity) this.#pulse = setTimeout(() => this.view.invalidate(), next);
    const { editing, selected } = this.editing;
    const laid = overlay(shown, board, drags, carry);
    return { ...laid, shown, drags, peers, mine: carry, pending: icons, editing, selected };
  }

  #changed() {
    const { client, carry } = this;
    const { dataset } = document.body;
    dataset.state = client.state;
    dataset.pending = String(client.pending.length);
    dataset.role = client.role;
    if (client.board) dataset.revision = String(client.board.revision);
    if (carry && client.shown && !find(client.shown, carry.icons[0])) carry.cancel();
    this.editing.refresh();
    this.people.refresh();
    this.view.invalidate();
  }

  // Lifting, carrying, dropping: the same for pointers and keys.

  /** @returns {Carry | null} */
  lift(id) {
    const refused = liftRefusal(this.client, id);
    if (refused) {
      this.view.shake(id);
      this.toast(reasonWords(refused.reason, refused.holder));
      return null;
    }
    this.editing.closeEditor();
    this.hideToast();
    this.carry = new Carry(this.client, [id]);
    document.body.classList.add('carrying');
    const { section, index, icon } = find(this.client.shown, id);
    this.announcer.say(`${nameOf(icon)} lifted, ${placeWords(section, index, section.icons.length)}`);
    this.view.invalidate();
    return this.carry;
  }

  join(id) {
    if (!liftRefusal(this.client, id)) this.carry.join(id);
    this.view.invalidate();
  }

  over(section, slot, point) {
    const { carry } = this;
    const before = JSON.stringify([carry.place, carry.reason]);
    carry.over(section, slot, point);
    if (JSON.stringify([carry.place, carry.reason]) === before) return;
    carry.words = carry.reason ? reasonWords(carry.reason) : '';
    if (carry.keyboard) this.announcer.say(carry.words || gapWords(this.client.shown, carry));
    else if (carry.words) this.announcer.say(carry.words);
    this.view.invalidate();
  }

  drop() {
    const { carry } = this;
    const words = gapWords(this.client.shown, carry);
    const { reason } = carry;
    const [icon] = carry.icons;
    this.#putDown();
    const outcome = carry.drop();
    if (outcome === 'refused') {
      this.view.shake(icon);
      this.toast(reasonWords(reason));
    } else this.announcer.say(outcome === 'dropped' ? `Dropped, ${words}` : 'Back in its place');
    this.view.invalidate();
  }

  cancel() {
    const { carry } = this;
    this.#putDown();
    carry.cancel();
    this.announcer.say('Cancelled, back in its place');
    this.view.invalidate();
  }

  #putDown() {
    this.carry = null;
    document.body.classList.remove('carrying');
    this.view.invalidate();
  }

  // Everything else that can be done to an icon.

  #click(event) {
    const element = event.target.closest('[data-icon]');
    if (!element || performance.now() < this.quietUntil) return;
    this.activate(element.dataset.icon);
  }

  activate(id) {
    const icon = find(this.client.shown, id)?.icon;
    if (this.editing.editing) this.openEditor(id);
    else if (/^https?:\/\//i.test(icon?.link ?? '')) open(icon.link, '_blank', 'noopener');
    else this.view.icons.get(id)?.element.focus();
  }

  openEditor(id) {
    this.editing.openEditor(id);
  }

  remove(id) {
    const place = find(this.client.shown, id);
    if (!place || !this.client.edit({ kind: 'icon.remove', icons: [id] })) return;
    const { icons } = place.section;
    const next = icons[place.index + 1] ?? icons[place.index - 1];
    if (next) this.view.icons.get(next.id)?.element.focus();
    this.toast(`${nameOf(place.icon)} removed`, { label: 'Undo', run: () => this.undo() });
  }

  undo() {
    this.hideToast();
    if (this.client.undo()) this.announcer.say('Undone');
  }

  redo() {
    if (this.client.redo()) this.announcer.say('Done again');
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
    this.announcer.say(text);
    clearTimeout(this.#toastTimer);
    this.#toastTimer = setTimeout(() => this.hideToast(), action ? UNDO_MS : TOAST_MS);
  }

  hideToast() {
    delete byId('toast').dataset.shown;
  }

  #told({ peer, edit }) {
    const who = this.client.peers.get(peer)?.name ?? 'Someone';
    const icon = (id) => nameOf(find(this.client.board, id)?.icon ?? {});
    const [move] = edit.moves ?? [];
    const section = move && this.client.board.sections.find(({ id }) => id === move.to.section);
    switch (edit.kind) {
      case 'icon.move':
        return `${who} moved ${icon(move.icon)} to ${placeWords(section, move.to.index, section.icons.length)}`;
      case 'icon.add':
        return `${who} added ${nameOf(edit.adds[0].icon)}`;
      case 'icon.remove':
        return `${who} removed ${edit.removes.length === 1 ? 'an icon' : `${edit.removes.length} icons`}`;
      case 'icon.update':
        return `${who} changed ${icon(edit.icon)}`;
      default:
        return `${who} changed the sections`;
    }
  }
}

if (kiosk) document.body.dataset.view = 'kiosk';
const [, , id] = location.pathname.split('/');
const name = personStorage().getItem('homeboard:name') ?? undefined;
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
const page = new Page(decodeURIComponent(id), { name, token });
Object.assign(window, { homeboard: page.client, homeboardPage: page });
