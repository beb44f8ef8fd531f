// SPDX-License-Identifier: MIT
//
// Perfetto's traces, decoded by protobufjs and by protoc with the part of Perfetto's schema that they use. Perfetto's own
// trace processor is in no package, so this takes a trace as that program documents it: sequences, interned texts, and
// clocks that count from packet to packet.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { captures, expectedOf, load, pathOf, sorted } from './expected.mjs';

const schemas = dirname(fileURLToPath(import.meta.url)) + '/../export';

// {tracks, slices, instants, values} of a trace, in nanoseconds since its 0.
function read(file) {
  const type = load('protobufjs').loadSync(schemas + '/perfetto.proto').lookupType('flamelet_test.Trace');
  const { packet: packets } = type.toObject(type.decode(readFileSync(pathOf(file))), { longs: Number, enums: String });
  const trace = { tracks: new Map(), slices: [], instants: [], values: [] };
  const sequences = new Map();
  const open = new Map(); // by track
  let newest = 0;
  for (const packet of packets) {
    if (packet.sequenceFlags === 1)
      sequences.set(packet.sequenceId, { now: undefined, names: new Map(), defaults: packet.defaults });
    const sequence = sequences.get(packet.sequenceId);
    const clocks = new Map((packet.clockSnapshot?.clock ?? []).map((clock) => [clock.id, clock]));
    if (clocks.has(64)) {
      assert.ok(clocks.get(64).isIncremental);
      sequence.now = clocks.get(6).timestamp;
    }
    if (packet.track) trace.tracks.set(packet.track.uuid, packet.track);
    if (packet.interned) {
      assert.equal(packet.sequenceFlags, 2, 'texts that a reader would drop');
      for (const { iid, text } of packet.interned.eventName ?? []) sequence.names.set(iid, text);
    }
    const { event } = packet;
    if (!event) continue;
    assert.equal(packet.sequenceFlags, 2, 'an event that a reader would drop');
    assert.equal(sequence.defaults.timestampClockId, 64);
    const at = (sequence.now += packet.timestamp);
    newest = Math.max(newest, at);
    const track = event.trackUuid ?? sequence.defaults.eventDefaults.trackUuid;
    assert.ok(trace.tracks.has(track));
    if (!open.has(track)) open.set(track, []);
    const stack = open.get(track);
    const name = sequence.names.get(event.nameIid);
    if (event.type === 'BEGIN') {
      assert.notEqual(name, undefined);
      const slice = { track, name, begin: at, end: undefined, stack: [...stack.map((outer) => outer.name), name] };
      stack.push(slice);
      trace.slices.push(slice);
    } else if (event.type === 'END') {
      stack.pop().end = at;
    } else if (event.type === 'INSTANT') {
      trace.instants.push({ track, name, at });
    } else {
      assert.equal(event.type, 'COUNTER');
      trace.values.push({ track, at, value: event.doubleValue });
    }
  }
  // A slice without an end is drawn to the end of the trace.
  for (const slice of trace.slices) slice.end ??= newest;
  return trace;
}

const trackName = (track) => track.thread?.name ?? track.name;
const isLane = (track) => track.thread || /^(Fiber|GPU queue|External source)$/.test(track.description ?? '');

// Rows of [call path, calls, self] of the slices of a track.
function pathsOfTrack(slices) {
  const paths = new Map();
  const at = (stack) => {
    const key = JSON.stringify(stack);
    return paths.get(key) ?? paths.set(key, { calls: 0, self: 0 }).get(key);
  };
  for (const { stack, begin, end } of slices) {
    at(stack).calls += 1;
    at(stack).self += end - begin;
    if (stack.length > 1) at(stack.slice(0, -1)).self -= end - begin;
  }
  return [...paths].map(([key, { calls, self }]) => [JSON.parse(key), calls, self]);
}

for (const name of [...captures, 'names']) {
  test(`protobufjs: every lane, call path and self time of the Perfetto trace of ${name}`, () => {
    const { lanes } = expectedOf(name);
    const trace = read(name + '.pftrace');
    const tracks = [...trace.tracks.values()].filter(isLane);
    assert.deepEqual(tracks.map(trackName), lanes.map((lane) => lane.name));
    lanes.forEach((lane, i) => {
      const slices = trace.slices.filter(({ track }) => track === tracks[i].uuid);
      assert.equal(slices.length, lane.spans);
      // The pieces that a fiber's switch makes of a scope are slices of their own.
      const expected = lane.paths.map(({ stack, pieces, self }) => [stack, pieces, self]);
      assert.deepEqual(sorted(pathsOfTrack(slices)), sorted(expected));
    });
  });
}

test('protobufjs: instants, counters, intervals and frames of the Perfetto trace of known', () => {
  const expected = expectedOf('known');
  const trace = read('known.pftrace');
  const nameOf = (uuid) => trackName(trace.tracks.get(uuid));
  const points = (kind) => expected.lanes.flatMap((lane) => lane.points.filter((point) => point.kind === kind));
  assert.deepEqual(sorted(trace.instants.map(({ name, at }) => [name, at])),
    sorted(points('i').map(({ name, ns }) => [name, ns])));
  assert.deepEqual(sorted(trace.values.map(({ track, at, value }) => [nameOf(track), at, value])),
    sorted(points('C').map(({ name, ns, value }) => [name, ns, value])));
  const on = (track) => trace.slices.filter((slice) => nameOf(slice.track) === track);
  assert.deepEqual(sorted(on('Intervals').map(({ name, begin, end }) => [name, begin, end])),
    sorted(expected.intervals.map(({ name, begin, end }) => [name, begin, end])));
  assert.deepEqual(sorted(on('Frames').map(({ begin, end }) => [begin, end])),
    sorted(expected.frames.map(({ begin, end }) => [begin, end])));
});

test('protoc: a Perfetto trace of known holds nothing that the schema does not know', () => {
  const text = execFileSync('protoc', ['--decode=flamelet_test.Trace', '-I', schemas, 'perfetto.proto'],
    { input: readFileSync(pathOf('known.pftrace')), encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.doesNotMatch(text, /^ *\d+(: | \{)/m, 'a field number without a name');
  const { lanes, intervals, frames } = expectedOf('known');
  const spans = lanes.reduce((count, lane) => count + lane.spans, 0);
  assert.equal([...text.matchAll(/^ {4}type: BEGIN$/gm)].length, spans + intervals.length + frames.length);
});
