/**
 * A mouse that does a list of things by itself: so three people act at the same time, which no driver
 * outside can make them do. Every step is a task of its own between two frames, as a real event is.
 */
window.act = async (steps) => {
  const channel = new MessageChannel();
  const task = () => new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(0);
  });
  const frame = () => new Promise((resolve) => {
    requestAnimationFrame(resolve);
  });
  const point = (type, x, y) => {
    const where = document.elementFromPoint(x, y) ?? document.body;
    where.dispatchEvent(new PointerEvent(type, {
      bubbles: true, cancelable: true, clientX: x, clientY: y, pointerId: 1, pointerType: 'mouse',
      isPrimary: true, button: type === 'pointermove' ? -1 : 0, buttons: type === 'pointerup' ? 0 : 1,
    }));
  };
  const key = (name, ctrlKey) => document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', { key: name, ctrlKey, bubbles: true, cancelable: true }));
  for (const [kind, first, second] of steps) {
    if (kind === 'wait') for (let n = 0; n < first; n += 1) await frame();
    else {
      await task();
      if (kind === 'key') key(first, second);
      else point(`pointer${kind}`, first, second);
    }
  }
};
