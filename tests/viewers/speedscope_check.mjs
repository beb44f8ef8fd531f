// SPDX-License-Identifier: MIT
//
// speedscope, in a browser: the profiles that it shows for our files, the totals in its Sandwich table, and, to the last
// nanosecond, those of the profiles that it saves again.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { launch, openPage, picturePath, serve } from './browser.mjs';
import { captures, expectedOf, pathsOf, sorted, totalsOf } from './expected.mjs';

let browser;
let server;
before(async () => {
  mkdirSync(picturePath(''), { recursive: true });
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(() => Promise.all([browser?.close(), server?.close()]));

// As speedscope writes times: the largest unit of which there is one. Where that ends between two numbers, it may round to
// either: it computes in seconds.
function shownTime(ns) {
  for (const [unit, size] of [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]])
    if (ns >= size || size === 1) return [-1e-9, 1e-9].map((nudge) => (ns / size + nudge).toFixed(2) + unit);
}
const shownNumber = (number) => [number.toLocaleString('en-US')];

// The rows of the Sandwich table: name, total and self as they are shown.
async function readTable(page) {
  return page.evaluate(() => [...document.querySelectorAll('tr')]
    .map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim()))
    .filter((cells) => cells.length === 3 && /%\)$/.test(cells[0]))
    .map(([total, self, name]) => [name, ...[total, self].map((text) => text.replace(/ \([<>]?[\d.]+%\)$/, ''))]));
}

// {title, rows} of every profile of a file, and what speedscope saves.
async function open(file) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/#profileURL=${encodeURIComponent(`${server.url}/exports/${file}`)}`);
  await page.getByText('Sandwich').click();
  // Below the tabs stands the profile's name, with "(1/6)" behind it if there are several.
  const title = async () => (await page.evaluate(() => document.body.innerText)).split('\n')[1];
  await page.waitForFunction(() => document.querySelector('td'));
  const profiles = [];
  let count = 1;
  for (let i = 1; i <= count; ++i) {
    const shown = await title();
    const place = / \((\d+)\/(\d+)\)$/.exec(shown);
    if (place) count = +place[2];
    profiles.push({ title: place ? shown.slice(0, place.index) : shown, rows: await readTable(page) });
    if (i === 1) await page.screenshot({ path: picturePath(`speedscope_${file}.png`) });
    if (i === count) break;
    await page.keyboard.press('n');
    await page.waitForFunction((next) => document.body.innerText.includes(next), ` (${i + 1}/${count})`);
  }
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8'));
  await page.close();
  assert.deepEqual(page.errors, []);
  return { profiles, saved };
}

// Map of name to {self, total} of a profile that speedscope saved.
function savedTotals(saved, profile) {
  const paths = new Map();
  const add = (stack, weight) => {
    const key = JSON.stringify(stack);
    paths.set(key, (paths.get(key) ?? 0) + weight);
  };
  const name = (frame) => saved.shared.frames[frame].name;
  if (profile.type === 'sampled') {
    profile.samples.forEach((stack, i) => add(stack.map(name), profile.weights[i]));
  } else {
    const stack = [];
    let last = 0;
    for (const event of profile.events) {
      if (stack.length !== 0) add(stack, event.at - last);
      last = event.at;
      if (event.type === 'O') {
        stack.push(name(event.frame));
        add(stack, 0);
      } else {
        assert.equal(stack.pop(), name(event.frame));
      }
    }
    assert.equal(stack.length, 0);
  }
  return totalsOf([...paths].map(([key, self]) => ({ stack: JSON.parse(key), self })), 'self');
}

// Compares rows of the table with totals: a name that several scopes have stands there several times.
function assertShown(rows, totals, shown) {
  const count = new Map();
  for (const [name] of rows) count.set(name, (count.get(name) ?? 0) + 1);
  assert.deepEqual([...count.keys()].sort(), [...totals.keys()].sort());
  for (const [name, total, self] of rows) {
    if (count.get(name) !== 1) continue;
    assert.ok(shown(totals.get(name).total).includes(total), `${name}: a total of ${total}`);
    assert.ok(shown(totals.get(name).self).includes(self), `${name}: a self time of ${self}`);
  }
}

// `scale`: nanoseconds in the saved unit; speedscope computes in doubles of it. It saves no scope that took no time.
function assertSaved(actual, totals, scale) {
  const rows = (map, factor) => sorted([...map].filter(([, { total }]) => total !== 0)
    .map(([name, { self, total }]) => [name, Math.round(self * factor), Math.round(total * factor)]));
  assert.deepEqual(rows(actual, scale), rows(totals, 1));
}

const statisticsOf = (lane) => new Map(lane.scopes.map(({ name, self, total }) => [name, { self, total }]));

for (const name of captures) {
  test(`speedscope: every lane of ${name}, its Sandwich table, and what it saves`, async () => {
    const lanes = expectedOf(name).lanes.filter((lane) => lane.spans !== 0);
    const { profiles, saved } = await open(name + '.speedscope.json');
    assert.deepEqual(profiles.map(({ title }) => title), lanes.map((lane) => lane.name));
    lanes.forEach((lane, i) => {
      assertShown(profiles[i].rows, statisticsOf(lane), shownTime);
      assertSaved(savedTotals(saved, saved.profiles[i]), statisticsOf(lane), 1);
    });
  });

  test(`speedscope: every lane and the frames of ${name}, from its Chrome JSON`, async () => {
    const { lanes, frames } = expectedOf(name);
    const { profiles, saved } = await open(name + '.trace.json');
    const withSpans = lanes.map((lane, i) => ({ ...lane, tid: i + 1 })).filter((lane) => lane.spans !== 0);
    assert.deepEqual(profiles.map(({ title }) => title), [
      ...withSpans.map((lane) => `game (pid 1), ${lane.name} (tid ${lane.tid})`),
      `game (pid 1), Frames (tid ${lanes.length + 1})`]);
    for (const [i, lane] of withSpans.entries()) {
      // An object is part of the name there. A span of no length is 1 ns long, which another one's self time then lacks.
      const actual = new Map();
      for (const [scope, { self, total }] of savedTotals(saved, saved.profiles[i])) {
        const plain = scope.replace(/ \{"object":".*"\}$/, '');
        const row = actual.get(plain) ?? { self: 0, total: 0 };
        actual.set(plain, { self: row.self + self * 1000, total: row.total + total * 1000 });
      }
      assert.deepEqual([...actual.keys()].sort(), lane.scopes.map((scope) => scope.name).sort());
      let empty = 0;
      for (const scope of lane.scopes) empty += scope.empty;
      for (const scope of lane.scopes) {
        const { self, total } = actual.get(scope.name);
        assert.equal(Math.round(total), scope.total + scope.empty, scope.name);
        assert.ok(Math.abs(Math.round(self) - scope.self - scope.empty) <= empty, scope.name);
      }
      const sum = [...actual.values()].reduce((ns, { self }) => ns + self, 0);
      assert.equal(Math.round(sum), lane.scopes.reduce((ns, { self }) => ns + self, 0));
    }
    const frame = savedTotals(saved, saved.profiles.at(-1)).get('Frame');
    assert.equal(Math.round(frame.total * 1000), frames.reduce((ns, { begin, end }) => ns + end - begin, 0));
  });
}

test('speedscope: known as collapsed stacks', async () => {
  const { profiles, saved } = await open('known.folded');
  const totals = totalsOf(pathsOf(expectedOf('known')).filter(({ self }) => self > 0)
    .map(({ lane, stack, self }) => ({ stack: [lane, ...stack], self })), 'self');
  assertShown(profiles[0].rows, totals, shownNumber);
  assertSaved(savedTotals(saved, saved.profiles[0]), totals, 1);
});

test('speedscope: known as pprof', async () => {
  const { profiles, saved } = await open('known.pb.gz');
  const totals = totalsOf(pathsOf(expectedOf('known')).filter(({ self }) => self > 0), 'self');
  assertShown(profiles[0].rows, totals, shownTime);
  assertSaved(savedTotals(saved, saved.profiles[0]), totals, 1);
});

for (const [file, unit, unnamed] of [['names.speedscope.json', 1, ''], ['names.trace.json', 1000, '(unnamed)'],
  ['names.pb.gz', 1, '(unknown)']]) {
  test(`speedscope: difficult names, ${file}`, async () => {
    const { saved } = await open(file);
    // What speedscope makes of names: it demangles, and has a word of its own for those without one.
    const own = new Map([['', unnamed], ['_ZN4game6updateEf', 'game::update(float)']]);
    const totals = [...statisticsOf(expectedOf('names').lanes[0])].map(([name, row]) => [own.get(name) ?? name, row]);
    assertSaved(savedTotals(saved, saved.profiles[0]), new Map(totals), unit);
  });
}

test('speedscope: the call tree of a script as collapsed stacks', async () => {
  const { profiles } = await open('calls.folded');
  const totals = totalsOf(pathsOf(expectedOf('calls')).filter(({ self }) => self > 0), 'self');
  assertShown(profiles[0].rows, totals, shownNumber);
});
