// SPDX-License-Identifier: MIT
//
// ring_file.h: the recorder's block of memory as a file, so that what was recorded outlives a process that crashes.
//
//   bytes 0 .. kRingHeaderBytes   RingFileHeader
//   from there on                 the block, as session.cpp lays it out: pages, tables of strings and sites, fibers
//
// Pages and tables hold no addresses, only ids and offsets, so the file needs nothing but a header that says where they
// are. What is found after the process has died:
//   - A closed page says how many words it has. A page that was being written holds zeros from its last event on: its
//     words are zeroed when it is taken (the one cost of a ring in a file: 4 KiB for every 252 scopes), the first word of
//     an event is never 0, and it is stored after the event's other words. So every event whose commit was done is
//     there, and no part of one.
//   - A page whose state and commit name different tickets was being taken: what it held before is gone.
//   - Names are there before the first event that uses them.
//   - Who had which track is in the header, copied there by share_track().
//
// The format belongs to this kind of machine and may change with each version of the library, which reads the version
// before, too; a capture file is for keeping.
#ifndef FLAMELET_SRC_RING_FILE_H
#define FLAMELET_SRC_RING_FILE_H

#include <stddef.h>

#include "flamelet/recorder.h"
#include "record/categories.h"
#include "record/session.h"
#include "record/track.h"

namespace flamelet {

constexpr unsigned char kRingFileMagic[8] = {0x89, 'F', 'L', 'R', 'I', 'N', 'G', '\n'};
constexpr uint32_t kRingFileVersion = 4;
constexpr size_t kRingHeaderBytes = 8192;

// An InternTable. Entry i of the table is at text_offset + entries[i] - 1, if that is not 0.
struct RingFileTable {
  uint64_t text_offset;
  uint64_t text_bytes;
  uint64_t entries_offset;
  uint64_t max_entries;
};

// Written by as_atomic(), all relaxed but the id, which is 0 while the rest changes: it is stored with release last.
struct RingFileTrack {
  uint32_t id;
  uint32_t kind;
  uint32_t name;
  uint32_t ended;
  uint64_t events;  // recorded, if it ended
};

// What changes after the magic is written is written by as_atomic(), but for categories_off: a text that only grows, so what is
// half written of it is cut off at its first zero.
struct RingFileHeader {
  unsigned char magic[8];  // written last
  uint32_t version;
  uint32_t header_bytes;  // sizeof
  uint64_t file_bytes;
  uint64_t pages_offset;
  uint32_t page_count;
  uint32_t shut_down;
  RingFileTable strings;
  RingFileTable sites;
  uint64_t fibers_offset;
  uint32_t fiber_count;
  uint32_t fiber_bytes;  // from one to the next
  uint32_t clock_kind;
  uint32_t rate_is_final;
  uint64_t origin_ticks;
  uint64_t origin_unix_ns;
  uint64_t rate_bits;     // ticks a second, a double's bits
  uint64_t ended_events;  // recorded on tracks that have ended
  RingFileTrack tracks[FLAMELET_MAX_TRACKS];
  BuildInfo build;
  CategoryNames categories_off;
  uint32_t thread_states;
  uint32_t zero;
};
static_assert(sizeof(RingFileHeader) <= kRingHeaderBytes, "the header has its place");

// At the end of the header's place, and zeros in older files: a DropCounts, written like the header. Its first counts end
// there; each that came later stands in front of those before it.
constexpr size_t kRingFileDrops = sizeof(DropCounts) / sizeof(uint64_t);
constexpr size_t ring_file_drop_offset(size_t count) {
  constexpr size_t kFirst = offsetof(DropCounts, waiting) / sizeof(uint64_t);
  const size_t before_end = count < kFirst ? kFirst - count : count + 1;
  return kRingHeaderBytes - before_end * sizeof(uint64_t);
}
static_assert(sizeof(RingFileHeader) <= kRingHeaderBytes - sizeof(DropCounts), "both have their place");

// Version 3 ended before the states of threads. What follows a header is zeros: they were off.
constexpr uint32_t kRingFileVersion3 = 3;
constexpr size_t kRingFileVersion3Bytes = offsetof(RingFileHeader, thread_states);

// What a SavedStack (session.h) begins with.
struct RingFileFiber {
  uint32_t id;
  uint32_t state;
  uint32_t serial;
  uint32_t name;
};

// Ring file writer: what the recorder writes into the header of its file. Does nothing if there is none.

extern RingFileHeader* ring_file;  // in front of the session's memory; NULL = the memory is the allocator's

void begin_ring_file();
// The clock's rate, as far as it is known by now.
void share_clock();
void share_categories_off();
// One of a DropCounts, where it happens. Under a SessionGuard.
void share_drop(size_t count, uint64_t amount);
// Submitted begins and ends that wait.
void share_waiting();
// Who has the track's slot; `ended`: and that there will be no more events.
void share_track(const Track& track, bool ended = false);
void share_name(const Track& track);
// The recorder is being shut down.
void end_ring_file();

}  // namespace flamelet

#endif  // FLAMELET_SRC_RING_FILE_H
