// SPDX-License-Identifier: MIT
//
// submit.cpp: events of sources with a clock of their own. Nothing that comes in is trusted: what does not pair, or
// claims an impossible time, is kept out and counted.
#include <algorithm>

#include "record/names.h"
#include "record/ring_file_writer.h"
#include "record/session.h"
#include "record/submit.h"
#include "record/track.h"

namespace flamelet {

SubmitScratch submit_scratch = {};
namespace {

constexpr double kMaxSecondsFromNow = 3600;
constexpr double kMaxTicksPerSecond = 1e15;
constexpr uint64_t kScratchWaitNs = 100'000'000;

// Track::source: id << 2 | one of these. The id is in the word, so that nobody locks a track that took the place of the
// one that was meant.
enum : uint64_t { kIdle = 1, kBusy = 2, kEnding = 3 };

constexpr uint64_t source_word(uint32_t id, uint64_t state) {
  return uint64_t{id} << 2 | state;
}

bool change(Track* track, uint32_t id, uint64_t from, uint64_t to) {
  // acquire and release: the track's fields pass from one user to the next.
  return track->source.cas_acq_rel(source_word(id, from), source_word(id, to));
}

// The external track of this id, or NULL.
Track* find_source(uint32_t id) {
  for (uint32_t i = 0; id != 0 && i < FLAMELET_MAX_TRACKS; ++i)
    if (tracks[i].source.load_relaxed() >> 2 == id) return &tracks[i];  // relaxed: change() checks it
  return nullptr;
}

void end_source(Track* track) {
  track->source.store_release(uint64_t{0});
  release_track(track);
}

void unlock(Track* track, uint32_t id) {
  if (!change(track, id, kBusy, kIdle)) end_source(track);  // destroyed meanwhile
}

// The scratch is shared by all tracks and held for one call; its users are few (GPU queues, once a frame each), so
// this waits for the other one. Not for ever: a signal handler may have interrupted it on this very thread.
bool lock_scratch() {
  return wait_for(kScratchWaitNs, [] { return submit_scratch.lock.cas_acquire(0, 1); });
}
void unlock_scratch() {
  submit_scratch.lock.store_release(0);
}

// Since the calibration. Signed, so that a source's clock may wrap around.
int64_t source_time(const Track& track, const flamelet_event& event) {
  return static_cast<int64_t>(event.time_ticks - track.source_ticks);
}

// The recorder's clock during one call: one rate for all of its events, or another thread that measures it meanwhile
// could put an end before its begin.
struct Now {
  uint64_t ticks;
  double rate;
};

// The event's time on the recorder's clock; false if it is absurd.
bool place(const Track& track, const flamelet_event& event, const Now& now, uint64_t* ticks) {
  const double placed = static_cast<double>(static_cast<int64_t>(track.recorder_ticks - now.ticks)) +
                        static_cast<double>(source_time(track, event)) / track.source_rate * now.rate;
  if (!(placed > -kMaxSecondsFromNow * now.rate && placed < kMaxSecondsFromNow * now.rate)) return false;
  const int64_t from_now = static_cast<int64_t>(placed < 0 ? placed - 0.5 : placed + 0.5);
  if (from_now < 0 && static_cast<uint64_t>(-from_now) > now.ticks) return false;
  *ticks = now.ticks + static_cast<uint64_t>(from_now);
  return true;
}

// Finds the pairs that can be trusted: events begins[i] and ends[i]. Returns how many.
uint32_t pair_up(const Track& track, const flamelet_event* events, uint32_t event_count, uint32_t* begins,
                 uint32_t* ends) {
  uint32_t scopes = 0;
  for (uint32_t i = 0; i < event_count; ++i)
    if ((events[i].type == 'B' || events[i].type == 'E') && events[i].id != 0) begins[scopes++] = i;
  std::sort(begins, begins + scopes, [&track, events](uint32_t a, uint32_t b) {
    if (events[a].id != events[b].id) return events[a].id < events[b].id;
    if (events[a].type != events[b].type) return events[a].type < events[b].type;  // 'B' before 'E'
    const int64_t time_a = source_time(track, events[a]), time_b = source_time(track, events[b]);
    return time_a != time_b ? time_a < time_b : a < b;
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
    if (begin != UINT32_MAX && end != UINT32_MAX &&
        source_time(track, events[begin]) <= source_time(track, events[end])) {
      begins[pairs] = begin;
      ends[pairs] = end;
      ++pairs;
    }
    i = next;
  }
  return pairs;
}

size_t record_pairs(Track* track, const flamelet_event* events, uint32_t event_count, const Now& now) {
  if (!lock_scratch()) return 0;
  size_t recorded = 0;
  uint32_t* begins = submit_scratch.order;
  uint32_t* ends = begins + recorder.config.max_submit_events;
  const uint32_t pairs = pair_up(*track, events, event_count, begins, ends);
  for (uint32_t i = 0; i < pairs; ++i) {
    const flamelet_event& begin = events[begins[i]];
    uint64_t payload[4] = {0, 0, begin.id, 0};
    if (!place(*track, begin, now, &payload[0]) || !place(*track, events[ends[i]], now, &payload[1])) continue;
    payload[3] = make_strings(0, object_string(begin.object));
    const uint32_t site = pointer_site(begin.name, begin.category);
    if (append(track, 0, now.ticks, make_code(WordType::kSpan, site), payload, 4)) recorded += 2;
  }
  unlock_scratch();
  return recorded;
}

size_t record_points(Track* track, const flamelet_event* events, uint32_t event_count, const Now& now) {
  size_t recorded = 0;
  for (uint32_t i = 0; i < event_count; ++i) {
    uint64_t payload[2] = {0, 0};
    if (events[i].type != 'I' || !place(*track, events[i], now, &payload[0])) continue;
    payload[1] = make_strings(0, object_string(events[i].object));
    const uint32_t site = pointer_site(events[i].name, events[i].category);
    if (append(track, 0, now.ticks, make_code(WordType::kPoint, site), payload, 2)) ++recorded;
  }
  return recorded;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

uint32_t flamelet_track_create(const char* name, flamelet_track_kind kind, double clock_ticks_per_second) {
  if ((kind != FLAMELET_TRACK_GPU && kind != FLAMELET_TRACK_EXTERNAL) ||
      !(clock_ticks_per_second > 0 && clock_ticks_per_second <= kMaxTicksPerSecond))
    return 0;
  const SessionGuard guard;
  if (!guard) return 0;
  Track* track = claim_track(kind);
  uint32_t id = 0;
  if (track != nullptr) {
    id = track->id.load_relaxed();
    track->source_rate = clock_ticks_per_second;
    track->name.store_release(intern_string(name));  // pairs with the acquire in get_track()
    share_track(*track);
    track->source.store_release(source_word(id, kIdle));  // pairs with the acquire in change()
  }
  return id;
}

void flamelet_track_destroy(uint32_t id) {
  const SessionGuard guard;
  if (!guard) return;
  Track* track = find_source(id);
  // Not a wait: an attempt fails only if another thread's call begins or ends just then.
  while (track != nullptr && track->source.load_relaxed() >> 2 == id) {
    if (change(track, id, kIdle, kBusy)) {
      end_source(track);
      break;
    }
    if (change(track, id, kBusy, kEnding) || track->source.load_relaxed() == source_word(id, kEnding)) break;
  }
}

flamelet_result flamelet_track_calibrate(uint32_t id, uint64_t source_ticks, uint64_t recorder_ticks) {
  if (id == 0) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const SessionGuard guard;
  if (!guard) return FLAMELET_ERROR_NOT_INITIALIZED;
  flamelet_result result = FLAMELET_ERROR_INVALID_ARGUMENT;
  Track* track = find_source(id);
  if (track != nullptr) {
    result = FLAMELET_ERROR_BUSY;
    if (change(track, id, kIdle, kBusy)) {
      track->source_ticks = source_ticks;
      track->recorder_ticks = recorder_ticks;
      track->calibrated = true;
      unlock(track, id);
      result = FLAMELET_OK;
    }
  }
  return result;
}

size_t flamelet_submit(uint32_t id, const flamelet_event* events, size_t event_count) {
  const SessionGuard guard;
  if (id == 0 || events == nullptr || event_count == 0 || !guard) return 0;
  size_t recorded = 0;
  if (recorder.mode.load_relaxed() == FLAMELET_MODE_CALLS_) {
    Track* track = find_source(id);
    if (track != nullptr && change(track, id, kIdle, kBusy)) {
      if (track->calibrated) {
        const uint32_t taken = static_cast<uint32_t>(std::min<size_t>(event_count, recorder.config.max_submit_events));
        const Now now = {recorder.clock.now_ticks(), recorder.clock.ticks_per_second()};
        recorded = record_pairs(track, events, taken, now) + record_points(track, events, taken, now);
        roll_if_full(track, 0);
      }
      unlock(track, id);
    }
    recorder.counts.add(kDroppedSubmit, event_count - recorded);
  }
  return recorded;
}
