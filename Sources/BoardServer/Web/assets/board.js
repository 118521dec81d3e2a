/**
 * Boards as values: look things up, and apply what the server says has happened.
 * No function here changes a board it was given.
 * @module
 * @typedef {import('./homeboard.js').Board} Board
 * @typedef {import('./homeboard.js').Section} Section
 * @typedef {import('./homeboard.js').Icon} Icon
 * @typedef {import('./homeboard.js').Change} Change
 */

/** Thrown when a change doesn't fit the board: the copy is wrong and has to be fetched anew. */
export class Diverged extends Error {}

/** @param {Board} board @returns {Board} a copy whose lists may be changed */
export const copyOf = (board) => ({
  ...board,
  sections: board.sections.map((section) => ({ ...section, icons: section.icons.slice() })),
});

/** @param {Board} board @param {string | undefined} id */
export const sectionOf = (board, id) => board.sections.find((section) => section.id === id);

/**
 * @param {Board} board @param {string} id
 * @returns {import('./types.js').Found | null}
 */
export function find(board, id) {
  for (const section of board.sections) {
    const index = section.icons.findIndex((icon) => icon.id === id);
    if (index >= 0) return { section, index, icon: section.icons[index] };
  }
  return null;
}

/**
 * `null` clears a field; `layout` and `presentation` are patched in turn.
 * @param {any} value @param {{ [field: string]: any }} set @returns {any}
 */
export function patched(value, set) {
  const next = { ...value };
  for (const [key, entry] of Object.entries(set)) {
    if (entry === null) delete next[key];
    else next[key] = typeof entry === 'object' ? patched(next[key], entry) : entry;
  }
  return next;
}

/**
 * What a commit did, done to a copy. Needs no rule: the server has decided.
 * @param {Board} board @param {Change} change @returns {Board} @throws {Diverged}
 */
export function applyChange(board, change) {
  const next = copyOf(board);
  /** @param {string} id @returns {Icon[]} */
  const list = (id) => must(sectionOf(next, id), `section ${id}`).icons;
  /** @param {string} icon @param {import('./homeboard.js').Place} at */
  const take = (icon, at) => {
    const icons = list(at.section);
    must(icons[at.index]?.id === icon, `${icon} at ${at.section} ${at.index}`);
    return icons.splice(at.index, 1)[0];
  };
  /** @param {Icon} icon @param {import('./homeboard.js').Place} at */
  const put = (icon, at) => {
    const icons = list(at.section);
    must(at.index <= icons.length, `index ${at.index} in ${at.section}`);
    icons.splice(at.index, 0, icon);
  };
  /** @param {string} id */
  const at = (id) => {
    const index = next.sections.findIndex((section) => section.id === id);
    must(index >= 0, `section ${id}`);
    return index;
  };
  switch (change.kind) {
    case 'icon.move':
      break;
    case 'icon.add':
      for (const add of change.adds) put(add.icon, add);
      break;
    case 'icon.remove':
      for (const removal of change.removes) take(removal.icon, removal);
      break;
    case 'icon.update': {
      const place = must(find(next, change.icon), change.icon);
      place.section.icons[place.index] = patched(place.icon, change.set);
      break;
    }
    case 'section.add':
      next.sections.splice(change.index, 0, change.section);
      break;
    case 'section.update':
      next.sections[at(change.section)] = patched(next.sections[at(change.section)], change.set);
      break;
    case 'section.move':
      next.sections.splice(change.to, 0, ...next.sections.splice(at(change.section), 1));
      break;
    case 'section.remove':
      next.sections.splice(at(change.section), 1);
      break;
    case 'board.update':
      return patched(next, change.set);
    case 'board.restore': {
      const { title, presentation, sections } = change;
      return { ...next, title, presentation, sections };
    }
    default:
      // @ts-expect-error a server of tomorrow may know more kinds
      throw new Diverged(`unknown change ${change.kind}`);
  }
  // @ts-expect-error changes of sections have none
  for (const move of change.moves ?? []) put(take(move.icon, move.from), move.to);
  return next;
}

/** @param {any} value @param {string} what */
function must(value, what) {
  if (!value) throw new Diverged(`no ${what}`);
  return value;
}
