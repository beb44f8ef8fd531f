// SPDX-License-Identifier: MIT
//
// pprof: what `go tool pprof`, protoc with pprof's own schema, and the npm package pprof-format make of our profiles.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { captures, expectedOf, load, pathOf, pathsOf, sorted, totalsOf } from './expected.mjs';

const schema = { folder: '/usr/share/gocode/src/github.com/google/pprof/proto', file: 'profile.proto' };

function pprof(file, ...options) {
  return execFileSync('go', ['tool', 'pprof', '-nodefraction=0', '-edgefraction=0', '-nodecount=0', ...options,
    pathOf(file)], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
}

// What is measured: the index of pprof's value, what it is called in expected.mjs, and how pprof writes its unit.
const nanoseconds = (index) => [index, 'self', 'ns'];
const measures = {
  ...Object.fromEntries(captures.map((name) => [name, [['calls', 'calls', ''], nanoseconds('wall')]])),
  'known.tree': [['calls', 'calls', ''], nanoseconds('time')],
  calls: [['calls', 'calls', ''], ['instructions', 'self', '']],
};
const shown = (number, unit) => (number === 0 ? '0' : number + unit);

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

// The call paths of a capture that a profile has a sample for.
const samplesOf = (name) => pathsOf(expectedOf(name)).filter(({ calls, self }) => calls !== 0 || self !== 0);

// Rows of [lane, stack, ...numbers]; those of one lane and stack added up: a scope of the same name at another place in
// the code has samples of its own.
function added(rows) {
  const all = new Map();
  for (const [lane, stack, ...numbers] of rows) {
    const key = JSON.stringify([lane, stack]);
    all.set(key, (all.get(key) ?? numbers.map(() => 0)).map((number, i) => number + numbers[i]));
  }
  return [...all].map(([key, numbers]) => [...JSON.parse(key), ...numbers]);
}

for (const [name, types] of Object.entries(measures)) {
  const paths = pathsOf(expectedOf(name));
  for (const [index, value, unit] of types) {
    test(`go tool pprof -top: ${index} of ${name}`, () => {
      const rows = pprof(name + '.pb.gz', '-top', ...(unit ? ['-unit=' + unit] : []), '-sample_index=' + index)
        .split('\n')
        .map((line) => /^ *(\S+) +\S+% +\S+% +(\S+) +\S+% {2}(.*)$/.exec(line))
        .filter(Boolean).map(([, flat, cum, scope]) => [scope, flat, cum]);
      const expected = [...totalsOf(paths, value)].filter(([, { total }]) => total !== 0)
        .map(([scope, { self, total }]) => [scope, shown(self, unit), shown(total, unit)]);
      assert.deepEqual(sorted(rows), sorted(expected));
    });
  }
}

test('go tool pprof -traces: every call path of known, with its thread and its time', () => {
  const traces = pprof('known.pb.gz', '-traces', '-unit=ns', '-sample_index=wall').split(/^-+\+-+$/m).slice(1)
    .map((block) => block.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length !== 0)
    .map((lines) => {
      const thread = /^ *thread: +(.*)$/.exec(lines[0]);
      assert.ok(thread, 'no thread before ' + lines[0]);
      const [, self, innermost] = /^ *(\d+)(?:ns)? {3}(.*)$/.exec(lines[1]);
      return [thread[1], [...lines.slice(2).map((line) => line.trim()).reverse(), innermost], +self];
    });
  const expected = samplesOf('known').map(({ lane, stack, self }) => [lane, stack, self]);
  assert.deepEqual(sorted(added(traces)), sorted(expected));
});

test('go tool pprof -raw: sample types, time, and the sums of both values of known', () => {
  const raw = pprof('known.pb.gz', '-raw');
  assert.match(raw, /^calls\/count wall\/nanoseconds\[dflt\]$/m);
  assert.match(raw, /^Duration: /m);
  const samples = [...raw.matchAll(/^ +(\d+) +(\d+): [\d ]+$/gm)];
  const expected = samplesOf('known');
  assert.equal(sum(samples.map(([, calls]) => +calls)), sum(expected.map(({ calls }) => calls)));
  assert.equal(sum(samples.map(([, , self]) => +self)), sum(expected.map(({ self }) => self)));
});

for (const scope of ['solve', 'update', 'apply']) {
  test(`go tool pprof -peek: callers and callees of ${scope}`, () => {
    const expected = { callers: new Map(), callees: new Map() };
    for (const { stack, self } of samplesOf('known')) {
      const neighbours = { callers: new Set(), callees: new Set() };
      stack.forEach((name, i) => {
        if (i !== 0 && name === scope) neighbours.callers.add(stack[i - 1]);
        if (i !== 0 && stack[i - 1] === scope) neighbours.callees.add(name);
      });
      for (const side of ['callers', 'callees'])
        for (const name of neighbours[side])
          if (name !== scope) expected[side].set(name, (expected[side].get(name) ?? 0) + self); // pprof shows none to itself
    }
    const lines = pprof('known.pb.gz', '-peek', `^${scope}$`, '-unit=ns', '-sample_index=wall').split('\n');
    const at = lines.findIndex((line) => /^ *\d\S* +\S+% +\S+% +\S+ +\S+% +\| \S/.test(line));
    assert.ok(at !== -1 && lines[at].endsWith('| ' + scope), lines.join('\n'));
    const rows = (some) => some.map((line) => /^ +(\d+)(?:ns)? +\S+% \| {3}(.*)$/.exec(line)).filter(Boolean)
      .map(([, ns, name]) => [name, +ns]);
    const shown = (map) => sorted([...map].filter(([, ns]) => ns !== 0));
    assert.deepEqual(sorted(rows(lines.slice(0, at))), shown(expected.callers));
    assert.deepEqual(sorted(rows(lines.slice(at + 1))), shown(expected.callees));
  });
}

test('go tool pprof -top: difficult names stay as they are', () => {
  const top = pprof('names.pb.gz', '-top', '-unit=ns', '-sample_index=wall');
  for (const [name, { self, total }] of totalsOf(pathsOf(expectedOf('names')), 'self')) {
    const line = new RegExp(`^ *${self}ns +\\S+% +\\S+% +${total}ns +\\S+%  `, 'm').exec(top);
    assert.ok(line, `no line with ${self} ns and ${total} ns for ${JSON.stringify(name.slice(0, 80))}`);
    const rest = top.slice(line.index + line[0].length);
    const wanted = (name === '' ? '[game]' : name) + '\n'; // pprof puts the program where there is no name
    assert.equal(rest.slice(0, wanted.length), wanted);
  }
});

for (const name of [...captures, 'names']) {
  test(`pprof-format: all samples of ${name}, with names and threads`, () => {
    const { Profile } = load('pprof-format');
    const profile = Profile.decode(gunzipSync(readFileSync(pathOf(name + '.pb.gz'))));
    const string = (index) => profile.stringTable.strings[Number(index)];
    const functions = new Map(profile.function.map((each) => [Number(each.id), string(each.name)]));
    const locations = new Map(profile.location.map((each) => [Number(each.id),
      functions.get(Number(each.line[0].functionId))]));
    assert.deepEqual(profile.sampleType.map((each) => [string(each.type), string(each.unit)]),
      [['calls', 'count'], ['wall', 'nanoseconds']]);
    const samples = profile.sample.map((sample) => [
      string(sample.label[0].str), sample.locationId.map((id) => locations.get(Number(id))).reverse(),
      ...sample.value.map(Number)]);
    const expected = samplesOf(name).map(({ lane, stack, calls, self }) => [lane, stack, calls, self]);
    assert.deepEqual(sorted(added(samples)), sorted(expected));
  });
}

test('protoc: a profile of known holds nothing that the schema of pprof does not know', () => {
  const bytes = gunzipSync(readFileSync(pathOf('known.pb.gz')));
  const text = execFileSync('protoc', ['--decode=perftools.profiles.Profile', '-I', schema.folder, schema.file],
    { input: bytes, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.doesNotMatch(text, /^ *\d+[: ]/m, 'a field number without a name');
  const expected = samplesOf('known');
  const values = [...text.matchAll(/^ {2}value: (-?\d+)$/gm)].map(([, value]) => +value);
  assert.equal(sum(values.filter((_, i) => i % 2 === 0)), sum(expected.map(({ calls }) => calls)));
  assert.equal(sum(values.filter((_, i) => i % 2 === 1)), sum(expected.map(({ self }) => self)));
});
