// SPDX-License-Identifier: MIT
//
// submit.cpp: events of sources with a clock of their own. Nothing that comes in is trusted: what does not pair, or
// claims an impossible time, is kept out and counted.
#include <algorithm>

#include "ring_reader.h"
#include "session.h"

namespace flamelet {
namespace {

constexpr double kMaxSecondsFromNow = 3600;

// A live track that was created with flamelet_track_create(), or NULL. A thread may still hold a track of an earlier
// session, and ids begin at 1 in each.
Track* find_external(uint32_t id) {
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
    Track* track = &tracks[i];
    if (__atomic_load_n(&track->state, __ATOMIC_ACQUIRE) == kTrackLive && peek(&track->id) == id &&
        peek(&track->kind) != FLAMELET_TRACK_THREAD && peek(&track->session) == peek(&recorder.session))
      return track;
  }
  return nullptr;
}

// acquire and release: the track's fields pass from one user to the next.
bool lock(Track* track) {
  uint32_t unlocked = 0;
  return __atomic_compare_exchange_n(&track->submitting, &unlocked, 1u, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}
void unlock(Track* track) {
  __atomic_store_n(&track->submitting, 0u, __ATOMIC_RELEASE);
}

// The scratch is shared by all tracks and held for one call; its users are few (GPU queues, once a frame each), so
// this waits for the other one. Never called by the record path.
void lock_scratch() {
  uint32_t unlocked = 0;
  while (
      !__atomic_compare_exchange_n(&recorder.submit_lock, &unlocked, 1u, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    unlocked = 0;
    yield_thread();
  }
}
void unlock_scratch() {
  __atomic_store_n(&recorder.submit_lock, 0u, __ATOMIC_RELEASE);
}

// The source's time on the recorder's clock; false if it is absurd.
bool place(const Track& track, uint64_t source_ticks, uint64_t now, uint64_t* ticks) {
  const double rate = recorder.clock.ticks_per_second();
  const double since = static_cast<double>(static_cast<int64_t>(source_ticks - track.source_ticks));
  const double placed =
      static_cast<double>(static_cast<int64_t>(track.recorder_ticks - now)) + since / track.source_rate * rate;
  if (!(placed > -kMaxSecondsFromNow * rate && placed < kMaxSecondsFromNow * rate)) return false;
  const int64_t from_now = static_cast<int64_t>(placed < 0 ? placed - 0.5 : placed + 0.5);
  if (from_now < 0 && static_cast<uint64_t>(-from_now) > now) return false;
  *ticks = now + static_cast<uint64_t>(from_now);
  return true;
}

// Sorts what can be trusted to the front of `order`: pairs (begin, end) in begins[i], ends[i], by begin time, longer
// ones first. Returns how many.
uint32_t pair_up(const flamelet_event* events, uint32_t count_of_events, uint32_t* begins, uint32_t* ends) {
  uint32_t scopes = 0;
  for (uint32_t i = 0; i < count_of_events; ++i)
    if ((events[i].type == 'B' || events[i].type == 'E') && events[i].id != 0) begins[scopes++] = i;
  std::sort(begins, begins + scopes, [events](uint32_t a, uint32_t b) {
    if (events[a].id != events[b].id) return events[a].id < events[b].id;
    if (events[a].type != events[b].type) return events[a].type < events[b].type;  // 'B' before 'E'
    return events[a].time_ticks != events[b].time_ticks ? events[a].time_ticks < events[b].time_ticks : a < b;
  });
  uint32_t pairs = 0;
  for (uint32_t i = 0; i < scopes;) {
    const uint64_t id = events[begins[i]].id;
    uint32_t next = i;
    uint32_t begin = UINT32_MAX, end = UINT32_MAX;  // the first of each; more are duplicates
    for (; next < scopes && events[begins[next]].id == id; ++next) {
      const uint32_t event = begins[next];
      if (events[event].type == 'B' && begin == UINT32_MAX) begin = event;
      if (events[event].type == 'E' && end == UINT32_MAX) end = event;
    }
    // Written below the place that is read: pairs <= i.
    if (begin != UINT32_MAX && end != UINT32_MAX && events[begin].time_ticks <= events[end].time_ticks) {
      begins[pairs] = begin;
      ends[pairs] = end;
      ++pairs;
    }
    i = next;
  }
  return pairs;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

uint32_t flamelet_track_create(const char* name, flamelet_track_kind kind, double clock_ticks_per_second) {
  if (kind == FLAMELET_TRACK_THREAD || !(clock_ticks_per_second > 0) || !begin_read()) return 0;
  Track* track = claim_track(kind);
  uint32_t id = 0;
  if (track != nullptr) {
    track->source_rate = clock_ticks_per_second;
    put(&track->submitting, 0u);
    __atomic_store_n(&track->name, intern_string(name), __ATOMIC_RELEASE);  // pairs with the acquire in get_track()
    id = peek(&track->id);
  }
  end_read();
  return id;
}

void flamelet_track_destroy(uint32_t id) {
  if (id == 0 || !begin_read()) return;
  Track* track = find_external(id);
  if (track != nullptr && lock(track)) {
    if (peek(&track->id) == id) release_track(track);
    unlock(track);
  }
  end_read();
}

flamelet_result flamelet_track_calibrate(uint32_t id, uint64_t source_ticks, uint64_t recorder_ticks) {
  if (id == 0) return FLAMELET_ERROR_INVALID_ARGUMENT;
  if (!begin_read()) return FLAMELET_ERROR_NOT_INITIALIZED;
  flamelet_result result = FLAMELET_ERROR_INVALID_ARGUMENT;
  Track* track = find_external(id);
  if (track != nullptr) {
    result = FLAMELET_ERROR_BUSY;
    if (lock(track)) {
      track->source_ticks = source_ticks;
      track->recorder_ticks = recorder_ticks;
      track->calibrated = true;
      unlock(track);
      result = FLAMELET_OK;
    }
  }
  end_read();
  return result;
}

size_t flamelet_submit(uint32_t id, const flamelet_event* events, size_t event_count) {
  if (id == 0 || events == nullptr || event_count == 0 || !begin_read()) return 0;
  size_t recorded = 0;
  Track* track = find_external(id);
  if (track != nullptr && peek(&recorder.mode) == FLAMELET_GO_SLOW_ && lock(track)) {
    const uint32_t taken = static_cast<uint32_t>(std::min<size_t>(event_count, recorder.config.max_submit_events));
    const uint64_t now = recorder.clock.now_ticks();
    if (track->page == nullptr || now + kTickSlack - peek(&track->base_ticks) > kMaxPageAgeTicks)
      new_page(track, 0, now);
    if (track->calibrated) {
      lock_scratch();
      uint32_t* begins = recorder.submit_order;
      uint32_t* ends = begins + recorder.config.max_submit_events;
      const uint32_t pairs = pair_up(events, taken, begins, ends);
      for (uint32_t i = 0; i < pairs; ++i) {
        const flamelet_event& begin = events[begins[i]];
        uint64_t payload[4] = {0, 0, begin.id, make_strings(0, object_string(begin.object))};
        if (!place(*track, begin.time_ticks, now, &payload[0]) ||
            !place(*track, events[ends[i]].time_ticks, now, &payload[1]))
          continue;
        const uint32_t site = pointer_site(begin.name, begin.category);
        if (append(track, 0, now + make_code(WordType::kSpan, site), payload, 4)) recorded += 2;
      }
      unlock_scratch();
      for (uint32_t i = 0; i < taken; ++i) {
        const flamelet_event& event = events[i];
        uint64_t payload[2] = {0, make_strings(0, object_string(event.type == 'I' ? event.object : nullptr))};
        if (event.type != 'I' || !place(*track, event.time_ticks, now, &payload[0])) continue;
        const uint32_t site = pointer_site(event.name, event.category);
        if (append(track, 0, now + make_code(WordType::kPoint, site), payload, 2)) ++recorded;
      }
      roll_if_full(track, 0);
    }
    unlock(track);
  }
  if (peek(&recorder.mode) == FLAMELET_GO_SLOW_) count(&recorder.dropped_submit, event_count - recorded);
  end_read();
  return recorded;
}
