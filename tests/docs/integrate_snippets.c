// SPDX-License-Identifier: MIT
#include "docs/integrate_snippets.h"

#include <errno.h>
#include <flamelet/capture_file.h>
#include <flamelet/events.h>
#include <flamelet/flamelet.h>
#include <stdio.h>
#include <stdlib.h>

int guide_blocks = 0;

#ifdef _WIN32
#include <malloc.h>
#define aligned_alloc(alignment, size) _aligned_malloc(size, alignment)
#define free _aligned_free
#endif

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

typedef struct Audio {
  bool paused;
  int calls;
} Audio;
static void decode(Audio* audio, int samples) {
  audio->calls += samples > 0 ? 1 : 0;
}
static void wait_for_device(Audio* audio) {
  ++audio->calls;
}
#include "integrate/handles.inc"

int guide_mix(bool paused, int samples) {
  Audio audio = {paused, 0};
  const int mixed = mix_audio(&audio, samples);
  return audio.calls == (paused ? 0 : 2) ? mixed : -1;
}

static size_t events_sent;
static void send_events(const flamelet_event* events, size_t count) {
  for (size_t i = 0; i < count; ++i) events_sent += events[i].type == 'B' ? 1 : 0;
}
#include "integrate/ship.inc"

size_t guide_ship(void) {
  const flamelet_events_config config = flamelet_events_config_default();
  Shipper shipper = {NULL, 0, 0};
  events_sent = 0;
  if (flamelet_events_create(&config, &shipper.events) != FLAMELET_OK) return 0;
  ship_events(&shipper);
  ship_events(&shipper);
  flamelet_events_destroy(shipper.events);
  return shipper.lost == 0 ? events_sent : 0;
}

flamelet_result guide_keep_ring(const char* ring_path, const char* crash_path) {
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = 4u << 20;
#include "integrate/ring.inc"
  return result;
}
