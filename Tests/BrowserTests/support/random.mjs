// A small seeded generator, so that a failure can be played again.
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n) => Math.floor(next() * n);
  const uuid = () => {
    const hex = Array.from({ length: 32 }, () => below(16).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  return { next, below, uuid, chance: (p) => next() < p, pick: (list) => list[below(list.length)] };
}

export const WEB = new URL('../../../Sources/BoardServer/Web/assets/', import.meta.url);

/** The visible lists, as text that can be compared. */
export const lists = (board) =>
  board.sections.map(({ id, icons }) => `${id}: ${icons.map((icon) => icon.id.slice(0, 8)).join(' ')}`).join('\n');

/** A board of so many icons in each section. */
export function boardOf(rnd, sections) {
  const icon = () => ({ id: rnd.uuid(), red: rnd.next(), green: rnd.next(), blue: rnd.next() });
  return {
    id: 'fuzz', title: 'Fuzz', revision: 0, epoch: 'one',
    presentation: { axis: 'free', minimumPressMs: 300 },
    sections: sections.map(({ count, ...section }) => ({
      title: section.id, layout: { kind: 'grid', columns: 4 }, lift: 'move', drop: 'any', ...section,
      icons: Array.from({ length: count }, icon),
    })),
  };
}
