/**
 * Scrolls so that an icon's cell can be seen. Loaded with what may move icons.
 * @module
 */

/** By where the cell will be: the icon may still be on its way. @param {import('./view.js').View} view */
export function follow(view, /** @type {string} */ id) {
  const { element, at, parent } = view.icons.get(id) ?? {};
  const section = view.sections.get(at);
  if (!section || section.isDock) return;
  if (section.columns === Infinity && at === parent) {
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    return;
  }
  // What the bar, the dock, the tools or the editor cover.
  const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(element);
  const above = view.base().y + view.placeOf(id).y - parseFloat(scrollMarginTop);
  const below = above + section.h - (innerHeight - parseFloat(scrollMarginTop) - parseFloat(scrollMarginBottom));
  if (above < 0) scrollBy(0, above);
  else if (below > 0) scrollBy(0, Math.min(above, below));
}
