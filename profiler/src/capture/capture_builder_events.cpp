// SPDX-License-Identifier: MIT
//
// capture_builder_events.cpp: what other tools recorded, as words on the open page of its lane.
#include <string.h>

#include <algorithm>

#include "capture/capture_builder_data.h"

using namespace flamelet;

namespace {

constexpr int64_t kMaxTimeNs = TickConverter::kMostNs;
static_assert((FLAMELET_SPAN_SUSPENDED << 1) - 1 == kMaxSpanFlags, "a span's word has a bit for every flag");

// NULL, counted: none of this kind.
OpenPage* lane_at(flamelet_capture_builder* builder, uint32_t lane, bool nested) {
  OpenPage* found = find_lane(builder, lane);
  if (found != nullptr && found->nested == nested) return found;
  if (builder != nullptr) ++builder->stats.dropped_lane;
  return nullptr;
}

// 0: it is no thread's lane.
uint32_t thread_id(flamelet_capture_builder* builder, uint32_t lane) {
  const OpenPage* found = find_lane(builder, lane);
  return found != nullptr && found->kind == FLAMELET_LANE_THREAD ? found->page.header.track : 0;
}

uint64_t ticks_of(flamelet_capture_builder* builder, int64_t time_ns) {
  if (time_ns > kMaxTimeNs || time_ns < -kMaxTimeNs) {
    ++builder->stats.time_clamped;
    time_ns = time_ns < 0 ? -kMaxTimeNs : kMaxTimeNs;
  }
  return kOriginTicks + static_cast<uint64_t>(time_ns);  // modulo 2^64
}

void begin_page(flamelet_capture_builder* builder, OpenPage* lane, uint64_t ticks) {
  PageHeader& header = lane->page.header;
  lane->ticket = builder->next_ticket++;
  header.base_ticks = ticks;
  header.first_event = lane->events;
  header.open_count = lane->depth;
  for (uint32_t i = 0; i < lane->depth; ++i) {
    lane->page.words[2 * i] = lane->open[i];
    lane->page.words[2 * i + 1] = lane->strings[i];
  }
  lane->words = 2 * lane->depth;
}

// The time of an event that may not go back, with room for its words.
uint64_t reserve(flamelet_capture_builder* builder, OpenPage* lane, uint64_t ticks, uint32_t words) {
  if (ticks < lane->now_ticks) {
    ticks = lane->now_ticks;
    ++builder->stats.time_clamped;
  }
  if (lane->ticket == 0) {
    begin_page(builder, lane, ticks);
  } else if (kPageWords - lane->words < words || ticks - lane->page.header.base_ticks > kMaxPageAgeTicks) {
    hand_over(builder, lane, true);
    begin_page(builder, lane, ticks);
  }
  lane->now_ticks = ticks;
  ++lane->events;
  ++builder->stats.events;
  return ticks;
}

void push(OpenPage* lane, uint64_t word) {
  lane->page.words[lane->words++] = word;
}

uint32_t known_site(uint32_t site) {
  return site <= FLAMELET_MAX_SITES ? site : 0;
}

// As `nested` on a lane of begins and ends, else as `own`, with a time of its own.
void add_point(flamelet_capture_builder* builder, uint32_t lane_id, int64_t time_ns, uint64_t nested, uint64_t own,
               uint64_t payload) {
  const OpenPage* found = find_lane(builder, lane_id);
  OpenPage* lane = lane_at(builder, lane_id, found != nullptr && found->nested);  // of either kind
  if (lane == nullptr) return;
  const uint64_t ticks = ticks_of(builder, time_ns);
  if (lane->nested) {
    push(lane, reserve(builder, lane, ticks, 2) + nested);
  } else {
    // The word's time only has to rise.
    push(lane, reserve(builder, lane, std::max(lane->now_ticks, ticks), 3) + own);
    push(lane, ticks);
  }
  push(lane, payload);
}

}  // namespace

flamelet_id flamelet_capture_builder_begin(flamelet_capture_builder* builder, uint32_t lane_id, int64_t time_ns,
                                           uint32_t site, uint32_t name, uint32_t object) {
  OpenPage* lane = lane_at(builder, lane_id, true);
  if (lane == nullptr) return 0;
  if (lane->depth == FLAMELET_MAX_DEPTH) {
    ++lane->too_deep;
    ++builder->stats.dropped_depth;
    return 0;
  }
  const uint64_t strings = make_strings(name & kMaxStringId, object & kMaxStringId);
  const WordType type = strings != 0 ? WordType::kBeginWith : WordType::kBegin;
  const uint64_t ticks = reserve(builder, lane, ticks_of(builder, time_ns), strings != 0 ? 2 : 1);
  const uint64_t word = ticks + make_code(type, known_site(site));
  push(lane, word);
  if (strings != 0) push(lane, strings);
  lane->open[lane->depth] = word;
  lane->strings[lane->depth++] = make_reopen_strings(strings, type, ticks);
  return word;
}

void flamelet_capture_builder_end(flamelet_capture_builder* builder, uint32_t lane_id, int64_t time_ns) {
  OpenPage* lane = lane_at(builder, lane_id, true);
  if (lane == nullptr) return;
  if (lane->too_deep != 0) {
    --lane->too_deep;
  } else if (lane->depth == 0) {
    ++builder->stats.extra_ends;
  } else {
    push(lane, reserve(builder, lane, ticks_of(builder, time_ns), 1) + make_code(WordType::kEnd, 0));
    --lane->depth;
  }
}

void flamelet_capture_builder_counter(flamelet_capture_builder* builder, uint32_t lane_id, int64_t time_ns,
                                      uint32_t site, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  site = known_site(site);
  add_point(builder, lane_id, time_ns, make_code(WordType::kCounter, site), make_code(WordType::kValue, site), bits);
}

void flamelet_capture_builder_instant(flamelet_capture_builder* builder, uint32_t lane_id, int64_t time_ns,
                                      uint32_t site, uint32_t name, uint32_t object) {
  site = known_site(site);
  add_point(builder, lane_id, time_ns, make_code(WordType::kInstant, site), make_code(WordType::kPoint, site),
            make_strings(name & kMaxStringId, object & kMaxStringId));
}

void flamelet_capture_builder_flow(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns, uint64_t id,
                                   bool ends) {
  const MoreType type = ends ? MoreType::kFlowEnd : MoreType::kFlowBegin;
  add_point(builder, lane, time_ns, make_code(WordType::kMore, make_more_id(type, 1)),
            make_code(WordType::kMore, make_more_id(type, 2)), id);
}

void flamelet_capture_builder_span(flamelet_capture_builder* builder, uint32_t lane_id, const flamelet_span* span) {
  OpenPage* lane = lane_at(builder, lane_id, false);
  if (lane == nullptr || span == nullptr) return;
  const uint64_t begin = ticks_of(builder, span->begin_ns);
  const uint64_t end = std::max(begin, ticks_of(builder, span->end_ns));
  const bool knows_depth = begin == end && span->depth != FLAMELET_DEPTH_UNKNOWN;
  const uint64_t ticks = reserve(builder, lane, std::max(lane->now_ticks, begin), 5);
  push(lane, ticks + make_code(WordType::kSpan, known_site(span->site)));
  push(lane, begin);
  push(lane, end);
  push(lane, span->id);
  push(lane, make_span_strings(make_strings(span->name & kMaxStringId, span->object & kMaxStringId), span->flags,
                               knows_depth ? static_cast<uint16_t>(span->depth + 1) : uint16_t{0}));
}

void flamelet_capture_builder_interval(flamelet_capture_builder* builder, uint32_t begin_track, int64_t begin_ns,
                                       uint32_t end_track, int64_t end_ns, flamelet_id id, uint32_t site, uint32_t name,
                                       uint32_t object) {
  if (builder == nullptr) return;
  const uint64_t strings = make_strings(name & kMaxStringId, object & kMaxStringId);
  const Interval interval = {
      id, ticks_of(builder, begin_ns), ticks_of(builder, end_ns), strings, 0, known_site(site), begin_track, end_track,
      0};
  if (!builder->capture->intervals.restore(interval)) {
    ++builder->stats.intervals_dropped;
    return;
  }
  ++builder->stats.events;
  flamelet_capture* const capture = builder->capture;
  capture->oldest_ticks = std::min(capture->oldest_ticks, interval.begin_ticks);
  capture->newest_ticks = std::max(capture->newest_ticks, std::max(interval.begin_ticks, interval.end_ticks));
}

void flamelet_capture_builder_frame(flamelet_capture_builder* builder, uint64_t index, int64_t begin_ns, int64_t end_ns,
                                    uint32_t flags) {
  if (builder == nullptr) return;
  const Frame frame = {index, ticks_of(builder, begin_ns), ticks_of(builder, end_ns), flags, builder->marking_thread};
  ++(builder->capture->frames.restore(frame) ? builder->stats.events : builder->stats.frames_dropped);
}

void flamelet_capture_builder_mark_frames(flamelet_capture_builder* builder, uint32_t lane) {
  if (builder != nullptr) builder->marking_thread = thread_id(builder, lane);
}

bool flamelet_capture_builder_switch(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns,
                                     flamelet_state_kind state, uint32_t processor) {
  if (builder == nullptr) return false;
  const bool is_gap = state == FLAMELET_STATE_UNKNOWN;
  const uint32_t thread = thread_id(builder, lane);
  if (thread == 0 && lane != FLAMELET_BY_UNKNOWN && !is_gap) {
    ++builder->stats.dropped_lane;
    return false;
  }
  // In the order of flamelet_state_kind.
  constexpr uint16_t kWhat[FLAMELET_STATE_COUNT] = {kSwitchLost, kSwitchIn, kSwitchTakenOff, kSwitchAsleep};
  if (static_cast<uint32_t>(state) >= FLAMELET_STATE_COUNT || (processor > UINT16_MAX && !is_gap)) {
    ++builder->stats.switches_dropped;
    return false;
  }
  flamelet_capture* capture = builder->capture;
  const uint64_t ticks = ticks_of(builder, time_ns);
  const SwitchEvent event = {is_gap ? 0 : thread, is_gap ? uint16_t{0} : static_cast<uint16_t>(processor),
                             kWhat[state]};
  if (!add_switch(capture, ticks, event)) {
    ++builder->stats.switches_dropped;
    return false;
  }
  ++builder->stats.events;
  capture->states.states = FLAMELET_THREAD_STATES_RECORDED;
  capture->newest_ticks = std::max(capture->newest_ticks, ticks);  // there, the last state of each thread ends
  return true;
}

bool flamelet_capture_builder_thread_time(flamelet_capture_builder* builder, uint64_t frame, uint32_t lane_id,
                                          const flamelet_thread_time* time) {
  const OpenPage* lane = builder == nullptr ? nullptr : find_lane(builder, lane_id);
  if (lane == nullptr || time == nullptr) return false;
  const auto ns = [](int64_t value) { return static_cast<uint64_t>(value < 0 ? 0 : value); };
  return builder->capture->thread_times.add(
      frame, {lane->page.header.track, time->known & kTimeAll, ns(time->ran_ns), ns(time->ready_ns), time->switches,
              time->major_faults, time->minor_faults});
}

void flamelet_capture_builder_named_frame(flamelet_capture_builder* builder, uint32_t set, uint64_t index,
                                          int64_t begin_ns, int64_t end_ns, uint32_t flags) {
  if (builder == nullptr) return;
  set &= kMaxStringId;
  uint32_t place = 0;
  while (place < builder->set_count && builder->sets[place] != set) ++place;
  const bool fits = place < FLAMELET_MAX_FRAME_SETS && index >> kNamedFrameIndexBits == 0;
  if (fits && place == builder->set_count) builder->sets[builder->set_count++] = set;
  Interval frame = {};
  frame.id = named_frame_mark(set, index, false);
  frame.begin_ticks = ticks_of(builder, begin_ns);
  frame.end_ticks = ticks_of(builder, end_ns);
  frame.strings = make_strings(set, 0);
  frame.begin_track = frame.end_track = UINT32_MAX;  // whose marks they are is not told
  frame.flags = flags;
  ++(fits && builder->capture->named_frames.restore(frame) ? builder->stats.events : builder->stats.frames_dropped);
}
