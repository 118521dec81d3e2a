/**
 * In words: why something was refused, and what others have done.
 * @module
 */
import { find, sectionOf } from './board.js';
import { nameOf, placeWords } from './words.js';

/** @type {Record<string, string>} */
const REASONS = {
  icon_gone: 'Someone removed this icon',
  section_gone: 'Someone removed this section',
  section_locked: 'Icons stay where they are in this section',
  icon_locked: 'This icon is locked',
  icon_pinned: 'This icon is pinned to its place',
  section_full: 'This section is full',
  section_not_empty: 'Only an empty section can be removed',
  drop_forbidden: 'Nothing can be dropped into this section',
  duplicate_id: 'This is here already',
  stale_base: 'The board has changed too much meanwhile',
  superseded: 'Someone has moved it since, so this can’t be taken back',
  nothing_to_undo: 'Nothing to undo',
  nothing_to_redo: 'Nothing to redo',
  no_drag: 'That drag had ended already',
  external: 'This icon isn’t on the board',
  read_only: 'You can look, but not change this',
  invalid: 'The server didn’t accept this',
  limit: 'That’s more than a board can hold',
  removed: 'Someone removed this icon',
  forbidden: 'This can’t be moved any more',
  closed: 'This board is closed',
};

export const reasonWords = (reason, holder) =>
  reason === 'held' ? `${holder?.name ?? 'Someone'} is moving this` : (REASONS[reason] ?? reason);

/** What a commit of somebody else did. @param {import('./homeboard.js').BoardClient} client */
export function deed({ peers, board }, { peer, edit }) {
  const who = peers.get(peer)?.name ?? 'Someone';
  const icon = (id) => nameOf(find(board, id)?.icon);
  const [move] = edit.moves ?? [];
  const section = move && sectionOf(board, move.to.section);
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
