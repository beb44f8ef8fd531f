// SPDX-License-Identifier: MIT
//
// The game of the web demo: it is played, its overlay shown, and what it saves is opened here and in the page.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch } from '../viewers/browser.mjs';
import { compare, DesktopViewer, files, gamePage, moveAway, PageViewer, statsOf, viewPage } from './players.mjs';

let browser;
before(async () => { browser = await launch('--enable-unsafe-swiftshader'); });
after(() => browser?.close());

test('the capture that the web game saves opens on the desktop and in the page', async () => {
  const game = await PageViewer.open(browser, gamePage);
  await game.move(300, 500);
  await game.down('left');  // bursts bubbles
  await game.up('left');
  assert.equal((await game.state()).mode, 'hud');
  await game.key('F1');
  await game.key('F1');
  await game.pictures(20);
  const state = await game.state();
  assert.equal(state.mode, 'active');
  assert.ok(state.capture_frames > 20);
  // A picture for the eye: what the game itself does stands at the end of a frame, behind what the browser waits for.
  await game.move(1255, 130);
  await game.wheel(6);
  await game.picture('game');

  const saved = `${files}/from_game.flamelet`;
  await game.saveAll(saved);
  game.check();
  await game.close();

  const stats = statsOf(saved);
  const counts = Object.fromEntries((stats.scopes ?? stats).map((scope) => [scope.scope ?? scope.name, scope.count]));
  for (const name of ['Frame', 'Play', 'Bubbles::step', 'Collide', 'Show overlay']) assert.ok(counts[name] > 20, name);

  const page = await PageViewer.open(browser, viewPage);
  await page.drop('from_game.flamelet');
  const desktop = await DesktopViewer.open('from_game.flamelet');
  try {
    await moveAway(page, desktop);
    await compare(page, desktop, 'the capture of the game');
    await page.saveAll(`${files}/saved.flamelet`);
    assert.deepEqual(statsOf(`${files}/saved.flamelet`), statsOf(saved));
  } finally {
    await page.close();
    await desktop.close();
  }
});
