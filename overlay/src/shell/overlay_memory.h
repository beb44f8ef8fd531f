// SPDX-License-Identifier: MIT
//
// overlay_memory.h: the one block of an overlay. The overlay lies at its start, its tables behind it, and its own capture
// takes the rest.
#ifndef FLAMELET_OVERLAY_SRC_OVERLAY_MEMORY_H
#define FLAMELET_OVERLAY_SRC_OVERLAY_MEMORY_H

#include <stddef.h>

#include "flamelet/recorder.h"

namespace flamelet::ui {

struct OverlayMemory {
  static constexpr size_t kAlignment = FLAMELET_PAGE_BYTES;  // what a capture asks for

  flamelet_allocator allocator = {};
  void* block = nullptr;
  size_t block_bytes = 0;
  char* rest = nullptr;  // what the tables leave of the block, until the capture takes it
  size_t rest_bytes = 0;

  // For the overlay's own capture. The capture itself lies in the rest of the block. What it asks for later, to be saved,
  // comes from the program's allocator, on whichever thread saves it.
  flamelet_allocator capture_allocator();
};

// From the program's allocator, or the C library's.
void* allocate_block(const flamelet_allocator& allocator, size_t size);
void release_block(const flamelet_allocator& allocator, void* block, size_t size);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_OVERLAY_MEMORY_H
