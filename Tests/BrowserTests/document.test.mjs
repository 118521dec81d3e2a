// docs/CLIENT.md: its example runs, and it leaves nothing out.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { WEB } from './support/random.mjs';
import { fakeSockets, icon, id, board, welcome } from './support/socket.mjs';

const text = readFileSync(new URL('../../docs/CLIENT.md', import.meta.url), 'utf8');
const { CLOSE, retryDelay } = await import(new URL('homeboard.js', WEB));

test('the example of twenty lines moves an icon behind the one it hovers over', async (t) => {
  const [, example] = text.match(/## Twenty lines\n\n```js\n([^]*?)```/);
  const code = example.split('\n').filter((line) => line.trim() && !line.startsWith('//'));
  assert.ok(code.length <= 20, `${code.length} lines`);
  const net = fakeSockets();
  const lines = [];
  t.mock.method(console, 'log', (line) => lines.push(line));
  Object.assign(globalThis, { location: new URL('http://host:8080/any'), WebSocket: net.FakeSocket });
  t.after(() => ['location', 'WebSocket'].forEach((name) => delete globalThis[name]));
  const source = example.replace('/assets/', WEB.href).replaceAll('const board', 'globalThis.example');
  const running = source.replaceAll(/\bboard\b(?=\.)/g, 'globalThis.example');
  await import(`data:text/javascript,${encodeURIComponent(running)}`);
  const { example: client } = globalThis;
  await client.ready;
  assert.equal(net.last.url, 'ws://host:8080/v1/boards/home/live');
  net.last.open();
  net.last.take();
  const labelled = [1, 2, 3].map((n) => icon(n, { label: 'ABC'[n - 1] }));
  net.last.hear(welcome({ board: board(0, { a: labelled }) }));
  assert.deepEqual(lines, ['live', 'a: A B C', 'a: B A C']);
  const [begin, drop] = net.last.take();
  assert.deepEqual([begin.type, begin.icons], ['drag.begin', [id(1)]]);
  assert.deepEqual([drop.type, drop.seq, drop.target.after, drop.target.before], ['drag.drop', 1, id(2), id(3)]);
  client.close();
  assert.deepEqual(lines.slice(3), ['closed']);
});

test('every close code is in the table, the final ones are called final', () => {
  const [, table] = text.match(/\| `CLOSE\.`[^\n]*\n([^]*?)\n\n/);
  const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  for (const [name, code] of Object.entries(CLOSE)) {
    const row = rows.find(([, names]) => names.includes(`\`${name}\``));
    assert.ok(row?.[2].includes(String(code)), `${name} ${code}`);
    assert.equal(row[3].startsWith('final'), retryDelay(code, 0) === null, name);
  }
});

test('every event, option, member and module is in the document', () => {
  const types = readFileSync(new URL('homeboard.d.ts', WEB), 'utf8');
  const names = (kind) => [...types.match(new RegExp(`^export ${kind} .*\\n([^]*?)\\n}`, 'm'))[1]
    .matchAll(/^ {2}(?:readonly )?(\w+)(?=[?:(<])/gm)].map(([, name]) => name);
  const internal = new Set(['constructor', 'isLive', 'name', 'client', 'address', 'backlog', 'icons']);
  const said = [...names('interface Events'), ...names('interface Options'), ...names('interface OwnDrag'),
    ...names('class BoardClient')].filter((name) => !internal.has(name));
  assert.ok(said.length > 35, 'the types were read');
  assert.deepEqual(said.filter((name) => !new RegExp(`\`(?:client\\.)?${name}\\b`).test(text)), []);
  const modules = new Set(['homeboard.js', 'indexed.js']);
  for (const file of modules) {
    const source = readFileSync(new URL(file, WEB), 'utf8');
    for (const [, other] of source.matchAll(/ from '\.\/(\w+\.js)'/g)) modules.add(other);
  }
  assert.deepEqual([...modules].filter((file) => !text.includes(`\`${file}\``)), []);
});
