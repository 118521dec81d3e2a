// The shared cases of ordering, on replicas that have the server's answers alone.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { Oracle, oracleExists, oraclePath } from './support/oracle.mjs';
import { WEB } from './support/random.mjs';
import { boardOf, editOf, playAll, uuidOf, withNames, withUUIDs } from './support/vectors.mjs';

const { Replica } = await import(new URL('homeboard.js', WEB));
const ANSWERS = new URL('fixtures/ordering.json', import.meta.url);
const read = (url) => JSON.parse(readFileSync(url, 'utf8'));
const vectors = read(new URL('../BoardModelTests/Vectors/ordering.json', import.meta.url));

/** What the Swift model answers to each edit of each case, one line a case. */
async function asked() {
  const oracle = new Oracle();
  try {
    const lines = [];
    for (const vector of vectors) {
      await oracle.ask({ board: boardOf(vector), ...(vector.window && { window: vector.window }) });
      const answers = [];
      for (const { client, seq, base, edit } of vector.edits) {
        const reply = await oracle.ask({ client: uuidOf(client), seq, base, edit: editOf(edit) });
        const { lastSeq } = reply;
        answers.push(reply.type === 'commit' ? withNames(reply.edit) : lastSeq === undefined ? {} : { lastSeq });
      }
      lines.push(JSON.stringify(answers));
    }
    return `[\n${lines.join(',\n')}\n]\n`;
  } finally {
    oracle.close();
  }
}

const skip = oracleExists() ? false : `no ${oraclePath}: build it with swift build`;
test('the answers kept with the cases are those of the Swift model', { skip }, async () => {
  const text = await asked();
  if (process.env.WRITE_FIXTURES) writeFileSync(ANSWERS, text);
  assert.equal(readFileSync(ANSWERS, 'utf8'), text, 'WRITE_FIXTURES=1 writes them anew');
});

test('every client and an onlooker end where each of the 389 cases says, by the answers alone', (t) => {
  const { failures, ...counts } = playAll(vectors, read(ANSWERS), Replica);
  t.diagnostic(JSON.stringify(counts));
  assert.deepEqual(failures, []);
  assert.equal(counts.cases, 2 * 389, 'slow and quick listeners');
  assert.ok(counts.made > 3_800 && counts.foreseen > 2_000, 'most edits can be made, and half are raced by nobody');
});

test('names become identifiers and names again', () => {
  const move = { icon: 'A', from: { section: 'm', index: 0 }, to: { section: 'p', index: 1 } };
  const change = { kind: 'icon.move', moves: [move] };
  assert.equal(withUUIDs(change).moves[0].icon, '00000000-0000-4000-8000-000000000041');
  assert.deepEqual(withNames(withUUIDs(change)), change);
});
