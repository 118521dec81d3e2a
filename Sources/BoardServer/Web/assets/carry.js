/**
 * What I hold: one drag from lift to drop, whatever steers it, a pointer or the keyboard.
 * @module
 * @typedef {import('./homeboard.js').BoardClient} BoardClient
 */
import { find, sectionOf } from './board.js';
import { applyEdit, flowOf, isPinned, listWithout, refusal, slotFor, targetFor } from './edits.js';
import { placeWords } from './words.js';

/** Why an icon can't be lifted, or `null`. @param {BoardClient} client @param {string} id */
export function liftRefusal(client, id) {
  const place = client.shown && find(client.shown, id);
  if (!place) return { reason: 'icon_gone' };
  if (client.state === 'closed') return { reason: 'closed' };
  if (client.role === 'viewer') return { reason: 'read_only' };
  if (place.section.lift === 'none') return { reason: 'section_locked' };
  if (place.icon.locked) return { reason: 'icon_locked' };
  if (isPinned(place.icon)) return { reason: 'icon_pinned' };
  const other = client.drags.find((drag) => drag.icons.includes(id));
  if (!other || place.section.lift === 'copy') return null;
  return { reason: 'held', holder: client.peers.get(other.peer) };
}

export class Carry {
  /** @type {import('./homeboard.d.ts').Target | null} */ place = null;
  copy = false;
  /** @type {string | null} why it can't be dropped here */ reason = null;
  /** The same in words. */ words = '';
  /** Whether keys steer it. */ keyboard = false;
  /** @type {string | null} the section that was named last */ told = null;

  /** @param {BoardClient} client @param {string[]} icons */
  constructor(client, icons) {
    this.client = client;
    this.icons = icons;
    this.moving = new Set(icons);
    this.source = find(client.shown, icons[0]).section.id;
    this.drag = client.begin(icons);
  }

  /** Another icon joins the block: the drag begins anew with both. @returns {boolean} */
  join(id) {
    if (this.moving.has(id) || this.source !== find(this.client.shown, id)?.section.id) return false;
    this.icons.push(id);
    this.moving.add(id);
    const { drag, place } = this;
    drag.stop();
    this.drag = this.client.begin(this.icons.slice());
    this.drag.target(place, drag.point);
    return true;
  }

  /** Where the first icon stands, with the block taken out. */
  get home() {
    const { section, icon } = find(this.client.shown, this.icons[0]) ?? {};
    if (!section) return null;
    const flow = section.icons.filter((other) => !isPinned(other));
    const slot = flow.slice(0, flow.indexOf(icon)).filter((i) => !this.moving.has(i.id)).length;
    return { section: section.id, slot };
  }

  /** The section and the slot of its flow that the gap is at now. */
  get gap() {
    const section = this.place && sectionOf(this.client.shown, this.place.section);
    if (!section) return this.home;
    return { section: section.id, slot: slotFor(section, this.place, this.#taken()) };
  }

  #taken() {
    return this.copy ? new Set() : this.moving;
  }

  /**
   * Holds the block over a place in a section's flow, or over nothing.
   * @param {string | null} id @param {number} slot @param {{x: number, y: number}} [point]
   */
  over(id, slot = 0, point = undefined) {
    const { shown } = this.client;
    const section = id && sectionOf(shown, id);
    this.copy = Boolean(section) && sectionOf(shown, this.source)?.lift === 'copy' && id !== this.source;
    this.place = section ? targetFor(section, slot, this.#taken()) : null;
    this.judge();
    this.drag.target(this.place, point);
  }

  /**
   * Somebody moved icons. A neighbour that went away doesn't take my gap along: it stays with the other.
   * @param {{icon: string}[]} moves
   */
  others(moves) {
    const { place, drag } = this;
    const went = (id) => moves.some(({ icon }) => icon === id);
    const section = place?.before && sectionOf(this.client.shown, place.section);
    if (!section || !went(place.after) || went(place.before)) return;
    const beside = { before: place.before, index: place.index };
    this.over(section.id, slotFor(section, beside, this.#taken()), drag.point);
  }

  /** Asks the board as it is now. @returns {boolean} whether it thinks otherwise than before */
  judge() {
    const { reason, client } = this;
    this.reason = this.place && refusal(client.shown, this.edit, client.role);
    return this.reason !== reason;
  }

  /** Where the first icon would stand, in words; the section is named when it is another. */
  gapWords() {
    const section = this.place && sectionOf(this.client.shown, this.place.section);
    if (!section) return 'over nothing';
    const list = listWithout(section, this.#taken());
    const next = flowOf(section, this.#taken())[this.gap.slot];
    const index = next ? list.indexOf(next) : list.length;
    if (this.told === section.id) return `position ${index + 1}`;
    this.told = section.id;
    return placeWords(section, index, list.length + this.icons.length);
  }

  get edit() {
    const { icons, place: to, copy } = this;
    return { kind: copy ? 'icon.copy' : 'icon.move', icons, newIDs: icons, to };
  }

  /** @returns {'dropped' | 'back' | 'refused'} */
  drop() {
    const { shown } = this.client;
    const ids = (board) => board.sections.map((s) => s.icons.map((icon) => icon.id).join()).join(';');
    const stays = !this.place || (!this.copy && ids(applyEdit(shown, this.edit)) === ids(shown));
    if (stays || this.reason) this.drag.cancel();
    else this.drag.drop(this.place);
    return this.reason ? 'refused' : stays ? 'back' : 'dropped';
  }

  cancel() {
    this.drag.cancel();
  }
}
