"""Contrast of text, where the ground is made of panes, gradients and everything the sky may be."""

CONTRAST = """selector => {
  const numbers = (text) => [...text.matchAll(/rgba?\\(([^)]*)\\)|color\\(srgb ([^)]*)\\)/g)].map((m) => {
    const [r, g, b, a = 1] = (m[1] ?? m[2]).split(/[ ,/]+/).filter(Boolean)
      .map((n) => (n.endsWith('%') ? parseFloat(n) / 100 : parseFloat(n)));
    return m[1] ? [r, g, b, a] : [r * 255, g * 255, b * 255, a];
  });
  const over = ([r, g, b, a], under) => [r, g, b].map((c, n) => c * a + under[n] * (1 - a));
  const light = (colour) => {
    const [r, g, b] = colour.map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  // Every colour that the sky has may be behind a panel.
  const sky = getComputedStyle(document.documentElement);
  const base = numbers(sky.backgroundColor)[0];
  const skies = [base.slice(0, 3),
    ...numbers(sky.backgroundImage).filter(([, , , a]) => a > 0).map((c) => over(c, base))];
  // What can't be used just now may be faint.
  const counts = (element) => (element.value ?? element.textContent).trim() !== ''
    && element.getClientRects().length && !element.closest(':disabled, .carrying .dock');
  return [...document.querySelectorAll(selector)].filter(counts).map((element) => {
    const behind = [];
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
      const [colour] = numbers(getComputedStyle(at).backgroundColor);
      // A tile's shade lies round its symbol: what the symbol stands on is its colour alone.
      if (colour?.[3]) behind.unshift(colour);
    }
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const [ink] = numbers(color);
    const worst = Math.min(...skies.map((under) => {
      const ground = behind.reduce((low, colour) => over(colour, low), under);
      return ratio(over(ink, ground), ground);
    }));
    const px = parseFloat(fontSize);
    const isLarge = px >= 24 || (px >= 18.66 && Number(fontWeight) >= 700);
    return [element.className || element.id, element.textContent, worst, isLarge ? 3 : 4.5];
  });
}"""


def too_faint(page, selector):
    """Which of the texts have less contrast than WCAG's AA asks for."""
    found = page.evaluate(CONTRAST, selector)
    assert page.locator(selector).count(), f"nothing is {selector}"
    return [(what, text, round(ratio, 2)) for what, text, ratio, wanted in found if ratio < wanted]
