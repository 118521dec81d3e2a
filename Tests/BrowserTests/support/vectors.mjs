// Plays the shared cases of ordering on replicas. Runs in Node and in a browser, so it imports nothing.

/** Names of a case as identifiers, and back. */
export const uuidOf = (name) => {
  const hex = [...name].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return `00000000-0000-4000-8000-${hex.padStart(12, '0')}`;
};
const UUID = /00000000-0000-4000-8000-([0-9a-f]{12})/g;
const nameOf = (hex) =>
  hex.match(/../g).map((pair) => String.fromCharCode(parseInt(pair, 16))).join('').replaceAll('\0', '');
/** A change as it is kept with the cases: with names, which are shorter and can be read. */
export const withNames = (value) => JSON.parse(JSON.stringify(value).replace(UUID, (_, hex) => nameOf(hex)));

const NAMED = new Set(['id', 'icon', 'after', 'before']);
/** The other way: what stands where an icon's identifier belongs. */
export function withUUIDs(value, key) {
  const isList = ['icons', 'newIDs'].includes(key);
  if (Array.isArray(value)) return value.map((each) => withUUIDs(each, isList ? 'icon' : ''));
  if (typeof value === 'string') return NAMED.has(key) && value.length <= 6 ? uuidOf(value) : value;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withUUIDs(each, name)]));
}

/** The board that a case begins with. */
export const boardOf = (vector) => ({
  id: 'vector', title: vector.name, revision: 0, epoch: 'e', presentation: { axis: 'free', minimumPressMs: 300 },
  sections: vector.sections.map(({ icons, ...section }) => {
    const pins = Object.entries(vector.pins?.[section.id] ?? {});
    const pin = (name) => pins.find(([, pinned]) => pinned === name)?.[0];
    return {
      title: section.id, layout: { kind: 'grid', columns: 4 }, lift: 'move', drop: 'any', ...section,
      icons: icons.map((name) => ({
        id: uuidOf(name), red: 0, green: 0, blue: 0, ...(pin(name) && { pinnedAt: Number(pin(name)) }),
      })),
    };
  }),
});

/** An edit of a case as a client would send it. */
export function editOf({ icon, ...edit }) {
  return { ...withUUIDs(edit), ...(icon && { icon: { id: uuidOf(icon), red: 0, green: 0, blue: 0 } }) };
}

const lists = (board) =>
  Object.fromEntries(board.sections.map(({ id, icons }) => [id, icons.map((icon) => withNames(icon.id))]));
const text = (board) => JSON.stringify(lists(board));
const isStep = ({ kind }) => kind === 'undo' || kind === 'redo';
/** What can't be known on this side: how far back the server remembers, and what is no edit at all. */
const UNFORESEEN = new Set(['stale_base', 'invalid']);

function check(holds, ...told) {
  if (!holds) throw new Error(told.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' '));
}

/** One person of a case: hears as much as each of their edits says they had heard. */
class Player {
  inbox = [];
  shown = new Map();

  constructor(Replica, name, board, isQuick) {
    Object.assign(this, { name, isQuick, replica: new Replica(uuidOf(name)) });
    this.replica.welcome({ role: 'owner', epoch: 'e', revision: 0, lastSeq: 0, recovered: false, board });
  }

  hear(event) {
    if (event.type === 'commit') return void this.replica.commit(event);
    // The people of the cases don't send anything again by themselves.
    if (this.replica.result(event).repeated) this.replica.queue.pop();
  }

  /** Hears what was said up to a revision; a slow one nothing beyond that, a quick one answers too. */
  catchUp(revision) {
    const isNext = ([event]) => event && (this.replica.board.revision < revision
      || (this.isQuick && event.type === 'result' && event.revision <= revision));
    while (isNext(this.inbox)) this.hear(this.inbox.shift());
  }

  /** Whether the edit could be made as the case says: in this place of this person's sequence, at its base. */
  act({ seq, base, edit }) {
    const { replica } = this;
    this.catchUp(base);
    if (seq !== (replica.queue.at(-1)?.seq ?? replica.lastSeq) + 1) return false;
    const isAsMade = replica.board.revision === base;
    const earlier = replica.queue.map((entry) => entry.seq);
    const oldest = Math.min(base, ...replica.queue.map((entry) => entry.base));
    const foreseen = isAsMade && !isStep(edit) && !replica.queue.some((entry) => isStep(entry.edit));
    replica.submit(editOf(edit));
    replica.outgoing();
    if (foreseen) this.shown.set(seq, { lists: text(replica.shown), earlier, oldest });
    return isAsMade;
  }
}

/**
 * Plays one case.
 * @param {object} answers what the server answers to each edit, see `fixtures/ordering.json`
 * @returns {{made: number, foreseen: number}} edits made as the case says, and shown where they landed
 */
export function play(vector, answers, Replica, isQuick) {
  const start = boardOf(vector);
  const observer = new Player(Replica, 'nobody', start);
  const players = new Map(vector.edits.map(({ client }) => [client, null]));
  for (const name of players.keys()) players.set(name, new Player(Replica, name, start, isQuick));
  const authors = [];
  const outcomes = new Map();
  const count = { made: 0, foreseen: 0 };
  vector.edits.forEach((message, n) => {
    const { client, seq } = message;
    const player = players.get(client);
    const isKnown = player.act(message);
    if (isKnown) count.made += 1;
    const [status, revision, detail] = vector.results[n];
    const answer = eventOf(message, answers[n], vector.results[n]);
    if (answer.type === 'commit') {
      observer.hear(answer);
      authors[revision] = client;
      for (const each of players.values()) each.inbox.push(answer);
    } else if (detail !== 'seq_gap' && !(detail === 'invalid' && seq < 1)) player.inbox.push(answer);
    const seen = player.shown.get(seq);
    if (status !== 'duplicate') outcomes.set(`${client} ${seq}`, status);
    if (!isKnown || !seen || UNFORESEEN.has(detail)) return;
    const isAlone = authors.slice(seen.oldest + 1).every((author) => author === client);
    const wentWell = seen.earlier.every((each) => ['applied', 'noop'].includes(outcomes.get(`${client} ${each}`)));
    if (!isAlone || !wentWell) return;
    const landed = text(observer.replica.board);
    check(landed === seen.lists, 'edit', String(n), 'was shown as', seen.lists, 'and is', landed);
    count.foreseen += 1;
  });
  for (const player of [observer, ...players.values()]) {
    player.inbox.splice(0).forEach((event) => player.hear(event));
    const { board, shown, queue } = player.replica;
    check(!queue.length, player.name, 'still waits for', queue);
    check(shown === board, player.name, 'shows something else than it has');
    check(text(board) === JSON.stringify(vector.final), player.name, 'has', text(board), 'not', vector.final);
  }
  return count;
}

/** The server's event, from the case's result and what the oracle said. */
function eventOf({ client, seq }, answer, [status, revision, detail]) {
  check(Boolean(answer.kind) === (status === 'applied'), 'the answer is', answer, 'and not', status);
  if (status === 'applied') {
    return { type: 'commit', revision, peer: null, client: uuidOf(client), seq, at: 0, edit: withUUIDs(answer) };
  }
  return { type: 'result', seq, status, revision, ...(status === 'rejected' && { reason: detail }), ...answer };
}

/** Plays all, slowly and quickly. @returns {object} how many, and every failure in words */
export function playAll(vectors, answers, Replica) {
  const told = { cases: 0, made: 0, foreseen: 0, failures: [] };
  for (const isQuick of [false, true]) {
    vectors.forEach((vector, n) => {
      try {
        const { made, foreseen } = play(vector, answers[n], Replica, isQuick);
        told.cases += 1;
        told.made += made;
        told.foreseen += foreseen;
      } catch (error) {
        told.failures.push(`${vector.name}, ${isQuick ? 'quick' : 'slow'}: ${error.stack}`);
      }
    });
  }
  return told;
}
