/**
 * Draws the board: keyed elements, positions by `transform` alone, one frame loop for everything
 * that moves. It decides nothing; it is told what is where and who holds what.
 * @module
 */
import { Faces } from './faces.js';
import { Mover, ZERO } from './mover.js';
import { acrossOf, isDocked, sizes } from './sizes.js';

const FLOW_MS = 200;
const LAND_MS = 180;
const POINT_MS = 100;
/** How many icons are laid out anew in one go, in an idle moment; if none comes, it is done all the same. */
const AT_ONCE = 60;
const SOON = { timeout: 60 };
/** Rows scroll, and would cut off shadows without a margin inside. */
const ROW_PAD = 6;

export class View {
  /** @type {Map<string, object>} sections by id, with their grids */ sections = new Map();
  /** @type {Map<string, object>} icons by id */ icons = new Map();
  #hands = new Map();
  #dirty = true;
  #scheduled = false;
  #measured = false;
  #hasMoved = false;
  #first = true;

  /**
   * @param {HTMLElement} root @param {HTMLElement} layer where what is held is drawn
   * @param {{model: () => object | null, frame: (now: number) => boolean, sizes?: typeof sizes}} source
   *   the model to draw; work to be done in each frame before drawing, which says whether it wants
   *   another; and other sizes than the usual
   */
  constructor(root, layer, source) {
    this.root = root;
    this.layer = layer;
    this.source = source;
    this.faces = new Faces();
    const resized = () => {
      this.#measured = false;
      this.invalidate();
    };
    this.resizes = new ResizeObserver(resized);
    this.resizes.observe(root);
    addEventListener('resize', resized);
    addEventListener('scroll', ({ target }) => this.#scrolled(target), { passive: true, capture: true });
  }

  /** Rows are asked how far they are scrolled when they are, never in the middle of drawing. */
  #scrolled(list) {
    const section = this.sections.get(list.parentElement?.dataset.section);
    if (section) {
      section.scroll = list.scrollLeft;
      this.faces.fade(section);
    }
    // A dock stays where it is while the page moves under it.
    else this.#hasMoved = Boolean(this.dock);
    this.schedule();
  }

  invalidate() {
    this.#dirty = true;
    this.schedule();
  }

  schedule() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame((now) => this.#frame(now));
  }

  #frame(now) {
    this.#scheduled = false;
    if (this.#hasMoved) this.#readOrigins();
    let again = this.source.frame(now);
    if (this.#dirty) {
      this.#dirty = false;
      const model = this.source.model();
      if (model) this.#render(model, now);
    }
    for (const icon of this.icons.values()) {
      again = icon.mover.step(now, this.sections.get(icon.parent).origin) || again;
    }
    for (const [key, hand] of this.#hands) again = this.#stepHand(key, hand, now) || again;
    if (again) this.schedule();
  }

  #render(model, now) {
    const focused = document.activeElement;
    this.model = model;
    this.#measure();
    this.#syncSections(model);
    this.#syncIcons(model);
    this.#layOut(model, now);
    this.#syncHands(model, now);
    if (this.#first) this.#drawnFirst();
    this.source.drawn();
    const to = focused?.matches('.leave') ? this.#neighbour(focused, model.shown) : focused;
    if (to?.isConnected && to !== document.activeElement) to.focus({ preventScroll: true });
  }

  /** A layer for each icon makes every later frame cheap, and the first one dear: after it, then. */
  #drawnFirst() {
    this.#first = false;
    this.root.classList.remove('skeleton');
    const icons = [...this.icons.values()];
    const later = globalThis.requestIdleCallback ?? setTimeout;
    const enliven = () => {
      for (const { element } of icons.splice(0, AT_ONCE)) element.classList.add('lively');
      if (icons.length) later(enliven, SOON);
    };
    later(enliven, SOON);
  }

  #measure() {
    const { size, gap, label } = (this.source.sizes ?? sizes)(this.model.board, innerWidth, innerHeight);
    if (size !== this.size || gap !== this.gap || label !== this.label) this.#measured = false;
    if (this.#measured) return;
    Object.assign(this, { size, gap, label, width: this.root.clientWidth });
    const { style } = document.documentElement;
    style.setProperty('--size', `${size}px`);
    style.setProperty('--gap', `${gap}px`);
    style.setProperty('--label', `${label}px`);
  }

  #syncSections({ board }) {
    this.dock = null;
    const wanted = new Set(board.sections.map((section) => section.id));
    for (const [id, section] of this.sections) {
      if (!wanted.has(id)) {
        section.element.remove();
        this.sections.delete(id);
        this.#measured = false;
      }
    }
    let cursor = this.root.firstElementChild;
    for (const section of board.sections) {
      let known = this.sections.get(section.id);
      if (!known) this.sections.set(section.id, (known = this.faces.section(section)));
      const isDock = isDocked(board, section);
      if (known.isDock !== isDock) {
        this.#measured = false;
        known.isDock = isDock;
        if (isDock) this.resizes.observe(known.element);
      }
      if (isDock) this.dock = known;
      this.faces.dressSection(known, section, this.model);
      if (known.element === cursor) cursor = cursor.nextElementSibling;
      else {
        this.root.insertBefore(known.element, cursor);
        this.#measured = false;
      }
    }
  }

  /** The order in the document is the shown one: drags, mine and others', don't disturb it. */
  #syncIcons({ shown, board, open, ...model }) {
    const seen = new Set();
    for (const section of shown.sections) {
      const { list } = this.sections.get(section.id);
      let cursor = list.firstElementChild;
      for (const icon of section.icons) {
        seen.add(icon.id);
        const node = this.#icon(icon, section.id, model);
        if (node.element !== cursor && cursor?.nextElementSibling === node.element) {
          list.append(cursor);
          cursor = node.element;
        }
        if (node.element === cursor) cursor = cursor.nextElementSibling;
        else list.insertBefore(node.element, cursor);
      }
    }
    for (const section of board.sections) {
      for (const icon of section.icons) {
        if (!icon.id.startsWith('gap:')) continue;
        seen.add(icon.id);
        const node = this.#icon(icon, section.id, model);
        this.sections.get(section.id).list.append(node.element);
      }
    }
    for (const [id, node] of this.icons) {
      if (seen.has(id)) continue;
      this.icons.delete(id);
      this.faces.leave(node);
    }
  }

  /** Who stood on an icon that somebody removed stands on its neighbour. */
  #neighbour(element, { sections }) {
    const own = sections.find(({ id }) => id === element.closest('[data-section]').dataset.section)?.icons ?? [];
    const next = own[element.ariaPosInSet - 1] ?? own.at(-1) ?? sections.flatMap(({ icons }) => icons)[0];
    return this.icons.get(next?.id)?.element;
  }

  #icon(icon, section, model) {
    let node = this.icons.get(icon.id);
    if (!node) {
      const element = this.faces.icon(icon, !this.#first);
      node = { element, mover: new Mover(element), fresh: true };
      this.icons.set(icon.id, node);
    }
    node.parent = section;
    this.faces.dress(node, icon, model);
    return node;
  }

  /** Cells by arithmetic; the only thing read from the page is where the lists begin. */
  #layOut({ board, shown, holders, open, peers }, now) {
    let resized = !this.#measured;
    this.#measured = true;
    for (const section of board.sections) {
      const known = this.sections.get(section.id);
      const labels = !known.isDock && section.icons.some((icon) => icon.label);
      const row = section.layout.kind === 'row' && !known.isDock;
      const places = known.isDock ? section.capacity : 0;
      const w = this.size + this.gap;
      const fits = Math.max(1, Math.floor((this.width - 40 + this.gap) / w));
      const columns = row ? Infinity : Math.min(places || section.layout.columns, fits);
      const h = this.size + (labels ? this.label : 0) + this.gap;
      const rows = row ? 1 : Math.max(1, Math.ceil(Math.max(places, section.icons.length) / columns));
      const across = row ? acrossOf(section) : columns;
      const shape = `${Math.min(across * w - this.gap, this.width - 40)}px ${rows * h - this.gap}px`;
      if (shape !== known.shape) {
        [known.list.style.width, known.list.style.height] = shape.split(' ');
        resized = true;
      }
      Object.assign(known, { shape, columns, w, h, cells: section.icons, section });
    }
    if (resized) this.#readOrigins();
    for (const section of board.sections) {
      const { columns, w, h, origin } = this.sections.get(section.id);
      section.icons.forEach((icon, index) => {
        const node = this.icons.get(icon.id);
        const [x, y] = columns === Infinity
          ? [index * w, 0] : [(index % columns) * w, Math.floor(index / columns) * h];
        node.at = section.id;
        node.index = index;
        node.cell = { x, y };
        node.mover.go(origin.x + x, origin.y + y, node.fresh ? 0 : FLOW_MS, now);
        node.fresh = false;
        const owner = holders.get(icon.id) ?? (open.has(icon.id) ? ownerOf(icon.id) : undefined);
        this.faces.hold(node, owner, open.has(icon.id), peers.get(owner)?.colour);
      });
    }
    for (const section of shown.sections) {
      this.faces.number(this.icons, section, this.sections.get(section.id));
    }
  }

  /** Reads where the lists begin, in the layer's coordinates, and takes the icons along. */
  #readOrigins() {
    this.#hasMoved = false;
    const base = this.layer.getBoundingClientRect();
    for (const known of this.sections.values()) {
      const box = known.list.getBoundingClientRect();
      const old = known.origin;
      const pad = known.columns === Infinity ? ROW_PAD : 0;
      known.origin = { x: box.left - base.left + pad, y: box.top - base.top + pad };
      known.extent = { x: box.width - 2 * pad, y: box.height - 2 * pad };
      this.faces.fade(known);
      if (old) known.moved = { x: known.origin.x - old.x, y: known.origin.y - old.y };
    }
    for (const { at, mover } of this.icons.values()) {
      const { moved } = this.sections.get(at) ?? {};
      if (moved) mover.shift(moved.x, moved.y);
    }
  }

  /** Where an icon's cell is, in the layer. */
  placeOf(id) {
    const node = this.icons.get(id);
    const section = node && this.sections.get(node.at);
    if (!section) return null;
    return { x: section.origin.x + node.cell.x - section.scroll, y: section.origin.y + node.cell.y };
  }

  /** What is held is drawn once, above everything, and its own cell shows as the gap. */
  #syncHands(model, now) {
    const wanted = new Set();
    const put = (owner, icons, colour, name, state) => {
      icons.forEach((id, n) => {
        const node = this.icons.get(id);
        if (!node) return;
        const key = `${owner} ${id}`;
        let hand = this.#hands.get(key);
        if (!hand) {
          const element = this.faces.hand(node, owner, colour, n ? '' : name);
          hand = { mover: new Mover(element), id, element };
          const { x, y } = this.#takeOver(id) ?? this.placeOf(id);
          hand.mover.go(x, y, 0, now);
          hand.mover.step(now, ZERO);
          this.layer.append(element);
          this.#hands.set(key, hand);
        }
        Object.assign(hand, { owner, n, landing: false, state });
        node.hand = hand;
        this.faces.dressHand(hand, node, icons.length, state);
        wanted.add(key);
      });
    };
    for (const drag of model.drags) {
      const peer = model.peers.get(drag.peer);
      const mine = model.mine?.icons;
      const icons = drag.icons.filter((id) => !mine?.includes(id));
      put(drag.peer, icons, peer?.colour, peer?.name ?? 'Someone', drag);
    }
    if (model.mine) put('me', model.mine.icons, undefined, '', model.mine);
    for (const [key, hand] of this.#hands) {
      if (wanted.has(key) || hand.landing) continue;
      hand.landing = now;
      hand.element.classList.remove('lifted');
      this.icons.get(hand.id)?.element.classList.add('landing');
    }
    this.layer.classList.toggle('busy', this.#hands.size > 0);
  }

  /** An icon is lifted again while it lands: the new hand takes it from where it is. */
  #takeOver(id) {
    for (const [key, hand] of this.#hands) {
      if (hand.id !== id || !hand.landing) continue;
      this.faces.landed(hand, this.icons.get(id));
      this.#hands.delete(key);
      return hand.mover;
    }
    return null;
  }

  #stepHand(key, hand, now) {
    const { mover, owner, landing, state, n } = hand;
    const target = hand.id;
    const twin = `gap:${owner}:${target}`;
    const opened = this.model.open.has(twin) ? twin : target;
    const cell = this.placeOf(landing ? target : opened);
    const copied = landing && state.copy && opened === target;
    if (!cell || copied || (landing && now - landing > LAND_MS)) {
      this.faces.landed(hand, this.icons.get(target));
      this.#hands.delete(key);
      return false;
    }
    if (landing) mover.go(cell.x, cell.y, LAND_MS, now);
    else if (owner === 'me' && state.at) mover.go(state.at.x + n * 6, state.at.y - n * 6, 0, now);
    else if (owner !== 'me' && state.point && state.target) {
      const { origin, extent } = this.sections.get(state.target.section) ?? {};
      if (origin) {
        const x = origin.x + state.point.x * extent.x - this.size / 2 + n * 6;
        mover.go(x, origin.y + state.point.y * extent.y - this.size / 2 - n * 6, POINT_MS, now);
      }
    } else mover.go(cell.x, cell.y - (owner === 'me' ? 6 : 0), FLOW_MS, now);
    return mover.step(now, ZERO) || Boolean(landing);
  }

  /** Where the layer begins on the screen. */
  base() {
    return this.layer.getBoundingClientRect();
  }

  focus(id) {
    this.icons.get(id)?.element.focus();
  }
}

const ownerOf = (gap) => {
  const owner = gap.split(':')[1];
  return owner === 'me' ? owner : Number(owner);
};
