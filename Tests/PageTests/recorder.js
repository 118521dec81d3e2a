/**
 * Put into a page before its own scripts: writes down, in one log, every message in and out, every
 * change of the stored queue, and what is on the screen at the end of every animation frame.
 *
 * The page's frame callbacks are collected and run from one of the recorder's own, in their order and
 * with the frame's own time, so that the recorder looks last whoever asked for a frame when. A message
 * is written down before the page hears of it, in the same task: no frame can fall between.
 */
(() => {
  const log = [];
  const frames = { count: 0, script: [] };
  window.recorded = { log, frames };

  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...where) {
      super(...where);
      this.addEventListener('message', ({ data }) => data !== '[]' && log.push(['in', data]));
    }

    send(data) {
      log.push(['out', data]);
      super.send(data);
    }
  };

  const isQueue = (key) => key.startsWith('homeboard:queue:');
  const { setItem, removeItem } = Storage.prototype;
  Storage.prototype.setItem = function (key, value) {
    if (isQueue(key)) log.push(['queue', value]);
    setItem.call(this, key, value);
  };
  Storage.prototype.removeItem = function (key) {
    if (isQueue(key) && this.getItem(key) !== null) log.push(['queue', null]);
    removeItem.call(this, key);
  };

  const next = window.requestAnimationFrame.bind(window);
  let waiting = new Map();
  let number = 0;
  window.requestAnimationFrame = (callback) => {
    waiting.set((number += 1), callback);
    return number;
  };
  window.cancelAnimationFrame = (id) => waiting.delete(id);

  /** One line an icon: who it is, its cell, whose gap, and the translation as it is drawn. */
  const icons = () => {
    const lines = [];
    for (const section of document.querySelectorAll('[data-section]')) {
      for (const icon of section.querySelectorAll('[data-cell]:not(.leave)')) {
        const { icon: id = '', cell, gap = '' } = icon.dataset;
        lines.push(`${id}|${section.dataset.section}|${cell}|${gap}|${icon.style.transform.slice(10, -1)}`);
      }
    }
    return lines.join('\n');
  };
  const hands = () => [...document.querySelectorAll('#hands > .lifted')]
    .map(({ dataset }) => `${dataset.remoteDrag ?? 'me'} ${dataset.held}`).sort().join('\n');
  const lists = () => [...document.querySelectorAll('[data-section] > .list')].map((list) => {
    const { left, top } = list.getBoundingClientRect();
    return [list.parentElement.dataset.section, left + scrollX, top + scrollY];
  });

  const seen = { icons: null, hands: null, lists: null };
  const changed = (name, value) => {
    if (JSON.stringify(value) === seen[name]) return null;
    seen[name] = JSON.stringify(value);
    return value;
  };
  const frame = (now) => {
    const due = waiting;
    waiting = new Map();
    const began = performance.now();
    for (const callback of due.values()) {
      try {
        callback(now);
      } catch (error) {
        reportError(error);
      }
    }
    frames.count += 1;
    if (window.recordsTimes) frames.script.push([now, performance.now() - began, due.size]);
    else if (document.querySelector('#board:not(.skeleton)')) {
      const { revision, pending } = document.body.dataset;
      log.push(['frame', now, revision, pending, changed('icons', icons()), changed('hands', hands()),
        changed('lists', lists())]);
    }
    next(frame);
  };
  next(frame);
})();
