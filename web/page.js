// SPDX-License-Identifier: MIT
//
// page.js: the page around the program: it starts it, hands it files and links, and does for it what only a page can.
// The program (JavaScript and WebAssembly) stands in the page compressed, and so does a capture that `flamelet convert`
// put behind it. So the page is one file, and asks for nothing from the network.
'use strict';
(() => {
  const canvas = document.getElementById('canvas');
  const message = document.getElementById('message');
  const times = { begun: performance.now() };  // milliseconds since the navigation
  let program;       // Emscripten's module, once it runs

  function say(text) {
    message.textContent = text;
    message.hidden = text === '';
  }

  function fromBase64(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const characters = atob(text.trim());
    const bytes = new Uint8Array(characters.length);
    for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
    return bytes;
  }

  // What a script element holds: base64 of gzip.
  async function unpack(element) {
    const packed = fromBase64(element.textContent);
    element.remove();  // its text is not needed any more
    if (typeof DecompressionStream === 'undefined') return inflateGzip(packed);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // ---- What the program asks for (desktop/browser/page.cpp) ----

  const page = {
    pasted: '',
    say,
    chooseFile() {
      const input = document.createElement('input');
      input.type = 'file';
      input.onchange = () => input.files.length !== 0 && openFile(input.files[0]);
      input.click();
    },
    download(path) {
      const bytes = program.FS.readFile(path);
      program.FS.unlink(path);
      const link = document.createElement('a');
      link.download = path.slice(path.lastIndexOf('/') + 1);
      link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    },
    copyLink(link) {
      const address = location.href.split('#')[0] + '#' + link;
      history.replaceState(null, '', '#' + link);
      page.copy(address);
    },
    copy(text) {
      page.pasted = text;
      if (navigator.clipboard) {
        navigator.clipboard.writeText(text).catch(() => {});
        return;
      }
      const field = document.createElement('textarea');  // where a page without https may do no better
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand('copy');
      field.remove();
      canvas.focus();
    },
    drawn() {
      page.drawn = () => {};
      times.drawn = performance.now();
      requestAnimationFrame(() => { times.shown = performance.now(); });
    },
  };

  // ---- What the program is told ----

  function open(name, bytes) {
    const path = name.replaceAll('/', '_');
    const file = path === '-' ? './-' : path;  // "-" alone is the standard input
    program.FS.writeFile(file, bytes, { canOwn: true });
    const begin = performance.now();
    let good = false;
    try {
      good = program.ccall('page_open', 'number', ['string'], [file]) === 1;
    } finally {
      times.open = performance.now() - begin;
      program.FS.unlink(file);
    }
    document.title = ask('page_title');
    if (good) goTo();
    return good;
  }

  async function openFile(file) {
    open(file.name, new Uint8Array(await file.arrayBuffer()));
  }

  function goTo() {
    if (location.hash.length > 1) program.ccall('page_go_to', null, ['string'], [location.hash.slice(1)]);
  }

  const ask = (name) => program.ccall(name, 'string', [], []);
  const can = (name) => program['_' + name] !== undefined;  // a game opens no captures

  function listen() {
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    addEventListener('paste', (event) => { page.pasted = event.clipboardData.getData('text'); });
    // On their way to the canvas: there Emscripten would make a mouse of them first.
    const phases = { touchstart: 0, touchmove: 1, touchend: 2, touchcancel: 3 };
    for (const [type, phase] of Object.entries(phases))
      addEventListener(type, (event) => {
        if (event.target !== canvas) return;
        let taken = false;
        const corner = canvas.getBoundingClientRect();
        for (const touch of event.changedTouches)
          taken = program._page_touch(touch.identifier, phase, (touch.clientX - corner.left) * devicePixelRatio,
            (touch.clientY - corner.top) * devicePixelRatio) === 1 || taken;
        if (!taken) return;  // then it may
        event.preventDefault();
        event.stopImmediatePropagation();
      }, { capture: true, passive: false });
    if (!can('page_open')) return;
    for (const type of ['pointermove', 'pointerdown', 'pointerup', 'wheel', 'keydown', 'keyup', 'focus', 'blur', 'drop'])
      addEventListener(type, () => program._page_wake(), { capture: true, passive: true });
    addEventListener('hashchange', goTo);
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      for (const file of event.dataTransfer.files) openFile(file).catch((error) => say(String(error)));
    });
  }

  // {name, bytes}, or nothing. It stands behind this script, and is unpacked while the program is compiled.
  async function findCapture() {
    if (document.readyState === 'loading') await new Promise((done) => addEventListener('DOMContentLoaded', done));
    const element = document.getElementById('capture');
    return element && { name: element.dataset.name, bytes: await unpack(element) };
  }

  async function start() {
    const given = findCapture();
    const bytes = await unpack(document.getElementById('program'));
    times.unpacked = performance.now();
    // The length of the WebAssembly, then it, then JavaScript.
    const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    const compiled = WebAssembly.compile(bytes.subarray(4, 4 + size));
    const make = new Function(new TextDecoder().decode(bytes.subarray(4 + size)) + '\nreturn FlameletProgram;')();
    program = await make({
      canvas,
      page,
      print: (text) => console.log(text),
      printErr: (text) => console.warn(text),
      instantiateWasm(imports, done) {
        compiled.then((module) => WebAssembly.instantiate(module, imports).then((instance) => done(instance, module)),
          (error) => say(String(error)));
        return {};
      },
    });
    times.ready = performance.now();
    if (message.textContent !== 'Starting ...') return;  // it has said why it does not run
    say('');
    listen();
    canvas.focus();
    const capture = await given;
    if (capture && can('page_open')) open(capture.name, capture.bytes);
    times.opened = performance.now();
  }

  // For tests, and for who looks into a page with the browser's tools.
  window.flamelet = {
    ready: start().catch((error) => say('This page does not run here: ' + error)),
    times,
    open,
    state: () => JSON.parse(ask('page_state')),
    problem: () => ask('page_problem'),
    numbers: () => JSON.parse(ask('page_numbers')),
  };
})();
