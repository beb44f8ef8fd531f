// SPDX-License-Identifier: MIT
//
// A gamepad on the viewer's page, next to the keys that do the same. Dear ImGui 1.86, of which the page is made, has no L2,
// L3, Start and second stick.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch } from '../viewers/browser.mjs';
import { Pad, plugPad, steadyClock } from './hands.mjs';
import { compare, gamePage, PageViewer, viewPage } from './players.mjs';

let browser;
before(async () => { browser = await launch('--enable-unsafe-swiftshader'); });
after(() => browser?.close());

test('the buttons of a gamepad do on the page what the keys do', async () => {
  const padded = await PageViewer.open(browser, viewPage, steadyClock, plugPad);
  const typed = await PageViewer.open(browser, viewPage, steadyClock);
  const pad = new Pad(padded);
  for (const page of [padded, typed]) {
    await page.drop('game.flamelet');
    await page.move(640, 160);
    await page.down('left');
    await page.up('left');
    await page.move(1275, 600);
  }
  let last = await compare(padded, typed, 'at the begin');
  assert.notEqual(last.selected_name, null);
  for (const [button, ...keys] of [
    ['R1', 'ArrowRight'], ['L1', 'ArrowLeft'], ['A', 'Enter'], ['Down', 'ArrowDown', 'Control'], ['Right', 'ArrowRight', 'Control'],
    ['Left', 'ArrowLeft', 'Control'], ['Up', 'ArrowUp', 'Control'], ['X', 'x'], ['B', 'Escape'],
  ]) {
    await pad.press(button);
    await typed.key(...keys);
    const state = await compare(padded, typed, `${button} and ${keys}`);
    assert.notDeepEqual(state, last, `${button} changes nothing`);
    last = state;
  }
  for (const page of [padded, typed]) {
    page.check();
    await page.close();
  }
});

test('the left stick of a gamepad pans the view, and zooms it while L1 is held', async () => {
  const page = await PageViewer.open(browser, viewPage, steadyClock, plugPad);
  const pad = new Pad(page);
  await page.drop('game.flamelet');
  const whole = await page.state();
  const length = (state) => state.view_end_ns - state.view_begin_ns;
  await pad.set(['L1'], true);
  await pad.push(0, -1, 0, 0);
  await pad.set(['L1'], false);
  const near = await page.state();
  assert.ok(length(near) < length(whole));
  await pad.push(1, 0, 0, 0);
  const panned = await page.state();
  assert.ok(panned.view_begin_ns > near.view_begin_ns);
  assert.ok(Math.abs(length(panned) / length(near) - 1) < 1e-6);
  page.check();
  await page.close();
});

test('L1, R1 and Y show the overlay in the game', async () => {
  const game = await PageViewer.open(browser, gamePage, steadyClock, plugPad);
  const pad = new Pad(game);
  assert.equal((await game.state()).mode, 'hud');
  for (const mode of ['read-only', 'active', 'off']) {
    await pad.set(['L1', 'R1'], true);
    await pad.press('Y');
    await pad.set(['L1', 'R1'], false);
    assert.equal((await game.state()).mode, mode);
  }
  game.check();
  await game.close();
});
