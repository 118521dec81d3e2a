// What lists of apps demand of what they are told: they end the app when a count doesn't fit.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { random, WEB } from './support/random.mjs';
import { board, icon, id, joined, ME, moved, order, welcome } from './support/socket.mjs';

const { connect } = await import(new URL('homeboard.js', WEB));
const frames = [];
const frame = () => frames.splice(0).forEach((callback) => callback());
const join = (more) => joined(connect, more, { schedule: (callback) => frames.push(callback) });

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1e12 }));
afterEach(() => mock.timers.reset());

const commit = (revision, edit) =>
  ({ type: 'commit', revision, peer: 2, client: id(901), seq: revision, at: 0, edit });
const place = (section, index) => ({ section, index });

/** A list as UIKit keeps one: sections and rows, changed by single steps, each checked before and after. */
class StrictList {
  resets = 0;
  steps = 0;

  constructor(client) {
    this.client = client;
    this.#reset(client.board);
    client.on('welcome', ({ welcome: { board: whole, commits } }) => {
      if (whole) this.#reset(whole);
      else commits.forEach((each) => this.apply(each.edit));
    });
    client.on('commit', ({ commit: { edit } }) => {
      this.apply(edit);
      this.check();
    });
  }

  #reset({ sections }) {
    this.resets += 1;
    this.sections = sections.map((section) => ({ id: section.id, rows: section.icons.map((each) => each.id) }));
  }

  #rows(section) {
    const found = this.sections.find((each) => each.id === section);
    assert.ok(found, `section ${section} is known`);
    return found.rows;
  }

  #take(row, { section, index }) {
    const rows = this.#rows(section);
    assert.equal(rows[index], row, `${row} is at ${section} ${index} before it leaves`);
    rows.splice(index, 1);
    this.steps += 1;
  }

  #put(row, { section, index }) {
    const rows = this.#rows(section);
    assert.ok(index >= 0 && index <= rows.length, `${index} is a place in ${section}`);
    assert.ok(!this.sections.some((each) => each.rows.includes(row)), `${row} is nowhere before it comes`);
    rows.splice(index, 0, row);
    this.steps += 1;
  }

  apply(change) {
    for (const add of change.adds ?? []) this.#put(add.icon.id, add);
    for (const removal of change.removes ?? []) this.#take(removal.icon, removal);
    for (const move of change.moves ?? []) {
      this.#take(move.icon, move.from);
      this.#put(move.icon, move.to);
    }
    if (change.kind === 'section.add') {
      const { index, section } = change;
      assert.ok(!this.sections.some((known) => known.id === section.id) && index <= this.sections.length);
      this.sections.splice(index, 0, { id: section.id, rows: section.icons.map((each) => each.id) });
    }
    if (change.kind === 'section.remove') {
      assert.equal(this.sections[change.index]?.id, change.section);
      assert.equal(this.sections.splice(change.index, 1)[0].rows.length, 0, 'only an empty section goes');
    }
  }

  check() {
    const told = this.client.board.sections.map((section) => [section.id, section.icons.map((each) => each.id)]);
    assert.deepEqual(this.sections.map(({ id: section, rows }) => [section, rows]), told);
  }
}

const wide = () => board(0, { a: [1, 2, 3], b: Array.from({ length: 30 }, (_, n) => 10 + n), c: [50] });
const newSection = (name) => ({ ...board(0, { [name]: [] }).sections[0], title: 'New' });

test('O-76: a strict list survives everything that others do in the middle of a drag', async () => {
  const { client, net } = await join({ board: wide() });
  const list = new StrictList(client);
  const drag = client.begin([id(1)]);
  drag.target({ section: 'b', at: 'start' });
  frame();
  const moves = Array.from({ length: 30 }, (_, n) => ({
    icon: id(10 + n), from: place('b', 0), to: n % 2 ? place('c', 0) : place('a', 3 + n / 2) }));
  net.last.hear(commit(1, { kind: 'icon.move', moves }));
  assert.deepEqual(order(client.board).b, '');
  net.last.hear(
    commit(2, { kind: 'section.update', section: 'b', set: { title: 'Other' } }),
    commit(3, { kind: 'section.remove', section: 'b', index: 1 }),
    { type: 'drag.target', peer: 1, drag: 1, target: null, proposal: 'cancel' },
    commit(4, { kind: 'section.add', section: newSection('n'), index: 0 }),
    commit(5, { kind: 'icon.add', adds: [{ icon: icon(80), ...place('n', 0) }, { icon: icon(81), ...place('n', 1) }] }),
    commit(6, { kind: 'icon.move', moves: [{ icon: id(2), from: place('a', 1), to: place('n', 1) }] }),
  );
  assert.deepEqual([drag.state, client.drag === drag], ['held', true], 'what is in the hand stays in the hand');
  assert.deepEqual([order(client.shown).n, list.resets], ['80 2 81', 1]);
  net.last.hear(
    { type: 'drag.ended', peer: 1, drag: 1, outcome: 'removed' },
    commit(7, { kind: 'icon.remove', removes: [{ icon: id(1), ...place('a', 0) }] }),
  );
  assert.deepEqual([drag.state, client.drag, list.resets], ['done', null, 1]);
  assert.equal(list.steps, 2 * 30 + 2 + 2 + 1, 'a move is one step out and one in, never an add and a remove apart');
  client.close();
});

for (const lives of [true, false]) {
  const fate = lives ? 'goes on' : 'begins anew';
  test(`O-76: a whole board in the middle of a drag comes as a welcome, the drag ${fate}`, async () => {
    const { client, net } = await join({ board: wide() });
    const list = new StrictList(client);
    const told = [];
    client.on('welcome', ({ welcome: { recovered }, missed }) => told.push([recovered, missed]));
    client.on('dragend', ({ outcome }) => told.push(outcome));
    const drag = client.begin([id(1)]);
    net.last.lose();
    mock.timers.tick(300);
    net.last.open();
    net.last.take();
    const drags = lives ? [{ peer: 4, drag: 1, icons: [id(1)], target: null, proposal: 'cancel' }] : [];
    net.last.hear(
      welcome({ peer: 4, revision: 40, board: board(40, { z: [3, 1] }), drags }),
      commit(41, { kind: 'icon.move', moves: [{ icon: id(3), from: place('z', 0), to: place('z', 1) }] }),
    );
    assert.deepEqual([list.resets, order(client.shown), told], [2, { z: '1 3' }, [[false, 40]]]);
    assert.deepEqual(net.last.take().map((each) => each.type), lives ? [] : ['drag.begin']);
    assert.deepEqual([drag.state, client.drag], ['held', drag]);
    client.close();
  });
}

const answers = {
  applied: (revision) => [moved(revision, 1, ['a', 0], ['b', 1], { peer: 1, client: ME, seq: 1 }),
    { type: 'drag.ended', peer: 1, drag: 1, outcome: 'dropped', revision }],
  rejected: (revision) => [
    { type: 'result', seq: 1, status: 'rejected', reason: 'section_full', revision: revision - 1 },
    { type: 'drag.ended', peer: 1, drag: 1, outcome: 'rejected' }],
};

for (const [name, answer] of Object.entries(answers)) {
  test(`O-75: a drop that is ${name} is never seen at its old place in between, in any cut of the frames`, async () => {
    const rnd = random(75);
    for (let round = 0; round < 200; round += 1) {
      const { client, net } = await join();
      const seen = [];
      client.on('change', () => seen.push(order(client.shown).b.includes('1')));
      const other = rnd.chance(0.5);
      const drag = client.begin([id(1)]);
      drag.drop({ section: 'b', after: id(5), before: id(6) });
      seen.splice(0, seen.lastIndexOf(true));
      const events = [
        ...(other ? [moved(1, 4, ['a', 3], ['a', 1])] : []),
        { type: 'drag.began', peer: 1, drag: 1, icons: [id(1)] },
        ...answer(other ? 2 : 1), { type: 'peer.left', peer: 9 },
      ];
      while (events.length) net.last.hear(...events.splice(0, 1 + rnd.below(4)));
      const turns = seen.filter((each, n) => n && each !== seen[n - 1]).length;
      assert.deepEqual([seen.at(-1), turns], name === 'applied' ? [true, 0] : [false, 1], `round ${round}: ${seen}`);
      assert.deepEqual([client.board.revision, client.pending], [(other ? 1 : 0) + (name === 'applied' ? 1 : 0), []]);
      client.close();
    }
  });
}

test('O-75: an own commit is told from others by client and number, and done once', async () => {
  const { client, net } = await join();
  const told = [];
  client.on('commit', ({ commit: each, mine }) => told.push([each.revision, mine]));
  client.edit({ kind: 'icon.move', icons: [id(1)], to: { section: 'b', at: 'end' } });
  net.last.hear(moved(1, 2, ['a', 1], ['a', 3], { seq: 1 }));
  assert.deepEqual([order(client.shown), client.pending.length], [{ a: '3 4 2', b: '5 6 1' }, 1]);
  net.last.hear(moved(2, 1, ['a', 0], ['b', 2], { client: ME, seq: 1 }));
  assert.deepEqual([order(client.shown), client.pending.length], [{ a: '3 4 2', b: '5 6 1' }, 0]);
  assert.equal(client.shown, client.board);
  assert.deepEqual(told, [[1, false], [2, true]]);
  client.close();
});
