// SPDX-License-Identifier: MIT
#include "capture/capture_lanes.h"

#include <string.h>

namespace flamelet {
namespace {

bool is_fiber(const Lane& lane) {
  return lane.kind == FLAMELET_LANE_FIBER;
}

// "thread 3", without the locale that printf would bring in.
void write_default_name(char* text, flamelet_lane_kind kind, uint32_t id) {
  static const char* const words[] = {"thread ", "GPU ", "external ", "fiber "};
  const char* word = words[kind];
  while (*word != 0) *text++ = *word++;
  char digits[10];
  uint32_t count = 0;
  do {
    digits[count++] = static_cast<char>('0' + id % 10);
    id /= 10;
  } while (id != 0);
  while (count != 0) *text++ = digits[--count];
  *text = 0;
}

}  // namespace

uint32_t LaneTable::bucket_count(uint32_t max_lanes) {
  uint32_t buckets = 16;
  while (buckets / 2 < max_lanes) buckets *= 2;
  return buckets;
}

void LaneTable::attach(Lane* lanes, uint32_t max_lanes, uint32_t* buckets) {
  lanes_ = lanes;
  max_lanes_ = max_lanes;
  buckets_ = buckets;
  mask_ = bucket_count(max_lanes) - 1;
  clear();
}

void LaneTable::clear() {
  count_ = 0;
  hand_ = 0;
  memset(buckets_, 0, (size_t{mask_} + 1) * sizeof(uint32_t));
}

uint32_t LaneTable::bucket_of(uint32_t id, bool fiber) const {
  // Ids are dense, so neighbours fall into different buckets without a mixer (Fibonacci hashing).
  return static_cast<uint32_t>(((uint64_t{id} << 1 | (fiber ? 1u : 0u)) * 0x9E3779B97F4A7C15u) >> 32) & mask_;
}

uint32_t LaneTable::find(uint32_t id, bool fiber) const {
  for (uint32_t i = bucket_of(id, fiber); buckets_[i] != 0; i = (i + 1) & mask_) {
    const Lane& lane = lanes_[buckets_[i] - 1];
    if (lane.id == id && is_fiber(lane) == fiber) return buckets_[i] - 1;
  }
  return kNoLane;
}

void LaneTable::insert(uint32_t lane) {
  uint32_t i = bucket_of(lanes_[lane].id, is_fiber(lanes_[lane]));
  while (buckets_[i] != 0) i = (i + 1) & mask_;
  buckets_[i] = lane + 1;
}

void LaneTable::erase(uint32_t lane) {
  uint32_t hole = bucket_of(lanes_[lane].id, is_fiber(lanes_[lane]));
  while (buckets_[hole] != lane + 1) hole = (hole + 1) & mask_;
  // Entries behind it move up, unless that would be in front of where a search for them begins.
  for (uint32_t i = (hole + 1) & mask_; buckets_[i] != 0; i = (i + 1) & mask_) {
    const Lane& moved = lanes_[buckets_[i] - 1];
    const uint32_t home = bucket_of(moved.id, is_fiber(moved));
    if (((i - home) & mask_) < ((i - hole) & mask_)) continue;
    buckets_[hole] = buckets_[i];
    hole = i;
  }
  buckets_[hole] = 0;
}

uint32_t LaneTable::add(uint32_t id, flamelet_lane_kind kind, uint32_t instead) {
  if (full()) erase(instead);
  const uint32_t lane = full() ? instead : count_++;
  Lane& added = lanes_[lane];
  added = Lane();
  added.id = id;
  added.kind = kind;
  added.alive = true;
  write_default_name(added.default_name, kind, id);
  insert(lane);
  return lane;
}

void LaneTable::set_kind(uint32_t lane, flamelet_lane_kind kind) {
  lanes_[lane].kind = kind;
  write_default_name(lanes_[lane].default_name, kind, lanes_[lane].id);
}

}  // namespace flamelet
