// SPDX-License-Identifier: MIT
//
// A headless Chromium, and a server on this machine for the pages that it opens: speedscope, and our exports.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, normalize } from 'node:path';
import { load, packageFolder, pathOf } from './expected.mjs';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };

// Serves speedscope's release at / and the exports below /exports/. Resolves to {url, close}.
export async function serve() {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const file = path.startsWith('/exports/')
      ? pathOf(path.slice('/exports/'.length))
      : packageFolder('speedscope') + '/dist/release' + (path === '/' ? '/index.html' : path);
    try {
      const bytes = await readFile(file);
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
      response.end(bytes);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((closed) => {
      server.closeAllConnections();
      server.close(closed);
    }),
  };
}

export async function launch(...more) {
  const { chromium } = load('playwright-core');
  return chromium.launch({
    executablePath: process.env.FLAMELET_CHROMIUM ?? '/usr/bin/chromium',
    // Chromium refuses its sandbox to root. What it opens here is our own.
    args: [...(process.getuid() === 0 ? ['--no-sandbox'] : []), ...more],
  });
}

// A page whose errors are collected in page.errors.
export async function openPage(browser, size = { width: 1280, height: 1400 }) {
  const page = await browser.newPage({ viewport: size, deviceScaleFactor: 1 });
  page.setDefaultTimeout(120000); // a busy machine is slow, and not wrong
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') page.errors.push(message.text());
  });
  return page;
}

// Where pictures of what viewers show are put.
export const picturePath = (name) => `${process.env.FLAMELET_VIEWERS}/pictures/${name}`;
