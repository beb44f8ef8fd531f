// SPDX-License-Identifier: MIT
#include "platform/engine_memory.h"

#include "platform/process.h"

namespace flamelet {
namespace {

void* default_allocate(void*, size_t size, size_t alignment) {
  return allocate_aligned(size, alignment);
}
void* default_allocate_huge(void*, size_t size, size_t alignment) {
  return allocate_huge_pages(size, alignment);
}
void default_free(void*, void* memory, size_t, size_t) {
  free_aligned(memory);
}

}  // namespace

flamelet_allocator allocator_or_default(const flamelet_allocator& allocator, BlockUse use) {
  if (allocator.allocate != nullptr) return allocator;
  return {use == BlockUse::kTouchedAtOnce ? default_allocate_huge : default_allocate, default_free, nullptr};
}

flamelet_result take_memory(const flamelet_allocator& allocator, size_t size, size_t alignment, void** memory) {
  *memory = allocator.allocate(allocator.user, size, alignment);
  if (*memory == nullptr) return FLAMELET_ERROR_OUT_OF_MEMORY;
  if (reinterpret_cast<uintptr_t>(*memory) % alignment == 0) return FLAMELET_OK;
  allocator.free(allocator.user, *memory, size, alignment);
  *memory = nullptr;
  return FLAMELET_ERROR_INVALID_ARGUMENT;
}

}  // namespace flamelet
