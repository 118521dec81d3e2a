/**
 * A board that is closed to this page for good: what happened, and what can be done about it.
 * Loaded when it comes to that.
 * @module
 */
import { make } from './faces.js';

const RELOAD = 'Reload';
const LEAVE = 'All boards';

/** By close code: the words, and what the one control beside them does. */
const CLOSINGS = {
  4400: ['This page and the server don’t understand each other. Reload the page.', RELOAD],
  4401: ['You are not signed in. Open your invitation link again.', LEAVE],
  4403: ['You have no access to this board. Ask whoever invited you.', LEAVE],
  4404: ['There is no such board. It may have been deleted, or the address is wrong.', LEAVE],
  4409: ['This board goes on in another window.', 'Go on here'],
  4410: ['This board was deleted.', LEAVE],
};

/** @param {HTMLElement} status the connection line @param {number | undefined} code */
export function tellClosing(status, code) {
  const [text, label] = CLOSINGS[code] ?? ['The connection was closed for good.', RELOAD];
  const action = make(label === LEAVE ? 'a' : 'button', '', label);
  action.dataset.testid = 'closing-action';
  if (label === LEAVE) action.href = '/';
  else action.onclick = () => location.reload();
  status.className = 'final';
  status.replaceChildren(make('span', '', text), action);
  status.hidden = false;
  document.getElementById('board').classList.remove('skeleton');
}
