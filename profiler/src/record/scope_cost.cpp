// SPDX-License-Identifier: MIT
//
// scope_cost.cpp: what a scope costs on this machine, measured.
#include "platform/signals.h"
#include "record/names.h"
#include "record/session.h"
#include "record/session_guard.h"
#include "record/thread.h"

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
