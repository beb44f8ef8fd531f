// SPDX-License-Identifier: MIT
//
// engine_memory.h: one block from the engine's allocator, and how it is divided.
#ifndef FLAMELET_PLATFORM_ENGINE_MEMORY_H
#define FLAMELET_PLATFORM_ENGINE_MEMORY_H

#include <stddef.h>

#include <stdint.h>
#include <new>

#include "flamelet/base.h"

namespace flamelet {

// The most that a config may ask for: more is a mistake.
constexpr size_t kMostBytes = size_t{1} << (sizeof(size_t) > 4 ? 40 : 31);

// Walks a block from its start; with base NULL it only measures. What is laid out by one function that takes a Carver
// needs no second function for its size.
class Carver {
 public:
  explicit Carver(char* base) : base_(base) {}

  template <class T>
  T* take(size_t count) {
    return static_cast<T*>(take_bytes(count > kFull / sizeof(T) ? kFull : sizeof(T) * count, alignof(T)));
  }
  // The same, each element value-initialized.
  template <class T>
  T* take_made(size_t count) {
    T* const array = take<T>(count);
    for (size_t i = 0; array != nullptr && i < count; ++i) ::new (array + i) T{};
    return array;
  }
  __attribute__((noinline)) void* take_bytes(size_t bytes, size_t alignment) {
    used_ = (used_ + alignment - 1) & ~(alignment - 1);
    void* at = base_ == nullptr ? nullptr : base_ + used_;
    used_ = used_ > kFull || bytes > kFull - used_ ? kFull : used_ + bytes;
    return at;
  }
  size_t used() const { return used_; }
  bool is_too_much() const { return used_ >= kFull; }

 private:
  static constexpr size_t kFull = SIZE_MAX / 2;  // and not a small sum of much, where a size_t has 32 bits

  char* base_;
  size_t used_ = 0;
};

// The first aligned byte of the caller's memory, which has alignment - 1 bytes to spare.
inline char* aligned_start(void* memory, size_t alignment) {
  const size_t over = reinterpret_cast<uintptr_t>(memory) % alignment;
  return static_cast<char*>(memory) + (over == 0 ? 0 : alignment - over);
}

// What a function that makes something in the caller's memory looks at first; `required_bytes` 0: the config is wrong. *made
// is NULL then.
template <class Made>
flamelet_result check_memory(size_t required_bytes, const void* memory, size_t memory_bytes, Made** made) {
  if (made == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *made = nullptr;
  if (required_bytes == 0 || memory == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  return memory_bytes < required_bytes ? FLAMELET_ERROR_BUDGET_TOO_SMALL : FLAMELET_OK;
}

// What becomes of a large block.
enum class BlockUse {
  kTouchedAtOnce,  // before it is used, so that no page fault comes later. Asks the system for huge pages
  kFilledOnce,     // takes what pages the system has at hand: to make a huge one can take it milliseconds
};

// The allocator of a config: the C library's if it has no functions of its own.
FLAMELET_API flamelet_allocator allocator_or_default(const flamelet_allocator& allocator, BlockUse use);

// A block of the engine's allocator. FLAMELET_ERROR_OUT_OF_MEMORY: it has none. FLAMELET_ERROR_INVALID_ARGUMENT: it is not
// aligned as asked for; it was given back. Then *memory is NULL.
flamelet_result take_memory(const flamelet_allocator& allocator, size_t size, size_t alignment, void** memory);

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_ENGINE_MEMORY_H
