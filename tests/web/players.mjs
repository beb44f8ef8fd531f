// SPDX-License-Identifier: MIT
//
// The viewer in a page and the viewer of the desktop, which are played alike: both have move(), press(), click(), wheel(),
// key() and state(). Nothing is waited for by time: a step is over when pictures were drawn after it.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openPage } from '../viewers/browser.mjs';

export const size = { width: 1280, height: 720 };
export const files = `${process.env.FLAMELET_VIEWERS}/files`;
export const tool = process.env.FLAMELET_TOOL;
export const urlOf = (path, hash = '') => pathToFileURL(path).href + hash;
export const viewPage = urlOf(`${process.env.FLAMELET_PAGES}/view.html`);
export const gamePage = urlOf(`${process.env.FLAMELET_PAGES}/game.html`);
const deadlineMs = 60000;

// Until `get` gives something.
async function until(what, get) {
  for (const end = Date.now() + deadlineMs; ;) {
    const got = await get();
    if (got) return got;
    assert.ok(Date.now() < end, `${what}: not within ${deadlineMs / 1000} s`);
    await setImmediate();
  }
}

export class PageViewer {
  static async open(browser, url, ...inits) {
    const page = await openPage(browser, size);
    const viewer = new PageViewer(page);
    page.on('request', (request) => viewer.requests.push(request.url()));
    for (const init of inits) await page.addInitScript(init);
    await page.goto(url);
    await page.evaluate(() => window.flamelet.ready);
    await viewer.pictures(3);
    return viewer;
  }
  constructor(page) {
    this.page = page;
    this.requests = [];
  }

  // A file that is dropped onto the page.
  async drop(name) {
    const bytes = readFileSync(`${files}/${name}`).toString('base64');
    await this.page.evaluate(async ([text, fileName]) => {
      const buffer = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([buffer], fileName));
      const opened = new Promise((done) => {
        new MutationObserver((_, observer) => { observer.disconnect(); done(); })
          .observe(document.querySelector('title'), { childList: true });
      });
      document.querySelector('canvas').dispatchEvent(
        new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      await opened;
    }, [bytes, name]);
    await this.pictures(3);
  }
  pictures(count) {
    return this.page.evaluate(async (wanted) => {
      for (let i = 0; i < wanted; ++i) await new Promise((done) => requestAnimationFrame(done));
    }, count);
  }
  async move(x, y) {
    await this.page.mouse.move(x, y);
    await this.pictures(3);
  }
  async down(button) {
    await this.page.mouse.down({ button });
    await this.pictures(2);
  }
  async up(button) {
    await this.page.mouse.up({ button });
    await this.pictures(3);
  }
  async wheel(steps) {
    for (let i = 0; i < Math.abs(steps); ++i) {
      await this.page.mouse.wheel(0, steps > 0 ? -100 : 100);
      await this.pictures(2);
    }
  }
  async key(key, ...modifiers) {
    for (const modifier of modifiers) await this.page.keyboard.down(modifier);
    await this.page.keyboard.down(key);
    await this.pictures(1);  // and no more: a key that is held is repeated
    await this.page.keyboard.up(key);
    for (const modifier of modifiers) await this.page.keyboard.up(modifier);
    await this.pictures(3);
  }
  state() {
    return this.page.evaluate(() => window.flamelet.state());
  }
  // By the menu: all of the capture, as `path`. The name that the page gives it.
  async saveAll(path) {
    const { file_button_x_px: x, file_button_y_px: y } = await this.state();
    await this.move(x, y);
    await this.down('left');
    await this.up('left');
    await this.move(x - 30, y + 16 + 17 * 1.5);
    await this.down('left');
    await this.up('left');
    assert.equal((await this.state()).file_dialog, 'save all');
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.key('Enter')]);
    await download.saveAs(path);
    return download.suggestedFilename();
  }
  problem() {
    return this.page.evaluate(() => window.flamelet.problem());
  }
  picture(name) {
    return this.page.screenshot({ path: `${process.env.FLAMELET_VIEWERS}/pictures/${name}.png` });
  }
  // One that wants nothing from the network, and meets no error.
  check() {
    assert.deepEqual(this.page.errors, []);
    assert.deepEqual(this.requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
  }
  close() {
    return this.page.close();
  }
}

const xButtons = { left: '1', middle: '2', right: '3' };
const xKeys = { Space: 'space', ArrowLeft: 'Left', ArrowRight: 'Right', Escape: 'Escape', '/': 'slash', '.': 'period' };

export class DesktopViewer {
  static async open(name, ...options) {
    const viewer = new DesktopViewer(name, options);
    const search = ['search', '--sync', '--onlyvisible', '--pid', viewer.process.pid, '--name', 'Flamelet$'];
    viewer.window = viewer.xdotool(...search).trim();
    viewer.xdotool('windowfocus', '--sync', viewer.window);
    await viewer.pictures(3);
    return viewer;
  }
  constructor(name, options) {
    this.statePath = `${files}/${name}.state.json`;
    rmSync(this.statePath, { force: true });
    this.process = spawn(tool, ['view', name, '--width', size.width, '--height', size.height, '--state', this.statePath,
      ...options].map(String), { cwd: files, stdio: ['ignore', 'ignore', 'pipe'] });
    this.said = '';
    this.process.stderr.on('data', (text) => { this.said += text; });
  }

  xdotool(...words) {
    return execFileSync('xdotool', words.map(String), { timeout: deadlineMs, encoding: 'utf8' });
  }
  async pictures(count) {
    for (let i = 0; i < count; ++i) {
      rmSync(this.statePath, { force: true });
      await until('a picture of flamelet view', () => existsSync(this.statePath));
    }
  }
  async move(x, y) {
    this.xdotool('mousemove', '--window', this.window, x, y);
    await this.pictures(3);
  }
  async down(button) {
    this.xdotool('mousedown', xButtons[button]);
    await this.pictures(2);
  }
  async up(button) {
    this.xdotool('mouseup', xButtons[button]);
    await this.pictures(3);
  }
  async wheel(steps) {
    for (let i = 0; i < Math.abs(steps); ++i) {
      this.xdotool('click', steps > 0 ? '4' : '5');
      await this.pictures(2);
    }
  }
  async key(key) {
    this.xdotool('keydown', xKeys[key] ?? key);
    await this.pictures(1);
    this.xdotool('keyup', xKeys[key] ?? key);
    await this.pictures(3);
  }
  async state() {
    await this.pictures(2);
    return JSON.parse(readFileSync(this.statePath, 'utf8'));
  }
  close() {
    return new Promise((done) => {
      this.process.on('close', done);
      this.process.kill();
    });
  }
}

export const statsOf = (path) => {
  const { file, ...stats } = JSON.parse(execFileSync(tool, ['stats', path, '--json'], { encoding: 'utf8' }));
  return stats;
};

// What differs between two machines, and between two runs: how long something took.
const measured = /^(recording_ns)$/;

// As exact as both compilers' functions of C's library are.
function rounded(state) {
  return Object.fromEntries(Object.entries(state).filter(([name]) => !measured.test(name))
    .map(([name, value]) => [name, typeof value === 'number' && !Number.isInteger(value) ? value.toPrecision(12) : value]));
}

// Both mice to where they are over nothing: those of the desktop's displays stay where they were.
export const moveAway = (page, desktop) => Promise.all([page.move(1275, 600), desktop.move(1275, 600)]);

// Both show the same: if not at once, then soon.
export async function compare(page, desktop, what) {
  for (const end = Date.now() + deadlineMs; ;) {
    const [a, b] = [rounded(await page.state()), rounded(await desktop.state())];
    try {
      assert.deepEqual(a, b, what);
      return a;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

// Opens the same in both, plays both, and compares them after each step.
export async function playBoth(openPage, name, steps, options = []) {
  const page = await openPage();
  const desktop = await DesktopViewer.open(name, ...options);
  try {
    await moveAway(page, desktop);
    await compare(page, desktop, 'at the begin');
    for (const [action, ...words] of steps) {
      await Promise.all([page[action](...words), desktop[action](...words)]);
      await compare(page, desktop, [action, ...words].join(' '));
    }
    page.check();
    return await page.state();
  } finally {
    await page.close();
    await desktop.close();
  }
}
