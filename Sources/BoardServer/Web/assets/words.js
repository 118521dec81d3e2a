/**
 * What the page says in words: names of icons, places, and the live region.
 * @module
 */

/** A colour's everyday name, for those who don't see it. */
export function colourName({ red, green, blue }) {
  const max = Math.max(red, green, blue);
  const span = max - Math.min(red, green, blue);
  if (span < 0.12) return max > 0.85 ? 'white' : max < 0.2 ? 'black' : 'grey';
  const sixth =
    max === red ? ((green - blue) / span + 6) % 6 : max === green ? (blue - red) / span + 2 : (red - green) / span + 4;
  const hue = sixth * 60;
  if (hue >= 10 && hue < 50 && max < 0.65) return 'brown';
  const names = [[15, 'red'], [45, 'orange'], [70, 'yellow'], [165, 'green'], [195, 'turquoise'],
    [255, 'blue'], [290, 'purple'], [345, 'pink'], [361, 'red']];
  return names.find(([end]) => hue < end)[1];
}

export const nameOf = (icon) => icon?.label || `${colourName(icon ?? {})} icon`;

/** "position 3 of 24 in Home" */
export function placeWords(section, index, count) {
  return `position ${index + 1} of ${count}${section.title ? ` in ${section.title}` : ''}`;
}

/** Says own things at once, other people's at most every two seconds, the rest summed up. */
export class Announcer {
  #element;
  #waiting = [];
  #timer;

  constructor(element) {
    this.#element = element;
  }

  say(text) {
    this.#element.textContent = text;
  }

  hear(text) {
    this.#waiting.push(text);
    this.#timer ??= setTimeout(() => {
      const [first, ...rest] = this.#waiting.splice(0);
      this.#timer = undefined;
      this.say(rest.length ? `${first}, and ${rest.length} more change${rest[1] ? 's' : ''}` : first);
    }, 2_000);
  }
}
