// SPDX-License-Identifier: MIT
//
// node web/pack_page.mjs TITLE PROGRAM.js PROGRAM.wasm PAGE.html [LICENSE]
//
// Makes one file of a program that Emscripten has built and the page around it, with the license of the font in it. `flamelet convert` adds a capture at its
// end.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const [title, scriptPath, wasmPath, pagePath, licensePath] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const source = (name) => readFileSync(`${here}/${name}`, 'utf8');

const wasm = readFileSync(wasmPath);
const size = Buffer.alloc(4);
size.writeUInt32LE(wasm.length);
const program = gzipSync(Buffer.concat([size, wasm, readFileSync(scriptPath)]), { level: 9 });

const parts = {
  TITLE: title,
  PROGRAM: program.toString('base64'),
  INFLATE: source('inflate.js').replace("'use strict';\n", ''),
  PAGE: source('page.js'),
};
const fill = (text) => text.replace(/@([A-Z]+)@/g, (_, name) => {
  if (parts[name].includes('</script')) throw new Error(`${name} would end the script that it stands in`);
  return parts[name];
});
// The policy lets no script run but the page's own, whatever a capture's name holds, and lets nothing load. The script
// compiles the program, which takes 'unsafe-eval'.
const [, script] = source('page.html').match(/<script>([^]*?)<\/script>/);
parts.HASH = createHash('sha256').update(fill(script)).digest('base64');
const license = licensePath ? `<!--\nThe font in this page:\n${readFileSync(licensePath, 'utf8').replace(/--+/g, '-')}-->\n` : '';
const page = fill(source('page.html')).replace('</title>\n', (end) => end + license);
writeFileSync(pagePath, page);
console.log(`${pagePath}: ${page.length} bytes, of them ${parts.PROGRAM.length} the program`);
