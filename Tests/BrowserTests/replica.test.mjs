import assert from 'node:assert/strict';
import test from 'node:test';
import { WEB } from './support/random.mjs';
import { board, id, ME, move, moved, order, welcome } from './support/socket.mjs';

const { Replica } = await import(new URL('replica.js', WEB));
const joined = (more) => {
  const replica = new Replica(ME);
  replica.welcome(welcome(more));
  return replica;
};
const mine = (commit, seq) => ({ ...commit, client: ME, seq });

test('an own edit shows at once and stays when the commit agrees', () => {
  const replica = joined();
  replica.submit(move(1, { section: 'a', after: id(2), before: id(3) }));
  assert.deepEqual(order(replica.shown).a, '2 1 3 4');
  assert.deepEqual(order(replica.board).a, '1 2 3 4');
  replica.commit(mine(moved(1, 1, ['a', 0], ['a', 1]), 1));
  assert.deepEqual([order(replica.shown).a, replica.queue.length], ['2 1 3 4', 0]);
});

test('a commit of somebody else goes under the queue', () => {
  const replica = joined();
  replica.submit(move(4, { section: 'a', after: id(1), before: id(2) }));
  replica.commit(moved(1, 1, ['a', 0], ['b', 0]));
  assert.deepEqual(order(replica.shown), { a: '4 2 3', b: '1 5 6' }, 'beside the neighbour that stands');
});

test('a rejected edit leaves, those behind it stay', () => {
  const replica = joined();
  replica.submit(move(1, { section: 'a', at: 'end' }));
  replica.submit(move(2, { section: 'b', at: 'start' }));
  assert.equal(replica.outgoing().length, 2);
  const { entry } = replica.result({ seq: 1, status: 'rejected', reason: 'icon_locked' });
  assert.equal(entry.seq, 1);
  assert.deepEqual(order(replica.shown), { a: '1 3 4', b: '2 5 6' });
});

test('what is made while an undo is not answered waits, and is written anew', () => {
  const replica = joined();
  replica.submit({ kind: 'undo' });
  replica.submit(move(4, { section: 'a', after: id(1), before: id(2), index: 1 }));
  assert.deepEqual(replica.outgoing().map((entry) => entry.edit.kind), ['undo']);
  replica.commit(mine(moved(1, 2, ['a', 1], ['a', 0]), 1));
  const [held] = replica.outgoing();
  assert.deepEqual([held.base, held.edit.to], [1, { section: 'a', after: id(1), before: id(3), index: 2 }]);
});

test('stale_base: again under a new number, beside the neighbour that stands, else at the end', () => {
  const replica = joined();
  replica.submit(move(1, { section: 'a', after: id(2), before: id(3), index: 1 }));
  replica.submit(move(4, { section: 'a', at: 'start' }));
  replica.outgoing();
  replica.commit(moved(1, 2, ['a', 1], ['b', 0]));
  assert.equal(replica.result({ seq: 1, status: 'rejected', reason: 'stale_base' }).repeated, true);
  assert.deepEqual(replica.queue.map((entry) => entry.seq), [2, 3]);
  const [again] = replica.outgoing();
  assert.deepEqual([again.base, again.edit.to.before, 'index' in again.edit.to], [1, id(3), false]);
  replica.commit(moved(2, 3, ['a', 1], ['b', 0]));
  replica.result({ seq: 3, status: 'rejected', reason: 'stale_base' });
  assert.deepEqual(replica.outgoing()[0].edit.to, { section: 'a', at: 'end' });
});

test('a gap renumbers, a storage failure does not, and both send everything once more', () => {
  const replica = joined({ lastSeq: 4 });
  replica.submit(move(1, { section: 'a', at: 'end' }));
  replica.submit(move(2, { section: 'a', at: 'end' }));
  assert.deepEqual(replica.outgoing().map((entry) => entry.seq), [5, 6]);
  assert.equal(replica.result({ seq: 5, status: 'rejected', reason: 'storage' }).again, true);
  assert.equal(replica.result({ seq: 6, status: 'rejected', reason: 'seq_gap', lastSeq: 4 }).again, true);
  assert.deepEqual(replica.outgoing().map((entry) => entry.seq), [5, 6]);
  replica.result({ seq: 5, status: 'rejected', reason: 'seq_gap', lastSeq: 2 });
  assert.deepEqual(replica.outgoing().map((entry) => entry.seq), [3, 4]);
});

test('O-26: after a reconnect what was decided is dropped, the rest goes out under the next numbers', () => {
  const replica = joined();
  for (const n of [1, 2, 3]) replica.submit(move(n, { section: 'b', at: 'end' }));
  replica.outgoing();
  replica.welcome(welcome({
    revision: 1, lastSeq: 2, recovered: true, board: undefined,
    commits: [mine(moved(1, 1, ['a', 0], ['b', 2]), 1)],
  }));
  assert.deepEqual(replica.outgoing().map(({ seq, base }) => [seq, base]), [[3, 0]]);
  assert.deepEqual(order(replica.shown), { a: '2 4', b: '5 6 1 3' });
});

test('O-28: another epoch gives the queue a new base and takes its indices', () => {
  const replica = joined({ revision: 9 });
  replica.submit(move(1, { section: 'a', after: id(2), before: id(3), index: 1 }));
  replica.submit(move(4, { section: 'a', after: id(77), before: id(78), index: 1 }));
  replica.welcome(welcome({ epoch: 'two', revision: 3, lastSeq: 0 }));
  const [first, second] = replica.outgoing();
  assert.deepEqual([first.base, first.edit.to.after, first.edit.to.index], [3, id(2), undefined]);
  assert.deepEqual([second.base, second.edit.to], [3, { section: 'a', at: 'end' }]);
});

test('a revision that is missing is noticed, one that was heard is not applied twice', () => {
  const replica = joined();
  replica.commit(moved(1, 1, ['a', 0], ['a', 1]));
  replica.commit(moved(1, 1, ['a', 0], ['a', 1]));
  assert.deepEqual(order(replica.board).a, '2 1 3 4');
  assert.throws(() => replica.commit(moved(3, 1, ['a', 1], ['a', 0])), RangeError);
});

test('a queue that was kept over a reload is taken up again', () => {
  const first = joined({ revision: 2 });
  first.submit(move(1, { section: 'b', at: 'end' }));
  first.outgoing();
  const again = new Replica(ME, JSON.parse(JSON.stringify(first.saved)));
  assert.equal(again.shown, null);
  again.welcome(welcome({ revision: 2 }));
  assert.deepEqual(order(again.shown), { a: '2 3 4', b: '5 6 1' });
  assert.deepEqual(again.outgoing().map(({ seq, base }) => [seq, base]), [[1, 2]]);
});

test('a board that was refused an edit is the very same board', () => {
  const replica = joined({ board: board(0, { a: [1], b: [] }) });
  replica.submit({ kind: 'icon.remove', icons: [id(5)] });
  assert.equal(replica.shown, replica.board);
});
