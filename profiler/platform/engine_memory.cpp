// SPDX-License-Identifier: MIT
#include "platform/engine_memory.h"

#include "platform/aligned_memory.h"

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

}  // namespace flamelet
