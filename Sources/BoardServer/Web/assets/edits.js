/**
 * What an edit will most likely do, so that it can be shown before the server has answered; and
 * why it would be refused. These are the server's own rules for a board nobody else touches.
 * @module
 * @typedef {import('./homeboard.js').Board} Board
 * @typedef {import('./homeboard.js').Section} Section
 * @typedef {import('./homeboard.js').Icon} Icon
 * @typedef {import('./types.js').AnyEdit} AnyEdit
 * @typedef {import('./types.js').AnyTarget} AnyTarget
 * @typedef {import('./types.js').Pinned} Pinned
 */
import { copyOf, find, patched, sectionOf } from './board.js';

/** @type {Set<string>} */
const NONE = new Set();

/** @param {Icon} icon */
export const isPinned = (icon) => icon.pinnedAt != null;

/**
 * The icons that flow round the pinned ones.
 * @param {{ icons: Icon[] }} section @param {Set<string>} without
 */
export const flowOf = (section, without = NONE) =>
  section.icons.filter((icon) => !isPinned(icon) && !without.has(icon.id));

/**
 * The visible list: the flow, with the pinned icons put in one after the other: each at the index it
 * holds, or at the end of a shorter list; of equal ones the later stands behind the earlier.
 * @param {Icon[]} flow @param {Pinned[]} pins
 */
function withPins(flow, pins) {
  const list = flow.slice();
  let last = -1;
  for (const pin of pins) {
    last = Math.max(Math.min(pin.pinnedAt, list.length), last + 1);
    list.splice(last, 0, pin);
  }
  return list;
}

/**
 * The pinned icons of a visible list, in the order in which they are put in.
 * @param {any[]} icons @returns {Pinned[]}
 */
const pinsOf = (icons) =>
  icons.filter(isPinned).sort((a, b) => a.pinnedAt - b.pinnedAt);

/**
 * The visible list once some icons have been taken out.
 * @param {Section} section
 */
export const listWithout = (section, without = NONE) =>
  withPins(flowOf(section, without), pinsOf(section.icons).filter((icon) => !without.has(icon.id)));

/**
 * How many flowing icons stand left of a place in a visible list.
 * @param {Icon[]} list @param {number} end @param {Set<string>} [without]
 */
const flowing = (list, end, without) => flowOf({ icons: list.slice(0, end) }, without).length;

/**
 * The place in the flow that a target means: 0 is before the first. A target whose neighbours have
 * gone means its index, or without one the end.
 * @param {Section} section @param {AnyTarget} target @param {Set<string>} moving
 */
export function slotFor(section, target, moving = NONE) {
  const flow = flowOf(section, moving);
  if (target.at === 'start') return 0;
  if (target.at === 'end') return flow.length;
  const list = listWithout(section, moving);
  /** @type {[string, number][]} */
  // @ts-expect-error no anchor is found nowhere
  const anchors = [[target.after, 1], [target.before, 0]];
  for (const [anchor, offset] of anchors) {
    // Beside one that moves itself means where that one stood.
    const isMoving = moving.has(anchor);
    const seen = isMoving ? section.icons : list;
    const index = seen.findIndex((icon) => icon.id === anchor);
    if (index >= 0) return flowing(seen, index, moving) + (isMoving || isPinned(seen[index]) ? 0 : offset);
  }
  return target.index == null ? flow.length : flowing(list, target.index);
}

/**
 * The target that means a place in the flow, by its neighbours; the index only helps when both
 * neighbours are unknown to the server.
 * @param {Section} section @param {number} slot @param {Set<string>} moving
 * @returns {import('./homeboard.js').Target}
 */
export function targetFor(section, slot, moving = NONE) {
  const flow = flowOf(section, moving);
  if (slot <= 0) return { section: section.id, at: 'start' };
  if (slot >= flow.length) return { section: section.id, at: 'end' };
  const index = listWithout(section, moving).indexOf(flow[slot]);
  return { section: section.id, after: flow[slot - 1].id, before: flow[slot].id, index };
}

/**
 * A place in the flow from a final index, pins counted.
 * @param {Section} section @param {number} index
 */
export const slotAt = (section, index, moving = NONE) => flowing(listWithout(section, moving), index);

/**
 * Puts a block at a place in the flow of a draft.
 * @param {Section} section @param {number} slot @param {Icon[]} icons
 */
function insert(section, slot, icons) {
  const moving = new Set(icons.map((icon) => icon.id));
  const flow = flowOf(section, moving);
  flow.splice(slot, 0, ...icons);
  section.icons = withPins(flow, pinsOf(section.icons));
}

/**
 * Why the server would refuse an edit as the board stands, or `null`. It may still refuse for what
 * others do meanwhile.
 * @param {Board} board @param {AnyEdit} edit @param {string} role
 * @returns {import('./homeboard.js').Reason | null}
 */
export function refusal(board, edit, role = 'owner') {
  const { kind } = edit;
  if (role === 'viewer') return 'read_only';
  if (kind === 'undo' || kind === 'redo') return null;
  if (kind === 'icon.update') {
    if (!find(board, edit.icon)) return 'icon_gone';
    return role !== 'owner' && ('locked' in edit.set || 'pinnedAt' in edit.set) ? 'read_only' : null;
  }
  if (!kind.startsWith('icon.')) return sectionRefusal(board, edit, role);
  /** @type {any[]} */
  const places = kind === 'icon.add' ? [] : edit.icons.map((id) => find(board, id)).filter(Boolean);
  if (kind === 'icon.add' ? find(board, edit.icon.id) : !places.length) {
    return kind === 'icon.add' ? 'duplicate_id' : 'icon_gone';
  }
  if (kind === 'icon.remove') {
    /** @param {import('./types.js').Found} place */
    const kept = ({ icon, section }) => icon.locked || isPinned(icon) || section.lift === 'none';
    return role !== 'owner' && places.some(kept) ? 'read_only' : null;
  }
  const section = sectionOf(board, edit.to.section ?? places[0]?.section.id);
  if (!section) return 'section_gone';
  for (const { icon, section: source } of places) {
    const copying = kind === 'icon.copy' && (source.lift !== 'copy' || source.id !== section.id);
    if (source.lift === 'none' || (source.lift === 'copy' && !copying)) return 'section_locked';
    if (kind === 'icon.move' && icon.locked) return 'icon_locked';
    if (kind === 'icon.move' && isPinned(icon)) return 'icon_pinned';
  }
  const foreign = kind === 'icon.add' ? 1 : places.filter((p) => p.section.id !== section.id).length;
  if (section.drop === 'none' || (section.drop === 'own' && foreign)) return 'drop_forbidden';
  const coming = kind === 'icon.copy' ? places.length : foreign;
  const full = section.capacity != null && section.icons.length + coming > section.capacity;
  return coming && full ? 'section_full' : null;
}

/** @param {Board} board @param {AnyEdit} edit @param {string} role */
function sectionRefusal(board, edit, role) {
  if (role !== 'owner') return 'read_only';
  if (edit.kind === 'board.update') return null;
  const known = sectionOf(board, edit.kind === 'section.add' ? edit.section.id : edit.section);
  if (edit.kind === 'section.add') return known ? 'duplicate_id' : null;
  if (!known) return 'section_gone';
  return edit.kind === 'section.remove' && known.icons.length ? 'section_not_empty' : null;
}

/**
 * A copy of the board with the edit done, or the board itself when it would be refused or can't be
 * foreseen (undo and redo).
 * @param {Board} board @param {AnyEdit} edit @param {string} role @returns {Board}
 */
export function applyEdit(board, edit, role = 'owner') {
  return edit.kind === 'undo' || edit.kind === 'redo' || refusal(board, edit, role) ? board : done(board, edit);
}

/**
 * The same, whatever the rules say.
 * @param {Board} board @param {AnyEdit} edit @returns {Board}
 */
export function done(board, edit) {
  const next = copyOf(board);
  const before = () => {
    const index = next.sections.findIndex((section) => section.id === edit.before);
    return index < 0 ? next.sections.length : index;
  };
  switch (edit.kind) {
    case 'icon.move': {
      /** @type {any[]} */
      const places = edit.icons.map((id) => find(next, id)).filter(Boolean);
      /** @type {any} */
      const section = sectionOf(next, edit.to.section ?? places[0].section.id);
      const moving = new Set(edit.icons);
      const slot = slotFor(section, edit.to, moving);
      for (const source of new Set(places.map((place) => place.section))) {
        source.icons = listWithout(source, moving);
      }
      insert(section, slot, places.map((place) => place.icon));
      break;
    }
    case 'icon.add':
    case 'icon.copy': {
      /** @type {any} */
      const section = sectionOf(next, edit.to.section);
      const icons = edit.kind === 'icon.add' ? [edit.icon] : copies(next, edit);
      insert(section, slotFor(section, edit.to), icons);
      break;
    }
    case 'icon.remove': {
      const going = new Set(edit.icons);
      for (const section of next.sections) section.icons = listWithout(section, going);
      break;
    }
    case 'icon.update':
      update(next, edit);
      break;
    case 'section.add':
      next.sections.splice(before(), 0, edit.section);
      break;
    case 'section.update':
      next.sections = next.sections.map((s) => (s.id === edit.section ? patched(s, edit.set) : s));
      break;
    case 'section.move': {
      /** @type {any} */
      const moved = sectionOf(next, edit.section);
      next.sections = next.sections.filter((s) => s !== moved);
      next.sections.splice(before(), 0, moved);
      break;
    }
    case 'section.remove':
      next.sections = next.sections.filter((s) => s.id !== edit.section);
      break;
    case 'board.update':
      return patched(next, edit.set);
  }
  return next;
}

/** @param {Board} board @param {AnyEdit} edit */
function copies(board, edit) {
  /** @param {string} id @param {number} n */
  const twin = (id, n) => {
    const place = find(board, id);
    return place && patched(place.icon, { id: edit.newIDs[n], locked: null, pinnedAt: null });
  };
  return edit.icons.map(twin).filter(Boolean);
}

/**
 * Pinning takes the icon out of the flow; unpinning leaves it where it is seen.
 * @param {Board} board @param {AnyEdit} edit
 */
function update(board, edit) {
  /** @type {any} */
  const { section, index, icon } = find(board, edit.icon);
  const changed = patched(icon, edit.set);
  if (changed.pinnedAt === icon.pinnedAt) {
    section.icons[index] = changed;
    return;
  }
  const slot = flowing(section.icons, index);
  const self = new Set([icon.id]);
  const pins = pinsOf(section.icons).filter((pin) => pin !== icon);
  const flow = flowOf(section, self);
  if (isPinned(changed)) {
    const later = pins.findIndex((pin) => pin.pinnedAt > changed.pinnedAt);
    pins.splice(later < 0 ? pins.length : later, 0, changed);
  } else flow.splice(slot, 0, changed);
  section.icons = withPins(flow, pins);
}
