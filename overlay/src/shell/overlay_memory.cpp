// SPDX-License-Identifier: MIT
#include "shell/overlay_memory.h"

#include <stdint.h>

#include "platform/system.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

namespace {

void* capture_allocate(void* user, size_t size, size_t alignment) {
  OverlayMemory& memory = *static_cast<OverlayMemory*>(user);
  if (memory.rest == nullptr) return allocate_block(memory.allocator, size);
  const uintptr_t address = reinterpret_cast<uintptr_t>(memory.rest);
  const size_t padding = (alignment - address % alignment) % alignment;
  if (padding + size > memory.rest_bytes) return nullptr;
  char* taken = memory.rest + padding;
  memory.rest = nullptr;
  return taken;
}

void capture_free(void* user, void* memory, size_t size, size_t) {
  const OverlayMemory& overlay = *static_cast<OverlayMemory*>(user);
  const char* block = static_cast<char*>(overlay.block);
  const char* at = static_cast<char*>(memory);
  if (at < block || at >= block + overlay.block_bytes) release_block(overlay.allocator, memory, size);
}

}  // namespace

void* allocate_block(const flamelet_allocator& allocator, size_t size) {
  constexpr size_t kAlignment = OverlayMemory::kAlignment;
  if (allocator.allocate != nullptr) return allocator.allocate(allocator.user, size, kAlignment);
  return allocate_aligned(size, kAlignment);
}

void release_block(const flamelet_allocator& allocator, void* block, size_t size) {
  if (allocator.free != nullptr)
    allocator.free(allocator.user, block, size, OverlayMemory::kAlignment);
  else
    free_aligned(block);
}

flamelet_allocator OverlayMemory::capture_allocator() {
  return {capture_allocate, capture_free, this};
}

}  // namespace flamelet::ui
