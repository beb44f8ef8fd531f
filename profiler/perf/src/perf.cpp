// SPDX-License-Identifier: MIT
#include "flamelet/perf.h"

#include "flamelet/detail/fiber_local.h"
#include "record/ring_reader.h"

#ifdef __ELF__
extern "C" {
__attribute__((used)) __thread flamelet_perf_blocks_ flamelet_perf_open_
    __attribute__((tls_model("initial-exec"))) = {};
}
#else
flamelet_perf_blocks_* flamelet_perf_open_call_(void) {
  static thread_local flamelet_perf_blocks_ open = {};
  return &open;
}
#endif

// Which block an end belongs to moves with its fiber.
static_assert(sizeof(flamelet_perf_blocks_) <= FLAMELET_SMALL_FIBER_LOCAL_BYTES_, "a slot holds it");
static void* open_blocks() {
  return &FLAMELET_PERF_OPEN_;
}
static const struct OpenBlocksOfFiber {
  OpenBlocksOfFiber() { flamelet_fiber_local_add_(open_blocks, sizeof(flamelet_perf_blocks_), nullptr); }
  ~OpenBlocksOfFiber() { flamelet_fiber_local_remove_(open_blocks); }
} fiber_local;

void flamelet_perf_extra_end_(void*) {
  flamelet::count_extra_end();
}
