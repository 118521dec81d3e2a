/**
 * The start page: which boards there are, and a new one from a template.
 * @module
 */
import { make } from './faces.js';
import { personStorage } from './identity.js';

const byId = (id) => document.getElementById(id);
const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

function card({ id, title, icons, peers }) {
  const link = make('a', 'card');
  link.href = `/b/${encodeURIComponent(id)}`;
  link.dataset.board = id;
  const people = peers ? ` · ${count(peers, 'person', 'people')} here` : '';
  const dots = make('span', 'dots');
  dots.setAttribute('aria-hidden', 'true');
  link.append(dots, make('strong', '', title || id), make('span', 'note', count(icons, 'icon', 'icons') + people));
  if (peers) link.dataset.live = '';
  picture(id, dots);
  return link;
}

/** A small picture of the board: its first icons as dots in their colours. */
async function picture(id, dots) {
  const response = await fetch(`/v1/boards/${encodeURIComponent(id)}`);
  if (!response.ok) return;
  const { sections } = await response.json();
  for (const icon of sections.flatMap((section) => section.icons).slice(0, 24)) {
    const dot = make('i', '');
    dot.style.background = `rgb(${[icon.red, icon.green, icon.blue].map((c) => Math.round(c * 255)).join(' ')})`;
    dots.append(dot);
  }
}

async function list() {
  const response = await fetch('/v1/boards');
  const { boards } = await response.json();
  byId('boards').replaceChildren(...boards.map(card));
  byId('none').hidden = boards.length > 0;
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

const name = byId('my-name');
name.value = personStorage().getItem('homeboard:name') ?? '';
name.addEventListener('change', () => personStorage().setItem('homeboard:name', name.value.trim()));
byId('create').addEventListener('submit', (event) => create(event).catch(unreachable));
list().catch(unreachable);
addEventListener('pageshow', ({ persisted }) => persisted && list().catch(unreachable));

function unreachable() {
  problem('The server can’t be reached. Try again in a moment.');
}
