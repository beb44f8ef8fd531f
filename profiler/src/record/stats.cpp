// SPDX-License-Identifier: MIT
//
// stats.cpp: what the recorder knows of itself.
#include <algorithm>

#include "platform/process.h"
#include "record/frame.h"
#include "record/names.h"
#include "record/ring_file.h"
#include "record/session.h"
#include "record/submit.h"
#include "record/thread.h"
#include "record/track.h"

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
      return "this graphics context has no timestamp queries, or a clock that cannot be read";
    case FLAMELET_ERROR_FILE_OPEN:
      return "the file could not be opened or made; errno says why";
    case FLAMELET_ERROR_FILE_WRITE:
      return "the file could not be written; is the disk full?";
    case FLAMELET_ERROR_FILE_READ:
      return "the file could not be read to its end";
    case FLAMELET_ERROR_FILE_FORMAT:
      return "this is not a Flamelet file, or one of a later version";
    case FLAMELET_ERROR_NOT_SUPPORTED:
      return "this platform cannot do that (a ring in a file)";
    case FLAMELET_ERROR_CATEGORY_LIST:
      return "this is not a list of categories (FLAMELET_CATEGORIES, perhaps): each needs a + or - in front, and a "
             "comma between two, as in \"-physics,+audio\"; \"-*\" is all of them";
    case FLAMELET_ERROR_BUFFER_TOO_SMALL:
      return "the caller's array is too small for all of it";
    case FLAMELET_ERROR_CHANGED:
      return "the capture was updated while it was read; start again";
    case FLAMELET_ERROR_BUSY:
      return "another thread is inside the same call; try again";
  }
  return "unknown result";
}

namespace flamelet {
namespace {

// visit(track) for each of the session that has not ended, and visit_own(track) for those of the recorder itself.
template <class Visit, class VisitOwn>
void each_live_track(Visit visit, VisitOwn visit_own) {
  const uint32_t session = recorder.session.load_relaxed();
  const uint32_t used = used_slots();
  for (uint32_t i = 0; i < used; ++i)
    if (tracks[i].state.load_acquire() == kTrackLive && tracks[i].session.load_relaxed() == session) visit(tracks[i]);
  for (uint32_t i = kFrameSlot; i < kTrackSlots; ++i)
    if (tracks[i].session.load_relaxed() == session) visit_own(tracks[i]);
}

}  // namespace

DropCounts count_drops() {
  const TrackCounts& ended = track_totals.ended_counts;
  DropCounts drops;
  drops.no_page = ended[kDroppedNoPage];
  drops.depth = ended[kDroppedDepth];
  drops.nested = ended[kDroppedNested];
  drops.extra_ends = ended[kExtraEnds];
  each_live_track(
      [&drops](const Track& track) {
        drops.no_page += track.counts[kDroppedNoPage];
        drops.depth += track.counts[kDroppedDepth];
        drops.nested += track.counts[kDroppedNested];
        drops.extra_ends += track.counts[kExtraEnds];
      },
      [&drops](const Track& track) { drops.no_page += track.counts[kDroppedNoPage]; });
  drops.no_track = recorder.counts[kDroppedNoTrack];
  drops.fiber = recorder.counts[kDroppedFiber];
  drops.frame = recorder.counts[kDroppedFrame];
  drops.submit = recorder.counts[kDroppedSubmit];
  drops.strings = recorder.counts[kStringsOverflowed];
  drops.sites = recorder.counts[kSitesOverflowed];
  drops.waiting = count_waiting();
  drops.fiber_misuse = recorder.counts[kFiberMisuse];
  drops.submit_cut = recorder.counts[kSubmitCut];
  return drops;
}

namespace {

constexpr size_t kNotInFile = SIZE_MAX;

constexpr size_t place_of(TrackCount which) {
  switch (which) {
    case kExtraEnds:
      return offsetof(DropCounts, extra_ends);
    case kDroppedDepth:
      return offsetof(DropCounts, depth);
    case kDroppedNoPage:
      return offsetof(DropCounts, no_page);
    case kDroppedNested:
      return offsetof(DropCounts, nested);
    default:
      return kNotInFile;
  }
}

constexpr size_t place_of(SessionCount which) {
  switch (which) {
    case kDroppedNoTrack:
      return offsetof(DropCounts, no_track);
    case kDroppedFiber:
      return offsetof(DropCounts, fiber);
    case kDroppedFrame:
      return offsetof(DropCounts, frame);
    case kDroppedSubmit:
      return offsetof(DropCounts, submit);
    case kSubmitCut:
      return offsetof(DropCounts, submit_cut);
    case kFiberMisuse:
      return offsetof(DropCounts, fiber_misuse);
    case kStringsOverflowed:
      return offsetof(DropCounts, strings);
    case kSitesOverflowed:
      return offsetof(DropCounts, sites);
    default:
      return kNotInFile;
  }
}

void share_drop_at(size_t place, uint64_t amount) {
  const SessionGuard guard;
  if (guard && place != kNotInFile) share_drop(place / sizeof(uint64_t), amount);
}

}  // namespace

void count_drop(Track* track, TrackCount which) {
  (track != nullptr ? track->counts : track_totals.ended_counts).add(which);
  share_drop_at(place_of(which), 1);
}

void count_drop(SessionCount which, uint64_t amount) {
  if (amount == 0) return;
  recorder.counts.add(which, amount);
  share_drop_at(place_of(which), amount);
}

}  // namespace flamelet

void flamelet_get_stats(flamelet_stats* stats) {
  if (stats == nullptr) return;
  *stats = {};
  const SessionGuard guard;
  if (!guard) return;
  stats->clock = recorder.clock.kind();
  stats->enabled = recorder.mode.load_relaxed() == FLAMELET_MODE_CALLS_;
  stats->budget_bytes = recorder.memory_bytes;
  stats->page_count = page_ring.page_count;
  stats->page_bytes_total = size_t{page_ring.page_count} * kPageBytes;
  stats->tracks_live = track_totals.live.load_relaxed();
  stats->tracks_limit = recorder.config.max_tracks;
  stats->fibers_live = fibers.live.load_relaxed();
  stats->fibers_limit = recorder.config.max_fibers;
  stats->submit_waiting_limit = recorder.config.max_submit_open;
  for (const FrameSet& set : frame_marks.sets) stats->frame_sets_used += set.name.load_relaxed() != 0 ? 1u : 0u;
  stats->frame_sets_limit = FLAMELET_MAX_FRAME_SETS;
  stats->categories_used = flamelet_categories(nullptr, 0);
  stats->categories_limit = FLAMELET_MAX_CATEGORIES;
  stats->sites_used = names.sites.count();
  stats->sites_limit = names.sites.limit();
  stats->strings_used = names.strings.count();
  stats->strings_limit = names.strings.limit();
  stats->string_bytes_used = names.strings.bytes_used();
  stats->string_bytes_limit = names.strings.bytes_limit();
  get_switch_stats(stats);
  stats->thread_times_missed = thread_times_missed();
  stats->frames = frame_marks.count.load_relaxed();
  stats->dropped_no_track = recorder.counts[kDroppedNoTrack];
  stats->dropped_fiber = recorder.counts[kDroppedFiber];
  stats->dropped_frame = recorder.counts[kDroppedFrame];
  stats->dropped_submit = recorder.counts[kDroppedSubmit];
  stats->submit_cut = recorder.counts[kSubmitCut];
  stats->fiber_misuse = recorder.counts[kFiberMisuse];
  stats->strings_overflowed = recorder.counts[kStringsOverflowed];
  stats->sites_overflowed = recorder.counts[kSitesOverflowed];
  stats->interned_on_the_spot = recorder.counts[kInternedOnTheSpot];
  stats->events_recorded = track_totals.ended_events.load_relaxed();
  TrackCounts counts;
  counts.add(track_totals.ended_counts);
  const auto add = [&](const Track& track) {
    stats->events_recorded += events_of(track);
    counts.add(track.counts);
  };
  each_live_track(add, add);
  stats->missing_ends = counts[kMissingEnds];
  stats->extra_ends = counts[kExtraEnds];
  stats->dropped_depth = counts[kDroppedDepth];
  stats->dropped_no_page = counts[kDroppedNoPage];
  stats->dropped_nested = counts[kDroppedNested];
  stats->submit_waiting = count_waiting();
  for (uint32_t i = 0; i < submit_state.places.load_relaxed(); ++i) {
    const uint32_t waiting = submit_state.waiting[i].count.load_relaxed();
    stats->submit_waiting_most = std::max(stats->submit_waiting_most, waiting);
  }
}

// Scope cost: what a scope costs on this machine, measured.

using namespace flamelet;

#ifdef FLAMELET_INLINE_RECORD_

namespace flamelet {
namespace {

constexpr uint32_t kRounds = 16;
constexpr uint32_t kMostWords = 3;                         // of a scope and its end
constexpr uint32_t kScopes = kPageWords / kMostWords - 4;  // a full page would ask for the next

// Takes the calling thread's place for the time of the measurement.
class MeasuredTrack {
 public:
  MeasuredTrack() : own_(*this_thread()) {
    as_atomic(track_.head.gate).store_relaxed(uint64_t{recorder.site_number.load_relaxed()});
    as_atomic(track_.head.mode).store_relaxed(FLAMELET_MODE_INLINE_);
    // A fork may have stopped another thread's measurement half-way.
    as_atomic(track_.head.depth).store_relaxed(uint64_t{0});
    track_.session.store_relaxed(recorder.session.load_relaxed());
    track_.state.store_relaxed(kTrackMeasured);
    track_.page = &page_;
    set_this_thread({&track_.head, 0, 0});
  }
  ~MeasuredTrack() { set_this_thread(own_); }
  MeasuredTrack(const MeasuredTrack&) = delete;
  MeasuredTrack& operator=(const MeasuredTrack&) = delete;

  // Ticks of the fastest round: one that was interrupted says nothing about a scope.
  template <class RecordScope>
  uint64_t measure(RecordScope record_scope) {
    uint64_t best = UINT64_MAX;
    for (uint32_t round = 0; round < kRounds; ++round) {
      as_atomic(track_.head.cursor).store_relaxed(&page_.words[0]);
      const uint64_t start = recorder.clock.now_ticks();
      track_.base_ticks.store_relaxed(start);
      for (uint32_t i = 0; i < kScopes; ++i) record_scope();
      const uint64_t ticks = recorder.clock.now_ticks() - start;
      if (ticks < best) best = ticks;
    }
    return best;
  }

 private:
  // Nobody reads them.
  static Track track_;
  static Page page_;

  flamelet_thread_ own_;
};

Track MeasuredTrack::track_ = {};
alignas(kPageBytes) Page MeasuredTrack::page_ = {};

// Whether there is such a scope and it would be recorded: by call, the category "" may be off.
bool is_recorded(flamelet_scope_kind kind) {
  if (static_cast<uint32_t>(kind) >= FLAMELET_SCOPE_KINDS) return false;
  return kind < FLAMELET_SCOPE_KIND_BY_CALL || flamelet_category_enabled("");
}

// The text and the name are what every session knows, so that the tables stay as they are.
uint64_t measure_ticks(flamelet_scope_kind kind) {
  size_t size;
  const char* known = names.strings.text(kStringOverflow, &size);
  flamelet_site site = {
      make_code(WordType::kBegin, kSiteOverflow) | recorder.site_number.load_relaxed(), "", "", "", "", 0, 0};
  // What a handler records during the measurement would go to the scratch page, and past its end.
  const SignalsBlocked blocked;
  MeasuredTrack track;
  switch (kind) {
    case FLAMELET_SCOPE_KIND_MACRO:
      return track.measure([&] { flamelet_scope_end_(flamelet_scope_begin_(&site)); });
    case FLAMELET_SCOPE_KIND_WITH_TEXT:
      return track.measure([&] { flamelet_scope_end_(flamelet_scope_begin_with_(&site, nullptr, known)); });
    case FLAMELET_SCOPE_KIND_BY_CALL:
      return track.measure([&] { flamelet_end_(flamelet_begin_(known, "", nullptr)); });
    case FLAMELET_SCOPE_KIND_BY_CALL_WITH_TEXT:
      return track.measure([&] { flamelet_end_(flamelet_begin_(known, "", known)); });
    case FLAMELET_SCOPE_KINDS:
      break;
  }
  return 0;
}

}  // namespace
}  // namespace flamelet

double flamelet_measure_scope_ns(flamelet_scope_kind kind) {
  const SessionGuard guard;
  // acquire and release: the page and the track pass from one measurement to the next.
  if (!guard || !recorder.clock.is_inline() || !is_recorded(kind) || !recorder.measure_lock.cas_acquire(0, 1)) return 0;
  const uint64_t ticks = measure_ticks(kind);
  recorder.measure_lock.store_release(0);
  return static_cast<double>(ticks) / kScopes * 1e9 / recorder.clock.ticks_per_second();
}

#else

double flamelet_measure_scope_ns(flamelet_scope_kind) {
  return 0;
}

#endif
