// SPDX-License-Identifier: MIT
//
// What a program in plain C11 does with Flamelet: start, record, read back, stop. Every consumer test compiles this
// file its own way. Exits with 0 when what was recorded is what is read.
#include <flamelet/capture.h>
#include <flamelet/flamelet.h>

#include <stdio.h>
#include <string.h>

#define FRAMES 3

static int add(int a, int b) {
  FLAMELET_BEGIN_FUNCTION();
  FLAMELET_INSTANT("adding");
  return FLAMELET_END_FUNCTION_VALUE(a + b);
}

static void frame(int number) {
  FLAMELET_BEGIN_LOCAL(work);
  const flamelet_id physics = flamelet_begin("physics", "game", flamelet_intern("world"));
  const int sum = add(number, 1);
  FLAMELET_COUNTER("sum", sum);
  flamelet_end(physics);
  FLAMELET_END_LOCAL(work);
  FLAMELET_FRAME();
}

static int fail(const char* what, flamelet_result result) {
  fprintf(stderr, "%s: %s\n", what, flamelet_result_message(result));
  return 1;
}

// Counts the spans with this name on a lane.
static size_t count_spans(const flamelet_capture* capture, size_t lane, const char* name) {
  flamelet_span spans[64];
  const size_t capacity = sizeof(spans) / sizeof(spans[0]);
  size_t total = 0;
  flamelet_capture_read_spans(capture, lane, 0, INT64_MAX, spans, capacity, &total);
  if (total > capacity) total = capacity;
  size_t count = 0;
  for (size_t i = 0; i < total; ++i) {
    if (strcmp(flamelet_capture_string(capture, spans[i].name).text, name) == 0) ++count;
  }
  return count;
}

int main(void) {
  const flamelet_config config = flamelet_config_default();
  flamelet_result result = flamelet_init(&config);
  if (result != FLAMELET_OK) return fail("init", result);

  flamelet_set_thread_name("main");
  for (int i = 0; i < FRAMES; ++i) frame(i);

  const flamelet_capture_config capture_config = flamelet_capture_config_default();
  flamelet_capture* capture = NULL;
  result = flamelet_capture_create(&capture_config, &capture);
  if (result != FLAMELET_OK) return fail("capture", result);
  result = flamelet_capture_update(capture);
  if (result != FLAMELET_OK) return fail("update", result);

  flamelet_stats stats;
  flamelet_get_stats(&stats);
  const size_t lanes = flamelet_capture_lane_count(capture);
  const size_t work = lanes ? count_spans(capture, 0, "work") : 0;
  const size_t physics = lanes ? count_spans(capture, 0, "physics") : 0;
  const size_t function = lanes ? count_spans(capture, 0, "add") : 0;
  printf("%llu frames, %zu lanes, %zu + %zu + %zu spans\n", (unsigned long long)stats.frames, lanes, work, physics,
         function);

  flamelet_capture_destroy(capture);
  result = flamelet_shutdown();
  if (result != FLAMELET_OK) return fail("shutdown", result);
#ifdef FLAMELET_DISABLED
  return stats.frames == 0 && work == 0 && physics == FRAMES && function == 0 ? 0 : 1;
#else
  return stats.frames == FRAMES && work == FRAMES && physics == FRAMES && function == FRAMES ? 0 : 1;
#endif
}
