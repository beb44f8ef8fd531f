// SPDX-License-Identifier: MIT
#include "perfetto_events.h"

#include <algorithm>

namespace flamelet::formats::perfetto {

void TrackEvents::take(const Event& event, int64_t time_ns) {
  Track* const track = tracks_.find(event.track);
  if (track == nullptr) return;
  newest_ns_ = std::max(newest_ns_, time_ns);
  if (event.is_whole) return whole(*track, event, time_ns);
  switch (event.type) {
    case event::kSliceBegin:
      begin(*track, event, time_ns);
      break;
    case event::kSliceEnd:
      if (track->dropped_begins != 0)
        --track->dropped_begins;
      else if (track->open.empty())
        ++counts_.extra_ends;
      else
        end(*track, event, time_ns);
      break;
    case event::kInstant:
      instant(*track, event, time_ns);
      break;
    case event::kCounter:
      counter(*track, event, time_ns);
      break;
    default:
      ++counts_.unsupported;
  }
}

void TrackEvents::finish() {
  for (Track& track : tracks_.all()) {
    while (!track.open.empty()) {
      ++counts_.open;
      close(track, newest_ns_, FLAMELET_SPAN_OPEN);
    }
  }
  spans_.finish();
}

uint32_t TrackEvents::site(const Event& event, uint32_t shown, uint32_t* name) {
  if (shown == 0 && !event.has_own_name && !tracks_.is_own())
    shown = flamelet_capture_builder_string(builder_, "(unnamed)", 9);
  const uint32_t own = event.has_own_name ? event.own_name : shown;
  const uint32_t site = flamelet_capture_builder_site(builder_, own, event.category, event.place.file,
                                                      event.place.function, event.place.line, event.color);
  *name = event.has_own_name || site == 0 ? shown : 0;
  return site;
}

void TrackEvents::begin(Track& track, const Event& event, int64_t time_ns) {
  if (open_ == kMaxOpen || track.open.size() == kMaxDepth || track.dropped_begins != 0) {
    ++track.dropped_begins;
    ++counts_.dropped;
    return;
  }
  OpenSlice open = {};
  flamelet_span& span = open.span;
  span.begin_ns = time_ns;
  span.site = site(event, event.name, &span.name);
  span.object = event.object;
  span.flags = static_cast<uint16_t>(event.flags);
  span.depth = static_cast<uint16_t>(track.open.size());
  link(event, track, &span);
  if (track.kind == TrackKind::kFrames || track.kind == TrackKind::kFrameSet) {
    open.number = event.frame;
  } else if (track.kind == TrackKind::kIntervals) {
    open.begin_tid = event.begin_tid;
    open.end_tid = event.end_tid;
    open.number = first_interval_ + intervals_.size();
    intervals_.push_back({false, open});
  } else {
    if (track.open.empty()) tracks_.take_slot(track, time_ns);
    open.held = track.held.size();
    open.is_held = !track.open.empty() && track.open.back().span.begin_ns == time_ns && held_ < kMaxHeld;
    if (open.is_held) track.held.push_back(span);
    held_ += open.is_held;
    mark_flows(track, event, time_ns);
  }
  track.open.push_back(open);
  ++open_;
}

// A slice that was written at its end, with its duration: such ones stand in any order, and nest by their times alone.
void TrackEvents::whole(Track& track, const Event& event, int64_t time_ns) {
  flamelet_span span = {};
  span.begin_ns = time_ns;
  span.end_ns = std::max(time_ns, static_cast<int64_t>(static_cast<uint64_t>(time_ns) + event.duration_ns));
  span.site = site(event, event.name, &span.name);
  span.object = event.object;
  span.depth = FLAMELET_DEPTH_UNKNOWN;
  newest_ns_ = std::max(newest_ns_, span.end_ns);
  mark_flows(track, event, time_ns);
  put(track, span);
}

// Programs tell at the end what came out. It counts where the begin said nothing.
void TrackEvents::end(Track& track, const Event& event, int64_t time_ns) {
  uint32_t& object = track.open.back().span.object;
  if (object == 0)
    object = event.object;
  else
    counts_.args_left_out += event.object != 0;
  close(track, time_ns, 0);
}

void TrackEvents::close(Track& track, int64_t time_ns, uint32_t flags) {
  OpenSlice open = track.open.back();
  track.open.pop_back();
  --open_;
  flamelet_span& span = open.span;
  span.end_ns = std::max(time_ns, span.begin_ns);
  span.flags = static_cast<uint16_t>(span.flags | flags);
  if (track.kind == TrackKind::kFrames) {
    flamelet_capture_builder_frame(builder_, open.number, span.begin_ns, span.end_ns, span.flags);
    ++counts_.frames;
    return;
  }
  if (track.kind == TrackKind::kFrameSet) {
    flamelet_capture_builder_named_frame(builder_, track.name, open.number, span.begin_ns, span.end_ns, span.flags);
    ++counts_.frames;
    return;
  }
  if (track.kind == TrackKind::kIntervals) {
    put_interval(open);
    return;
  }
  // Those that begin together are put parents first, if they can be held.
  if (tracks_.is_own())
    spans_.nesting.add(tracks_.lane_of_points(track), span.begin_ns, span.end_ns, /*keeps_order=*/held_ == kMaxHeld);
  if (open.is_held) {
    track.held[open.held] = span;
  } else {
    put(track, span);
    for (size_t i = open.held; i < track.held.size(); ++i) put(track, track.held[i]);
    held_ -= track.held.size() - open.held;
    track.held.resize(open.held);
  }
  if (track.open.empty()) tracks_.leave_slot(track, span.end_ns);
}

void TrackEvents::put(Track& track, const flamelet_span& span) {
  const uint32_t lane = tracks_.lane_of_points(track);
  if (tracks_.is_own())
    spans_.add_own(lane, span);
  else
    spans_.add(lane, span);
  ++counts_.spans;
  counts_.cut += (span.flags & FLAMELET_SPAN_CUT) != 0;
}

// In the order of their begins, as far as they fit: those of one time have no other.
void TrackEvents::put_interval(const OpenSlice& open) {
  const auto put = [this](const OpenSlice& interval) {
    const flamelet_span& span = interval.span;
    // 0 would say that the begin or the end is missing.
    const auto thread = [](uint64_t tid) { return tid == 0 ? UINT32_MAX : static_cast<uint32_t>(tid); };
    flamelet_capture_builder_interval(
        builder_, (span.flags & FLAMELET_SPAN_MISSING_BEGIN) != 0 ? 0 : thread(interval.begin_tid), span.begin_ns,
        (span.flags & FLAMELET_SPAN_OPEN) != 0 ? 0 : thread(interval.end_tid), span.end_ns, interval.number + 1,
        span.site, span.name, span.object);
    ++counts_.intervals;
  };
  if (open.number < first_interval_)
    put(open);
  else
    intervals_[static_cast<size_t>(open.number - first_interval_)] = {true, open};
  while (!intervals_.empty() && (intervals_.front().first || intervals_.size() > kMaxIntervals)) {
    if (intervals_.front().first) put(intervals_.front().second);
    intervals_.pop_front();
    ++first_interval_;
  }
}

// A flow becomes the id of the scope where it begins, which the span of a GPU queue where it ends then names.
void TrackEvents::link(const Event& event, const Track& track, flamelet_span* span) {
  for (const uint64_t flow : event.terminating_flows) {
    const auto at = flows_.find(flow);
    if (at == flows_.end()) continue;
    if (track.lane_kind == FLAMELET_LANE_GPU) span->id = at->second;
    flows_.erase(at);
  }
  if (event.flows.empty() || track.lane_kind == FLAMELET_LANE_GPU) return;
  span->id = next_id_++;
  for (const uint64_t flow : event.flows) {
    if (flows_.size() < kMaxFlows)
      flows_[flow] = span->id;
    else
      ++counts_.dropped;
  }
}

// Other programs' flows lead from scope to scope: the first one begins it, each further one is an end. Flamelet writes
// the ends of its own as instants.
void TrackEvents::mark_flows(Track& track, const Event& event, int64_t time_ns) {
  if (tracks_.is_own()) return;
  for (const uint64_t flow : event.terminating_flows) {
    put_flow(track, time_ns, flow, true);
    begun_flows_.erase(flow);
  }
  for (const uint64_t flow : event.flows) {
    const bool has_begun = begun_flows_.count(flow) != 0;
    if (!has_begun && begun_flows_.size() >= kMaxFlows) {
      ++counts_.dropped;
      continue;
    }
    put_flow(track, time_ns, flow, has_begun);
    begun_flows_.insert(flow);
  }
}

void TrackEvents::put_flow(Track& track, int64_t time_ns, uint64_t id, bool ends) {
  flamelet_capture_builder_flow(builder_, tracks_.lane_of_points(track), time_ns, id, ends);
  ++counts_.flows;
}

void TrackEvents::instant(Track& track, const Event& event, int64_t time_ns) {
  if (event.begins_flow || event.ends_flow) return put_flow(track, time_ns, event.flow, event.ends_flow);
  mark_flows(track, event, time_ns);
  uint32_t name;
  const uint32_t site = this->site(event, event.name, &name);
  flamelet_capture_builder_instant(builder_, tracks_.lane_of_points(track), time_ns, site, name, event.object);
  ++counts_.points;
}

void TrackEvents::counter(Track& track, const Event& event, int64_t time_ns) {
  if (!event.has_value) {
    ++counts_.unsupported;
    return;
  }
  uint32_t shown = event.name;
  Track* owner = &track;
  if (track.kind == TrackKind::kCounter) {
    if (shown == 0) shown = track.name;
    owner = tracks_.find(track.parent);
    if (owner == nullptr) return;
  }
  uint32_t name;
  const uint32_t site = this->site(event, shown, &name);
  if (is_nameless_counter(builder_, site, name)) {
    ++counts_.dropped;
    return;
  }
  flamelet_capture_builder_counter(builder_, tracks_.lane_of_points(*owner), time_ns, site, event.value);
  ++counts_.points;
}

}  // namespace flamelet::formats::perfetto
