// What an author of a page or an app builds on: values to observe, tokens, waking up, indices.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { WEB } from './support/random.mjs';
import { board, fakeSockets, icon, id, joined, ME, memory, move, moved, order, welcome } from './support/socket.mjs';

const { applyEdit, CLOSE, connect, finalIndex, offsetTarget, retryDelay, tileTarget, uuid } =
  await import(new URL('homeboard.js', WEB));
const join = (more, options) => joined(connect, more, options);
const mine = (commit, seq = 1) => ({ ...commit, client: ME, seq });
const resumed = (more) => welcome({ recovered: true, board: undefined, commits: [], ...more });

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1e12 }));
afterEach(() => mock.timers.reset());

test('a subscriber is told at once, then only of other boards, until it stops', async () => {
  const { client, net } = await join();
  const told = [];
  const { subscribe } = client;
  const stop = subscribe((shown) => told.push(shown));
  assert.deepEqual(told, [client.shown]);
  net.last.hear({ type: 'drag.began', peer: 2, drag: 1, icons: [id(1)] });
  net.last.hear({ type: 'peer.joined', peer: { peer: 2, client: id(901), name: 'Noah', colour: '#111111' } });
  net.last.hear();
  assert.equal(told.length, 1, 'drags, people and heartbeats are no boards');
  client.edit(move(1, { section: 'b', at: 'end' }));
  assert.deepEqual([told.length, order(told[1]).b], [2, '5 6 1']);
  net.last.hear(mine(moved(1, 1, ['a', 0], ['b', 2])));
  assert.deepEqual([told.length, told[2].revision, told[2]], [3, 1, client.board]);
  stop();
  net.last.hear(moved(2, 2, ['a', 0], ['b', 0]));
  assert.equal(told.length, 3);
  client.close();
});

test('a subscriber may come before the board, and is told that there is none', async () => {
  const net = fakeSockets();
  const client = connect('x', { origin: 'http://h', client: ME, WebSocket: net.FakeSocket, storage: memory() });
  const told = [];
  client.subscribe((shown) => told.push(shown && order(shown).b));
  await client.ready;
  net.last.open();
  net.last.hear(welcome());
  assert.deepEqual(told, [null, '5 6']);
  client.close();
});

test('`shown` is the very same object across all that changes no board', async () => {
  const { client, net } = await join();
  client.edit(move(1, { section: 'b', at: 'end' }));
  const { shown } = client;
  const drag = client.begin([id(2)]);
  drag.target({ section: 'a', at: 'end' });
  net.last.hear({ type: 'drag.began', peer: 1, drag: 1, icons: [id(2)] });
  net.last.hear({ type: 'drag.target', peer: 2, drag: 1, target: null, proposal: 'cancel' });
  net.last.hear({ type: 'peer.left', peer: 2 });
  net.last.hear({ type: 'error', code: 'invalid', message: 'no' }, { type: 'of.tomorrow' });
  net.last.hear({ type: 'result', seq: 1, status: 'rejected', reason: 'storage', revision: 0 });
  drag.cancel();
  net.last.lose();
  assert.equal(client.shown, shown);
  net.last.hear(moved(1, 2, ['a', 1], ['a', 0]));
  assert.equal(client.shown, shown, 'a socket that was given up says nothing any more');
  client.close();
});

test('a listener that fails takes nothing from the others, nor from the board', async () => {
  const { client, net } = await join();
  const failures = [];
  const before = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.once('unhandledRejection', (error) => failures.push(error.message));
  const revisions = [];
  const stop = client.on('commit', () => {
    stop();
    throw new RangeError('mine');
  });
  client.on('commit', ({ commit }) => revisions.push(commit.revision));
  net.last.hear(moved(1, 1, ['a', 0], ['b', 0]), moved(2, 2, ['a', 0], ['b', 0]));
  await new Promise((resolve) => setImmediate(resolve));
  for (const listener of before) process.on('unhandledRejection', listener);
  assert.deepEqual([revisions, client.board.revision, net.sockets.length, failures], [[1, 2], 2, 1, ['mine']]);
  client.close();
});

test('a token that is a function is asked for each connection, and once more when it has expired', async () => {
  const tokens = ['one', 'two', 'three'];
  const net = fakeSockets();
  const client = connect('x', {
    origin: 'http://h', client: ME, WebSocket: net.FakeSocket, storage: memory(), random: () => 1,
    token: async () => tokens.shift() ?? Promise.reject(new Error('signed out')),
  });
  await client.ready;
  const greet = async () => {
    net.last.open();
    await new Promise((resolve) => setImmediate(resolve));
    return net.last.take()[0]?.token;
  };
  assert.equal(await greet(), 'one');
  net.last.hear(welcome());
  net.last.lose(4401);
  assert.equal(client.state, 'connecting', 'it was let in before, so another token may help');
  mock.timers.tick(300);
  assert.equal(await greet(), 'two');
  net.last.lose();
  mock.timers.tick(600);
  assert.equal(await greet(), 'three');
  net.last.lose();
  mock.timers.tick(1_100);
  assert.equal(await greet(), undefined);
  assert.deepEqual([client.state, client.closing.reason], ['connecting', 'token']);
  mock.timers.tick(2_100);
  tokens.push('four');
  assert.equal(await greet(), 'four');
  net.last.lose(4401);
  assert.equal(client.state, 'closed', 'a fresh token that is refused is refused');
});

test('a token in words is final: 4401 closes for good', async () => {
  const { client, net, hello } = await join({}, { token: 'words' });
  net.last.lose(4401);
  assert.deepEqual([hello.token, client.state], ['words', 'closed']);
});

test('closed means closed: nothing is edited, queued or kept any more', async () => {
  const storage = memory();
  const { client, net } = await join({}, { storage });
  const states = [];
  const refused = [];
  client.on('status', () => states.push(client.state));
  client.on('refused', ({ reason }) => refused.push(reason));
  net.last.lose(CLOSE.replaced);
  assert.equal(client.edit(move(1, { section: 'b', at: 'end' })), false);
  const drag = client.begin([id(1)]);
  drag.target({ section: 'b', at: 'end' });
  assert.equal(drag.drop(), null);
  assert.deepEqual([states, refused], [['closed'], ['closed', 'closed']]);
  assert.deepEqual([client.pending, storage.map.size], [[], 0]);
});

test('each close code has a name, and the final ones end it', () => {
  const final = Object.entries(CLOSE).filter(([, code]) => retryDelay(code, 0) === null).map(([name]) => name);
  assert.deepEqual(final, ['badHello', 'notSignedIn', 'forbidden', 'noBoard', 'replaced', 'deleted']);
});

/** A page's window and document, as far as they wake a client. */
function windowOf(t) {
  const heard = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const given = {
    document, addEventListener: heard.addEventListener.bind(heard),
    removeEventListener: heard.removeEventListener.bind(heard),
  };
  Object.assign(globalThis, given);
  t.after(() => Object.keys(given).forEach((key) => delete globalThis[key]));
  return { heard, document };
}

const WAKING = { visibilitychange: 'document', resume: 'document', pageshow: 'heard', online: 'heard' };
for (const [name, at] of Object.entries(WAKING)) {
  test(`after two minutes of sleep, ${name} opens a new socket at once`, async (t) => {
    const page = windowOf(t);
    const { client, net } = await join({}, { random: () => 0 });
    mock.timers.setTime(1e12 + 120_000);
    assert.equal(client.state, 'live', 'no timer has run yet');
    page[at].dispatchEvent(new Event(name));
    assert.equal(client.state, 'connecting');
    mock.timers.tick(0);
    assert.equal(net.sockets.length, 2);
    net.last.open();
    assert.deepEqual(net.last.take()[0].resume, { epoch: 'one', revision: 0 });
    client.close();
    mock.timers.tick(0);
    page[at].dispatchEvent(new Event(name));
    assert.equal(net.sockets.length, 2, 'who has left is not woken');
  });
}

test('waking up cuts short the wait for the next attempt, a hidden page sits it out', async (t) => {
  const { heard, document } = windowOf(t);
  const { client, net } = await join();
  net.last.lose(4503);
  document.visibilityState = 'hidden';
  heard.dispatchEvent(new Event('online'));
  assert.equal(net.sockets.length, 1);
  document.visibilityState = 'visible';
  document.dispatchEvent(new Event('visibilitychange'));
  assert.equal(net.sockets.length, 2);
  client.close();
});

test('what was sent to a page in its sleep is no proof of a living socket', async () => {
  const { client, net } = await join({}, { random: () => 0 });
  const [slept] = net.sockets;
  mock.timers.setTime(1e12 + 120_000);
  slept.hear(moved(1, 1, ['a', 0], ['b', 0]));
  mock.timers.tick(0);
  assert.deepEqual([client.board.revision, net.sockets.length, slept.readyState], [0, 2, 3]);
  net.last.open();
  net.last.hear(resumed({ revision: 1, commits: [moved(1, 1, ['a', 0], ['b', 0])] }));
  assert.deepEqual([client.state, order(client.shown).b], ['live', '1 5 6']);
  client.close();
});

test('an edit that was kept as unsent is not done again once the server has decided its number', async () => {
  const storage = memory();
  const { client, net } = await join({}, { storage });
  net.last.lose();
  client.edit(move(1, { section: 'b', at: 'end' }));
  client.close();
  const again = await join({ revision: 1, lastSeq: 1, board: board(1, { a: [2, 3, 4], b: [5, 6, 1] }) }, { storage });
  assert.deepEqual([again.net.last.take(), again.client.pending], [[], []]);
  again.client.close();
});

test('insertion offsets become final indices, for one icon and for several', () => {
  assert.deepEqual([[0, 2], [3, 2], [2, 2], [4, 0]].map((each) => finalIndex(...each)), [0, 2, 2, 3]);
  assert.deepEqual([finalIndex(3), finalIndex(4, 0, 1, 5), finalIndex(0, 0, 1)], [3, 2, 0]);
});

/** Where the moved icons are after a target. */
function landed(value, icons, to) {
  return order(applyEdit(value, { kind: 'icon.move', icons, to })).a;
}

test('an insertion offset is the gap between two icons as they stand, pins among them', () => {
  const value = board(0, { a: [1, icon(2, { pinnedAt: 1 }), 3, 4, 5], b: [6] });
  const [section] = value.sections;
  const offset = (n, ...icons) => landed(value, icons.map(id), offsetTarget(section, n, icons.map(id)));
  assert.equal(offset(4, 1), '3 2 4 1 5');
  assert.equal(offset(5, 1), '3 2 4 5 1');
  assert.equal(offset(0, 5), '5 2 1 3 4');
  assert.equal(offset(4, 1, 3), '4 2 1 3 5');
  assert.equal(landed(value, [id(6)], offsetTarget(section, 3)), '1 2 3 6 4 5');
  assert.deepEqual(offsetTarget(section, 0, []), { section: 'a', at: 'start' });
});

test('over a tile means the place it has now: forward behind it, backward before it, itself nothing', () => {
  const value = board();
  for (const [n, tile, expected] of [
    [1, 3, '2 3 1 4'], [1, 4, '2 3 4 1'], [4, 1, '4 1 2 3'], [3, 2, '1 3 2 4'],
    [5, 2, '1 5 2 3 4'], [5, 1, '5 1 2 3 4'],
  ]) {
    const to = tileTarget(value, id(tile), [id(n)]);
    assert.equal(landed(value, [id(n)], to), expected, `${n} over ${tile}`);
    const index = expected.split(' ').indexOf(String(n));
    assert.equal(index, value.sections[0].icons.findIndex((each) => each.id === id(tile)), 'the index it had');
  }
  assert.deepEqual([tileTarget(value, id(1), [id(1)]), tileTarget(value, id(99), [id(1)])], [null, null]);
  const between = { section: 'a', after: id(2), before: id(3), index: 2 };
  assert.deepEqual(tileTarget(value, id(3)), between, 'for what is new');
});

test('what homeboard.d.ts and indexed.d.ts declare is what the modules export, no more and no less', async () => {
  for (const name of ['homeboard', 'indexed']) {
    const types = readFileSync(new URL(`${name}.d.ts`, WEB), 'utf8');
    const declared = [...types.matchAll(/^export (?:function|class|const|let) (\w+)/gm)].map(([, each]) => each);
    const exported = Object.keys(await import(new URL(`${name}.js`, WEB)));
    assert.deepEqual(declared.sort(), exported.sort(), name);
  }
});

test('what the classes declare is there', async () => {
  const types = readFileSync(new URL('homeboard.d.ts', WEB), 'utf8');
  const { client } = await join();
  const drag = client.begin([id(1)]);
  for (const [name, value] of Object.entries({ BoardClient: client, OwnDrag: drag, Replica: client.replica })) {
    const [, body] = types.match(new RegExp(`^export (?:class|interface) ${name} .*\\n([^]*?)\\n}`, 'm'));
    const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)(?=[:(<])/gm)].map(([, each]) => each);
    assert.ok(members.length > 3, name);
    assert.deepEqual(members.filter((each) => each !== 'constructor' && !(each in value)), [], name);
  }
  client.close();
});

test('identifiers are random UUIDs of version 4', () => {
  const made = new Set(Array.from({ length: 200 }, uuid));
  assert.equal(made.size, 200);
  for (const each of made) assert.match(each, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
