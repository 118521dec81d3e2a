// Where everything is in the small picture of a board.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrange, HEIGHT, WIDTH } from '../../Sources/BoardServer/Web/assets/miniature.js';

const section = (id, count, layout = {}, more = {}) => ({
  id, layout: { kind: 'grid', columns: 4, ...layout }, ...more,
  icons: Array.from({ length: count }, (_, n) => ({ id: `${id}${n}` })),
});
const BOARDS = {
  home: [section('home', 24), section('dock', 3, { kind: 'row' }, { capacity: 4 })],
  grid: [section('main', 4, { columns: 2 })],
  channels: [section('mine', 16), section('recommended', 18)],
  row: [section('row', 12, { kind: 'row' })],
  bare: [section('home', 0), section('dock', 0, { kind: 'row' }, { capacity: 8 })],
  nothing: [],
};

for (const [name, sections] of Object.entries(BOARDS)) {
  test(`${name}: everything is inside, and no two icons touch`, () => {
    const { cell, panels, icons } = arrange({ sections });
    assert.equal(panels.length, sections.length);
    assert.equal(icons.length, sections.flatMap((one) => one.icons).length);
    for (const { x, y, width, height } of panels) {
      assert(x >= 0 && y >= 0 && x + width <= WIDTH + 0.01 && y + height <= HEIGHT + 0.01, JSON.stringify(panels));
    }
    icons.forEach((one, n) => icons.slice(n + 1).forEach((other) => {
      assert(Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y)) >= cell - 0.01);
    }));
  });
}

test('a dock lies at the foot, below all others', () => {
  const { panels } = arrange({ sections: BOARDS.home });
  assert.deepEqual(panels.map(({ isDock }) => isDock), [false, true]);
  assert(panels[0].y + panels[0].height < panels[1].y);
  assert.equal(Math.round(panels[1].y + panels[1].height), HEIGHT);
});

test('of a long board the beginning is shown, and it stays cheap', () => {
  const { icons, panels } = arrange({ sections: [section('long', 2_000)] });
  assert(icons.length < 100);
  assert.equal(icons[0].icon.id, 'long0');
  assert(panels[0].height <= HEIGHT);
});
