// SPDX-License-Identifier: MIT
//
// memory.h: the overlay's tables, carved from one block. The same code that carves also measures: run over a null
// block, it returns the size that the block must have, so size and layout cannot disagree. The profiler's own carver and hash
// index are no public headers, so an installed overlay cannot be compiled with them.
#ifndef FLAMELET_OVERLAY_SRC_MEMORY_H
#define FLAMELET_OVERLAY_SRC_MEMORY_H

#include <stddef.h>
#include <stdint.h>

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

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_MEMORY_H
