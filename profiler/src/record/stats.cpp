// SPDX-License-Identifier: MIT
//
// stats.cpp: what the recorder knows of itself, and what a scope costs here.
#include "record/ring_reader.h"
#include "record/session.h"

#if !defined(_WIN32)
#include <pthread.h>
#include <signal.h>
#endif

using namespace flamelet;

const char* flamelet_result_message(int result) {
  switch (result) {
    case FLAMELET_OK:
      return "ok";
    case FLAMELET_ERROR_INVALID_ARGUMENT:
      return "invalid argument: a NULL, a config that was not made by its *_default() function, or a value out of "
             "range";
    case FLAMELET_ERROR_BUDGET_TOO_SMALL:
      return "the memory budget is too small for the limits in the config; *_memory_required() says the least";
    case FLAMELET_ERROR_OUT_OF_MEMORY:
      return "the allocator returned no memory";
    case FLAMELET_ERROR_ALREADY_INITIALIZED:
      return "the recorder is running already; shut it down first";
    case FLAMELET_ERROR_NOT_INITIALIZED:
      return "the recorder is not running; call flamelet_init() first";
    case FLAMELET_ERROR_THREADS_RUNNING:
      return "a thread is still inside the recorder; the memory is kept, call flamelet_shutdown() again";
    case FLAMELET_ERROR_LIMIT:
      return "a fixed table is full; raise its limit in the config";
    case FLAMELET_ERROR_NO_GPU_TIMESTAMPS:
      return "this OpenGL context has no timestamp queries";
    case FLAMELET_ERROR_FILE_OPEN:
      return "the file could not be opened; where a log goes, links and files that are not regular ones are refused";
    case FLAMELET_ERROR_FILE_WRITE:
      return "the file could not be written; is the disk full?";
    case FLAMELET_ERROR_FILE_READ:
      return "the file could not be read to its end";
    case FLAMELET_ERROR_FILE_FORMAT:
      return "this is not a Flamelet file, or one of a later version";
    case FLAMELET_ERROR_NOT_SUPPORTED:
      return "this platform cannot do that (a ring in a file)";
    case FLAMELET_ERROR_BUSY:
      return "another thread is inside the same call; try again";
  }
  return "unknown result";
}

void flamelet_get_stats(flamelet_stats* stats) {
  if (stats == nullptr) return;
  *stats = {};
  if (!begin_read()) return;
  stats->clock = recorder.clock.kind();
  stats->enabled = peek(&recorder.mode) == FLAMELET_GO_SLOW_;
  stats->budget_bytes = recorder.memory_bytes;
  stats->page_count = recorder.page_count;
  stats->page_bytes_total = size_t{recorder.page_count} * kPageBytes;
  stats->tracks_live = peek(&recorder.tracks_live);
  stats->tracks_limit = recorder.config.max_tracks;
  stats->sites_used = recorder.sites.count();
  stats->sites_limit = recorder.sites.limit();
  stats->strings_used = recorder.strings.count();
  stats->strings_limit = recorder.strings.limit();
  stats->string_bytes_used = recorder.strings.bytes_used();
  stats->string_bytes_limit = recorder.strings.bytes_limit();
  stats->frames = peek(&recorder.frames);
  stats->dropped_no_track = peek(&recorder.dropped_no_track);
  stats->dropped_fiber = peek(&recorder.dropped_fiber);
  stats->dropped_frame = peek(&recorder.dropped_frame);
  stats->dropped_submit = peek(&recorder.dropped_submit);
  stats->fiber_misuse = peek(&recorder.fiber_misuse);
  stats->strings_overflowed = peek(&recorder.strings_overflowed);
  stats->sites_overflowed = peek(&recorder.sites_overflowed);
  stats->interned_on_the_spot = peek(&recorder.interned_on_the_spot);
  stats->events_recorded = peek(&recorder.retired_events);
  stats->missing_ends = peek(&recorder.missing_ends);
  stats->extra_ends = peek(&recorder.extra_ends);
  stats->dropped_depth = peek(&recorder.dropped_depth);
  stats->dropped_no_page = peek(&recorder.dropped_no_page);
  stats->dropped_nested = peek(&recorder.dropped_nested);
  for (uint32_t i = 0; i <= kFrameSlot; ++i) {
    const Track& track = tracks[i];
    const bool live = i == kFrameSlot || __atomic_load_n(&track.state, __ATOMIC_ACQUIRE) == kTrackLive;
    if (!live || peek(&track.session) != recorder.session) continue;
    stats->events_recorded += events_of(track);
    stats->missing_ends += peek(&track.missing_ends);
    stats->extra_ends += peek(&track.extra_ends);
    stats->dropped_depth += peek(&track.dropped_depth);
    stats->dropped_no_page += peek(&track.dropped_no_page);
    stats->dropped_nested += peek(&track.dropped_nested);
  }
  end_read();
}

#ifdef FLAMELET_INLINE_RECORD_

namespace {

// What a handler records during the measurement would go to the scratch page, and past its end.
class SignalsBlocked {
 public:
#if defined(_WIN32)
  SignalsBlocked() {}
#else
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_;
#endif
};

}  // namespace

// A track that nobody reads, on one page of its own, takes the calling thread's place for the time of the measurement.
double flamelet_measure_scope_ns(void) {
  static Track track;
  alignas(kPageBytes) static Page page;
  constexpr uint32_t kScopes = kPageWords / 2 - 4;  // a full page would ask for the next
  constexpr uint32_t kRounds = 16;

  if (!begin_read()) return 0;
  double best_ns = 0;
  uint32_t unlocked = 0;
  if (recorder.clock.is_inline() &&
      // acquire and release: the page and the track pass from one measurement to the next.
      __atomic_compare_exchange_n(&recorder.measure_lock, &unlocked, 1u, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    flamelet_site site = {make_code(WordType::kBegin, 1) | recorder.session, "", "", "", "", 0, 0};
    put(&track.head.gate, uint64_t{recorder.session});
    put(&track.head.go, FLAMELET_GO_FAST_);
    put(&track.head.depth, uint64_t{0});  // a fork may have stopped another thread's measurement half-way
    const SignalsBlocked blocked;
    flamelet_track_head_* own = current_head();
    set_current_head(&track.head);
    uint64_t best = UINT64_MAX;
    for (uint32_t round = 0; round < kRounds; ++round) {
      put(&track.head.cursor, &page.words[0]);
      const uint64_t start = recorder.clock.now_ticks();
      for (uint32_t i = 0; i < kScopes; ++i) flamelet_scope_end_(flamelet_scope_begin_(&site));
      const uint64_t ticks = recorder.clock.now_ticks() - start;
      if (ticks < best) best = ticks;  // the rounds that were interrupted say nothing about a scope
    }
    set_current_head(own);
    recorder.clock.calibrate();
    best_ns = static_cast<double>(best) / kScopes * 1e9 / recorder.clock.ticks_per_second();
    __atomic_store_n(&recorder.measure_lock, 0u, __ATOMIC_RELEASE);
  }
  end_read();
  return best_ns;
}

#else

double flamelet_measure_scope_ns(void) {
  return 0;
}

#endif
