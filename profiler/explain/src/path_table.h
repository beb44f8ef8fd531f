// SPDX-License-Identifier: MIT
//
// path_table.h: call paths by number. A parent has a lower number than its children.
#ifndef FLAMELET_EXPLAIN_SRC_PATH_TABLE_H
#define FLAMELET_EXPLAIN_SRC_PATH_TABLE_H

#include "flamelet/explain.h"
#include "platform/hash_index.h"

namespace flamelet::explain {

constexpr uint32_t kNoIndex = UINT32_MAX;

// What is known of a lane in a frame beside its scopes. It has a number in the table, as a path has.
enum LaneFigure : uint32_t { kLostNs, kMajorFaults, kMinorFaults, kIsKnown };

class PathTable {
 public:
  static constexpr uint32_t kOther = 0;  // stands for all that had no room

  void attach(flamelet_explain_scope* paths, uint32_t capacity, uint32_t* slots) {
    paths_ = paths;
    capacity_ = capacity;
    index_.attach(slots, HashIndex::slots_for(capacity));
    clear();
  }
  void clear() {
    index_.clear();
    paths_[0] = {FLAMELET_NO_PATH, kNoIndex, kNoIndex, kNoIndex};
    count_ = 1;
    is_full_ = false;
  }

  uint32_t of(uint32_t parent, uint32_t site, uint32_t name) { return find_or_add({parent, site, name, kNoIndex}); }
  uint32_t of_lane(uint32_t lane, LaneFigure figure) { return find_or_add({FLAMELET_NO_PATH, kNoIndex, figure, lane}); }
  static bool is_figure(const flamelet_explain_scope& path) { return path.lane != kNoIndex && path.name != kNoIndex; }
  uint32_t outside(uint32_t lane) { return find_or_add({FLAMELET_NO_PATH, kNoIndex, kNoIndex, lane}); }

  uint32_t count() const { return count_; }
  bool is_full() const { return is_full_; }
  const flamelet_explain_scope& operator[](uint32_t path) const { return paths_[path]; }

 private:
  static uint32_t hash_of(const flamelet_explain_scope& path) {
    const uint64_t high = (uint64_t{path.parent} << 32 | path.site) * 0x9E3779B97F4A7C15u;
    const uint64_t low = (uint64_t{path.lane} << 32 | path.name) * 0xC2B2AE3D27D4EB4Fu;
    return static_cast<uint32_t>((high ^ high >> 29 ^ low) >> 32);
  }
  uint32_t find_or_add(const flamelet_explain_scope& path) {
    const uint32_t hash = hash_of(path);
    const uint32_t found = index_.find(hash, [&](uint32_t at) {
      const flamelet_explain_scope& other = paths_[at];
      return other.parent == path.parent && other.site == path.site && other.name == path.name &&
             other.lane == path.lane;
    });
    if (found != HashIndex::kNone) return found;
    if (count_ == capacity_) {
      is_full_ = true;
      return kOther;
    }
    index_.add(hash, count_);
    paths_[count_] = path;
    return count_++;
  }

  flamelet_explain_scope* paths_ = nullptr;
  uint32_t capacity_ = 0, count_ = 0;
  bool is_full_ = false;
  HashIndex index_;
};

}  // namespace flamelet::explain

#endif  // FLAMELET_EXPLAIN_SRC_PATH_TABLE_H
