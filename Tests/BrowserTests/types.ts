// What the types allow and what they don't. Compiled by `make lint`, never run.
import {
  CLOSE, connect, finalIndex, find, offsetTarget, Replica, refusal, retryDelay, targetFor, tileTarget,
  type Board, type BoardClient, type ClientStorage, type Edit, type Icon, type RemoteDrag,
} from '../../Sources/BoardServer/Web/assets/homeboard.js';
import { openStorage } from '../../Sources/BoardServer/Web/assets/indexed.js';

const icon: Icon = { id: 'a', red: 1, green: 0.5, blue: 0 };

// Joining.
const client: BoardClient = connect('home');
connect('wss://host/v1/boards/home/live', { name: 'Mia', token: 'words', client: 'id', storage: sessionStorage });
connect('home', { token: async () => 'words', storage: openStorage(), client: Promise.resolve('id') });
connect('home', { token: () => 'words', storage: openStorage({ otherwise: null, name: 'mia' }), random: () => 0.5 });
// @ts-expect-error a board has to be named
connect();
// @ts-expect-error a token is words
connect('home', { token: 17 });
// @ts-expect-error it reads as well as it writes
connect('home', { storage: { setItem() {}, removeItem() {} } });
// @ts-expect-error there is no such option
connect('home', { nmae: 'Mia' });
// @ts-expect-error connect makes them
new (client.constructor as typeof BoardClient)('home');
const store: ClientStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
openStorage({ otherwise: store }).then((storage) => storage.isDurable === true);

// Observing.
const stop: () => void = client.subscribe((shown: Board | null) => shown?.sections[0].icons.at(0)?.label?.trim());
const { subscribe } = client;
subscribe(() => stop());
client.on('change', () => client.drags.map((drag: RemoteDrag) => drag.target?.index));
client.on('commit', ({ commit, mine }) => mine && commit.edit.kind === 'icon.move' && commit.edit.moves[0].to.index);
client.on('refused', ({ edit, reason, field }) => `${edit.kind} ${reason} ${field?.length}`);
client.on('dragend', ({ outcome, holder }) => outcome === 'denied' && holder?.name);
client.on('welcome', ({ welcome, settled }) => welcome.recovered || settled[0].seq);
// @ts-expect-error there is no such event
client.on('moved', () => {});
// @ts-expect-error a commit has no such field
client.on('commit', ({ commit }) => commit.kind);
// @ts-expect-error a board may not be there yet
client.shown.sections;
// What is told can't be set.
export function misuse(other: BoardClient) {
  // @ts-expect-error the board
  other.shown = null;
  // @ts-expect-error nor the connection
  other.state = 'closed';
}
const state: 'connecting' | 'live' | 'closed' = client.state;
if (client.closing?.code === CLOSE.deleted) client.close();
// @ts-expect-error no such close
CLOSE.gone;
const code: 4410 = CLOSE.deleted;
const delay: number | null = retryDelay(code, 0);
// @ts-expect-error final closings have no delay
delay.toFixed();

// Dragging.
const drag = client.begin([icon.id]);
drag.target({ section: 'home', at: 'end' }, { x: 0.5, y: 0.5 }, true);
drag.target(null);
drag.drop({ after: icon.id, index: 3 })?.seq.toFixed();
drag.cancel();
// @ts-expect-error icons come as a list
client.begin(icon.id);
// @ts-expect-error an end, or a neighbour
drag.target({ at: 'middle' });
// @ts-expect-error an end has no neighbour
drag.target({ at: 'end', after: icon.id });

// Editing.
const edits: Edit[] = [
  { kind: 'icon.move', icons: [icon.id], to: { at: 'start' } },
  { kind: 'icon.add', icon, to: { section: 'home', at: 'end' } },
  { kind: 'icon.update', icon: icon.id, set: { label: null, pinnedAt: 2, locked: true } },
  { kind: 'section.update', section: 'home', set: { capacity: null } },
  { kind: 'undo' },
];
const taken: boolean = edits.every((edit) => client.edit(edit));
// @ts-expect-error an icon keeps its identifier
client.edit({ kind: 'icon.update', icon: icon.id, set: { id: 'b' } });
// @ts-expect-error where to?
client.edit({ kind: 'icon.move', icons: [icon.id] });
// @ts-expect-error no such edit
client.edit({ kind: 'icon.rename', icon: icon.id });

// Indices, and the parts for those who bring a transport.
if (client.shown) {
  const place = find(client.shown, icon.id);
  if (place) client.edit({ kind: 'icon.move', icons: [icon.id], to: offsetTarget(place.section, 3, [icon.id]) });
  const to = tileTarget(client.shown, icon.id, ['b']);
  // @ts-expect-error over itself there is none
  client.edit({ kind: 'icon.move', icons: ['b'], to });
  if (to) client.edit({ kind: 'icon.move', icons: ['b'], to });
  const reason: 'icon_gone' | string | null = refusal(client.shown, edits[0], 'editor');
  targetFor(client.shown.sections[0], finalIndex(3, 0, 1)).section?.concat(reason ?? '');
}
const replica = new Replica('id');
replica.submit(edits[0]).base.toFixed();
// @ts-expect-error it says what to send, not how
replica.send();

export { state, taken };
