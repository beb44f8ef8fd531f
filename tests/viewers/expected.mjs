// SPDX-License-Identifier: MIT
//
// What make_captures wrote, what Flamelet says about it, and where the viewers' packages are.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const folder = resolve(process.env.FLAMELET_CAPTURES ?? '.');
const packages = resolve(process.env.FLAMELET_VIEWERS ?? '.');

// The captures with plain names: the one that is made here, and those that tests/viewers/run was given.
export const captures = ['known', ...(process.env.FLAMELET_MORE ?? '').split(' ').filter(Boolean)];

// A package of package.json.
export const load = createRequire(packages + '/');
export const packageFolder = (name) => `${packages}/node_modules/${name}`;
export const pathOf = (file) => `${folder}/${file}`;

// The text of a name: each byte that is not UTF-8 is one U+FFFD.
function text(hex) {
  return Buffer.from(hex, 'hex').toString('utf8');
}

// {names, lanes, intervals, frames} of a capture, {names, blocks, paths} of a call tree; names as text throughout.
export function expectedOf(name) {
  const all = JSON.parse(readFileSync(pathOf(name + '.expected.json'), 'utf8'));
  const names = all.names.map(text);
  const named = (path) => ({ stack: path[0].map((i) => names[i]), calls: path[1], self: path[2], pieces: path[3] });
  if (all.blocks) {
    const blocks = all.blocks.map(([i, calls, total, self]) => ({ name: names[i], calls, total, self }));
    return { blocks, paths: all.paths.map(named) };
  }
  const lanes = all.lanes.map((lane) => ({
    name: names[lane.name],
    kind: lane.kind,
    spans: lane.spans,
    scopes: lane.scopes.map(([i, count, total, self, empty]) => ({ name: names[i], count, total, self, empty })),
    paths: lane.paths.map(named),
    points: lane.points.map(([kind, i, ns, value]) => ({
      kind,
      name: names[i],
      ns,
      value: kind === 'i' ? names[value] : value,
    })),
  }));
  return {
    lanes,
    intervals: all.intervals.map(([i, begin, end]) => ({ name: names[i], begin, end })),
    frames: all.frames.map(([index, begin, end]) => ({ index, begin, end })),
  };
}

// The call paths that formats without a time line hold: a fiber's time is on its threads.
export function pathsOf(expected) {
  if (expected.paths) return expected.paths.map((path) => ({ ...path, lane: undefined }));
  return expected.lanes
    .filter((lane) => lane.kind !== 'fiber')
    .flatMap((lane) => lane.paths.map((path) => ({ ...path, lane: lane.name })));
}

// By name: self and total of `value` ('self' or 'calls') over call paths, each path once however often it holds a name.
export function totalsOf(paths, value) {
  const totals = new Map();
  const at = (name) => totals.get(name) ?? totals.set(name, { self: 0, total: 0 }).get(name);
  for (const path of paths) {
    if (path.stack.length === 0) continue;
    at(path.stack.at(-1)).self += path[value];
    for (const name of new Set(path.stack)) at(name).total += path[value];
  }
  return totals;
}

// Rows of [key, ...numbers] as one comparable text each, sorted.
export function sorted(rows) {
  return rows.map((row) => JSON.stringify(row)).sort();
}
