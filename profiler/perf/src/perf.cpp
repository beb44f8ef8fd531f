// SPDX-License-Identifier: MIT
#include "flamelet/perf.h"

#include "flamelet/detail/fiber_local.h"
#include "record/ring_reader.h"

extern "C" {
__attribute__((used)) __thread flamelet_perf_current_block_ flamelet_perf_current_
    __attribute__((tls_model("initial-exec"))) = {};
}

// Which block an end belongs to moves with its fiber.
static void* current_block() {
  return &FLAMELET_PERF_CURRENT_;
}
static const struct FiberLocal {
  FiberLocal() { flamelet_fiber_local_add_(current_block, sizeof(flamelet_perf_current_block_)); }
  ~FiberLocal() { flamelet_fiber_local_remove_(current_block); }
} fiber_local;

void flamelet_perf_extra_end_(void*) {
  flamelet::count_extra_end();
}
