// Three optimistic clients against the Swift model: lag, repeats, lost connections, pins, undo.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Oracle, oracleExists, oraclePath } from './support/oracle.mjs';
import { boardOf, lists, random, WEB } from './support/random.mjs';

const { Replica } = await import(new URL('replica.js', WEB));
const { applyEdit, flowOf, isPinned, targetFor } = await import(new URL('edits.js', WEB));

const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 3_000);
const ROUNDS_A_BOARD = 25;
const SECTIONS = [
  { id: 'p', count: 6 },
  { id: 'q', count: 4, capacity: 6 },
  { id: 'own', count: 3, drop: 'own' },
  { id: 'shop', count: 2, lift: 'copy', drop: 'none' },
];

class Client {
  outbox = [];
  inbox = [];
  expected = new Map();

  constructor(id, board, lastSeq = 0) {
    this.id = id;
    this.replica = new Replica(id);
    this.greet({ epoch: 'one', revision: board.revision, lastSeq, board, recovered: false });
  }

  greet(welcome) {
    this.replica.welcome({ role: 'owner', ...welcome });
  }
}

class World {
  log = [];
  lastSeq = new Map();
  exact = 0;

  constructor(rnd, oracle, board) {
    Object.assign(this, { rnd, oracle, truth: board });
    this.watcher = new Replica('00000000-0000-4000-8000-000000000000');
    this.watcher.welcome({ epoch: 'one', revision: 0, lastSeq: 0, board, recovered: false, role: 'owner' });
  }

  async deliver(client) {
    const message = client.outbox.shift();
    const before = this.watcher.board;
    const reply = await this.oracle.ask({ client: client.id, ...message });
    if (reply.type === 'commit') {
      this.log.push({ ...reply, author: client.id });
      this.watcher.commit(reply);
      for (const each of this.clients) each.inbox.push(reply);
    } else client.inbox.push(reply);
    const decided = reply.type === 'commit' || ['noop', 'rejected'].includes(reply.status);
    if (decided && reply.reason !== 'seq_gap') this.lastSeq.set(client.id, message.seq);
    this.#compare(client, message, before, reply);
    if (this.rnd.chance(0.15) && decided) {
      const again = await this.oracle.ask({ client: client.id, ...message });
      assert.equal(again.status, 'duplicate');
      client.inbox.push(again);
    }
  }

  /** Nobody else came in between, and all that I had under way was done: it is as it was shown. */
  #compare(client, message, before, reply) {
    const expected = client.expected.get(message.edit);
    if (!expected) return;
    const foreign = this.log.some((commit) => commit !== this.log.at(-1) || reply.type !== 'commit'
      ? commit.revision > expected.base && commit.author !== client.id : false);
    const undone = expected.after.some((edit) => !client.done?.has(edit));
    (client.done ??= new Set()).add(reply.type === 'commit' || reply.status === 'noop' ? message.edit : null);
    if (foreign || undone) return;
    this.exact += 1;
    const mine = this.log.filter((commit) => commit.revision > message.base);
    const pins = before.sections.flatMap((each) => each.icons.filter(isPinned))
      .map(({ id, pinnedAt }) => [id.slice(0, 8), pinnedAt]);
    const told = [
      message, reply, 'since', mine, 'after', expected.after, 'before', lists(before), 'pins', pins,
    ].map((part) => JSON.stringify(part)).join('\n');
    assert.equal(lists(this.watcher.board), expected.lists, told);
  }

  act(client) {
    const { rnd } = this;
    const { replica } = client;
    const edit = this.#edit(replica.shown);
    if (!edit) return;
    const after = replica.queue.map((entry) => entry.edit);
    const base = Math.min(...replica.queue.map((entry) => entry.base), replica.board.revision);
    const held = replica.queue.some(({ edit: { kind } }) => kind === 'undo' || kind === 'redo');
    replica.submit(edit);
    if (edit.kind !== 'undo' && edit.kind !== 'redo' && !held) {
      client.expected.set(edit, { lists: lists(replica.shown), after, base });
    }
    if (rnd.chance(0.8)) this.post(client);
  }

  post(client) {
    const { replica } = client;
    const held = new Set(replica.queue.filter((entry) => entry.held));
    for (const entry of replica.outgoing()) {
      const { seq, base, edit } = entry;
      client.outbox.push({ seq, base, edit });
      const isStep = edit.kind === 'undo' || edit.kind === 'redo';
      if (!held.has(entry) || isStep || entry !== replica.queue.at(-1)) continue;
      const after = replica.queue.slice(0, -1).map((other) => other.edit);
      const oldest = Math.min(...replica.queue.map((other) => other.base));
      client.expected.set(edit, { lists: lists(replica.shown), after, base: oldest });
    }
  }

  /** Mostly as a hand would say it; sometimes beside any icon, pinned ones too. */
  #target(section, moving = new Set()) {
    const { rnd } = this;
    const others = section.icons.filter((icon) => !moving.has(icon.id));
    if (others.length && rnd.chance(0.25)) {
      return { section: section.id, [rnd.chance(0.5) ? 'after' : 'before']: rnd.pick(others).id };
    }
    return targetFor(section, rnd.below(flowOf(section, moving).length + 1), moving);
  }

  #edit(shown) {
    const { rnd } = this;
    const all = shown.sections.flatMap((section) => section.icons);
    const free = shown.sections.filter(({ id }) => id !== 'shop').flatMap(({ icons }) => icons);
    const section = rnd.pick(shown.sections);
    const dice = rnd.next();
    if (dice < 0.5) {
      const icons = [...new Set([rnd.pick(free), ...(rnd.chance(0.2) ? [rnd.pick(free)] : [])])];
      const ids = icons.map((icon) => icon.id);
      const moving = new Set(ids);
      const to = this.#target(section, moving);
      return { kind: 'icon.move', icons: ids, to };
    }
    const to = this.#target(section);
    if (dice < 0.58) {
      const icon = { id: rnd.uuid(), red: 0.5, green: 0.25, blue: 1, label: 'new' };
      return all.length < 30 ? { kind: 'icon.add', icon, to } : null;
    }
    if (dice < 0.64) return { kind: 'icon.copy', icons: [rnd.pick(all).id], newIDs: [rnd.uuid()], to };
    if (dice < 0.72) return free.length > 8 ? { kind: 'icon.remove', icons: [rnd.pick(free).id] } : null;
    if (dice < 0.82) {
      const icon = rnd.pick(free);
      const pins = all.filter(isPinned).length;
      const set = isPinned(icon) && rnd.chance(0.6) ? { pinnedAt: null } : pins < 5 && rnd.chance(0.6)
        ? { pinnedAt: rnd.below(7) } : { label: String(rnd.below(9)), red: rnd.next() };
      return { kind: 'icon.update', icon: icon.id, set };
    }
    return { kind: rnd.chance(0.65) ? 'undo' : 'redo' };
  }

  hear(client) {
    const event = client.inbox.shift();
    if (!event) return;
    if (event.type === 'commit') client.replica.commit(event);
    else client.replica.result(event);
    if (this.rnd.chance(0.8)) this.post(client);
  }

  /** Everything under way is lost, in both directions; half of the time the log as well. */
  reconnect(client) {
    client.outbox = [];
    client.inbox = [];
    const { revision } = client.replica.board;
    const { board } = this.watcher;
    const lastSeq = this.lastSeq.get(client.id) ?? 0;
    const recovered = this.rnd.chance(0.6);
    const rest = recovered
      ? { commits: this.log.filter((commit) => commit.revision > revision) } : { board };
    client.greet({ epoch: 'one', revision: board.revision, lastSeq, recovered, ...rest });
  }

  async round() {
    const { rnd } = this;
    this.clients = [1, 2, 3].map(() => new Client(rnd.uuid(), this.watcher.board));
    for (let step = 0; step < 50; step += 1) {
      const client = rnd.chance(0.5) ? this.clients[0] : rnd.pick(this.clients);
      const dice = rnd.next();
      if (dice < 0.35) this.act(client);
      else if (dice < 0.68 && client.outbox.length) await this.deliver(client);
      else if (dice < 0.7) this.reconnect(client);
      else this.hear(client);
    }
    for (let more = true; more; ) {
      more = false;
      for (const client of this.clients) {
        this.post(client);
        while (client.outbox.length) await this.deliver(client);
      }
      for (const client of this.clients) {
        while (client.inbox.length) this.hear(client);
        more ||= client.replica.queue.length > 0;
      }
    }
    const board = await this.oracle.ask({ board: true });
    for (const { replica } of this.clients) {
      assert.equal(replica.queue.length, 0);
      assert.equal(lists(replica.board), lists(board));
      assert.deepEqual(replica.board, this.watcher.board);
    }
    assert.deepEqual(normal(this.watcher.board), normal(board));
  }
}

/** Absent and off are the same. */
function normal(board) {
  const icon = (each) => Object.fromEntries(Object.entries(each).filter(([, value]) => value != null).sort());
  return { ...board, sections: board.sections.map((section) => ({ ...section, icons: section.icons.map(icon) })) };
}

/** Some rounds on one board. @returns {Promise<number>} how many edits could be compared */
async function play(seed, oracle, rounds) {
  const rnd = random(seed);
  const board = boardOf(rnd, SECTIONS);
  await oracle.ask({ board, ...(rnd.chance(0.3) && { window: 8 }) });
  const world = new World(rnd, oracle, board);
  for (let n = 0; n < rounds; n += 1) await world.round();
  return world.exact;
}

const skip = oracleExists() ? false : `no ${oraclePath}: build it with swift build`;

test(`three optimistic replicas agree with the server over ${ROUNDS} rounds`, { skip }, async (t) => {
  const first = Number(process.env.FUZZ_SEED ?? 1);
  const oracle = new Oracle();
  let exact = 0;
  try {
    for (let done = 0; done < ROUNDS; done += ROUNDS_A_BOARD) {
      const seed = first + done / ROUNDS_A_BOARD;
      try {
        exact += await play(seed, oracle, Math.min(ROUNDS_A_BOARD, ROUNDS - done));
      } catch (error) {
        error.message = `FUZZ_SEED=${seed}: ${error.message}`;
        throw error;
      }
    }
  } finally {
    oracle.close();
  }
  t.diagnostic(`seeds from ${first}; ${exact} edits that nobody raced, each exactly where it was shown`);
  assert.ok(exact > ROUNDS, `only ${exact} edits were compared`);
});

test('an edit that is refused is not shown', () => {
  const rnd = random(7);
  const board = boardOf(rnd, SECTIONS);
  const [icon] = board.sections[0].icons;
  const edit = { kind: 'icon.move', icons: [icon.id], to: { section: 'own', at: 'end' } };
  assert.equal(applyEdit(board, edit), board);
});
