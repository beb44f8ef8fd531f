// SPDX-License-Identifier: MIT
//
// The HTML file in another browser: Firefox, where it is installed. It needs a display, because it has no WebGL without.
import { existsSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { load } from '../viewers/expected.mjs';
import { files, PageViewer, playBoth, urlOf } from './players.mjs';

const executablePath = process.env.FLAMELET_FIREFOX ?? '/usr/bin/firefox-esr';
const skip = existsSync(executablePath) ? false : `${executablePath} is not there`;

let browser;
before(async () => {
  if (!skip) browser = await load('playwright-core').firefox.launch({ channel: 'moz-firefox', executablePath, headless: false });
});
after(() => browser?.close());

test('Firefox shows the HTML file as the desktop shows its capture', { skip }, async () => {
  const open = () => PageViewer.open(browser, urlOf(`${files}/game & <co>.html`));
  await playBoth(open, 'game.flamelet', [
    ['move', 640, 330], ['wheel', 3], ['down', 'left'], ['up', 'left'], ['key', 'f'], ['key', '3'],
  ]);
});
