// SPDX-License-Identifier: MIT
//
// Fingers on the pages, each gesture next to the same one by the mouse in another page.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch } from '../viewers/browser.mjs';
import { Fingers, steadyClock } from './hands.mjs';
import { compare, gamePage, PageViewer, size, viewPage } from './players.mjs';

let browser;
before(async () => { browser = await launch('--enable-unsafe-swiftshader'); });
after(() => browser?.close());

const kWheelZoom = 1.25;  // of the overlay's wheel

// Two pages that show the same: one for fingers, one for the mouse.
async function openTwo() {
  const open = () => PageViewer.open(browser, viewPage, steadyClock);
  const [touched, clicked] = [await open(), await open()];
  for (const page of [touched, clicked]) await page.drop('game.flamelet');
  return { fingers: await Fingers.of(touched), touched, clicked };
}

// The mouse goes away, as that of a finger that was lifted.
async function same({ touched, clicked }, what) {
  await clicked.move(1275, 600);
  return compare(touched, clicked, what);
}

async function finish({ touched, clicked }) {
  for (const page of [touched, clicked]) {
    page.check();
    await page.close();
  }
}

async function drag(page, button, x0, y0, x1, y1) {
  await page.move(x0, y0);
  await page.down(button);
  await page.move(x1, y1);
  await page.up(button);
}

test('a tap is a click, on the lanes and on a button', async () => {
  const pages = await openTwo();
  for (const [x, y] of [[640, 160], [41, 18], [1100, 80]]) {
    await pages.fingers.tap(x, y);
    await pages.clicked.move(x, y);
    await pages.clicked.down('left');
    await pages.clicked.up('left');
    const state = await same(pages, `a tap at ${x}, ${y}`);
    if (y === 160) assert.notEqual(state.selected_name, null);
  }
  await finish(pages);
});

test('one finger pans the lanes, and drags what the mouse drags elsewhere', async () => {
  const pages = await openTwo();
  const before = await pages.touched.state();
  for (const page of [pages.touched, pages.clicked]) await page.key('w');  // so that there is room to pan
  const zoomed = await pages.touched.state();
  await pages.fingers.drag(700, 330, 600, 340);
  await drag(pages.clicked, 'right', 700, 330, 600, 340);
  const panned = await same(pages, 'a finger over the lanes');
  assert.ok(zoomed.view_begin_ns > before.view_begin_ns && panned.view_begin_ns > zoomed.view_begin_ns);
  await pages.fingers.drag(1100, 80, 1000, 80);
  await drag(pages.clicked, 'left', 1100, 80, 1000, 80);
  const chosen = await same(pages, 'a finger over the bars');
  assert.ok(chosen.last_frame > chosen.first_frame);
  await finish(pages);
});

test('two fingers zoom where they are, as the wheel does', async () => {
  const pages = await openTwo();
  const before = await pages.touched.state();
  await pages.fingers.pinch(640, 330, 160, 160 * kWheelZoom ** 3);
  await pages.clicked.move(640, 330);
  await pages.clicked.wheel(3);
  const length = (state) => state.view_end_ns - state.view_begin_ns;
  // Each step of the wheel rounds the time at the mouse to nanoseconds.
  const alike = async (what) => {
    const [a, b] = [await pages.touched.state(), await pages.clicked.state()];
    for (const name of ['view_begin_ns', 'view_end_ns']) assert.ok(Math.abs(a[name] - b[name]) < 5, `${what}: ${name}`);
    return length(a);
  };
  const close = await alike('fingers that go apart');
  assert.ok(Math.abs(close * kWheelZoom ** 3 / length(before) - 1) < 1e-6);
  await pages.fingers.pinch(500, 330, 160 * kWheelZoom, 160);
  await pages.clicked.move(500, 330);
  await pages.clicked.wheel(-1);
  const far = await alike('fingers that come together');
  assert.ok(Math.abs(far / kWheelZoom / close - 1) < 1e-6);
  await finish(pages);
});

test('a long press opens the menu of a scope, whose lines can be tapped', async () => {
  const pages = await openTwo();
  await pages.fingers.longPress(640, 160, async () => (await pages.touched.state()).menu_open);
  await pages.clicked.move(640, 160);
  await pages.clicked.down('right');
  await pages.clicked.up('right');
  await pages.touched.picture('touch_menu');
  const [dx, dy] = [40, 100];  // to the line that pins the scope
  await pages.fingers.tap(640 + dx, 160 + dy);
  await pages.clicked.move(640 + dx, 160 + dy);
  await pages.clicked.down('left');
  await pages.clicked.up('left');
  const state = await same(pages, 'a line of the menu');
  assert.equal(state.pins, 1);
  await finish(pages);
});

test('in the game fingers burst bubbles, open the overlay and use it', async () => {
  const game = await PageViewer.open(browser, gamePage, steadyClock);
  const fingers = await Fingers.of(game);
  const { height } = size;
  const hint = [200, height - 15];
  assert.equal((await game.state()).mode, 'hud');
  await fingers.tap(...hint);
  assert.equal((await game.state()).mode, 'active');
  const [{ x_px: x, y_px: y }] = (await game.state()).page_buttons.filter(({ button }) => button === 'flame');
  await fingers.tap(x, y);
  assert.equal((await game.state()).page, 'flame');
  await fingers.tap(...hint);
  assert.equal((await game.state()).mode, 'hud');
  game.check();
  await game.close();
});
