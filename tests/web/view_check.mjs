// SPDX-License-Identifier: MIT
//
// The viewer in the page, next to the viewer of the desktop.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { launch } from '../viewers/browser.mjs';
import { files, PageViewer, playBoth, size, statsOf, tool, urlOf, viewPage } from './players.mjs';

let browser;
before(async () => { browser = await launch('--enable-unsafe-swiftshader'); });
after(() => browser?.close());

const dropped = async (name) => {
  const page = await PageViewer.open(browser, viewPage);
  await page.drop(name);
  return page;
};

test('the page and the desktop show the same after the same mouse, wheel and keys', async () => {
  const state = await playBoth(() => dropped('game.flamelet'), 'game.flamelet', [
    ['move', 700, 330], ['wheel', 5], ['wheel', -2],             // zoom at the cursor
    ['down', 'right'], ['move', 600, 330], ['up', 'right'],      // pan
    ['move', 640, 300], ['down', 'left'], ['up', 'left'],        // select
    ['key', '.'], ['key', '.'], ['key', 'f'],                    // the next instance, and to it
    ['move', 41, 18], ['down', 'left'], ['up', 'left'],          // the next frame
    ['key', '/'], ['key', 'a'], ['key', 'i'], ['key', 'Escape'], // the filter
    ['key', '2'], ['key', '3'], ['key', '4'], ['key', '1'],      // pages
    ['move', 400, 80], ['down', 'left'], ['up', 'left'],         // the bars
    ['move', 500, 152], ['down', 'left'], ['up', 'left'],        // a scope of that frame
  ]);
  assert.equal(state.capture_title, 'game.flamelet');
  assert.notEqual(state.selected_name, null);
});

test('a trace of another tool is opened as on the desktop', async () => {
  const state = await playBoth(() => dropped('trace.json.gz'), 'trace.json.gz', [['move', 640, 330], ['wheel', 3]]);
  assert.equal(state.capture_frames, 60);
});

test('of a damaged file both show the rest, and say the same', async () => {
  const state = await playBoth(() => dropped('damaged.flamelet'), 'damaged.flamelet', [['move', 640, 330], ['wheel', 2]]);
  const said = spawnSync(tool, ['stats', 'damaged.flamelet'], { cwd: files, encoding: 'utf8' }).stderr.trim();
  const damage = said.split('\n').find((line) => line.startsWith('damaged.flamelet is damaged ('));
  assert.ok(damage !== undefined && state.capture_title.startsWith(damage), `${state.capture_title} is not: ${said}`);
});

test('a file that is no capture is refused with the words of the command', async () => {
  const page = await PageViewer.open(browser, viewPage);
  for (const name of ['text.flamelet', 'empty.flamelet']) {
    await page.drop(name);
    const said = spawnSync(tool, ['view', name], { cwd: files, encoding: 'utf8' }).stderr.trim();
    assert.equal('flamelet: ' + await page.problem(), said);
  }
  await page.picture('refused');
  await page.close();
});

test('one HTML file shows its capture, and another one that is dropped onto it', async () => {
  const path = `${files}/game & <co>.html`;
  const open = () => PageViewer.open(browser, urlOf(path));
  await playBoth(open, 'game.flamelet', [['move', 640, 330], ['wheel', 3], ['down', 'left'], ['up', 'left']]);
  const page = await open();
  await page.picture('html');
  await page.drop('middle.flamelet');
  assert.equal((await page.state()).capture_title, 'middle.flamelet');
  assert.equal(await page.page.title(), 'middle.flamelet - Flamelet');
  page.check();
  await page.close();
});

test('the page runs no script but its own, and loads nothing', async () => {
  const page = await PageViewer.open(browser, urlOf(`${files}/game & <co>.html`));
  const [ran, loaded] = await page.page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.strangerRan = true';
    document.body.append(script);
    const answer = await fetch('data:text/plain,a').then(() => true, () => false);
    return [window.strangerRan === true, answer];
  });
  assert.deepEqual([ran, loaded], [false, false]);
  await page.close();
});

test('a link leads to the frame, the scope and the view', async () => {
  const link = 'page=flame&frame=12-14&scope=Bewegung%3A%20Gr%C3%B6%C3%9Fe&filter=ai_';
  const path = `${files}/game & <co>.html`;
  const state = await playBoth(() => PageViewer.open(browser, urlOf(path, '#' + link)), 'game.flamelet', [],
    ['--at', link]);
  assert.deepEqual([state.first_frame, state.last_frame, state.page, state.filter], [12, 14, 'flame', 'ai_']);
  assert.equal(state.selected_name, 'Bewegung: Größe');

  // What the menu copies leads there again.
  const page = await PageViewer.open(browser, urlOf(path, '#' + link));
  await page.key('1');
  await page.move(640, 330);
  await page.wheel(2);
  const before = await page.state();
  await page.move(before.file_button_x_px, before.file_button_y_px);
  await page.down('left');
  await page.up('left');
  await page.move(before.file_button_x_px - 30, before.file_button_y_px + 16 + 17 * 4);
  await page.down('left');
  await page.up('left');
  const address = page.page.url();
  assert.match(address, /#page=lanes&frame=12-14&scope=.*&view=\d+-\d+/);
  const other = await PageViewer.open(browser, address);
  const there = await other.state();
  for (const name of ['page', 'first_frame', 'last_frame', 'selected_begin_ns', 'filter'])
    assert.equal(there[name], before[name], name);
  assert.ok(Math.abs(there.view_begin_ns - before.view_begin_ns) <= 2);
  // A link to what is not there says so, and shows the rest.
  await other.page.evaluate(() => { location.hash = '#frame=20&scope=Nothing'; });
  await other.pictures(3);
  assert.equal((await other.state()).first_frame, 20);
  assert.match(await other.problem(), /^scope=Nothing: this is not in the capture/);
  await page.close();
  await other.close();
});

test('the HTML file opens in a browser that cannot decompress', async () => {
  const page = await PageViewer.open(browser, urlOf(`${files}/middle.html`), () => {
    delete globalThis.DecompressionStream;
    delete Uint8Array.fromBase64;
  });
  const state = await page.state();
  assert.equal(state.capture_frames, 200);
  page.check();
  await page.close();
});

test('what the page saves is the same capture', async () => {
  for (const name of ['game.flamelet', 'everything.flamelet']) {
    const page = await dropped(name);
    const saved = `${files}/saved.flamelet`;
    assert.match(await page.saveAll(saved), /^capture-.*\.flamelet$/);
    assert.deepEqual(statsOf(saved), statsOf(`${files}/${name}`));
    page.check();
    await page.close();
  }
});

test('a capture with every kind of event is the same in the page and on the desktop', async () => {
  const state = await playBoth(() => dropped('everything.flamelet'), 'everything.flamelet', [
    ['move', 640, 330], ['wheel', 4], ['key', '3'], ['key', '4'], ['key', '1'],
  ]);
  assert.deepEqual(state.lane_list.map(({ lane }) => lane), ['Main', 'Worker', 'GPU queue', 'Loader', 'disk', 'draw calls']);
});

test('the menu lets the user choose a file', async () => {
  const page = await PageViewer.open(browser, viewPage);
  const asked = page.page.waitForEvent('filechooser');
  await page.picture('empty');  // by then Chromium knows that it should tell of it
  const [chooser] = await Promise.all([asked, page.page.mouse.click(640, 360)]);
  await chooser.setFiles(`${files}/game.flamelet`);
  await page.page.waitForFunction(() => document.title.startsWith('game.flamelet'));
  await page.close();
});

test('a million scopes: the time to open them and to draw a picture is printed', async () => {
  const page = await dropped('million.flamelet');
  const { open } = await page.page.evaluate(() => window.flamelet.times);
  assert.ok((await page.state()).capture_frames === 500);
  await page.page.evaluate(() => window.flamelet.numbers());
  for (let i = 0; i < 60; ++i) await page.page.mouse.move(300 + 10 * i, 330);
  await page.pictures(3);
  const numbers = await page.page.evaluate(() => window.flamelet.numbers());
  console.log(`a million scopes: opened in ${open.toFixed(0)} ms; a picture: ${numbers.build_ms.toFixed(2)} ms, ` +
    `and ${numbers.draw_ms.toFixed(2)} ms of OpenGL's calls (means of ${numbers.pictures})`);
  await page.picture('million');
  await page.close();
});

test('200,000 scopes in one HTML file: its size and the time to the first picture are printed', async () => {
  const path = `${files}/middle.html`;
  const all = readFileSync(path).length, alone = readFileSync(new URL(viewPage)).length;
  const capture = readFileSync(`${files}/middle.flamelet`).length;
  assert.ok(alone <= 1600000, `the page has ${alone} bytes`);
  const page = await PageViewer.open(browser, urlOf(path));
  await page.page.waitForFunction(() => window.flamelet.times.shown !== undefined);
  const times = await page.page.evaluate(() => window.flamelet.times);
  console.log(`200,000 scopes: ${all} bytes of HTML, ${alone} of them the page, for a capture of ${capture}; ` +
    'milliseconds since the navigation: ' +
    ['begun', 'unpacked', 'ready', 'opened', 'drawn', 'shown'].map((name) => `${name} ${times[name].toFixed(0)}`).join(', '));
  await page.close();
});

test('a window as large as the screen is drawn, and not taken for a full screen', async () => {
  for (const screen of [size, { width: 390, height: 844 }, { width: 1920, height: 1080 }]) {
    const context = await browser.newContext({ viewport: screen, screen });
    const page = await context.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (line) => line.type() === 'error' && errors.push(line.text()));
    await page.goto(viewPage);
    await page.evaluate(() => window.flamelet.ready);
    await page.evaluate(async () => {
      for (let i = 0; i < 10; ++i) await new Promise((done) => requestAnimationFrame(done));
    });
    const canvas = await page.evaluate(() => {
      const { width, height } = document.querySelector('canvas');
      return { width, height, asked: document.fullscreenElement !== null };
    });
    assert.deepEqual(canvas, { ...screen, asked: false });
    assert.deepEqual(errors, []);
    await context.close();
  }
});
