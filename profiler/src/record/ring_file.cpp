// SPDX-License-Identifier: MIT
#include "record/ring_file.h"

#include <string.h>

#include "record/names.h"
#include "record/session.h"
#include "record/submit.h"
#include "record/thread.h"
#include "record/track.h"

namespace flamelet {

// Ring file writer: what the recorder writes into the header of its file. Nothing here runs on the record path but where a
// page is taken.

RingFileHeader* ring_file = nullptr;
namespace {

static_assert(offsetof(SavedStack, id) == offsetof(RingFileFiber, id) &&
                  offsetof(SavedStack, name) == offsetof(RingFileFiber, name),
              "a SavedStack begins with a RingFileFiber");

uint64_t offset_in_file(const void* at) {
  return static_cast<uint64_t>(static_cast<const char*>(at) - reinterpret_cast<const char*>(ring_file));
}

RingFileTable describe(const InternTable& table) {
  return {offset_in_file(table.text_begin()), table.bytes_limit(), offset_in_file(table.entries_begin()),
          table.limit()};
}

Atomic<uint64_t>& drop_in_file(size_t count) {
  return as_atomic(*reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(ring_file) + ring_file_drop_offset(count)));
}

}  // namespace

void begin_ring_file() {
  RingFileHeader* file = ring_file;
  if (file == nullptr) return;
  file->version = kRingFileVersion;
  file->header_bytes = sizeof(RingFileHeader);
  file->file_bytes = kRingHeaderBytes + recorder.memory_bytes;
  file->pages_offset = offset_in_file(page_ring.pages);
  file->page_count = page_ring.page_count;
  file->strings = describe(names.strings);
  file->sites = describe(names.sites);
  file->build = recorder.build;
  file->thread_states = switch_states();
  file->categories_off = categories_off.names;
  file->fiber_count = recorder.config.max_fibers;
  file->fiber_bytes = sizeof(SavedStack);
  if (file->fiber_count != 0) file->fibers_offset = offset_in_file(fibers.places);
  const flamelet_clock clock = recorder.clock.info();
  file->clock_kind = clock.kind;
  file->origin_ticks = clock.origin_ticks;
  file->origin_unix_ns = clock.origin_unix_ns;
  share_clock();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  memcpy(file->magic, kRingFileMagic, sizeof file->magic);
}

void share_clock() {
  RingFileHeader* file = ring_file;
  if (file == nullptr) return;
  const flamelet_clock clock = recorder.clock.info();
  uint64_t bits;
  memcpy(&bits, &clock.ticks_per_second, sizeof bits);
  as_atomic(file->rate_bits).store_relaxed(bits);
  as_atomic(file->rate_is_final).store_relaxed(clock.rate_is_final ? 1u : 0u);
}

void share_categories_off() {
  if (ring_file != nullptr) ring_file->categories_off = categories_off.names;
}

void share_drop(size_t count, uint64_t amount) {
  if (ring_file != nullptr) drop_in_file(count).fetch_add_relaxed(amount);
}

void share_waiting() {
  if (ring_file != nullptr)
    drop_in_file(offsetof(DropCounts, waiting) / sizeof(uint64_t)).store_relaxed(uint64_t{count_waiting()});
}

void share_track(const Track& track, bool ended) {
  if (ring_file == nullptr || &track >= &tracks[kFrameSlot]) return;
  RingFileTrack& shared = ring_file->tracks[&track - tracks];
  as_atomic(shared.id).store_relaxed(0u);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);  // readers look at the file after this process, or between two of its steps
  as_atomic(shared.kind).store_relaxed(track.kind.load_relaxed());
  as_atomic(shared.name).store_relaxed(track.name.load_relaxed());
  as_atomic(shared.events).store_relaxed(ended ? track.first_event.load_relaxed() : uint64_t{0});
  as_atomic(shared.ended).store_relaxed(ended ? 1u : 0u);
  as_atomic(shared.id).store_release(track.id.load_relaxed());
  // After the slot says so: a reader that finds more events of ended tracks than the slots explain takes them for lost.
  if (ended) as_atomic(ring_file->ended_events).fetch_add_relaxed(track.first_event.load_relaxed());
}

void share_name(const Track& track) {
  if (ring_file == nullptr) return;
  as_atomic(ring_file->tracks[&track - tracks].name).store_relaxed(track.name.load_relaxed());
}

void end_ring_file() {
  if (ring_file == nullptr) return;
  share_clock();
  // All of them now, also those that were counted while nobody could write here.
  const DropCounts drops = count_drops();
  uint64_t counts[kRingFileDrops];
  memcpy(counts, &drops, sizeof drops);
  for (size_t i = 0; i < kRingFileDrops; ++i) drop_in_file(i).store_relaxed(counts[i]);
  as_atomic(ring_file->shut_down).store_relaxed(1u);
}

}  // namespace flamelet
