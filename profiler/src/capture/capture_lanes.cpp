// SPDX-License-Identifier: MIT
#include "capture/capture_lanes.h"

#include "record/default_name.h"

namespace flamelet {
namespace {

uint32_t hash_of_lane(uint32_t id, bool fiber) {
  return hash_of_key(uint64_t{id} << 1 | (fiber ? 1u : 0u));
}

}  // namespace

void LaneTable::attach(Lane* lanes, uint32_t max_lanes, uint32_t* slots) {
  lanes_ = lanes;
  max_lanes_ = max_lanes;
  index_.attach(slots, HashIndex::slots_for(max_lanes));
  clear();
}

void LaneTable::clear() {
  count_ = 0;
  hand_ = 0;
  index_.clear();
}

uint32_t LaneTable::find(uint32_t id, bool fiber) const {
  return index_.find(hash_of_lane(id, fiber),
                     [&](uint32_t lane) { return lanes_[lane].id == id && is_fiber(lanes_[lane]) == fiber; });
}

uint32_t LaneTable::add(uint32_t id, flamelet_lane_kind kind, uint32_t instead) {
  if (full()) index_.remove(instead, [this](uint32_t at) { return hash_of_lane(lanes_[at].id, is_fiber(lanes_[at])); });
  const uint32_t lane = full() ? instead : count_++;
  Lane& added = lanes_[lane];
  added = Lane();
  added.id = id;
  added.kind = kind;
  added.alive = true;
  write_default_name(added.default_name, kind, id);
  index_.add(hash_of_lane(id, is_fiber(added)), lane);
  return lane;
}

void LaneTable::set_kind(uint32_t lane, flamelet_lane_kind kind) {
  lanes_[lane].kind = kind;
  write_default_name(lanes_[lane].default_name, kind, lanes_[lane].id);
}

}  // namespace flamelet
