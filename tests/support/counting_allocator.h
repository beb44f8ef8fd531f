// SPDX-License-Identifier: MIT
//
// counting_allocator.h: an allocator that counts what it hands out and gets back, and gives nothing when it is told to.
#pragma once

#include <cstddef>
#include <cstdint>

#include "flamelet/recorder.h"
#include "platform/process.h"

namespace recorder_test {

// For one thread at a time.
struct CountingAllocator {
  size_t blocks_left = SIZE_MAX;
  bool misaligns = false;  // gives memory that is half as aligned as it was asked for
  size_t allocations = 0, frees = 0;
  size_t bytes = 0, freed_bytes = 0;

  size_t blocks_held() const { return allocations - frees; }
  size_t bytes_held() const { return bytes - freed_bytes; }

  flamelet_allocator get() {
    return {[](void* user, size_t size, size_t alignment) -> void* {
              auto* self = static_cast<CountingAllocator*>(user);
              if (self->blocks_left == 0) return nullptr;
              --self->blocks_left;
              ++self->allocations;
              self->bytes += size;
              if (!self->misaligns) return flamelet::allocate_aligned(size, alignment);
              return static_cast<char*>(flamelet::allocate_aligned(size + alignment, alignment)) + alignment / 2;
            },
            [](void* user, void* memory, size_t size, size_t alignment) {
              auto* self = static_cast<CountingAllocator*>(user);
              ++self->frees;
              self->freed_bytes += size;
              flamelet::free_aligned(static_cast<char*>(memory) - reinterpret_cast<uintptr_t>(memory) % alignment);
            },
            this};
  }
};

}  // namespace recorder_test
