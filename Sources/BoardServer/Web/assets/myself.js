/**
 * What a person does about being here: invites others, and goes by another name.
 * @module
 */
import { personStorage } from './identity.js';

const byId = (id) => document.getElementById(id);

export class Myself {
  /** @param {import('./hands.js').Hands} hands */
  constructor(hands) {
    this.hands = hands;
    byId('invite').addEventListener('click', () => this.#invite());
    byId('people').addEventListener('click', (event) => event.target.closest('[data-me]') && this.#rename());
    byId('name').addEventListener('change', ({ target }) => this.#named(target.value.trim()));
  }

  async #invite() {
    const address = location.origin + location.pathname;
    try {
      await navigator.clipboard.writeText(address);
      this.hands.toast('Link copied - whoever opens it moves icons with you');
    } catch {
      this.hands.toast(`Send this address: ${address}`);
    }
  }

  #rename() {
    const field = byId('name');
    field.hidden = false;
    field.value = this.hands.client.name;
    field.focus();
    field.select();
    field.onblur = () => (field.hidden = true);
    field.onkeydown = ({ key }) => (key === 'Enter' || key === 'Escape') && field.blur();
  }

  #named(name) {
    if (!name || name === this.hands.client.name) return;
    personStorage().setItem('homeboard:name', name);
    this.hands.client.rename(name);
  }
}
