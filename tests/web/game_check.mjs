// SPDX-License-Identifier: MIT
//
// The game of the web demo: it is played, its overlay shown, and what it saves is opened here and in the page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test, { after, before } from 'node:test';
import { launch } from '../viewers/browser.mjs';
import { compare, DesktopViewer, files, moveAway, PageViewer, tool, urlOf, viewPage } from './players.mjs';

let browser;
before(async () => { browser = await launch('--enable-unsafe-swiftshader'); });
after(() => browser?.close());

test('the capture that the web game saves opens on the desktop and in the page', async () => {
  const game = await PageViewer.open(browser, urlOf(`${process.env.FLAMELET_PAGES}/game.html`));
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

  await game.move(state.file_button_x_px, state.file_button_y_px);
  await game.down('left');
  await game.up('left');
  await game.move(state.file_button_x_px - 30, state.file_button_y_px + 16 + 17 * 1.5);
  await game.down('left');
  await game.up('left');
  assert.equal((await game.state()).file_dialog, 'save all');
  const [download] = await Promise.all([game.page.waitForEvent('download'), game.key('Enter')]);
  const saved = `${files}/from_game.flamelet`;
  await download.saveAs(saved);
  game.check();
  await game.close();

  const stats = JSON.parse(execFileSync(tool, ['stats', saved, '--json'], { encoding: 'utf8' }));
  const counts = Object.fromEntries((stats.scopes ?? stats).map((scope) => [scope.scope ?? scope.name, scope.count]));
  for (const name of ['Frame', 'Play', 'Bubbles::step', 'Collide', 'Overlay']) assert.ok(counts[name] > 20, name);

  const page = await PageViewer.open(browser, viewPage);
  await page.drop('from_game.flamelet');
  const desktop = await DesktopViewer.open('from_game.flamelet');
  try {
    await moveAway(page, desktop);
    await compare(page, desktop, 'the capture of the game');
  } finally {
    await page.close();
    await desktop.close();
  }
});
