// SPDX-License-Identifier: MIT
//
// Fingers and a gamepad for a PageViewer. Fingers are the browser's own, by the DevTools protocol. A browser without a pad
// gets one in place of navigator.getGamepads(), which is all that a page sees of a pad.

// For PageViewer.open(): runs in the page, before its scripts. Each picture takes a sixtieth of a second to the page, however
// long a busy machine takes for it. So nothing is held long enough to be repeated, or to be a long press.
export function steadyClock() {
  let now = 0, last = -1;
  const ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) => ask((time) => {
    if (time !== last) now += 1000 / 60;
    last = time;
    draw(time);
  });
  performance.now = () => now;
}

export class Fingers {
  static async of(viewer) {
    const fingers = new Fingers();
    fingers.viewer = viewer;
    fingers.session = await viewer.page.context().newCDPSession(viewer.page);
    return fingers;
  }
  // All fingers that are down then, each [x, y].
  send(type, ...points) {
    return this.session.send('Input.dispatchTouchEvent',
      { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  }
  async step(type, ...points) {
    await this.send(type, ...points);
    await this.viewer.pictures(3);
  }
  async tap(x, y) {
    await this.step('touchStart', [x, y]);
    await this.step('touchEnd');
    await this.viewer.pictures(3);
  }
  async longPress(x, y, opened) {
    await this.step('touchStart', [x, y]);
    while (!await opened()) await this.viewer.pictures(1);
    await this.step('touchEnd');
  }
  async drag(x0, y0, x1, y1) {
    await this.step('touchStart', [x0, y0]);
    await this.step('touchMove', [(x0 + x1) / 2, (y0 + y1) / 2]);
    await this.step('touchMove', [x1, y1]);
    await this.step('touchEnd');
    await this.viewer.pictures(3);
  }
  // Two fingers on one line, around (x, y), from `before` pixels apart to `after`.
  async pinch(x, y, before, after) {
    const at = (apart) => [[x - apart / 2, y], [x + apart / 2, y]];
    await this.step('touchStart', ...at(before));
    await this.step('touchMove', ...at((before + after) / 2));
    await this.step('touchMove', ...at(after));
    await this.step('touchEnd');
  }
}

// The standard gamepad's buttons.
const padButtons = ['A', 'B', 'X', 'Y', 'L1', 'R1', 'L2', 'R2', 'Back', 'Start', 'L3', 'R3', 'Up', 'Down', 'Left', 'Right'];

// For PageViewer.open(): runs in the page, before its scripts.
export function plugPad() {
  const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
  window.pad = { id: 'a pad', index: 0, connected: true, mapping: 'standard', timestamp: 0, axes: [0, 0, 0, 0], buttons };
  navigator.getGamepads = () => [window.pad, null, null, null];
}

export class Pad {
  constructor(viewer) {
    this.viewer = viewer;
  }
  async set(names, pressed) {
    await this.viewer.page.evaluate(([numbers, down]) => {
      for (const number of numbers) window.pad.buttons[number] = { pressed: down, touched: down, value: down ? 1 : 0 };
    }, [names.map((name) => padButtons.indexOf(name)), pressed]);
    await this.viewer.pictures(1);  // and no more: a button that is held is repeated
  }
  async press(name) {
    await this.set([name], true);
    await this.set([name], false);
    await this.viewer.pictures(3);
  }
  // For some pictures: x, y of the left stick, then of the right one. Right and down are positive.
  async push(...axes) {
    await this.viewer.page.evaluate((given) => { window.pad.axes = given; }, axes);
    await this.viewer.pictures(5);
    await this.viewer.page.evaluate(() => { window.pad.axes = [0, 0, 0, 0]; });
    await this.viewer.pictures(3);
  }
}
