// SPDX-License-Identifier: MIT
//
// memory.h: the overlay's tables, carved from one block. The same code that carves also measures: run over a null
// block, it returns the size that the block must have, so size and layout cannot disagree. The profiler's own carver and hash
// index are no public headers, so an installed overlay cannot be compiled with them.
#ifndef FLAMELET_OVERLAY_SRC_MEMORY_H
#define FLAMELET_OVERLAY_SRC_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "flamelet/base.h"

namespace flamelet::ui {

// A row of trivial values in memory that somebody else owns. push() says when it is full; nothing grows.
template <typename T>
struct Array {
  T* data = nullptr;
  uint32_t count = 0;
  uint32_t capacity = 0;

  T& operator[](uint32_t i) { return data[i]; }
  const T& operator[](uint32_t i) const { return data[i]; }
  T* begin() { return data; }
  T* end() { return data + count; }
  const T* begin() const { return data; }
  const T* end() const { return data + count; }
  bool empty() const { return count == 0; }
  bool full() const { return count == capacity; }
  void clear() { count = 0; }
  bool push(const T& value) {
    if (count == capacity) return false;
    data[count++] = value;
    return true;
  }
};

class Carver {
 public:
  explicit Carver(void* block) : block_(static_cast<char*>(block)) {}

  // Leaves *array empty, with room for `capacity` values.
  template <typename T>
  void take(Array<T>* array, size_t capacity) {
    array->count = 0;
    array->capacity = static_cast<uint32_t>(capacity);
    array->data = static_cast<T*>(take_bytes(capacity * sizeof(T), alignof(T)));
  }
  void* take_bytes(size_t bytes, size_t alignment) {
    used_ = (used_ + alignment - 1) & ~(alignment - 1);
    void* memory = block_ != nullptr ? block_ + used_ : nullptr;
    used_ += bytes;
    return memory;
  }
  size_t used() const { return used_; }

 private:
  char* block_;
  size_t used_ = 0;
};

// Hash table: values found by a number, in memory that somebody else owns. Open addressing, at most three quarters full.
// A value is a struct with a field `uint64_t key`, which is well mixed already and never 0: 0 marks a free slot.

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

// From the program's allocator, or the C library's.
void* allocate_block(const flamelet_allocator& allocator, size_t size);
void release_block(const flamelet_allocator& allocator, void* block, size_t size);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_MEMORY_H
