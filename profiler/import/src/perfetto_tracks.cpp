// SPDX-License-Identifier: MIT
#include "perfetto_tracks.h"

#include <algorithm>

#include "importer.h"

namespace flamelet::formats::perfetto {

using protozero::data_view;
using protozero::pbf_reader;

namespace {
std::string_view view(data_view bytes) {
  return {bytes.data(), bytes.size()};
}
}  // namespace

// ---- Tracks and lanes -----------------------------------------------------------------------------------------------

void Tracks::describe(data_view bytes) {
  Track track;
  data_view description("", 0);
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(track::kUuid):
        track.uuid = reader.get_uint64();
        break;
      case varint(track::kParentUuid):
        track.parent = reader.get_uint64();
        break;
      case length(track::kName):
      case length(track::kStaticName):
      case length(track::kAtraceName):
        track.name = sequences_.string(reader.get_view());
        break;
      case varint(track::kChildOrdering):
        track.orders_children = reader.get_uint64() == track::kExplicitOrder;
        break;
      case varint(track::kSiblingRank):
        track.rank = reader.get_int32();
        break;
      case length(track::kDescription):
        description = reader.get_view();
        break;
      case length(track::kProcess):
        describe_process(reader.get_view(), &track);
        break;
      case length(track::kThread):
        describe_thread(reader.get_view(), &track);
        break;
      case length(track::kCounter):
        describe_counter(reader.get_view(), &track);
        break;
      default:
        reader.skip();
    }
  }
  if (track.kind == Kind::kProcess && view(description) == kOwnDescription && tracks_.empty()) {
    is_own_ = true;
    sequences_.set_own_words(true);
  }
  Track* const known = find(track.uuid);
  if (known == nullptr || known->described || known->lane != 0 || known->slot != 0 || !known->open.empty()) return;
  track.described = true;
  if (is_own_ && track.kind == Kind::kOther) {
    if (view(description) == kFramesDescription) track.kind = Kind::kFrames;
    if (view(description) == kIntervalsDescription) track.kind = Kind::kIntervals;
    for (const flamelet_lane_kind kind : {FLAMELET_LANE_GPU, FLAMELET_LANE_EXTERNAL, FLAMELET_LANE_FIBER})
      if (view(description) == kLaneDescriptions[kind]) track.lane_kind = kind;
  }
  const bool is_lane = track.kind == Kind::kThread || (is_own_ && track.kind == Kind::kOther);
  if (is_lane && is_own_) track.lane = new_lane(track);
  *known = std::move(track);
}

void Tracks::describe_process(data_view bytes, Track* track) {
  track->kind = Kind::kProcess;
  data_view name("", 0);
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(process::kPid):
        track->pid = reader.get_int64();
        break;
      case length(process::kName):
        name = reader.get_view();
        break;
      default:
        reader.skip();
    }
  }
  std::string shown(view(name).substr(0, kMaxNameBytes));
  if (shown.empty()) shown = "process " + std::to_string(track->pid);
  if (track->name == 0) track->name = string(shown);
  if (processes_.size() < kMaxTracks) processes_.try_emplace(track->pid, std::move(shown));
}

void Tracks::describe_thread(data_view bytes, Track* track) {
  track->kind = Kind::kThread;
  track->lane_kind = FLAMELET_LANE_THREAD;
  data_view name("", 0);
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(thread::kPid):
        track->pid = reader.get_int64();
        break;
      case varint(thread::kTid):
        track->tid = reader.get_int64();
        break;
      case length(thread::kName):
        name = reader.get_view();
        break;
      default:
        reader.skip();
    }
  }
  if (!has_pid_) pid_ = track->pid;
  has_pid_ = true;
  std::string shown(view(name));
  if (shown.empty()) shown = "thread " + std::to_string(track->tid);
  if (const auto at = processes_.find(track->pid); track->pid != pid_ && at != processes_.end())
    shown += " (" + at->second + ")";
  track->name = string(shown);
}

void Tracks::describe_counter(data_view bytes, Track* track) {
  track->kind = Kind::kCounter;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(counter::kUnitMultiplier):
        track->multiplier = static_cast<double>(reader.get_int64());
        break;
      case varint(counter::kIsIncremental):
        track->incremental = reader.get_uint64() != 0;
        break;
      default:
        reader.skip();
    }
  }
}

uint32_t Tracks::string(const std::string& text) {
  return flamelet_capture_builder_string(builder_, text.data(), text.size());
}

// One that was not described is made. NULL if there are too many.
Tracks::Track* Tracks::find(uint64_t uuid) {
  const auto at = numbers_.find(uuid);
  if (at != numbers_.end()) return &tracks_[at->second];
  if (tracks_.size() >= kMaxTracks) {
    ++counts_.dropped;
    return nullptr;
  }
  numbers_.emplace(uuid, static_cast<uint32_t>(tracks_.size()));
  tracks_.emplace_back();
  tracks_.back().uuid = uuid;
  return &tracks_.back();
}

uint32_t Tracks::new_lane(const Track& track) {
  if (is_own_) {
    const auto id = static_cast<uint32_t>(track.uuid - 1);  // as the exporter numbers them
    return flamelet_capture_builder_span_lane(builder_, track.lane_kind, id, track.name, true);
  }
  uint32_t name = track.name;
  if (const auto parent = numbers_.find(track.parent); name == 0 && parent != numbers_.end())
    name = tracks_[parent->second].name;
  if (name == 0) name = string(track.uuid == 0 ? "Global" : "track " + std::to_string(track.uuid));
  const uint32_t lane = flamelet_capture_builder_span_lane(builder_, track.lane_kind, 0, name, true);
  if (lane != 0) families_[track.parent].push_back({track.rank, lane});
  return lane;
}

// The children of a parent that orders them change places with each other. Everything else stays where it is.
void Tracks::place_lanes() {
  for (auto& [parent, lanes] : families_) {
    const auto at = numbers_.find(parent);
    if (at == numbers_.end() || !tracks_[at->second].orders_children) continue;
    auto order = lanes;
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < order.size(); ++i)
      flamelet_capture_builder_place_lane(builder_, order[i].second, lanes[i].second);
  }
}

Tracks::Group& Tracks::group(const Track& track) {
  return groups_[{track.parent, track.name}];
}

// A lane for instants and counter values, which do not nest.
uint32_t Tracks::lane_of_points(Track& track) {
  if (track.lane != 0) return track.lane;
  if (track.kind == Kind::kThread) {
    uint32_t& lane = threads_[{track.pid, track.tid}];
    if (lane == 0) lane = new_lane(track);
    return track.lane = lane;
  }
  Group& slots = group(track);
  if (slots.empty()) slots.push_back({new_lane(track), false, INT64_MIN});
  return slots[track.slot == 0 ? 0 : track.slot - 1].lane;
}

void Tracks::take_slot(Track& track, int64_t begin_ns) {
  if (track.kind == Kind::kThread) lane_of_points(track);
  if (track.lane != 0) return;
  Group& slots = group(track);
  size_t slot = 0;
  while (slot < slots.size() && (slots[slot].busy || slots[slot].free_ns > begin_ns)) ++slot;
  if (slot == kMaxSlots) slot = 0;
  if (slot == slots.size()) slots.push_back({new_lane(track), false, INT64_MIN});
  slots[slot].busy = true;
  track.slot = static_cast<uint32_t>(slot) + 1;
}

// ---- Events ---------------------------------------------------------------------------------------------------------

void Tracks::event(const Event& event, int64_t time_ns) {
  Track* const track = find(event.track);
  if (track == nullptr) return;
  newest_ns_ = std::max(newest_ns_, time_ns);
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
    case event::kInstant: {
      uint32_t name;
      const uint32_t site = this->site(event, event.name, &name);
      flamelet_capture_builder_instant(builder_, lane_of_points(*track), time_ns, site, name, event.object);
      ++counts_.points;
      break;
    }
    case event::kCounter:
      counter(*track, event, time_ns);
      break;
    default:
      ++counts_.unsupported;
  }
}

void Tracks::finish() {
  for (Track& track : tracks_) {
    while (!track.open.empty()) {
      ++counts_.open;
      close(track, newest_ns_, FLAMELET_SPAN_OPEN);
    }
  }
  place_lanes();
}

uint32_t Tracks::site(const Event& event, uint32_t shown, uint32_t* name) {
  const uint32_t own = event.has_own_name ? event.own_name : shown;
  const uint32_t site = flamelet_capture_builder_site(builder_, own, event.category, event.place.file,
                                                      event.place.function, event.place.line, event.color);
  *name = event.has_own_name || site == 0 ? shown : 0;
  return site;
}

void Tracks::begin(Track& track, const Event& event, int64_t time_ns) {
  if (open_ == kMaxOpen || track.open.size() == kMaxDepth || track.dropped_begins != 0) {
    ++track.dropped_begins;
    ++counts_.dropped;
    return;
  }
  Open open = {};
  flamelet_span& span = open.span;
  span.begin_ns = time_ns;
  span.site = site(event, event.name, &span.name);
  span.object = event.object;
  span.flags = static_cast<uint16_t>(event.flags);
  span.depth = static_cast<uint16_t>(track.open.size());
  link(event, track, &span);
  if (track.kind == Kind::kFrames) {
    open.number = event.frame;
  } else if (track.kind == Kind::kIntervals) {
    open.begin_tid = event.begin_tid;
    open.end_tid = event.end_tid;
    open.number = first_interval_ + intervals_.size();
    intervals_.push_back({false, open});
  } else {
    if (track.open.empty()) take_slot(track, time_ns);
    open.held = track.held.size();
    open.is_held = !track.open.empty() && track.open.back().span.begin_ns == time_ns && held_ < kMaxHeld;
    if (open.is_held) track.held.push_back(span);
    held_ += open.is_held;
  }
  track.open.push_back(open);
  ++open_;
}

// Programs tell at the end what came out. It counts where the begin said nothing.
void Tracks::end(Track& track, const Event& event, int64_t time_ns) {
  uint32_t& object = track.open.back().span.object;
  if (object == 0)
    object = event.object;
  else
    counts_.args_left_out += event.object != 0;
  close(track, time_ns, 0);
}

void Tracks::close(Track& track, int64_t time_ns, uint32_t flags) {
  Open open = track.open.back();
  track.open.pop_back();
  --open_;
  flamelet_span& span = open.span;
  span.end_ns = std::max(time_ns, span.begin_ns);
  span.flags = static_cast<uint16_t>(span.flags | flags);
  if (track.kind == Kind::kFrames) {
    flamelet_capture_builder_frame(builder_, open.number, span.begin_ns, span.end_ns, span.flags);
    ++counts_.frames;
    return;
  }
  if (track.kind == Kind::kIntervals) {
    put_interval(open);
    return;
  }
  if (open.is_held) {
    track.held[open.held] = span;
  } else {
    put(track, span);
    for (size_t i = open.held; i < track.held.size(); ++i) put(track, track.held[i]);
    held_ -= track.held.size() - open.held;
    track.held.resize(open.held);
  }
  if (!track.open.empty() || track.slot == 0) return;
  Slot& slot = group(track)[track.slot - 1];
  slot.busy = false;
  slot.free_ns = std::max(slot.free_ns, span.end_ns);
  track.slot = 0;
}

void Tracks::put(Track& track, const flamelet_span& span) {
  flamelet_capture_builder_span(builder_, lane_of_points(track), &span);
  ++counts_.spans;
  counts_.cut += (span.flags & FLAMELET_SPAN_CUT) != 0;
}

// In the order of their begins, as far as they fit: those of one time have no other.
void Tracks::put_interval(const Open& open) {
  const auto put = [this](const Open& interval) {
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
    intervals_[open.number - first_interval_] = {true, open};
  while (!intervals_.empty() && (intervals_.front().first || intervals_.size() > kMaxIntervals)) {
    if (intervals_.front().first) put(intervals_.front().second);
    intervals_.pop_front();
    ++first_interval_;
  }
}

// A flow becomes the id of the scope where it begins, which the span of a GPU queue where it ends then names.
void Tracks::link(const Event& event, const Track& track, flamelet_span* span) {
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

void Tracks::counter(Track& track, const Event& event, int64_t time_ns) {
  if (!event.has_value) {
    ++counts_.unsupported;
    return;
  }
  double value = event.value;
  uint32_t shown = event.name;
  Track* owner = &track;
  if (track.kind == Kind::kCounter) {
    value *= track.multiplier;
    if (track.incremental) value = track.value += value;
    if (shown == 0) shown = track.name;
    owner = find(track.parent);
    if (owner == nullptr) return;
  }
  uint32_t name;
  const uint32_t site = this->site(event, shown, &name);
  if (is_nameless_counter(builder_, site, name)) {
    ++counts_.dropped;
    return;
  }
  flamelet_capture_builder_counter(builder_, lane_of_points(*owner), time_ns, site, value);
  ++counts_.points;
}

}  // namespace flamelet::formats::perfetto
