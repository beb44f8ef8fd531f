// SPDX-License-Identifier: MIT
#include "perfetto_tracks.h"

#include <algorithm>

namespace flamelet::formats::perfetto {

using protozero::data_view;
using protozero::pbf_reader;

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
        track.is_named = track.name != 0;
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
  if (track.kind == TrackKind::kProcess && view(description) == kOwnDescription && tracks_.empty()) {
    is_own_ = true;
    sequences_.set_own_words(true);
  }
  Track* const known = find(track.uuid);
  if (known == nullptr) return;
  if (known->described || known->lane != 0 || known->slot != 0 || !known->open.empty()) return rename(known, track);
  track.described = true;
  if (is_own_ && track.kind == TrackKind::kOther) {
    if (view(description) == kFramesDescription) track.kind = TrackKind::kFrames;
    if (view(description) == kFrameSetDescription) track.kind = TrackKind::kFrameSet;
    if (view(description) == kIntervalsDescription) track.kind = TrackKind::kIntervals;
    for (const flamelet_lane_kind kind : {FLAMELET_LANE_GPU, FLAMELET_LANE_EXTERNAL, FLAMELET_LANE_FIBER})
      if (view(description) == kLaneDescriptions[kind]) track.lane_kind = kind;
  }
  const bool is_lane = track.kind == TrackKind::kThread || (is_own_ && track.kind == TrackKind::kOther);
  if (is_lane && is_own_) track.lane = new_lane(track);
  *known = std::move(track);
}

// Programs describe a track when it begins, and again when they know its name.
void Tracks::rename(Track* known, const Track& track) {
  if (is_own_ || !track.is_named) return;
  known->name = track.name;
  known->is_named = true;
  if (known->lane != 0) flamelet_capture_builder_name_lane(builder_, known->lane, known->name);
}

void Tracks::describe_process(data_view bytes, Track* track) {
  track->kind = TrackKind::kProcess;
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
  track->is_named = track->is_named || !shown.empty();
  const bool is_told = !shown.empty();
  if (!is_told) shown = "process " + std::to_string(track->pid);
  if (track->name == 0) track->name = string(shown);
  if (is_told && processes_.count(track->pid) != 0) processes_[track->pid] = shown;
  if (processes_.size() < kMaxTracks) processes_.try_emplace(track->pid, std::move(shown));
}

void Tracks::describe_thread(data_view bytes, Track* track) {
  track->kind = TrackKind::kThread;
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
  track->is_named = !shown.empty();
  if (shown.empty()) shown = "thread " + std::to_string(track->tid);
  if (const auto at = processes_.find(track->pid); track->pid != pid_ && at != processes_.end())
    shown += " (" + at->second + ")";
  track->name = string(shown);
}

void Tracks::describe_counter(data_view bytes, Track* track) {
  track->kind = TrackKind::kCounter;
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

Track* Tracks::find(uint64_t uuid) {
  const auto at = numbers_.find(uuid);
  if (at != numbers_.end()) return &tracks_[at->second];
  if (tracks_.size() >= kMaxTracks) {
    ++dropped_;
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
  constexpr uint32_t kNoName = UINT32_MAX;  // tracks that say nothing of themselves have nothing in common
  if (track.name == 0 && track.parent == 0) return groups_[{track.uuid, kNoName}];
  return groups_[{track.parent, track.name}];
}

uint32_t Tracks::lane_of_points(Track& track) {
  if (track.lane != 0) return track.lane;
  if (track.kind == TrackKind::kThread) {
    uint32_t& lane = threads_[{track.pid, track.tid}];
    if (lane == 0) lane = new_lane(track);
    return track.lane = lane;
  }
  Group& slots = group(track);
  if (slots.empty()) slots.push_back({new_lane(track), false, INT64_MIN});
  return slots[track.slot == 0 ? 0 : track.slot - 1].lane;
}

std::unordered_map<int64_t, uint32_t> Tracks::thread_lanes() const {
  std::unordered_map<int64_t, uint32_t> lanes;
  for (const Track& track : tracks_)
    if (track.kind == TrackKind::kThread && track.lane != 0) lanes.try_emplace(track.tid, track.lane);
  return lanes;
}

void Tracks::take_slot(Track& track, int64_t begin_ns) {
  if (track.kind == TrackKind::kThread) lane_of_points(track);
  if (track.lane != 0) return;
  Group& slots = group(track);
  size_t slot = 0;
  while (slot < slots.size() && (slots[slot].busy || slots[slot].free_ns > begin_ns)) ++slot;
  if (slot == kMaxSlots) slot = 0;
  if (slot == slots.size()) slots.push_back({new_lane(track), false, INT64_MIN});
  slots[slot].busy = true;
  track.slot = static_cast<uint32_t>(slot) + 1;
}

void Tracks::leave_slot(Track& track, int64_t end_ns) {
  if (track.slot == 0) return;
  Slot& slot = group(track)[track.slot - 1];
  slot.busy = false;
  slot.free_ns = std::max(slot.free_ns, end_ns);
  track.slot = 0;
}

}  // namespace flamelet::formats::perfetto
