// SPDX-License-Identifier: MIT
//
// A plug-in that knows the recorder as a table alone: it links nothing, and is linked with no symbol left undefined. It
// calls every entry. Returns NULL, or what was not as it should be.
#include <string.h>

#include "flamelet/api.h"

#define CHECK(what)            \
  do {                         \
    if (!(what)) return #what; \
  } while (0)

__attribute__((visibility("default"))) const char* plugin_call_every_entry(const flamelet_api* api);

static const char* record(const flamelet_api* api) {
  const flamelet_id outer = api->begin("outer", "plug-in", api->intern("object"));
  CHECK(outer != 0);
  const flamelet_id inner = api->begin("inner", "plug-in", api->intern_bytes("object", 6));
  const flamelet_id second = api->next(inner, "second", "plug-in");
  api->instant("instant", "plug-in", NULL);
  api->counter("counter", "plug-in", 2.5);
  api->end(second);
  api->begin("top", "plug-in", NULL);
  api->end_top();
  api->interval_end(api->interval_begin("interval", "plug-in", NULL));
  api->end(outer);
  api->frame();
  api->frame_named("plug-in's frames");
  api->flow_begin(7);
  api->flow_end(7);
  return NULL;
}

static const char* record_at_sites(const flamelet_api* api) {
  flamelet_site* site = api->site_create("update", "Enemy.update", "enemy.lua", 12, "script", 0);
  CHECK(site == api->site_create("update", "Enemy.update", "enemy.lua", 12, "script", 0));
  flamelet_stats before, after;
  api->get_stats(&before);
  const flamelet_id first = api->site_begin(site);
  CHECK(first != 0);
  const flamelet_id second = api->site_next(first, api->site_create("draw", NULL, NULL, 0, NULL, 0));
  CHECK(second != 0);
  api->site_end(second);
  api->get_stats(&after);
  CHECK(after.events_recorded - before.events_recorded == 3);
  // With the system's clock there is nothing to measure.
  CHECK(api->measure_scope_ns(FLAMELET_SCOPE_KIND_MACRO) > 0 || api->clock_info().kind == FLAMELET_CLOCK_OS);
  CHECK(api->measure_scope_ns(FLAMELET_SCOPE_KINDS) == 0);
  return NULL;
}

static const char* name_and_switch(const flamelet_api* api) {
  api->set_thread_name("plug-in");
  const uint32_t thread = api->thread_id();
  CHECK(thread != 0);
  api->set_track_name(thread, "plug-in, renamed");
  const uint32_t fiber = api->fiber_create("fiber");
  CHECK(fiber != 0);
  api->fiber_switch(0, fiber);
  api->fiber_switch(fiber, 0);
  api->fiber_destroy(fiber);
  api->signal_enter();
  api->signal_leave();
  return NULL;
}

static const char* submit(const flamelet_api* api) {
  const uint32_t track = api->track_create("queue", FLAMELET_TRACK_GPU, 1e9);
  CHECK(track != 0);
  const uint64_t now = api->now_ticks();
  CHECK(now != 0);
  CHECK(api->clock_info().ticks_per_second > 0);
  CHECK(api->track_calibrate(track, 1000, now) == FLAMELET_OK);
  flamelet_event events[2];
  memset(events, 0, sizeof(events));
  events[0].time_ticks = 1000;
  events[0].id = events[1].id = 1;
  events[0].name = "pass";
  events[0].type = 'B';
  events[1].time_ticks = 2000;
  events[1].type = 'E';
  CHECK(api->submit(track, events, 2) == 2);
  api->track_destroy(track);
  return NULL;
}

static const char* read_back(const flamelet_api* api) {
  const flamelet_events_config config = api->events_config_default();
  CHECK(api->events_memory_required(&config) > 0);
  flamelet_events* events = NULL;
  CHECK(api->events_create(&config, &events) == FLAMELET_OK);
  static flamelet_event all[64];
  uint64_t start = 0, counters = 0;
  size_t count = 0;
  CHECK(api->events_copy(events, all, 0, 64, &start, &count) == FLAMELET_OK);
  for (size_t i = 0; i < count; ++i) {
    if (all[i].type == 'C' && api->event_value(&all[i]) == 2.5) ++counters;
  }
  CHECK(start == 0 && counters == 1);
  flamelet_buffer buffer;
  CHECK(api->events_buffer(events, &buffer) == FLAMELET_OK);
  CHECK(buffer.total_recorded == count);
  size_t decoded = 0;
  for (int part = 0; part < 2; ++part) {
    for (size_t i = 0; i < buffer.parts[part].page_count; ++i) {
      const void* page = (const char*)buffer.parts[part].pages + i * FLAMELET_PAGE_BYTES;
      if (!api->events_pin_page(page)) continue;
      decoded += api->events_decode_page(page, NULL, 0);
      api->events_unpin_page(page);
    }
  }
  CHECK(decoded == count);
  api->events_destroy(events);
  return NULL;
}

const char* plugin_call_every_entry(const flamelet_api* api) {
  CHECK(api->version >= FLAMELET_API_VERSION && api->size >= sizeof(flamelet_api));
  flamelet_config config = api->config_default();
  config.max_fibers = 1;
  config.start_disabled = true;
  CHECK(api->memory_required(&config) > 0);
  CHECK(api->init(&config) == FLAMELET_OK);
  CHECK(strcmp(api->result_message(FLAMELET_OK), "ok") == 0);
  CHECK(!api->enabled());
  CHECK(api->begin("off", "plug-in", NULL) == 0);
  api->set_enabled(true);
  CHECK(api->enabled());
  const char* wrong = record(api);
  if (wrong == NULL) wrong = record_at_sites(api);
  if (wrong == NULL) wrong = name_and_switch(api);
  if (wrong == NULL) wrong = submit(api);
  if (wrong == NULL) wrong = read_back(api);
  if (wrong != NULL) return wrong;
  flamelet_stats stats;
  api->get_stats(&stats);
  CHECK(stats.frames == 1 && stats.extra_ends == 0 && stats.fiber_misuse == 0);
  CHECK(api->shutdown() == FLAMELET_OK);
  return NULL;
}
