// SPDX-License-Identifier: MIT
#include "frame_lanes.h"

#include <string.h>
#include <algorithm>
#include <string_view>

#include "evidence.h"
#include "flamelet/detail/lock_calls.h"
#include "flamelet/detail/site.h"
#include "flamelet/file.h"
#include "platform/engine_memory.h"

namespace flamelet::explain {

void FrameLanes::lay_out(Carver* carver, const flamelet_explain_config& config) {
  max_spans_ = config.max_spans;
  max_lanes_ = config.max_lanes;
  max_flows_ = config.max_flows;
  spans_ = carver->take<flamelet_span>(max_spans_);
  flows_ = carver->take<flamelet_flow>(max_flows_);
  ends_ = carver->take<FlowEnd>(max_flows_);
  suspensions_ = carver->take<Suspension>(max_flows_);
  lanes_ = carver->take<LaneSpans>(max_lanes_);
  paths_ = carver->take<uint32_t>(max_spans_);
  met_ = carver->take<uint8_t>(met_bytes(max_spans_));
  site_kinds_ = carver->take<SiteKind>(FLAMELET_MAX_SITES + 1);
  uint32_t* const slots = carver->take<uint32_t>(HashIndex::slots_for(kMaxFirstSites));
  first_sites_ = carver->take<uint16_t>(kMaxFirstSites);
  if (slots != nullptr) first_index_.attach(slots, HashIndex::slots_for(kMaxFirstSites));
}

void FrameLanes::forget_sites() {
  memset(site_kinds_, 0, FLAMELET_MAX_SITES + 1);
  first_index_.clear();
  first_site_count_ = 0;
}

void FrameLanes::start(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns) {
  capture_ = capture;
  begin_ns_ = begin_ns;
  end_ns_ = end_ns;
  const size_t lanes = flamelet_capture_lane_count(capture);
  lane_count_ = static_cast<uint32_t>(std::min<size_t>(lanes, max_lanes_));
  is_whole_ = lanes <= max_lanes_;
  span_count_ = 0;
  has_suspensions_ = has_flows_ = false;
  for (uint32_t i = 0; i < lane_count_; ++i) {
    flamelet_lane_info info;
    flamelet_capture_lane(capture, i, &info);
    lanes_[i] = {nullptr, nullptr, 0, false, info.kind != FLAMELET_LANE_FIBER, info.kind};
  }
}

void FrameLanes::read_flows() {
  // Ends may stand a little behind the frame's end: a wait that ends there is told by them.
  size_t found = 0;
  flamelet_capture_read_flows(capture_, begin_ns_, end_ns_ + 1, flows_, max_flows_, &found);
  const size_t count = std::min<size_t>(found, max_flows_);
  is_whole_ = is_whole_ && found <= max_flows_;
  has_flows_ = true;
  end_count_ = 0;
  for (size_t i = 0; i < count; ++i) {
    const flamelet_flow& flow = flows_[i];
    if ((flow.flags & FLAMELET_FLOW_IS_END) == 0 || flow.lane >= lane_count_) continue;
    const bool has_begin = flow.begin != FLAMELET_NO_PARENT && flows_[flow.begin].lane < lane_count_;
    ends_[end_count_++] = {flow.lane, has_begin ? flows_[flow.begin].lane : kNoIndex, flow.time_ns,
                           has_begin ? flows_[flow.begin].time_ns : INT64_MIN};
  }
  std::sort(ends_, ends_ + end_count_, [](const FlowEnd& a, const FlowEnd& b) {
    return a.lane != b.lane ? a.lane < b.lane : a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.from_ns < b.from_ns;
  });
}

const LaneSpans& FrameLanes::lane(uint32_t index) {
  LaneSpans& lane = lanes_[index];
  if (lane.is_read) return lane;
  lane.is_read = true;
  lane.spans = spans_ + span_count_;
  lane.paths = paths_ + span_count_;
  const uint32_t room = max_spans_ - span_count_;
  size_t found = 0;
  flamelet_capture_read_spans(capture_, index, begin_ns_, end_ns_, spans_ + span_count_, room, &found);
  is_whole_ = is_whole_ && found <= room;
  lane.count = static_cast<uint32_t>(std::min<size_t>(found, room));
  memset(lane.paths, 0xFF, lane.count * sizeof(uint32_t));
  span_count_ += lane.count;
  // Of a GPU queue the same name is other work than on a thread.
  if (lane.kind == FLAMELET_LANE_GPU) return lane;
  uint32_t site = kNoIndex, name = kNoIndex, first = kNoIndex;
  for (flamelet_span* span = spans_ + span_count_ - lane.count; span != spans_ + span_count_; ++span) {
    if (span->site != site || span->name != name) first = first_site_like(site = span->site, name = span->name);
    span->site = first;
  }
  return lane;
}

uint32_t FrameLanes::first_site_like(uint32_t site, uint32_t name) {
  const SiteKind kind = kind_of(site);
  flamelet_site_info info, other;
  if (site > FLAMELET_MAX_SITES || (kind != SiteKind::kWork && kind != SiteKind::kWait) ||
      !flamelet_capture_site(capture_, site, &info))
    return site;
  // Names are interned: equal ones lie at the same place. A scope that got its name at run time is as one of a place of that
  // name.
  const auto own = flamelet_capture_string(capture_, name);
  const bool is_dynamic = own.size != 0 && own.text != info.name.text;
  if (is_dynamic) info.name = own;
  const uint64_t key = reinterpret_cast<uintptr_t>(info.name.text) ^ reinterpret_cast<uintptr_t>(info.category.text)
                                                                         << 1;
  const auto hash = static_cast<uint32_t>(spread_key(key) >> 32);
  const uint32_t found = first_index_.find(hash, [&](uint32_t at) {
    return flamelet_capture_site(capture_, first_sites_[at], &other) && other.name.text == info.name.text &&
           other.category.text == info.category.text;
  });
  if (found != HashIndex::kNone) return first_sites_[found];
  if (is_dynamic || first_site_count_ == kMaxFirstSites) return site;
  first_index_.add(hash, first_site_count_);
  first_sites_[first_site_count_++] = static_cast<uint16_t>(site);
  return site;
}

FrameLanes::SiteKind FrameLanes::kind_of(uint32_t site) {
  if (site > FLAMELET_MAX_SITES) return SiteKind::kWork;
  SiteKind& known = site_kinds_[site];
  if (known != SiteKind::kUnknown) return known;
  flamelet_site_info info;
  if (!flamelet_capture_site(capture_, site, &info)) return SiteKind::kWork;
  if (!is_wait(info)) return known = SiteKind::kWork;
  const std::string_view function(info.function.text, info.function.size), name(info.name.text, info.name.size);
  if (function == FLAMELET_FILE_FUNCTION_) return known = SiteKind::kFile;
  if (function != FLAMELET_WAIT_FUNCTION_) return known = SiteKind::kWait;
  return known = name == "lock" || name == "shared lock" ? SiteKind::kLock : SiteKind::kRecordedWait;
}

void FrameLanes::read_suspensions() {
  suspension_count_ = 0;
  for (uint32_t i = 0; i < lane_count_; ++i) {
    if (lanes_[i].kind != FLAMELET_LANE_THREAD) continue;
    const LaneSpans& lane = this->lane(i);
    for (uint32_t at = 0; at < lane.count; at = lane.spans[at].subtree_end) {
      const flamelet_span& span = lane.spans[at];
      const bool was_left = (span.flags & FLAMELET_SPAN_SUSPENDED) != 0 && span.begin_ns != span.end_ns;
      if (!was_left || span.id == 0) continue;
      if (suspension_count_ == max_flows_) {
        is_whole_ = false;
        break;
      }
      suspensions_[suspension_count_++] = {span.id, span.end_ns, i};
    }
  }
  std::sort(suspensions_, suspensions_ + suspension_count_, [](const Suspension& a, const Suspension& b) {
    return a.id != b.id ? a.id < b.id : a.time_ns < b.time_ns;
  });
  has_suspensions_ = true;
}

const Suspension* FrameLanes::suspension_before(const LaneSpans& lane, uint32_t span) {
  const int64_t time_ns = lane.spans[span].begin_ns;
  if ((lane.spans[span].flags & FLAMELET_SPAN_RESUMED) == 0) return nullptr;
  while (lane.spans[span].parent != FLAMELET_NO_PARENT) span = lane.spans[span].parent;
  if (!has_suspensions_) read_suspensions();
  const flamelet_id id = lane.spans[span].id;
  const Suspension* const after = std::upper_bound(
      suspensions_, suspensions_ + suspension_count_, time_ns,
      [id](int64_t time, const Suspension& other) { return id != other.id ? id < other.id : time < other.time_ns; });
  return after != suspensions_ && after[-1].id == id ? after - 1 : nullptr;
}

uint32_t FrameLanes::last_begun(const LaneSpans& lane, int64_t time_ns) {
  const flamelet_span* const end = lane.spans + lane.count;
  const flamelet_span* const at = std::lower_bound(
      lane.spans, end, time_ns, [](const flamelet_span& span, int64_t time) { return span.begin_ns < time; });
  return at == lane.spans ? kNoIndex : static_cast<uint32_t>(at - lane.spans) - 1;
}

int64_t FrameLanes::ready_ns(uint32_t lane, size_t position) const {
  flamelet_thread_time time;
  return flamelet_capture_thread_time(capture_, position, lane, &time) ? time.ready_ns : 0;
}

int64_t FrameLanes::awake_ns(uint32_t lane, size_t position, int64_t begin_ns, int64_t end_ns) const {
  flamelet_state_times states;
  if (flamelet_capture_state_times(capture_, lane, begin_ns, end_ns, &states))
    return end_ns - begin_ns - states.ns[FLAMELET_STATE_ASLEEP];
  flamelet_thread_time time;
  constexpr uint32_t kNeeded = FLAMELET_TIME_RAN | FLAMELET_TIME_READY;
  const bool is_known = flamelet_capture_thread_time(capture_, position, lane, &time) && (~time.known & kNeeded) == 0;
  return is_known ? std::min(time.ran_ns + time.ready_ns, end_ns - begin_ns) : end_ns - begin_ns;
}

bool FrameLanes::was_awake(uint32_t lane, int64_t begin_ns, int64_t end_ns) const {
  flamelet_state_times states;
  return flamelet_capture_state_times(capture_, lane, begin_ns, end_ns, &states) &&
         (states.ns[FLAMELET_STATE_ASLEEP] + states.ns[FLAMELET_STATE_UNKNOWN]) * 10 < end_ns - begin_ns;
}

bool FrameLanes::was_nearly_done(uint32_t lane, size_t position, const flamelet_span& span, int64_t time_ns,
                                 int64_t rest_ns) const {
  const int64_t left_ns = span.end_ns - time_ns;
  const bool is_open = (span.flags & (FLAMELET_SPAN_OPEN | FLAMELET_SPAN_SUSPENDED)) != 0;
  if (is_open || span.begin_ns >= time_ns || left_ns <= 0 || left_ns > time_ns - span.begin_ns) return false;
  flamelet_state_times states;
  if (flamelet_capture_state_times(capture_, lane, time_ns, span.end_ns, &states))
    return left_ns - states.ns[FLAMELET_STATE_TAKEN_OFF] <= rest_ns;
  // The system says it once a frame, and not when.
  const int64_t most_ns = std::max<int64_t>(1000000, (time_ns - span.begin_ns) / 8);
  return left_ns - std::min(ready_ns(lane, position), most_ns) <= rest_ns;
}

// Spans nest, so a span that is open around a later one is a parent of it.
Place FrameLanes::innermost(const LaneSpans& lane, int64_t time_ns, int64_t floor_ns, uint32_t* begun) {
  if (*begun == kNoIndex) *begun = last_begun(lane, time_ns) + 1;  // kNoIndex + 1 is 0
  while (*begun != 0 && lane.spans[*begun - 1].begin_ns >= time_ns) --*begun;
  uint32_t span = *begun - 1;
  int64_t ended_ns = floor_ns;  // the newest end before
  while (span != kNoIndex && lane.spans[span].end_ns < time_ns) {
    ended_ns = std::max(ended_ns, lane.spans[span].end_ns);
    const uint32_t parent = lane.spans[span].parent;
    span = parent == FLAMELET_NO_PARENT ? kNoIndex : parent;
  }
  if (span != kNoIndex) ended_ns = std::max(ended_ns, lane.spans[span].begin_ns);
  return {span, ended_ns};
}

const FlowEnd* FrameLanes::first_flow(uint32_t lane, int64_t after_ns) {
  if (!has_flows_) read_flows();
  return std::upper_bound(ends_, ends_ + end_count_, after_ns, [lane](int64_t time, const FlowEnd& flow) {
    return lane != flow.lane ? lane < flow.lane : time < flow.time_ns;
  });
}

// Main lane: which thread marks the frames. The mark says so. In files from before it did, and in traces of other
// programs, it is guessed: that thread's outermost scopes fill a frame and end before its mark, while those of other
// threads cross it.

namespace {

constexpr size_t kFrames = 16;  // that are looked at

// Time in outermost scopes inside the frame, less that in those which cross its borders.
int64_t inside_ns(const LaneSpans& lane, const flamelet_frame_info& frame) {
  int64_t sum_ns = 0;
  for (uint32_t i = 0; i < lane.count; i = lane.spans[i].subtree_end) {
    const flamelet_span& span = lane.spans[i];
    const int64_t begin_ns = std::max(span.begin_ns, frame.begin_ns), end_ns = std::min(span.end_ns, frame.end_ns);
    const bool crosses = span.begin_ns < frame.begin_ns || span.end_ns > frame.end_ns;
    sum_ns += crosses ? begin_ns - end_ns : end_ns - begin_ns;
  }
  return sum_ns;
}

bool is_there(const flamelet_capture* capture, uint32_t id, uint32_t lane) {
  flamelet_lane_info info;
  return flamelet_capture_lane(capture, lane, &info) && info.kind == FLAMELET_LANE_THREAD && info.id == id;
}

uint32_t guess(flamelet_explain* explain, const flamelet_capture* capture, size_t position) {
  constexpr uint32_t kAtOnce = 256;  // lanes: a start looks at all
  FrameLanes& lanes = explain->lanes;
  uint32_t best = kNoIndex;
  int64_t most_ns = 0;
  const size_t lane_count = std::min<size_t>(flamelet_capture_lane_count(capture), explain->config.max_lanes);
  for (uint32_t from = 0; from < lane_count; from += kAtOnce) {
    const uint32_t to = std::min(from + kAtOnce, static_cast<uint32_t>(lane_count));
    int64_t sums_ns[kAtOnce] = {};
    for (size_t i = position < kFrames ? 0 : position - kFrames; i <= position; ++i) {
      flamelet_frame_info frame;
      if (!flamelet_capture_frame(capture, i, &frame) || frame.end_ns - frame.begin_ns > kLongestFrame) continue;
      lanes.start(capture, frame.begin_ns, frame.end_ns);
      for (uint32_t lane = from; lane < to; ++lane) {
        if (lanes.kind(lane) != FLAMELET_LANE_THREAD) continue;
        lanes.lane(lane);
        if (lanes.span_count() == explain->config.max_spans)  // those before took its room
          lanes.start(capture, frame.begin_ns, frame.end_ns);
        sums_ns[lane - from] += inside_ns(lanes.lane(lane), frame);
      }
    }
    for (uint32_t lane = from; lane < to; ++lane) {
      if (sums_ns[lane - from] <= most_ns) continue;
      most_ns = sums_ns[lane - from];
      best = lane;
    }
  }
  return best;
}

// With scopes that cross every border there is no inside; then the first thread that has any scope.
uint32_t first_with_scopes(flamelet_explain* explain, const flamelet_capture* capture, size_t position) {
  flamelet_frame_info frame;
  if (!flamelet_capture_frame(capture, position, &frame)) return kNoIndex;
  explain->lanes.start(capture, frame.begin_ns, frame.end_ns);
  for (uint32_t lane = 0; lane < explain->lanes.lane_count(); ++lane)
    if (explain->lanes.kind(lane) == FLAMELET_LANE_THREAD && explain->lanes.lane(lane).count != 0) return lane;
  return kNoIndex;
}

}  // namespace

uint32_t find_main_lane(flamelet_explain* explain, const flamelet_capture* capture, size_t position) {
  const size_t lanes = std::min<size_t>(flamelet_capture_lane_count(capture), explain->config.max_lanes);
  if (explain->config.main_lane != FLAMELET_EXPLAIN_GUESS_LANE)
    return explain->config.main_lane < lanes ? explain->config.main_lane : kNoIndex;
  flamelet_frame_info frame;
  if (flamelet_capture_frame(capture, position, &frame) && frame.thread != 0) {
    for (uint32_t lane = 0; lane < lanes; ++lane)
      if (is_there(capture, frame.thread, lane)) return lane;
    return kNoIndex;  // it recorded nothing else: what other threads did does not say why it was late
  }
  for (uint32_t lane = 0; explain->knows_main && lane < lanes; ++lane)
    if (is_there(capture, explain->main_id, lane)) return lane;
  uint32_t lane = guess(explain, capture, position);
  if (lane == kNoIndex) lane = first_with_scopes(explain, capture, position);
  if (lane == kNoIndex) return kNoIndex;
  flamelet_lane_info info;
  flamelet_capture_lane(capture, lane, &info);
  explain->knows_main = true;
  explain->main_id = info.id;
  return lane;
}

}  // namespace flamelet::explain
