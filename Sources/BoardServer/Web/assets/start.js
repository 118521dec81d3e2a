/**
 * The start page: which boards there are, each as a small live picture, and a new one from a
 * template.
 * @module
 */
import { make } from './faces.js';
import { personStorage } from './identity.js';
import { Miniature } from './miniature.js';

const POLL_MS = 2_000;
const byId = (id) => document.getElementById(id);
const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

/** One board: a link with its picture, fetched anew when it has changed and can be seen. */
class Card {
  #drawn = '';
  #wanted = '';
  #isFetching = false;

  constructor({ id }) {
    this.id = id;
    this.isSeen = false;
    this.element = make('li', '');
    this.link = make('a', 'card');
    this.link.href = `/b/${encodeURIComponent(id)}`;
    this.link.dataset.board = id;
    this.title = make('strong', '');
    this.note = make('span', 'note');
    this.miniature = new Miniature();
    this.link.append(this.miniature.element, this.title, this.note);
    this.element.append(this.link);
  }

  update({ id, title, revision, icons, peers }) {
    const people = peers ? ` · ${count(peers, 'person', 'people')} here` : '';
    const note = count(icons, 'icon', 'icons') + people;
    if (this.title.textContent !== (title || id)) this.title.textContent = title || id;
    if (this.note.textContent !== note) this.note.textContent = note;
    this.link.toggleAttribute('data-live', peers > 0);
    this.#wanted = `${revision} ${icons} ${title}`;
    this.refresh();
  }

  /** The list has no epoch: a board that was deleted and made anew may look the same in it. */
  doubt() {
    this.#drawn = '';
  }

  /** What fails is tried again with the next list. */
  async refresh() {
    const wanted = this.#wanted;
    if (!this.isSeen || this.#isFetching || this.#drawn === wanted) return;
    this.#isFetching = true;
    try {
      const response = await fetch(`/v1/boards/${encodeURIComponent(this.id)}`);
      if (!response.ok) return;
      const board = await response.json();
      this.miniature.draw(board);
      this.link.dataset.revision = board.revision;
      this.#drawn = wanted;
    } catch {
      // The list says that the server can't be reached.
    } finally {
      this.#isFetching = false;
    }
  }
}

/** @type {Map<string, Card>} */ const cards = new Map();
let isFirst = true;
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const card = cards.get(target.dataset.board);
    if (!card) continue;
    card.isSeen = isIntersecting;
    card.refresh();
  }
}, { rootMargin: '200px' });

async function list() {
  try {
    const response = await fetch('/v1/boards');
    if (!response.ok) throw new Error(response.statusText);
    show((await response.json()).boards);
    byId('lost').hidden = true;
  } catch {
    byId('lost').hidden = false;
  }
}

function show(boards) {
  const ids = new Set(boards.map(({ id }) => id));
  for (const [id, card] of cards) {
    if (ids.has(id)) continue;
    card.element.remove();
    cards.delete(id);
  }
  const news = boards.filter(({ id }) => !cards.has(id));
  boards.forEach((board, index) => {
    let card = cards.get(board.id);
    if (!card) {
      cards.set(board.id, (card = new Card(board)));
      seen.observe(card.link);
    }
    card.update(board);
    const there = byId('boards').children[index];
    if (there !== card.element) byId('boards').insertBefore(card.element, there ?? null);
  });
  byId('none').hidden = boards.length > 0;
  if (!isFirst && news.length) byId('news').textContent = `New: ${news.map(({ id, title }) => title || id).join(', ')}`;
  isFirst = false;
}

/** What others do shows within two seconds, while anybody looks. */
async function watch() {
  if (document.visibilityState === 'visible') await list();
  setTimeout(watch, POLL_MS);
}

async function create(event) {
  event.preventDefault();
  const template = event.submitter?.value ?? 'home';
  const title = byId('new-title').value.trim() || event.submitter?.dataset.title;
  const body = JSON.stringify({ template, title });
  const headers = { 'Content-Type': 'application/json' };
  byId('problem').hidden = true;
  try {
    const response = await fetch('/v1/boards', { method: 'POST', headers, body });
    const answer = await response.json();
    if (response.ok) location.href = `/b/${answer.id}`;
    else problem(`The board wasn’t made: ${answer.detail ?? answer.title}`);
  } catch {
    problem('The board wasn’t made: the server can’t be reached.');
  }
}

function problem(text) {
  byId('problem').textContent = text;
  byId('problem').hidden = false;
}

const name = byId('my-name');
name.value = personStorage().getItem('homeboard:name') ?? '';
name.addEventListener('change', () => personStorage().setItem('homeboard:name', name.value.trim()));
byId('create').addEventListener('submit', create);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible') return;
  for (const card of cards.values()) card.doubt();
  list();
});
watch();
