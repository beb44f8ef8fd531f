// SPDX-License-Identifier: MIT
//
// A program with threads in the browser: Flamelet's two files and record_everything, built with -pthread. Browsers give
// threads shared memory only in pages that are isolated from other origins, so this one comes from a server that says so.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import test, { after, before } from 'node:test';
import { launch, openPage } from '../viewers/browser.mjs';
import { files, statsOf } from './players.mjs';

const folder = `${process.env.FLAMELET_VIEWERS}/threads`;
const html = `<!doctype html><link rel="icon" href="data:,"><script>
  var Module = { arguments: ['threads.flamelet'] };
  window.ended = new Promise((done) => { Module.onExit = done; });
</script><script src="everything.js"></script>`;
const types = { js: 'text/javascript', wasm: 'application/wasm' };

let browser, server;
before(async () => {
  browser = await launch();
  server = createServer((request, response) => {
    const name = request.url.slice(1);
    response.writeHead(200, {
      'content-type': types[name.split('.').pop()] ?? 'text/html',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    });
    response.end(name === '' ? html : readFileSync(`${folder}/${name}`));
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
});
after(async () => {
  await browser?.close();
  server?.close();
});

test('threads of a page and a fiber that changes threads are recorded as on the desktop', async () => {
  const page = await openPage(browser);
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  assert.equal(await page.evaluate(() => window.ended), 0);
  const bytes = await page.evaluate(() => Array.from(Module.FS.readFile('threads.flamelet')));
  assert.deepEqual(page.errors, []);
  writeFileSync(`${files}/threads.flamelet`, Buffer.from(bytes));
  const stats = statsOf(`${files}/threads.flamelet`);
  assert.ok(stats.scopes.length > 5);
  assert.deepEqual(stats, statsOf(`${files}/everything.flamelet`));
});
