/**
 * The start page: which boards there are, each as a small live picture, and a new one from a
 * template.
 * @module
 */
import { make } from './faces.js';
import { personStorage } from './identity.js';
import { isDocked } from './sizes.js';

const POLL_MS = 2_000;
const FLOW_MS = 200;
const PICTURE = { width: 130, height: 96 };
/** More dots than this can't be told apart. */
const DOTS = 80;
const still = matchMedia('(prefers-reduced-motion: reduce)');
const byId = (id) => document.getElementById(id);
const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

const columnsOf = ({ layout, icons, capacity }) =>
  layout.kind === 'row' ? Math.max(1, Math.min(12, icons.length || (capacity ?? 0))) : layout.columns;

/** As large as the picture lets them be: px. */
function dotSize(board) {
  const beside = board.sections.filter((section) => !isDocked(board, section));
  const docks = board.sections.length - beside.length;
  const across = beside.reduce((sum, section) => sum + columnsOf(section), 0);
  const down = Math.max(1, ...beside.map((section) => Math.ceil(section.icons.length / columnsOf(section))));
  const width = (PICTURE.width - beside.length * 13) / across;
  const height = (PICTURE.height - 8 - docks * 13) / (down + docks);
  return Math.floor(Math.min(30, Math.max(6, Math.min(width, height) - 3)));
}

/** One board: a link with its picture, fetched anew when its revision has changed and it can be seen. */
class Card {
  #drawn = -1;
  #revision = 0;
  #dots = new Map();

  constructor({ id }) {
    this.id = id;
    this.isSeen = false;
    this.element = make('a', 'card');
    this.element.href = `/b/${encodeURIComponent(id)}`;
    this.element.dataset.board = id;
    this.picture = make('span', 'picture');
    this.picture.setAttribute('aria-hidden', 'true');
    this.title = make('strong', '');
    this.note = make('span', 'note');
    this.element.append(this.picture, this.title, this.note);
  }

  update({ id, title, revision, icons, peers }) {
    this.title.textContent = title || id;
    const people = peers ? ` · ${count(peers, 'person', 'people')} here` : '';
    this.note.textContent = count(icons, 'icon', 'icons') + people;
    this.element.toggleAttribute('data-live', peers > 0);
    this.#revision = revision;
    return this.refresh();
  }

  async refresh() {
    const revision = this.#revision;
    if (!this.isSeen || this.#drawn === revision) return;
    this.#drawn = revision;
    const response = await fetch(`/v1/boards/${encodeURIComponent(this.id)}`);
    if (response.ok) this.#draw(await response.json());
  }

  #draw(board) {
    const before = new Map([...this.#dots].map(([id, dot]) => [id, dot.getBoundingClientRect()]));
    const known = this.#dots;
    this.#dots = new Map();
    this.picture.style.setProperty('--dot', `${dotSize(board)}px`);
    let room = DOTS;
    this.picture.replaceChildren(...board.sections.map((section) => {
      const part = make('span', isDocked(board, section) ? 'part shelf' : 'part');
      part.style.setProperty('--columns', columnsOf(section));
      const shown = section.icons.slice(0, room);
      room -= shown.length;
      part.append(...shown.map((icon) => this.#dot(icon, known.get(icon.id))));
      return part;
    }));
    if (still.matches) return;
    for (const [id, dot] of this.#dots) {
      const from = before.get(id);
      const to = from && dot.getBoundingClientRect();
      const move = to && (from.x !== to.x || from.y !== to.y) && `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
      if (move) dot.animate({ transform: [move, 'none'] }, { duration: FLOW_MS, easing: 'ease-out' });
    }
  }

  #dot({ id, red, green, blue }, dot = make('i', '')) {
    dot.style.background = `rgb(${[red, green, blue].map((c) => Math.round(c * 255)).join(' ')})`;
    this.#dots.set(id, dot);
    return dot;
  }
}

/** @type {Map<string, Card>} */ const cards = new Map();
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const card = cards.get(target.dataset.board);
    if (!card) continue;
    card.isSeen = isIntersecting;
    card.refresh().catch(unreachable);
  }
}, { rootMargin: '200px' });

async function list() {
  const response = await fetch('/v1/boards');
  const { boards } = await response.json();
  const ids = new Set(boards.map(({ id }) => id));
  for (const [id, card] of cards) {
    if (ids.has(id)) continue;
    card.element.remove();
    cards.delete(id);
  }
  boards.forEach((board, index) => {
    if (!cards.has(board.id)) {
      const card = new Card(board);
      cards.set(board.id, card);
      seen.observe(card.element);
    }
    const card = cards.get(board.id);
    card.update(board).catch(unreachable);
    const there = byId('boards').children[index];
    if (there !== card.element) byId('boards').insertBefore(card.element, there ?? null);
  });
  byId('none').hidden = boards.length > 0;
  byId('problem').hidden = true;
}

/** What others do shows within two seconds, while anybody looks. */
async function watch() {
  if (document.visibilityState === 'visible') await list().catch(unreachable);
  setTimeout(watch, POLL_MS);
}

async function create(event) {
  event.preventDefault();
  const template = event.submitter?.value ?? 'home';
  const title = byId('new-title').value.trim() || event.submitter?.dataset.title;
  const body = JSON.stringify({ template, title });
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch('/v1/boards', { method: 'POST', headers, body });
  const answer = await response.json();
  if (response.ok) location.href = `/b/${answer.id}`;
  else problem(answer.detail ?? answer.title);
}

function problem(text) {
  byId('problem').textContent = text;
  byId('problem').hidden = false;
}

function unreachable() {
  problem('The server can’t be reached. Trying again.');
}

const name = byId('my-name');
name.value = personStorage().getItem('homeboard:name') ?? '';
name.addEventListener('change', () => personStorage().setItem('homeboard:name', name.value.trim()));
byId('create').addEventListener('submit', (event) => create(event).catch(unreachable));
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && list().catch(unreachable));
watch();
