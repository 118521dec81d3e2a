import assert from 'node:assert/strict';
import test from 'node:test';
import { WEB } from './support/random.mjs';
import { board, icon, id, order } from './support/socket.mjs';

const { applyChange, Diverged } = await import(new URL('board.js', WEB));
const { applyEdit, refusal, slotAt, targetFor } = await import(new URL('edits.js', WEB));
const at = (section, index) => ({ section, index });

test('a move change takes out, then inserts, one after the other', () => {
  const start = board();
  const next = applyChange(start, { kind: 'icon.move', moves: [
    { icon: id(1), from: at('a', 0), to: at('a', 2) }, { icon: id(5), from: at('b', 0), to: at('a', 0) }] });
  assert.deepEqual(order(next), { a: '5 2 3 1 4', b: '6' });
  assert.deepEqual(order(start), { a: '1 2 3 4', b: '5 6' }, 'the first board is as it was');
});

test('adds and removes, with pinned icons put back', () => {
  const added = applyChange(board(), { kind: 'icon.add', adds: [{ icon: icon(7), ...at('a', 1) }],
    moves: [{ icon: id(2), from: at('a', 2), to: at('a', 0) }] });
  assert.deepEqual(order(added), { a: '2 1 7 3 4', b: '5 6' });
  const removed = applyChange(added, {
    kind: 'icon.remove', removes: [{ icon: id(1), ...at('a', 1) }, { icon: id(6), ...at('b', 1) }],
    moves: [{ icon: id(4), from: at('a', 3), to: at('a', 1) }] });
  assert.deepEqual(order(removed), { a: '2 4 7 3', b: '5' });
});

test('updates patch, and null clears', () => {
  const named = applyChange(board(), { kind: 'icon.update', icon: id(2), set: { label: 'Mail', locked: true } });
  assert.equal(named.sections[0].icons[1].label, 'Mail');
  const bare = applyChange(named, { kind: 'icon.update', icon: id(2), set: { label: null, red: 0.25 } });
  assert.deepEqual(bare.sections[0].icons[1], icon(2, { red: 0.25, locked: true }));
  const pinned = applyChange(bare, { kind: 'icon.update', icon: id(2), set: { pinnedAt: 3 },
    moves: [{ icon: id(2), from: at('a', 1), to: at('a', 3) }] });
  assert.deepEqual(order(pinned), { a: '1 3 4 2', b: '5 6' });
});

test('sections and the board itself', () => {
  const layout = { kind: 'row', columns: 8 };
  const section = { id: 'c', title: 'C', layout, lift: 'none', drop: 'own', icons: [icon(9)] };
  let next = applyChange(board(), { kind: 'section.add', section, index: 1 });
  assert.deepEqual(Object.keys(order(next)), ['a', 'c', 'b']);
  next = applyChange(next, { kind: 'section.move', section: 'c', from: 1, to: 2 });
  assert.deepEqual(Object.keys(order(next)), ['a', 'b', 'c']);
  next = applyChange(next, {
    kind: 'section.update', section: 'c', set: { title: 'See', layout: { columns: 3 }, capacity: 4 },
  });
  assert.deepEqual(next.sections[2].layout, { kind: 'row', columns: 3 });
  assert.equal(next.sections[2].title, 'See');
  next = applyChange(next, { kind: 'section.update', section: 'c', set: { capacity: null } });
  assert.equal('capacity' in next.sections[2], false);
  next = applyChange(next, { kind: 'section.remove', section: 'c', index: 2 });
  assert.deepEqual(Object.keys(order(next)), ['a', 'b']);
  next = applyChange(next, { kind: 'board.update', set: { title: 'New', presentation: { axis: 'horizontal' } } });
  assert.deepEqual([next.title, next.presentation.axis, next.presentation.minimumPressMs], ['New', 'horizontal', 300]);
  const { sections } = board(0, { z: [3] });
  next = applyChange(next, {
    kind: 'board.restore', title: 'Old', presentation: { axis: 'free', minimumPressMs: 0 }, sections,
  });
  assert.deepEqual([next.title, order(next)], ['Old', { z: '3' }]);
});

test('a change that does not fit is noticed', () => {
  for (const change of [
    { kind: 'icon.move', moves: [{ icon: id(1), from: at('a', 1), to: at('a', 2) }] },
    { kind: 'icon.remove', removes: [{ icon: id(9), ...at('a', 0) }] },
    { kind: 'icon.add', adds: [{ icon: icon(9), ...at('a', 9) }] },
    { kind: 'section.remove', section: 'z', index: 0 },
    { kind: 'icon.teleport' },
  ]) assert.throws(() => applyChange(board(), change), Diverged);
});

test('rules: the reason that the server would give', () => {
  const value = board(0, { a: [icon(1, { locked: true }), icon(2, { pinnedAt: 1 }), 3], b: [5, 6] });
  const [, b] = value.sections;
  const move = (n, section = 'b') => ({ kind: 'icon.move', icons: [id(n)], to: { section, at: 'end' } });
  assert.equal(refusal(value, move(1)), 'icon_locked');
  assert.equal(refusal(value, move(2)), 'icon_pinned');
  assert.equal(refusal(value, move(3)), null);
  assert.equal(refusal(value, move(8)), 'icon_gone');
  assert.equal(refusal(value, move(3, 'z')), 'section_gone');
  assert.equal(refusal(value, move(3), 'viewer'), 'read_only');
  b.capacity = 2;
  assert.equal(refusal(value, move(3)), 'section_full');
  assert.equal(refusal(value, move(5)), null, 'its own icons always fit');
  Object.assign(b, { capacity: undefined, drop: 'own' });
  assert.equal(refusal(value, move(3)), 'drop_forbidden');
  assert.equal(refusal(value, move(5)), null);
  b.lift = 'copy';
  assert.equal(refusal(value, move(5, 'a')), 'section_locked');
  const copy = (section) => ({ kind: 'icon.copy', icons: [id(5)], newIDs: [id(50)], to: { section, at: 'end' } });
  assert.equal(refusal(value, copy('a')), null);
  assert.equal(refusal(value, copy('b')), 'section_locked');
  assert.equal(refusal(value, { kind: 'section.remove', section: 'a' }), 'section_not_empty');
  assert.equal(refusal(value, { kind: 'icon.update', icon: id(3), set: { locked: true } }, 'editor'), 'read_only');
});

test('pinned icons hold their index while the others flow round them', () => {
  const value = board(0, { a: [1, icon(2, { pinnedAt: 1 }), 3, 4] });
  const [section] = value.sections;
  const moving = new Set([id(4)]);
  const to = targetFor(section, slotAt(section, 1, moving), moving);
  assert.deepEqual(to, { section: 'a', after: id(1), before: id(3), index: 2 });
  assert.deepEqual(order(applyEdit(value, { kind: 'icon.move', icons: [id(4)], to })), { a: '1 2 4 3' });
  const moved = applyEdit(value, { kind: 'icon.move', icons: [id(4)], to: { at: 'start' } });
  assert.deepEqual(order(moved), { a: '4 2 1 3' });
  assert.deepEqual(order(applyEdit(value, { kind: 'icon.remove', icons: [id(1)] })), { a: '3 2 4' });
  const unpinned = applyEdit(value, { kind: 'icon.update', icon: id(2), set: { pinnedAt: null } });
  assert.deepEqual(order(unpinned), { a: '1 2 3 4' });
});
