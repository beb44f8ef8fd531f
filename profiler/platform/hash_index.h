// SPDX-License-Identifier: MIT
//
// hash_index.h: finds the entries of a table by their hash. The table is the user's; the index keeps the entries'
// positions, in memory of the user's. Open addressing; more slots than entries, so that every search ends.
#ifndef FLAMELET_PLATFORM_HASH_INDEX_H
#define FLAMELET_PLATFORM_HASH_INDEX_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "flamelet/detail/hash.h"

namespace flamelet {

// The high halves, which are the better ones.
constexpr uint32_t hash_of_key(uint64_t key) {
  return static_cast<uint32_t>(spread_key(key) >> 32);
}
constexpr uint32_t hash_of_text(const char* text, size_t size) {
  return static_cast<uint32_t>(fnv_of_text(text, size) >> 32);
}

class HashIndex {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // At most half full, so that a search ends soon.
  static constexpr uint32_t slots_for(uint32_t max_entries) { return 2 * max_entries + 1; }

  void attach(uint32_t* slots, uint32_t slot_count) {
    slots_ = slots;
    slot_count_ = slot_count;
    clear();
  }
  void clear() { memset(slots_, 0, slot_count_ * sizeof *slots_); }

  // The position of the entry with this hash for which is_it(position) is true, or kNone.
  template <class IsIt>
  uint32_t find(uint32_t hash, IsIt is_it) const {
    for (uint32_t slot = slot_of(hash); slots_[slot] != 0; slot = next(slot))
      if (is_it(slots_[slot] - 1)) return slots_[slot] - 1;
    return kNone;
  }
  // The entry must not be in it yet.
  void add(uint32_t hash, uint32_t position) {
    uint32_t slot = slot_of(hash);
    while (slots_[slot] != 0) slot = next(slot);
    slots_[slot] = position + 1;
  }
  // The entry must be in it. hash_of(position) is any entry's hash.
  template <class HashOf>
  void remove(uint32_t position, HashOf hash_of) {
    uint32_t hole = slot_of(hash_of(position));
    while (slots_[hole] != position + 1) hole = next(hole);
    // Entries behind it move up, unless that would be in front of where a search for them begins.
    for (uint32_t slot = next(hole); slots_[slot] != 0; slot = next(slot)) {
      if (distance(slot_of(hash_of(slots_[slot] - 1)), slot) < distance(hole, slot)) continue;
      slots_[hole] = slots_[slot];
      hole = slot;
    }
    slots_[hole] = 0;
  }

 private:
  // The high part of a product, and no remainder: an index may have any size, so memory is linear in the limits.
  uint32_t slot_of(uint32_t hash) const { return static_cast<uint32_t>((uint64_t{hash} * slot_count_) >> 32); }
  uint32_t next(uint32_t slot) const { return slot + 1 == slot_count_ ? 0 : slot + 1; }
  uint32_t distance(uint32_t from, uint32_t to) const { return to >= from ? to - from : to + slot_count_ - from; }

  uint32_t* slots_ = nullptr;  // position + 1; 0 = free
  uint32_t slot_count_ = 0;
};

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_HASH_INDEX_H
