// How large icons are drawn: by screen and layout alone, and on a wall as large as all of them fit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fit } from '../../Sources/BoardServer/Web/assets/kiosk.js';
import { isDocked, sizes } from '../../Sources/BoardServer/Web/assets/sizes.js';

const section = (id, count, layout = {}, more = {}) => ({
  id, title: id, layout: { kind: 'grid', columns: 4, ...layout }, icons: Array(count).fill({}), ...more,
});
const board = (...sections) => ({ sections });
const dock = (capacity, count = 0) => section('dock', count, { kind: 'row' }, { capacity });

test('a phone, a small phone and a wall', () => {
  const home = board(section('home', 24));
  assert.deepEqual(sizes(home, 390, 844), { size: 70, gap: 10, label: 22 });
  assert.deepEqual(sizes(home, 320, 568), { size: 58, gap: 8, label: 22 });
  assert.deepEqual(sizes(home, 1920, 1080), { size: 100, gap: 16, label: 25 });
});

test('two columns fill the width, and both fit on any screen', () => {
  const grid = board(section('main', 4, { columns: 2 }));
  for (const [width, height] of [[320, 568], [390, 844], [820, 1180], [1280, 720], [1920, 1080]]) {
    const { size, gap, label } = sizes(grid, width, height);
    assert(size > sizes(board(section('main', 4)), width, height).size * 1.4, `small at ${width}`);
    assert(2 * size + gap + 40 <= width, `too wide at ${width}`);
    assert(2 * (size + label + gap) + 150 <= height, `two rows don't fit at ${height}`);
  }
});

test('an icon that comes changes no size', () => {
  for (const columns of [1, 2, 3, 4]) {
    const of = (count) => sizes(board(section('main', count, { columns })), 390, 844);
    assert.deepEqual(of(1), of(40));
  }
});

test('a dock is the last of several, a row, and short', () => {
  const is = (...sections) => isDocked(board(...sections), sections.at(-1));
  assert(is(section('home', 3), dock(4)));
  assert(is(section('home', 3), dock(8)));
  assert(!is(section('home', 3), dock(9)));
  assert(!is(section('home', 3), dock(undefined)));
  assert(!is(section('home', 3), dock(null)));
  assert(!is(dock(4)));
  assert(!is(section('home', 3), section('more', 3, {}, { capacity: 4 })));
  assert(!isDocked(board(dock(4), section('home', 3)), dock(4)));
});

test('on a wall: larger the larger the screen, smaller the more icons', () => {
  const home = (count) => board(section('home', count), dock(4));
  const small = fit(home(24), 1280, 720).size;
  assert(fit(home(24), 1920, 1080).size > small);
  assert(fit(home(24), 3840, 2160).size > 1.9 * fit(home(24), 1920, 1080).size);
  assert(fit(home(48), 1280, 720).size < small);
  assert(fit(board(section('row', 12, { kind: 'row' })), 390, 844).size >= 24);
});
