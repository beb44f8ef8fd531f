// SPDX-License-Identifier: MIT
//
// hash_table.h: values found by a number, in memory that somebody else owns. Open addressing, at most three quarters full.
// A value is a struct with a field `uint64_t key`, which is well mixed already and never 0: 0 marks a free slot.
#ifndef FLAMELET_OVERLAY_SRC_HASH_TABLE_H
#define FLAMELET_OVERLAY_SRC_HASH_TABLE_H

#include "content/memory.h"

namespace flamelet::ui {

template <typename Value>
class HashTable {
 public:
  void carve(Carver* carver, uint32_t slots) {
    carver->take(&slots_, slots);
    if (slots_.data != nullptr) clear();
  }
  void clear() {
    slots_.count = slots_.capacity;
    for (Value& slot : slots_) slot = Value{};
    count_ = 0;
  }
  // NULL if it is not there.
  const Value* find(uint64_t key) const {
    const Value& slot = slots_[slot_of(key)];
    return slot.key == key ? &slot : nullptr;
  }
  // The one that is there, or a new one with nothing but its key; NULL if the table is full.
  Value* insert(uint64_t key) {
    Value& slot = slots_[slot_of(key)];
    if (slot.key == key) return &slot;
    if (count_ >= slots_.capacity / 4 * 3) return nullptr;
    slot = Value{};
    slot.key = key;
    ++count_;
    return &slot;
  }
  void erase(uint64_t key) {
    uint32_t slot = slot_of(key);
    if (slots_[slot].key != key) return;
    slots_[slot] = Value{};
    --count_;
    // What was pushed on by it moves up, so that no search ends early.
    for (slot = (slot + 1) % slots_.capacity; slots_[slot].key != 0; slot = (slot + 1) % slots_.capacity) {
      const Value moved = slots_[slot];
      slots_[slot] = Value{};
      slots_[slot_of(moved.key)] = moved;
    }
  }

 private:
  // Where the key is, or would be. There is always a free slot.
  uint32_t slot_of(uint64_t key) const {
    uint32_t slot = static_cast<uint32_t>((key ^ key >> 32) % slots_.capacity);
    while (slots_[slot].key != 0 && slots_[slot].key != key) slot = (slot + 1) % slots_.capacity;
    return slot;
  }

  Array<Value> slots_;
  uint32_t count_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_HASH_TABLE_H
