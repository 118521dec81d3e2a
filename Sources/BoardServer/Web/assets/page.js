/**
 * The page of one board. What tests and scripts may rely on:
 *
 * - `body[data-state="connecting|live|closed"]`, `body[data-role]`, `body[data-revision]` (the last
 *   confirmed one), `body[data-pending]` (own undecided edits), `body[data-editing]`,
 *   `body[data-hands]` once icons can be lifted
 * - `[data-section="ID"]`, with `data-over="open|forbidden"` while I hold something over it
 * - `[data-icon="UUID"]` inside its section, in the shown order; `data-cell="SECTION INDEX"` is where
 *   it is drawn, `data-gap="me|PEER"` marks cells that are somebody's gap, `data-state="locked|pinned"`
 * - `[data-my-drag]`, `[data-remote-drag="PEER"]`: what is held, with `data-held="UUID"`
 * - `[data-peer="N"]`: who is here, `[data-me]` myself
 * - `#status` the connection line, `#toast` the last word, `#live` the live region
 * - `?view=kiosk` only shows; `[data-testid]` on every control; `window.homeboard` is the client
 * @module
 */
import { waiting } from './faces.js';
import { connect } from './client.js';
import { personStorage } from './identity.js';
import { overlay } from './overlay.js';
import { People } from './people.js';
import { View } from './view.js';
import { Announcer } from './words.js';

const query = new URLSearchParams(location.search);
const kiosk = query.get('view') === 'kiosk' && (await import('./kiosk.js'));
const byId = (id) => document.getElementById(id);

export class Page {
  /** @type {import('./hands.js').Hands | null} once the board is on the screen */ hands = null;
  /** @type {import('./editing.js').Editing | null} once it was used */ editing = null;
  #pulse;
  #loading;

  constructor(id, options) {
    this.root = byId('board');
    this.announcer = new Announcer(byId('live'));
    this.client = connect(id, options);
    this.view = new View(this.root, byId('hands'), {
      model: () => this.#model(),
      frame: () => this.hands?.frame() ?? false,
      drawn: () => this.#drawn(),
      sizes: kiosk ? kiosk.fit : undefined,
    });
    this.people = new People(this);
    byId('edit').addEventListener('click', () => this.edit((editing) => editing.toggle()));
    byId('add').addEventListener('click', () => this.edit((editing) => editing.add()));
    this.client.on('change', () => this.#changed());
    this.client.on('refused', (refused) => this.#later().then(() => this.hands.refused(refused)));
  }

  #model() {
    const { client, editing } = this;
    const { shown, board, drags, peers, pending } = client;
    if (!shown) return null;
    const { icons, next } = waiting(pending, Date.now());
    clearTimeout(this.#pulse);
    if (next < Infinity) this.#pulse = setTimeout(() => this.view.invalidate(), next);
    const mine = this.hands?.carry ?? null;
    const laid = overlay(shown, board, drags, mine);
    const { isOn = false, selected = null } = editing ?? {};
    return { ...laid, shown, drags, peers, mine, pending: icons, editing: isOn, selected };
  }

  #changed() {
    const { client } = this;
    const { dataset } = document.body;
    dataset.state = client.state;
    dataset.pending = String(client.pending.length);
    dataset.role = client.role;
    if (client.board) dataset.revision = String(client.board.revision);
    if (client.shown) {
      const title = client.shown.title || 'Untitled';
      if (byId('title').textContent !== title) byId('title').textContent = title;
      document.title = `${title} - Homeboard`;
    }
    this.editing?.refresh();
    this.people.refresh();
    this.view.invalidate();
  }

  #drawn() {
    this.editing?.drawn();
    // After the board has been painted.
    if (!kiosk) setTimeout(() => this.#later().catch(() => {}));
  }

  /**
   * The rest, once the board can be seen; the edit mode too, since it may be asked for offline. What
   * can't be loaded is tried again with the next change.
   */
  #later() {
    return (this.#loading ??= this.#load().catch((error) => {
      this.#loading = null;
      throw error;
    }));
  }

  async #load() {
    const [{ Hands }] = await Promise.all([import('./hands.js'), import('./editing.js')]);
    this.hands = new Hands(this);
    document.body.dataset.hands = '';
  }

  /** Does something with the edit mode. */
  async edit(action) {
    await this.#later();
    const { Editing } = await import('./editing.js');
    action((this.editing ??= new Editing(this)));
  }

  openEditor(id) {
    return this.edit((editing) => editing.openEditor(id));
  }
}

if (kiosk) document.body.dataset.view = 'kiosk';
const [, , id] = location.pathname.split('/');
const own = kiosk ? 'Kiosk' : (personStorage().getItem('homeboard:name') ?? undefined);
const name = query.get('name') ?? own;
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
const page = new Page(decodeURIComponent(id), { name, token });
if (kiosk) kiosk.show(page.view);
window.homeboard = page.client;
