/**
 * Who is here, and the connection line.
 * @module
 */
import { make } from './faces.js';

const PATIENCE_MS = 1_000;
const SHOWN = 5;
const byId = (id) => document.getElementById(id);

const initials = (name) =>
  name.split(/\s+/).filter(Boolean).slice(0, 2).map((word) => [...word][0].toUpperCase()).join('') || '?';

export class People {
  #late = false;
  #ended;
  #timer;
  #drawn = '';

  /** @param {import('./page.js').Page} page */
  constructor(page) {
    this.page = page;
    this.#wait();
    page.client.on('status', () => this.#wait());
  }

  /** A short break is nobody's business; a longer one is said. */
  #wait() {
    if (this.page.client.isLive) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#late = false;
    } else {
      this.#timer ??= setTimeout(() => {
        this.#late = true;
        this.refresh();
      }, PATIENCE_MS);
    }
    this.refresh();
  }

  refresh() {
    this.#status();
    const { peers, peer: me, drags } = this.page.client;
    const moving = new Set(drags.map((drag) => drag.peer));
    const all = [...peers.values()].sort((a, b) => (b.peer === me) - (a.peer === me) || a.peer - b.peer);
    const drawn = JSON.stringify([all, me, [...moving]]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const faces = all.map((peer, index) => {
      const mine = peer.peer === me;
      const face = make(mine ? 'button' : 'span', 'avatar', initials(peer.name));
      face.dataset.peer = peer.peer;
      if (mine) face.dataset.me = '';
      if (moving.has(peer.peer)) face.dataset.moving = '';
      if (peer.editing) face.dataset.edits = '';
      const name = peer.editing && !mine ? `${peer.name}, editing` : peer.name;
      face.title = mine ? `${name} (you) - click to change your name` : name;
      face.setAttribute('aria-label', mine ? `${name}, you. Change your name` : name);
      if (!mine) face.setAttribute('role', 'img');
      face.style.setProperty('--peer', peer.colour);
      face.hidden = index >= SHOWN;
      return face;
    });
    if (all.length > SHOWN) {
      const more = make('span', 'avatar more', `+${all.length - SHOWN}`);
      more.title = all.slice(SHOWN).map((peer) => peer.name).join(', ');
      faces.push(more);
    }
    byId('people').replaceChildren(...faces);
  }

  #status() {
    const { client } = this.page;
    const status = byId('status');
    const kept = client.pending.length;
    let text = '';
    if (client.state === 'closed') {
      this.#ended ??= import('./closing.js').then(({ tellClosing }) => tellClosing(status, client.closing?.code));
      return;
    }
    if (!client.isLive && this.#late) {
      text = client.board ? 'Reconnecting - your changes are kept' : 'Connecting - one moment';
      if (kept) text += ` (${kept})`;
    }
    if (status.textContent !== text) status.textContent = text;
    status.hidden = !text;
  }
}
