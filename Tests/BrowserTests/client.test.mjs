import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { WEB } from './support/random.mjs';
import { id, joined, ME, memory, move, moved, order, welcome } from './support/socket.mjs';

const { connect, retryDelay } = await import(new URL('homeboard.js', WEB));

let frames;
beforeEach(() => {
  frames = [];
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1e12 });
});
afterEach(() => mock.timers.reset());
const frame = () => frames.splice(0).forEach((callback) => callback());

const join = (more, options) => joined(connect, more, { schedule: (callback) => frames.push(callback), ...options });

test('hello comes first, on the board’s address, with the id in lower case', async () => {
  const { client, net, hello } = await join();
  assert.equal(net.last.url, 'ws://host:8080/v1/boards/x/live');
  assert.equal(net.last.protocol, 'homeboard.v1');
  assert.deepEqual(hello, { type: 'hello', client: ME, name: 'Mia' });
  assert.equal(client.state, 'live');
  client.close();
});

test('closings: final, at once, and with growing full jitter', () => {
  for (const code of [4400, 4401, 4409, 4499]) assert.equal(retryDelay(code, 0), null);
  assert.deepEqual([0, 2, 9].map((attempt) => retryDelay(1012, attempt, () => 1)), [250, 1_000, 1_000]);
  const waits = [0, 1, 2, 3, 10, 40].map((attempt) => retryDelay(1006, attempt, () => 1));
  assert.deepEqual(waits, [250, 500, 1_000, 2_000, 20_000, 20_000]);
  assert.equal(retryDelay(4503, 5, () => 0), 0);
  for (const code of [1013, 4500, 4503, 4508, 4529]) assert.equal(retryDelay(code, 0, () => 1), 2_000);
});

test('a lost connection is opened again and resumed; what was done meanwhile follows', async () => {
  const { client, net } = await join();
  net.last.lose();
  assert.equal(client.state, 'connecting');
  client.edit(move(1, { section: 'b', at: 'end' }));
  assert.deepEqual(order(client.shown), { a: '2 3 4', b: '5 6 1' });
  mock.timers.tick(300);
  assert.equal(net.sockets.length, 2);
  net.last.open();
  assert.deepEqual(net.last.take()[0].resume, { epoch: 'one', revision: 0 });
  net.last.hear(welcome({ recovered: true, board: undefined, commits: [] }));
  assert.deepEqual(net.last.take(), [{ type: 'edit', seq: 1, base: 0, edit: move(1, { section: 'b', at: 'end' }) }]);
  client.close();
});

test('a final closing ends it: nothing is opened again', async () => {
  const { client, net } = await join();
  net.last.lose(4410);
  mock.timers.tick(60_000);
  assert.deepEqual([client.state, client.closing.code, net.sockets.length], ['closed', 4410, 1]);
});

test('30 s of silence is a lost connection, an empty frame is not silence', async () => {
  const { client, net } = await join();
  mock.timers.tick(20_000);
  net.last.hear();
  mock.timers.tick(25_000);
  assert.equal(net.sockets.length, 1);
  mock.timers.tick(7_000);
  mock.timers.tick(300);
  assert.equal(net.sockets.length, 2);
  client.close();
});

test('the queue outlives the page, by tab and board', async () => {
  const storage = memory();
  const { client, net } = await join({}, { storage });
  net.last.lose();
  client.edit(move(1, { section: 'b', at: 'end' }));
  client.close();
  const again = await join({}, { storage });
  assert.deepEqual(again.net.last.take().map((message) => message.seq), [1]);
  again.net.last.hear(moved(1, 1, ['a', 0], ['b', 2], { client: ME, seq: 1 }));
  assert.equal(storage.map.size, 0);
  again.client.close();
});

test('O-20: targets once a frame, the last one always, and a drop says its place', async () => {
  const { client, net } = await join();
  const drag = client.begin([id(1)]);
  assert.deepEqual(net.last.take(), [{ type: 'drag.begin', drag: 1, icons: [id(1)] }]);
  for (const n of [2, 3, 4]) drag.target({ section: 'a', after: id(n) });
  assert.deepEqual(net.last.take(), []);
  frame();
  assert.deepEqual(net.last.take().map((message) => message.target.after), [id(4)]);
  drag.target({ section: 'a', after: id(4) });
  frame();
  assert.deepEqual(net.last.take(), [], 'nothing has changed');
  mock.timers.tick(10_000);
  assert.equal(net.last.take().length, 1, 'a still finger keeps its lease');
  drag.drop();
  const [drop] = net.last.take();
  assert.deepEqual(drop, { type: 'drag.drop', drag: 1, seq: 1, base: 0, target: { section: 'a', after: id(4) } });
  assert.deepEqual(order(client.shown).a, '2 3 4 1');
  frame();
  mock.timers.tick(10_000);
  assert.deepEqual(net.last.take(), [], 'nothing follows the drop');
  client.close();
});

test('targets wait while the socket is full', async () => {
  const { client, net } = await join();
  const drag = client.begin([id(1)]);
  net.last.take();
  net.last.bufferedAmount = 100_000;
  drag.target({ section: 'a', at: 'end' });
  frame();
  assert.deepEqual(net.last.take(), []);
  net.last.bufferedAmount = 0;
  frame();
  assert.equal(net.last.take().length, 1);
  client.close();
});

test('a denied begin ends the drag with its reason and holder', async () => {
  const { client, net } = await join();
  const ends = [];
  client.on('dragend', (event) => ends.push([event.outcome, event.reason, event.holder?.name]));
  client.begin([id(1)]);
  const holder = { peer: 2, client: id(901), name: 'Noah', colour: '#111111' };
  net.last.hear({ type: 'drag.denied', drag: 1, reason: 'held', holder });
  assert.deepEqual([ends, client.drag], [[['denied', 'held', 'Noah']], null]);
  client.close();
});

test('a drag goes on after a resume under its old number; one the server forgot begins anew', async () => {
  const { client, net } = await join();
  const drag = client.begin([id(1)]);
  const resume = (drags) => {
    net.last.lose(1012);
    mock.timers.tick(1_000);
    net.last.open();
    net.last.take();
    net.last.hear(welcome({ peer: 7, recovered: true, board: undefined, commits: [], drags }));
    return net.last.take();
  };
  const live = { peer: 7, drag: 1, icons: [id(1)], target: null, proposal: 'cancel' };
  assert.deepEqual(resume([live]), []);
  assert.equal(drag.number, 1);
  assert.deepEqual(resume([]), [{ type: 'drag.begin', drag: 2, icons: [id(1)] }]);
  client.close();
});

test('a drop whose answer was lost is sent as the edit it means, or as the drop of the live drag', async () => {
  for (const isLive of [false, true]) {
    const { client, net } = await join();
    client.begin([id(1)]).drop({ section: 'b', at: 'end' });
    net.last.lose();
    mock.timers.tick(300);
    net.last.open();
    net.last.take();
    const drags = isLive ? [{ peer: 1, drag: 1, icons: [id(1)], target: null, proposal: 'cancel' }] : [];
    net.last.hear(welcome({ recovered: true, board: undefined, commits: [], drags }));
    const [sent, ...more] = net.last.take();
    assert.deepEqual([sent.type, sent.seq, more.length], [isLive ? 'drag.drop' : 'edit', 1, 0]);
    client.close();
  }
});

test('DR10: a peer begins its next drag while the drop of the last is being decided', async () => {
  const { client, net } = await join();
  const target = { type: 'drag.target', peer: 2, drag: 5, target: { section: 'a', index: 1 }, proposal: 'move' };
  net.last.hear({ type: 'drag.began', peer: 2, drag: 5, icons: [id(3)] }, target);
  net.last.hear({ type: 'drag.began', peer: 2, drag: 6, icons: [id(1)] });
  assert.deepEqual(client.drags.map(({ drag, target }) => [drag, target?.index]), [[5, 1], [6, undefined]]);
  net.last.hear({ type: 'drag.ended', peer: 2, drag: 5, outcome: 'dropped', revision: 0 });
  assert.deepEqual(client.drags.map(({ drag }) => drag), [6]);
  net.last.hear({ type: 'peer.left', peer: 2 });
  assert.deepEqual(client.drags, []);
  client.close();
});

test('a drop that waits for an undo outlives the next begin', async () => {
  const { client, net } = await join();
  client.undo();
  client.begin([id(1)]).drop({ section: 'b', at: 'end' });
  client.begin([id(2)]);
  net.last.take();
  net.last.hear({ type: 'result', seq: 1, status: 'rejected', revision: 0, reason: 'nothing_to_undo' });
  const [{ type, seq, edit }] = net.last.take();
  assert.deepEqual([type, seq, edit.icons], ['edit', 2, [id(1)]]);
  client.close();
});

test('O-19: nothing revives a drag that has ended', async () => {
  const { client, net } = await join();
  const target = { type: 'drag.target', peer: 2, drag: 5, target: { section: 'a', index: 1 }, proposal: 'move' };
  net.last.hear({ type: 'drag.began', peer: 2, drag: 5, icons: [id(1)] }, target);
  assert.deepEqual(client.drags[0].target, { section: 'a', index: 1 });
  net.last.hear({ type: 'drag.ended', peer: 2, drag: 4, outcome: 'dropped' });
  assert.equal(client.drags.length, 1, 'the end of an earlier drag ends no later one');
  net.last.hear({ type: 'drag.ended', peer: 2, drag: 5, outcome: 'cancelled' }, target);
  assert.deepEqual(client.drags, []);
  client.close();
});

test('O-21: icons removed under my hand end my drag, and the next one works', async () => {
  const { client, net } = await join();
  const ends = [];
  client.on('dragend', ({ outcome }) => ends.push(outcome));
  client.begin([id(1)]);
  net.last.take();
  net.last.hear({ type: 'drag.ended', peer: 1, drag: 1, outcome: 'removed' },
    { type: 'commit', revision: 1, peer: 2, client: id(901), seq: 1, at: 0,
      edit: { kind: 'icon.remove', removes: [{ icon: id(1), section: 'a', index: 0 }] } });
  client.begin([id(2)]);
  assert.deepEqual([ends, net.last.take()[0].drag], [['removed'], 2]);
  client.close();
});

test('an expired drag is begun again when the finger moves on', async () => {
  const { client, net } = await join();
  const drag = client.begin([id(1)]);
  net.last.hear({ type: 'drag.ended', peer: 1, drag: 1, outcome: 'expired' });
  net.last.take();
  drag.target({ section: 'a', at: 'end' });
  frame();
  const sent = net.last.take().map(({ type, drag: number }) => [type, number]);
  assert.deepEqual(sent, [['drag.begin', 2], ['drag.target', 2]]);
  client.close();
});

test('presence: joining, replacing and leaving, with the drag going along', async () => {
  const { client, net } = await join();
  const noah = { peer: 2, client: id(901), name: 'Noah', colour: '#00ff00' };
  net.last.hear({ type: 'peer.joined', peer: noah }, { type: 'drag.began', peer: 2, drag: 1, icons: [id(1)] });
  net.last.hear({ type: 'peer.joined', peer: { ...noah, peer: 3 }, replaces: 2 });
  assert.deepEqual([[...client.peers.keys()], client.drags[0].peer], [[1, 3], 3]);
  net.last.hear({ type: 'peer.left', peer: 3 });
  assert.deepEqual([[...client.peers.keys()], client.drags], [[1], []]);
  client.close();
});

test('PR7: an edit mode is told, told again after a reconnect, and heard', async () => {
  const { client, net } = await join();
  client.setEditing(true);
  assert.deepEqual(net.last.take(), [{ type: 'presence', editing: true }]);
  net.last.lose();
  mock.timers.tick(300);
  net.last.open();
  net.last.take();
  net.last.hear(welcome({ recovered: true, board: undefined, commits: [] }));
  assert.deepEqual(net.last.take(), [{ type: 'presence', editing: true }]);
  net.last.hear({ type: 'peer.joined', peer: { peer: 9, client: id(9), name: 'Ben', colour: '#112233' } });
  const ben = { peer: 9, client: id(9), name: 'Ben', colour: '#112233', editing: true };
  net.last.hear({ type: 'peer.changed', peer: ben });
  assert.equal(client.peers.get(9).editing, true);
  client.close();
});

test('a copy that has diverged is fetched anew, edits and all', async () => {
  const { client, net } = await join();
  client.edit(move(2, { section: 'b', at: 'end' }));
  net.last.hear(moved(1, 1, ['a', 3], ['a', 0]));
  mock.timers.tick(300);
  net.last.open();
  const [hello] = net.last.take();
  assert.equal('resume' in hello, false);
  net.last.hear(welcome({ revision: 1 }));
  assert.deepEqual(net.last.take().map((message) => message.seq), [1]);
  client.close();
});

test('storage trouble: the same edit again, later', async () => {
  const { client, net } = await join();
  client.edit(move(1, { section: 'b', at: 'end' }));
  net.last.take();
  net.last.hear({ type: 'result', seq: 1, status: 'rejected', reason: 'storage', revision: 0 });
  assert.deepEqual(order(client.shown).b, '5 6 1', 'and it stays where it was dropped');
  mock.timers.tick(500);
  assert.deepEqual(net.last.take().map((message) => message.seq), [1]);
  client.close();
});

test('what a board can’t take is refused at once, in a word', async () => {
  const { client, net } = await join();
  const refused = [];
  client.on('refused', ({ reason }) => refused.push(reason));
  assert.equal(client.edit(move(99, { section: 'b', at: 'end' })), false);
  assert.equal(client.edit({ kind: 'icon.update', icon: id(1), set: { label: 'x'.repeat(70_000) } }), false);
  net.last.take();
  client.edit(move(1, { section: 'b', at: 'end' }));
  net.last.hear({ type: 'result', seq: 1, status: 'rejected', reason: 'section_full', revision: 0 });
  assert.deepEqual(refused, ['icon_gone', 'limit', 'section_full']);
  assert.deepEqual(order(client.shown), order(client.board));
  client.close();
});
