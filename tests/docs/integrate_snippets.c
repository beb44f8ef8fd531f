// SPDX-License-Identifier: MIT
#include "docs/integrate_snippets.h"

#include <errno.h>
#include <flamelet/capture_file.h>
#include <flamelet/flamelet.h>
#include <stdio.h>
#include <stdlib.h>

int guide_blocks = 0;

static void* my_allocate(void* user, size_t size, size_t alignment) {
  ++*(int*)user;
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
static void my_free(void* user, void* memory, size_t size, size_t alignment) {
  (void)size, (void)alignment;
  --*(int*)user;
  free(memory);
}
static int* const my_heap = &guide_blocks;
static void log_error(const char* format, const char* text) {
  fprintf(stderr, format, text);
}

flamelet_result guide_start(void) {
#include "integrate/start.inc"
  return result;
}

static size_t spans_used;
static void use_spans(const flamelet_span* spans, size_t count) {
  (void)spans;
  spans_used += count;
}

size_t guide_read(void) {
  spans_used = 0;
#include "integrate/read.inc"
  return spans_used;
}

size_t guide_submit(flamelet_id cpu_scope, uint64_t gpu_begin, uint64_t gpu_end, uint64_t gpu_now) {
  const double timestamps_per_second = 1e9;
#include "integrate/submit.inc"
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  return stats.dropped_submit;
}

flamelet_result guide_keep_ring(const char* ring_path, const char* crash_path) {
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = 4u << 20;
#include "integrate/ring.inc"
  return result;
}
