// SPDX-License-Identifier: MIT
//
// The Performance panel of Chromium's DevTools with our Chrome JSON: the tracks and entries of its flame chart, and the
// totals in its Bottom-up table.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { launch, openPage, picturePath } from './browser.mjs';
import { captures, expectedOf, pathOf, sorted, totalsOf } from './expected.mjs';

let browser;
before(async () => {
  mkdirSync(picturePath(''), { recursive: true });
  browser = await launch();
});
after(() => browser?.close());

// DevTools as a page of its own with a file loaded, and the flame chart of its panel.
async function open(file) {
  const page = await openPage(browser);
  const input = page.locator('input[type=file]').first();
  // On a busy machine the page once stayed empty. Its own errors are reported below all the same.
  for (let tries = 1; ; ++tries) {
    await page.goto('devtools://devtools/bundled/devtools_app.html?panel=timeline');
    const there = input.waitFor({ state: 'attached', timeout: 40000 });
    if (await there.then(() => true, (error) => assert.ok(tries < 3, error))) break;
  }
  await input.setInputFiles(pathOf(file));
  await page.getByText('Bottom-up').waitFor();
  const chart = await page.evaluateHandle(async () => {
    const { TimelinePanel } = await import('devtools://devtools/bundled/panels/timeline/timeline.js');
    return TimelinePanel.TimelinePanel.instance().getFlameChart();
  });
  await page.waitForFunction((loaded) => loaded.getMainDataProvider().timelineData().groups.length > 1, chart);
  // The first group is the process, and its threads are hidden until it is opened.
  await chart.evaluate((loaded) => loaded.getMainFlameChart().expandGroup(0, true));
  return { page, chart };
}

// {name, entries: [{name, begin, duration, level}]} of every track, times in milliseconds, levels from 0.
function readTracks(chart) {
  const provider = chart.getMainDataProvider();
  const data = provider.timelineData();
  const threads = data.groups.filter((group) => group.style.nestingLevel === 1);
  return threads.map((group) => {
    const ends = threads.map(({ startLevel }) => startLevel).filter((level) => level > group.startLevel);
    const end = Math.min(...ends, Infinity);
    const entries = [];
    data.entryLevels.forEach((level, i) => {
      if (level < group.startLevel || level >= end) return;
      entries.push({ name: provider.entryTitle(i), begin: data.entryStartTimes[i], duration: data.entryTotalTimes[i],
        level: level - group.startLevel });
    });
    return { name: group.name, entries };
  });
}

// Self and total in nanoseconds, by name, of entries that stand in the order of their begins.
function entryTotals(entries) {
  const paths = new Map();
  const stack = [];
  for (const { name, duration, level } of entries) {
    stack.splice(level);
    const ns = Math.round(duration * 1e6);
    for (const [path, time] of [[[...stack, name], ns], [[...stack], -ns]]) {
      const key = JSON.stringify(path);
      paths.set(key, (paths.get(key) ?? 0) + time);
    }
    stack.push(name);
  }
  return totalsOf([...paths].map(([key, self]) => ({ stack: JSON.parse(key), self })), 'self');
}

// Clicks on a track's header until it is the selected one: a first click may only close a hint that lies over the page.
async function selectTrack(page, chart, track) {
  for (let tries = 0; tries < 5; ++tries) {
    const { x, y, selected } = await chart.evaluate((loaded, wanted) => {
      const main = loaded.getMainFlameChart();
      const place = main.element.getBoundingClientRect();
      const { groups } = loaded.getMainDataProvider().timelineData();
      const index = groups.findIndex(({ name }) => name === wanted);
      const offset = main.groupIndexToOffsetForTest(index);
      return { x: place.x + 60, y: place.y + offset + 8, selected: main.isGroupFocused(index) };
    }, track);
    if (selected) return;
    await page.mouse.click(x, y);
    await page.waitForTimeout(200);
  }
  assert.fail('cannot select ' + track);
}

// The rows of the Bottom-up table as they are shown: [activity, self, total].
async function readBottomUp(page) {
  await page.getByText('Bottom-up').click();
  const tab = await page.getByText('Bottom-up').boundingBox();
  // Its pane is low, and holds only the rows that can be seen: drag it up.
  await page.mouse.move(tab.x + 600, tab.y + tab.height / 2);
  await page.mouse.down();
  await page.mouse.move(tab.x + 600, 400, { steps: 5 });
  await page.mouse.up();
  // It is filled bit by bit: read it until it stays as it is.
  let rows = [];
  for (let tries = 0; tries < 40; ++tries) {
    const before = rows;
    await page.waitForTimeout(250);
    rows = await page.evaluate(readRows);
    if (rows.length !== 0 && JSON.stringify(rows) === JSON.stringify(before)) break;
  }
  return rows;
}

// DevTools is made of elements with roots of their own.
function readRows() {
  const rows = [];
  const walk = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) walk(element.shadowRoot);
      if (element.tagName !== 'TR') continue;
      const [self, total, activity] = [...element.querySelectorAll('td')].map((cell) => cell.textContent);
      if (self) rows.push([activity, ...[self, total].map((text) => text.replace(/\sms.*/, ''))]);
    }
  };
  walk(document);
  return rows;
}

for (const name of captures) {
  test(`DevTools: every lane and the frames of ${name} are tracks with all their scopes`, async () => {
    const { lanes, frames } = expectedOf(name);
    const { page, chart } = await open(name + '.trace.json');
    await page.screenshot({ path: picturePath(`devtools_${name}.png`) });
    const tracks = new Map((await chart.evaluate(readTracks)).map((track) => [track.name, track.entries]));
    const withSpans = lanes.map((lane, i) => ({ ...lane, track: `${lane.name} (${i + 1})` })).filter(({ spans }) => spans);
    const framesTrack = `Frames (${lanes.length + 1})`;
    assert.deepEqual([...tracks.keys()].sort(), [...withSpans.map(({ track }) => track), framesTrack].sort());
    for (const lane of withSpans) {
      const entries = tracks.get(lane.track);
      assert.equal(entries.length, lane.spans);
      const actual = entryTotals(entries);
      // A span of no length is 1 ns long there, which the self time of another one lacks.
      const empty = lane.scopes.reduce((count, scope) => count + scope.empty, 0);
      assert.deepEqual([...actual.keys()].sort(), lane.scopes.map((scope) => scope.name).sort());
      for (const scope of lane.scopes) {
        assert.equal(actual.get(scope.name).total, scope.total + scope.empty, scope.name);
        assert.ok(Math.abs(actual.get(scope.name).self - scope.self - scope.empty) <= empty, scope.name);
      }
    }
    assert.equal(tracks.get(framesTrack).length, frames.length);
    assert.deepEqual(page.errors, []);
    await page.close();
  });
}

test('DevTools: self and total of the Bottom-up table of a lane of known', async () => {
  const lane = expectedOf('known').lanes[0];
  const { page, chart } = await open('known.trace.json');
  await selectTrack(page, chart, 'Main (1)');
  const rows = await readBottomUp(page);
  await page.screenshot({ path: picturePath('devtools_bottom_up.png') });
  const shown = (ns) => (ns / 1e6).toFixed(1);
  // What has no time of its own is not in that table.
  const expected = lane.scopes.filter(({ self, empty }) => self !== 0 || empty !== 0)
    .map(({ name, self, total }) => [name, shown(self), shown(total)]);
  assert.deepEqual(sorted(rows), sorted(expected));
  assert.deepEqual(page.errors, []);
  await page.close();
});
