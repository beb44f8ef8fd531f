// SPDX-License-Identifier: MIT
//
// capture_format.h: the bytes of a capture file (docs/capture_format.md tells it to strangers). A file header, then
// chunks: the tables first, so that a file that was cut off still has names; pages; and an empty chunk that says that
// this is all. Everything is little-endian and a multiple of 8 bytes.
#ifndef FLAMELET_SRC_CAPTURE_FORMAT_H
#define FLAMELET_SRC_CAPTURE_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "flamelet/capture_file.h"
#include "record/categories.h"
#include "record/session.h"

namespace flamelet {

#if defined(__BYTE_ORDER__)
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are written as they lie in memory");
#endif

struct FileHeader {
  unsigned char magic[8];
  uint32_t version;
  uint32_t header_bytes;  // chunks begin here
};
// The first byte is in no text, and the line ends show a transfer that changed them.
constexpr unsigned char kFileMagic[8] = {0x89, 'F', 'L', 'C', 'A', 'P', '\r', '\n'};

constexpr uint32_t chunk_type(char a, char b, char c, char d) {
  return static_cast<uint32_t>(static_cast<unsigned char>(a)) |
         static_cast<uint32_t>(static_cast<unsigned char>(b)) << 8 |
         static_cast<uint32_t>(static_cast<unsigned char>(c)) << 16 |
         static_cast<uint32_t>(static_cast<unsigned char>(d)) << 24;
}
constexpr uint32_t kChunkMagic = chunk_type('F', 'L', 'c', 'k');

enum ChunkType : uint32_t {
  kBuildChunk = chunk_type('B', 'I', 'L', 'T'),       // BuildInfo
  kCategoriesChunk = chunk_type('C', 'A', 'T', 'S'),  // CategoryNames
  kSessionChunk = chunk_type('S', 'E', 'S', 'S'),
  kStringsChunk = chunk_type('S', 'T', 'R', 'S'),
  kSitesChunk = chunk_type('S', 'I', 'T', 'E'),
  kLanesChunk = chunk_type('L', 'A', 'N', 'E'),
  kFramesChunk = chunk_type('F', 'R', 'A', 'M'),
  kThreadTimesChunk = chunk_type('T', 'I', 'M', 'E'),
  kDropsChunk = chunk_type('D', 'R', 'O', 'P'),        // DropCounts
  kStatesChunk = chunk_type('S', 'T', 'A', 'T'),       // StatesEntry
  kSwitchesChunk = chunk_type('S', 'W', 'I', 'T'),     // SwitchEntry, by time
  kStateBeforeChunk = chunk_type('S', 'W', 'B', 'F'),  // SwitchEntry, one a thread: the newest one before those
  kIntervalsChunk = chunk_type('I', 'N', 'T', 'V'),
  kNamedFramesChunk = chunk_type('N', 'F', 'R', 'M'),  // IntervalEntry too
  kTriggerChunk = chunk_type('T', 'R', 'I', 'G'),
  kPagesChunk = chunk_type('P', 'A', 'G', 'E'),
  kKeptPagesChunk =
      chunk_type('K', 'E', 'P', 'T'),  // KeptPageEntry: in the memory of a flight recorder, and in no file
  kEndChunk = chunk_type('E', 'N', 'D', ' '),
};

struct ChunkHeader {
  uint32_t magic;
  uint32_t type;
  uint32_t payload_bytes;
  uint32_t count;        // entries in the payload
  uint32_t id_limit;     // strings and sites: every id in it is below this
  uint32_t number;       // of the chunk in the file, from 0
  uint32_t payload_crc;  // CRC-32C
  uint32_t header_crc;   // of the 28 bytes before
};

// A chunk is flushed when the next entry would take it beyond the first; the second is the most that any reader has to
// take, and no writer may pass it.
constexpr uint32_t kChunkTargetBytes = 64 * 1024;
constexpr uint32_t kMaxChunkBytes = 1024 * 1024;
constexpr uint32_t kMaxStringBytes = 65535;

// In the place of a count: the file is a part of a capture, and whoever reads it counts what is there.
constexpr uint64_t kCountHere = UINT64_MAX;
// A count as it is written. Only a damaged file can claim the one that means something else; it is written as one less.
constexpr uint64_t written_count(uint64_t count) {
  return count == kCountHere ? count - 1 : count;
}
constexpr size_t kSessionBytesOfVersion1 = 112;

// What a capture counts. A count that was written before it existed is that of what was loaded.
struct CaptureCounts {
  uint64_t events_read;
  uint64_t events_lost;
  uint64_t events_evicted;
  uint64_t missing_ends;
  uint64_t extra_ends;
  uint64_t bad_words;
  uint64_t names_missing;
  uint64_t times_clamped;  // from version 2 on, as all that follow
  uint64_t unknown_events;
  uint64_t frames_dropped;
  uint64_t thread_times_dropped;
  uint64_t timed_from;  // no count: frames with a lower index have lost times of threads
};

// And of one lane.
struct LaneCounts {
  uint64_t events_read;
  uint64_t events_lost;
};

struct SessionEntry {
  uint32_t clock_kind;
  uint32_t rate_is_final;
  uint64_t origin_ticks;
  uint64_t origin_unix_ns;
  double ticks_per_second;
  uint64_t oldest_ticks;
  uint64_t newest_ticks;
  uint64_t evicted_ticks;
  CaptureCounts counts;
  uint64_t window_begin_ticks;  // what was asked for when it was saved; older files do not have it
  uint64_t window_end_ticks;    // UINT64_MAX = as far as there is anything
  uint64_t damage;              // places that were damaged or missing in the files that this one was made of
};

struct StringEntry {  // its bytes follow, filled up with zeros to a multiple of 8
  uint32_t id;
  uint32_t bytes;
};

struct SiteEntry {
  uint32_t id;
  uint32_t name;
  uint32_t category;
  uint32_t file;
  uint32_t function;
  uint32_t line;
  uint32_t color;
  uint32_t zero;
};

struct LaneEntry {
  uint32_t id;
  uint32_t kind;
  uint32_t name;
  uint32_t submitted;
  LaneCounts counts;
  uint64_t first_event;  // sequence number of the first event in the file's pages; kLaneDestroyed: the time
  uint64_t next_event;   // ... and of the one after the last; kLaneDestroyed: scopes that were open then
};
enum : uint32_t { kLaneSubmitted = 1, kLaneInOrder = 2, kLaneDestroyed = 4, kLaneEnded = 8 };

struct FrameEntry {
  uint64_t index;
  uint64_t begin_ticks;
  uint64_t end_ticks;
  uint32_t flags;
  uint32_t thread;  // whose mark ended it; 0 = not known
};

struct ThreadTimeEntry {
  uint64_t frame;      // index
  uint32_t thread;     // its track
  uint32_t known : 8;  // kTime*
  uint32_t minor_faults : 24;
  uint64_t ran_ns;
  uint64_t ready_ns;
  uint32_t switches;
  uint32_t major_faults;
};

struct StatesEntry {
  uint32_t states;  // flamelet_thread_states
  uint32_t zero;
  uint64_t lost;     // switches, of those that the file would have
  uint64_t evicted;  // for newer ones; older files do not have it
};
constexpr size_t kLeastStatesBytes = 16;
constexpr size_t kLeastDropsBytes = 72;

struct SwitchEntry {
  uint64_t ticks;
  uint64_t event;  // write_switch()
};

struct IntervalEntry {
  uint64_t id;
  uint64_t begin_ticks;
  uint64_t end_ticks;
  uint64_t strings;
  uint32_t site;
  uint32_t begin_track;
  uint32_t end_track;
  uint32_t flags;  // FLAMELET_FRAME_*, of named frames
};

struct TriggerEntry {  // why a flight recorder kept the frames of the file
  uint64_t frame;      // index of the one that triggered
  double limit_ms;
  uint32_t cause;  // flamelet_flight_cause
  uint32_t zero;
  char text[64];
};

struct PageEntry {  // `words` words follow
  uint64_t ticket;
  uint64_t base_ticks;
  uint64_t begin_ticks;
  uint64_t last_ticks;
  uint64_t run_ticks;
  uint64_t first_event;
  uint32_t track;
  uint32_t fiber;
  uint32_t fiber_switches;
  uint32_t open_count;
  uint32_t words;
  uint32_t flags;
};
enum : uint32_t { kPageClosed = 1, kPageBad = 2 };

struct KeptPageEntry {  // `packed_bytes` follow (page_pack.cpp), a multiple of 8
  PageEntry page;
  uint32_t whole_words;
  uint32_t packed_bytes;
};

// each(count, other) for the counts of two structs that have nothing but counts; what it gives stands in the result.
template <class Counts, class Each>
Counts each_count(const Counts& counts, const Counts& others, Each each) {
  constexpr size_t kSize = sizeof(Counts) / sizeof(uint64_t);
  uint64_t these[kSize], those[kSize];
  memcpy(these, &counts, sizeof these);
  memcpy(those, &others, sizeof those);
  for (size_t i = 0; i < kSize; ++i) these[i] = each(these[i], those[i]);
  Counts result;
  memcpy(&result, these, sizeof result);
  return result;
}
template <class Counts>
Counts written_counts(const Counts& counts) {
  return each_count(counts, counts, [](uint64_t count, uint64_t) { return written_count(count); });
}
// Every count is "of what is loaded".
template <class Counts>
Counts counts_here() {
  return each_count(Counts(), Counts(), [](uint64_t, uint64_t) { return kCountHere; });
}
// As they were saved, but those of what is loaded where the file does not say.
template <class Counts>
Counts loaded_counts(const Counts& saved, const Counts& here) {
  return each_count(saved, here, [](uint64_t count, uint64_t own) { return count == kCountHere ? own : count; });
}

static_assert(sizeof(FileHeader) == 16 && sizeof(ChunkHeader) == 32, "layout of the file");
static_assert(sizeof(SessionEntry) == 176 && sizeof(SiteEntry) == 32 && sizeof(LaneEntry) == 48, "layout of the file");
static_assert(sizeof(FrameEntry) == 32 && sizeof(ThreadTimeEntry) == 40 && sizeof(IntervalEntry) == 48 &&
                  sizeof(TriggerEntry) == 88 && sizeof(PageEntry) == 72,
              "layout of the file");
static_assert(sizeof(DropCounts) == 104 && sizeof(StatesEntry) == 24 && sizeof(SwitchEntry) == 16,
              "layout of the file");

}  // namespace flamelet

#endif  // FLAMELET_SRC_CAPTURE_FORMAT_H
