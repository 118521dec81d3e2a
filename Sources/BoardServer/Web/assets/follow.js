/**
 * Scrolls so that an icon's cell can be seen. Loaded with what may move icons.
 * @module
 */

/** What the bar covers, and a little. */
const TOP_PX = 76;

/** @param {import('./view.js').View} view @param {string} id */
export function follow(view, id) {
  const { element, at, parent } = view.icons.get(id) ?? {};
  const [from, to] = [view.sections.get(parent), view.sections.get(at)];
  if (!to || to.isDock) return;
  if (!from.isDock) {
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    return;
  }
  // What is in the dock doesn't scroll, but the gap that is open for it may.
  const y = view.base().y + view.placeOf(id).y;
  const low = from.element.getBoundingClientRect().top - to.h;
  scrollBy(0, y < TOP_PX ? y - TOP_PX : Math.max(0, y - low));
}
