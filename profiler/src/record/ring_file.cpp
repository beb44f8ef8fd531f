// SPDX-License-Identifier: MIT
//
// ring_file.cpp: what the recorder writes into the header of its file. Nothing here runs on the record path but where a
// page is taken.
#include "record/ring_file.h"

#include <stdlib.h>
#include <string.h>
#if !defined(_WIN32)
#include <unistd.h>
#endif

#include "record/session.h"

namespace flamelet {
namespace {

static_assert(offsetof(SavedStack, id) == offsetof(RingFileFiber, id) &&
                  offsetof(SavedStack, name) == offsetof(RingFileFiber, name),
              "a SavedStack begins with a RingFileFiber");

uint64_t offset_in_file(const void* at) {
  return static_cast<uint64_t>(static_cast<const char*>(at) - reinterpret_cast<const char*>(recorder.ring_file));
}

RingFileTable describe(const InternTable& table) {
  return {offset_in_file(table.text_begin()), table.bytes_limit(), offset_in_file(table.entries_begin()),
          table.limit()};
}

}  // namespace

const char* ring_path_of_environment() {
  // Not for a program that runs with more rights than its user.
#if defined(__GLIBC__)
  const char* path = secure_getenv("FLAMELET_RING_FILE");
#elif defined(_WIN32)
  const char* path = nullptr;
#else
  const char* path = getuid() == geteuid() && getgid() == getegid() ? getenv("FLAMELET_RING_FILE") : nullptr;
#endif
  return path != nullptr && path[0] != 0 ? path : nullptr;
}

void begin_ring_file() {
  RingFileHeader* file = recorder.ring_file;
  if (file == nullptr) return;
  file->version = kRingFileVersion;
  file->header_bytes = sizeof(RingFileHeader);
  file->file_bytes = kRingHeaderBytes + recorder.memory_bytes;
  file->pages_offset = offset_in_file(recorder.pages);
  file->page_count = recorder.page_count;
  file->strings = describe(recorder.strings);
  file->sites = describe(recorder.sites);
  file->fiber_count = recorder.config.max_fibers;
  file->fiber_bytes = sizeof(SavedStack);
  if (file->fiber_count != 0) file->fibers_offset = offset_in_file(recorder.fibers);
  const flamelet_clock clock = recorder.clock.info();
  file->clock_kind = clock.kind;
  file->origin_ticks = clock.origin_ticks;
  file->origin_unix_ns = clock.origin_unix_ns;
  share_clock();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  memcpy(file->magic, kRingFileMagic, sizeof file->magic);
}

void share_clock() {
  RingFileHeader* file = recorder.ring_file;
  if (file == nullptr) return;
  const flamelet_clock clock = recorder.clock.info();
  uint64_t bits;
  memcpy(&bits, &clock.ticks_per_second, sizeof bits);
  put(&file->rate_bits, bits);
  put(&file->rate_is_final, clock.rate_is_final ? 1u : 0u);
}

void share_track(const Track& track, bool ended) {
  if (recorder.ring_file == nullptr || &track == &tracks[kFrameSlot]) return;
  RingFileTrack& shared = recorder.ring_file->tracks[&track - tracks];
  put(&shared.id, 0u);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);  // readers look at the file after this process, or between two of its steps
  put(&shared.kind, peek(&track.kind));
  put(&shared.name, peek(&track.name));
  put(&shared.events, ended ? peek(&track.first_event) : uint64_t{0});
  put(&shared.ended, ended ? 1u : 0u);
  __atomic_store_n(&shared.id, peek(&track.id), __ATOMIC_RELEASE);
  // After the slot says so: a reader that finds more events of ended tracks than the slots explain takes them for lost.
  if (ended) count(&recorder.ring_file->ended_events, peek(&track.first_event));
}

void end_ring_file() {
  if (recorder.ring_file == nullptr) return;
  share_clock();
  put(&recorder.ring_file->shut_down, 1u);
}

}  // namespace flamelet
