// SPDX-License-Identifier: MIT
//
// submit.cpp: events of sources with a clock of their own. Nothing that comes in is trusted: what does not pair, or
// claims an impossible time, is kept out and counted.
#include <string.h>
#include <algorithm>

#include "flamelet/detail/text.h"
#include "record/names.h"
#include "record/ring_file.h"
#include "record/ring_reader.h"
#include "record/session.h"
#include "record/submit.h"
#include "record/track.h"

namespace flamelet {

SubmitState submit_state = {};
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

// The lanes of one source: its track's own, and those beside it, which are tracks that nobody submits to. Of the track in
// the same place. Belongs to who holds the source's lock.
struct SourceLane {
  Track* beside;       // the next one; NULL = no more
  uint32_t named_for;  // the name of the source's track, after which this one is called
  SubmittedLane spans;
  // Of the source's own track: the latest time that was placed, on both clocks.
  bool has_latest;
  uint64_t latest_source_ticks, latest_ticks;
};
SourceLane source_lanes[FLAMELET_MAX_TRACKS];
constexpr uint32_t kMostLanesBeside = 7;

SourceLane& source_lane_of(const Track* track) {
  return source_lanes[track - tracks];
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
  WaitingEvents* waiting = &submit_state.waiting[track->waiting];
  count_drop(kDroppedSubmit, waiting->count.load_relaxed());
  waiting->count.store_relaxed(0);
  waiting->owner.store_release(0);  // pairs with the acquire in claim_waiting()
  for (Track* beside = source_lane_of(track).beside; beside != nullptr;) {
    Track* const next = source_lane_of(beside).beside;
    release_track(beside);
    beside = next;
  }
  track->source.store_release(uint64_t{0});
  release_track(track);
}

void unlock(Track* track, uint32_t id) {
  if (!change(track, id, kBusy, kIdle)) end_source(track);  // destroyed meanwhile
}

// The scratch is shared by all tracks and held for one call; its users are few (GPU queues, once a frame each), so
// this waits for the other one. Not for ever: a signal handler may have interrupted it on this very thread.
bool lock_scratch() {
  return wait_for(kScratchWaitNs, [] { return submit_state.lock.cas_acquire(0, 1); });
}
void unlock_scratch() {
  submit_state.lock.store_release(0);
}

// The recorder's clock during one call: one rate for all of its events, or another thread that measures it meanwhile
// could put an end before its begin.
struct Now {
  uint64_t ticks;
  double rate;
};

// The time on the recorder's clock of `since` source ticks after the calibration; false if it is absurd.
bool place(const Track& track, int64_t since, const Now& now, uint64_t* ticks) {
  const double placed = static_cast<double>(static_cast<int64_t>(track.recorder_ticks - now.ticks)) +
                        static_cast<double>(since) / track.source_rate * now.rate;
  if (!(placed > -kMaxSecondsFromNow * now.rate && placed < kMaxSecondsFromNow * now.rate)) return false;
  const int64_t from_now = static_cast<int64_t>(placed < 0 ? placed - 0.5 : placed + 0.5);
  if (from_now < 0 && static_cast<uint64_t>(-from_now) > now.ticks) return false;
  *ticks = now.ticks + static_cast<uint64_t>(from_now);
  return true;
}

// The strings of an event, interned. The site is kSiteOff if its category was off when it was submitted.
struct Names {
  uint32_t site;
  uint32_t object;
};
Names names_of(const SubmitBatch& batch, uint32_t i) {
  const flamelet_event* event = batch.event(i);
  if (event == nullptr) return {batch.waiting(i).site, batch.waiting(i).object};
  const uint32_t site = pointer_site(event->name, event->category);
  return {site, site == kSiteOff ? 0 : object_string(event->object)};
}

// "GPU, 2": lanes beside are called as their source is now.
void name_lane_beside(Track* track, const Track& source, uint32_t number) {
  const uint32_t name = source.name.load_relaxed();
  if (source_lane_of(track).named_for == name) return;
  source_lane_of(track).named_for = name;
  constexpr size_t kMostBytes = 240;
  char text[kMostBytes + 8];
  flamelet_string of = {"", 0};
  char default_name[kDefaultNameBytes];
  write_default_name(default_name, source.kind.load_relaxed(), source.id.load_relaxed());
  if (!get_string(name, &of) || of.size == 0) of = {default_name, strlen(default_name)};
  const size_t size = whole_start(view_of(of), kMostBytes).size();
  memcpy(text, of.text, size);
  const char ending[] = {',', ' ', static_cast<char>('0' + number)};
  memcpy(text + size, ending, sizeof ending);
  track->name.store_release(intern_string(text, size + sizeof ending));  // pairs with the acquire in get_track()
  share_track(*track);
}

// A further lane beside a source's. NULL: half of all tracks live, and the rest is for threads.
Track* add_lane_beside(const Track& source, uint32_t number) {
  if (number > kMostLanesBeside + 1 || track_totals.live.load_relaxed() * 2 > recorder.config.max_tracks)
    return nullptr;
  Track* const track = claim_track(static_cast<flamelet_track_kind>(source.kind.load_relaxed()), 0);
  if (track == nullptr) return nullptr;
  SourceLane& lane = source_lane_of(track);
  lane.beside = nullptr;
  lane.named_for = UINT32_MAX;
  lane.spans.clear();
  name_lane_beside(track, source, number);
  return track;
}

// The lane on which a span nests: of several, that on which the span around it began last; a new one if there is none. Where
// there is no room for a new one, the source's own, and readers cut the span.
Track* nesting_lane(Track* source, uint64_t most_ticks, PlacedSpan* span) {
  Track* best = nullptr;
  Track* last = source;
  PlacedSpan best_span = *span;
  uint64_t best_around = 0;
  uint32_t number = 1;
  for (Track* track = source; track != nullptr; track = source_lane_of(track).beside, ++number) {
    PlacedSpan fitted = *span;
    uint64_t around = 0;
    last = track;
    if (!source_lane_of(track).spans.fits(&fitted, most_ticks, &around) || (best != nullptr && around <= best_around))
      continue;
    best = track;
    best_span = fitted;
    best_around = around;
  }
  if (best == nullptr) {
    best = add_lane_beside(*source, number);
    if (best == nullptr) {
      count_drop(kSubmitCut);
      return source;
    }
    source_lane_of(last).beside = best;
  }
  *span = best_span;
  source_lane_of(best).spans.add(*span);
  return best;
}

// How far the source's clock has moved against the recorder's since the latest time that was placed: by a new calibration, or
// by a new rate. A span that begins where one of an earlier batch ended may seem to overlap it by so much.
uint64_t start_lanes(Track* track, const Now& now) {
  constexpr double kMostSeconds = 1e-4;  // a clock that was set anew is another matter
  uint32_t number = 2;
  source_lane_of(track).spans.start_batch();
  for (Track* beside = source_lane_of(track).beside; beside != nullptr; beside = source_lane_of(beside).beside) {
    source_lane_of(beside).spans.start_batch();
    name_lane_beside(beside, *track, number++);
  }
  SourceLane& lane = source_lane_of(track);
  uint64_t ticks = 0;
  if (!lane.has_latest ||
      !place(*track, static_cast<int64_t>(lane.latest_source_ticks - track->source_ticks), now, &ticks))
    return 0;
  const uint64_t moved = ticks > lane.latest_ticks ? ticks - lane.latest_ticks : lane.latest_ticks - ticks;
  lane.latest_ticks = ticks;
  return moved == 0 || static_cast<double>(moved) > kMostSeconds * now.rate ? 0 : moved + 1;
}

bool record_pair(Track* source, const SubmitBatch& batch, uint32_t begin, const Now& now, uint64_t most_ticks) {
  const uint32_t end = batch.fate(begin);
  PlacedSpan span = {0, 0, false};
  // What waited may be absurd by now.
  if (!place(*source, batch.time(begin), now, &span.begin_ticks) ||
      !place(*source, batch.time(end), now, &span.end_ticks))
    return false;
  const Names names = names_of(batch, begin);
  if (names.site == kSiteOff) return true;
  SourceLane& lane = source_lane_of(source);
  if (!lane.has_latest || span.end_ticks > lane.latest_ticks) {
    lane.has_latest = true;
    lane.latest_source_ticks = source->source_ticks + static_cast<uint64_t>(batch.time(end));
    lane.latest_ticks = span.end_ticks;
  }
  Track* const track = nesting_lane(source, most_ticks, &span);
  const uint64_t strings = make_span_strings(make_strings(0, names.object), span.is_cut ? kSpanCutFlag : 0, 0);
  const uint64_t payload[4] = {span.begin_ticks, span.end_ticks, batch.id(begin), strings};
  return append(track, 0, now.ticks, make_code(WordType::kSpan, names.site), payload, 4);
}

bool record_point(Track* track, const SubmitBatch& batch, uint32_t i, const Now& now) {
  uint64_t payload[2] = {0, 0};
  if (!place(*track, batch.time(i), now, &payload[0])) return false;
  const Names names = names_of(batch, i);
  if (names.site == kSiteOff) return true;
  payload[1] = make_strings(0, names.object);
  return append(track, 0, now.ticks, make_code(WordType::kPoint, names.site), payload, 2);
}

// The newest config.max_submit_open events that the batch leaves without a partner go on waiting. Returns how many of
// them are new.
uint32_t keep_waiting(const SubmitBatch& batch, WaitingEvents* waiting) {
  uint32_t count = 0, kept = 0, kept_new = 0;
  for (uint32_t i = 0; i < batch.count(); ++i) count += batch.fate(i) == SubmitBatch::kWaits;
  const uint32_t limit = recorder.config.max_submit_open;
  uint32_t too_many = count > limit ? count - limit : 0;
  for (uint32_t i = 0; i < batch.count(); ++i) {
    if (batch.fate(i) != SubmitBatch::kWaits) continue;
    if (too_many != 0) {
      --too_many;
      continue;
    }
    // Written not above the place that is read: kept <= i.
    const flamelet_event* event = batch.event(i);
    if (event == nullptr) {
      waiting->events[kept++] = batch.waiting(i);
      continue;
    }
    const Names names = event->type == 'B' ? names_of(batch, i) : Names{0, 0};
    waiting->events[kept++] = {event->time_ticks, event->id, names.site, names.object, event->pair, event->type};
    ++kept_new;
  }
  waiting->count.store_relaxed(kept);
  return kept_new;
}

// Returns how many of the events were taken, and adds to *dropped those that were not, also of earlier calls.
size_t record_batch(Track* track, const flamelet_event* events, uint32_t event_count, uint64_t* dropped) {
  const Now now = {recorder.clock.now_ticks(), recorder.clock.ticks_per_second()};
  WaitingEvents* waiting = &submit_state.waiting[track->waiting];
  SubmitBatch batch(*waiting, events, event_count, track->source_ticks, submit_state.scratch);
  batch.pair_up([&](uint32_t i) {
    uint64_t ticks;
    return batch.is_waiting(i) || place(*track, batch.time(i), now, &ticks);
  });
  const uint64_t most_ticks = start_lanes(track, now);
  uint32_t taken = 0, recorded = 0;
  for (uint32_t i = 0; i < batch.count(); ++i) {
    const uint32_t fate = batch.fate(i);
    if (fate <= SubmitBatch::kLastNumber && record_pair(track, batch, i, now, most_ticks)) {
      recorded += 2;
      taken += (batch.is_waiting(i) ? 0u : 1u) + (batch.is_waiting(fate) ? 0u : 1u);
    } else if (fate == SubmitBatch::kPoint && record_point(track, batch, i, now)) {
      recorded += 1;
      taken += 1;
    }
  }
  taken += keep_waiting(batch, waiting);
  *dropped += batch.count() - recorded - waiting->count.load_relaxed();
  for (Track* lane = track; lane != nullptr; lane = source_lane_of(lane).beside) roll_if_full(lane, 0);
  return taken;
}

// There are as many as tracks, so one is free for a track that was claimed.
void claim_waiting(Track* track, uint32_t id) {
  for (uint32_t i = 0;; i = (i + 1) % recorder.config.max_tracks) {
    // acquire: pairs with the release in end_source().
    if (!submit_state.waiting[i].owner.cas_acquire(0, id)) continue;
    track->waiting = i;
    uint32_t places = submit_state.places.load_relaxed();
    while (places <= i && !submit_state.places.cas_relaxed(places, i + 1)) places = submit_state.places.load_relaxed();
    return;
  }
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
  Track* track = claim_track(kind, 1);
  uint32_t id = 0;
  if (track != nullptr) {
    id = track->id.load_relaxed();
    track->source_rate = clock_ticks_per_second;
    source_lane_of(track).beside = nullptr;
    source_lane_of(track).spans.clear();
    source_lane_of(track).has_latest = false;
    claim_waiting(track, id);
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
  size_t taken = 0;
  if (recorder.mode.load_relaxed() == FLAMELET_MODE_CALLS_) {
    uint64_t dropped = event_count;
    Track* track = find_source(id);
    if (track != nullptr && change(track, id, kIdle, kBusy)) {
      if (track->calibrated && lock_scratch()) {
        const size_t fitting = std::min<size_t>(event_count, recorder.config.max_submit_events);
        dropped = event_count - fitting;
        taken = record_batch(track, events, static_cast<uint32_t>(fitting), &dropped);
        unlock_scratch();
      }
      unlock(track, id);
    }
    count_drop(kDroppedSubmit, dropped);
    share_waiting();
  }
  return taken;
}

namespace flamelet {

// ---- submit batch

void SubmitBatch::pair_scopes(uint32_t scopes) {
  std::sort(sorted_, sorted_ + scopes, [this](uint32_t a, uint32_t b) {
    if (id(a) != id(b)) return id(a) < id(b);
    if (pair(a) != pair(b)) return pair(a) < pair(b);
    return time(a) != time(b) ? time(a) < time(b) : a < b;
  });
  for (uint32_t first = 0; first < scopes;) {
    const uint32_t one = sorted_[first];
    uint32_t next = first + 1;
    while (next < scopes && id(sorted_[next]) == id(one) && pair(sorted_[next]) == pair(one)) ++next;
    pair_group(sorted_ + first, next - first);
    first = next;
  }
}

// Events of one id and pair number, by time. Numbers may be used again, so this takes pair after pair. What stays alone
// waits; a second begin, and an end without a begin before it where others have one, are duplicates.
void SubmitBatch::pair_group(const uint32_t* group, uint32_t count) {
  constexpr uint32_t kNoEvent = kOut;
  uint32_t begin = kNoEvent;  // open
  uint32_t end = kNoEvent;    // without a begin
  bool has_pairs = false;
  const auto make_pair = [&](uint32_t from, uint32_t to) {
    fate_[from] = to;
    fate_[to] = kEnd;
    begin = end = kNoEvent;
    has_pairs = true;
  };
  for (uint32_t at = 0; at < count; ++at) {
    const uint32_t i = group[at];
    if (type(i) == 'E') {
      if (begin != kNoEvent)
        make_pair(begin, i);
      else if (end == kNoEvent)
        end = i;
    } else if (begin == kNoEvent) {
      if (end != kNoEvent && time(end) == time(i)) {
        make_pair(i, end);  // no length, and the end was submitted first
      } else {
        begin = i;
        end = kNoEvent;  // older than the begin: not its end
      }
    }
  }
  if (begin != kNoEvent) fate_[begin] = kWaits;
  if (end != kNoEvent && !has_pairs) fate_[end] = kWaits;
}

}  // namespace flamelet
