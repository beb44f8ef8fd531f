// SPDX-License-Identifier: MIT
#include "platform/engine_memory.h"

#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace flamelet {
namespace {

void* default_allocate(void*, size_t size, size_t alignment) {
#if defined(_WIN32)
  return _aligned_malloc(size, alignment);
#else
  void* memory = nullptr;  // exactly that large, unlike aligned_alloc()'s: AddressSanitizer sees its end
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
#endif
}
void* allocate_huge_pages(void* user, size_t size, size_t alignment) {
#if defined(__linux__)
  // Touching 32 MiB takes 16 page faults instead of 8192.
  constexpr size_t kHugePageBytes = size_t{2} << 20;
  if (size >= kHugePageBytes && alignment <= kHugePageBytes) {
    void* memory = default_allocate(user, size, kHugePageBytes);
    if (memory != nullptr) madvise(memory, size & ~(kHugePageBytes - 1), MADV_HUGEPAGE);
    return memory;
  }
#endif
  return default_allocate(user, size, alignment);
}
void default_free(void*, void* memory, size_t, size_t) {
#if defined(_WIN32)
  _aligned_free(memory);
#else
  free(memory);
#endif
}

}  // namespace

flamelet_allocator allocator_or_default(const flamelet_allocator& allocator, BlockUse use) {
  if (allocator.allocate != nullptr) return allocator;
  return {use == BlockUse::kTouchedAtOnce ? allocate_huge_pages : default_allocate, default_free, nullptr};
}

}  // namespace flamelet
