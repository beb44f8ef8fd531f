// SPDX-License-Identifier: MIT
//
// capture_builder.cpp: writes events of other tools into pages, one open page for each lane, and hands the pages to the
// capture as they fill, so that its own checks, limits and eviction hold here too.
#include "flamelet/capture_builder.h"

#include <string.h>

#include <new>

#include "capture_data.h"
#include "engine_memory.h"
#include "intern_table.h"

using namespace flamelet;

namespace {

// What becomes of the words of a lane before the capture takes them.
struct OpenPage {
  Page page;
  uint64_t open[FLAMELET_MAX_DEPTH];  // begin words, strings with the high ticks
  uint64_t strings[FLAMELET_MAX_DEPTH];
  uint64_t ticket;
  uint64_t now_ticks;
  uint64_t events;
  uint64_t too_deep;  // begins that were dropped and not ended yet
  uint32_t words;
  uint32_t depth;
  uint32_t name;
  flamelet_lane_kind kind;
};

constexpr uint32_t kEmpty = 0;

}  // namespace

struct flamelet_capture_builder {
  flamelet_capture* capture;
  flamelet_allocator allocator;
  size_t bytes;
  flamelet_capture_builder_stats stats;
  uint64_t next_ticket;
  uint32_t max_lanes;
  uint32_t lane_count;
  OpenPage** lanes;  // made one by one, as few traces have as many as the config allows
  InternTable strings;
  InternTable sites;
};

namespace {

size_t lay_out(const flamelet_capture_config& config, char* base, flamelet_capture_builder** builder) {
  Carver carver(base);
  auto* at = carver.take<flamelet_capture_builder>(1);
  auto** lanes = carver.take<OpenPage*>(config.max_tracks);
  // Each entry takes its size, 9 bytes more, and is rounded up.
  const size_t text_bytes = config.string_bytes + size_t{config.max_strings} * 16;
  const size_t site_bytes = size_t{config.max_sites} * (sizeof(SiteRecord) + 16);
  void* strings = carver.take_bytes(InternTable::required_bytes(config.max_strings, text_bytes), 64);
  void* sites = carver.take_bytes(InternTable::required_bytes(config.max_sites, site_bytes), 64);
  if (base != nullptr) {
    *builder = new (at) flamelet_capture_builder();
    (*builder)->lanes = lanes;
    (*builder)->strings.create(strings, config.max_strings, text_bytes);
    (*builder)->sites.create(sites, config.max_sites, site_bytes);
  }
  return carver.used();
}

OpenPage* lane_at(flamelet_capture_builder* builder, uint32_t lane, bool nested) {
  if (builder == nullptr) return nullptr;
  if (lane == 0 || lane > builder->lane_count || (builder->lanes[lane - 1]->kind == FLAMELET_LANE_THREAD) != nested) {
    ++builder->stats.dropped_lane;
    return nullptr;
  }
  return builder->lanes[lane - 1];
}

uint64_t ticks_of(flamelet_capture_builder* builder, int64_t time_ns) {
  if (time_ns >= 0) return static_cast<uint64_t>(time_ns);
  ++builder->stats.time_clamped;
  return 0;
}

// The name and kind are settled with every page: the capture may have given the lane's place away meanwhile.
void hand_over(flamelet_capture_builder* builder, OpenPage* lane, bool closed) {
  flamelet_capture* capture = builder->capture;
  PageHeader& header = lane->page.header;
  header.last_ticks = lane->now_ticks;
  header.event_count = static_cast<uint32_t>(lane->events - header.first_event);
  add_part(capture, {lane->ticket, &header, lane->page.words, 0, lane->words, closed});
  const uint32_t index = capture->lanes.find(header.track, false);
  if (index == kNoLane) return;
  capture->lanes[index].name = lane->name;
  capture->lanes.set_kind(index, lane->kind);
}

void begin_page(flamelet_capture_builder* builder, OpenPage* lane, uint64_t ticks) {
  PageHeader& header = lane->page.header;
  lane->ticket = builder->next_ticket++;
  header.base_ticks = ticks;
  header.first_event = lane->events;
  header.open_count = lane->depth;
  for (uint32_t i = 0; i < lane->depth; ++i) {
    lane->page.words[2 * i] = lane->open[i];
    lane->page.words[2 * i + 1] = lane->strings[i];
  }
  lane->words = 2 * lane->depth;
}

// The time of an event that may not go back, with room for its words.
uint64_t reserve(flamelet_capture_builder* builder, OpenPage* lane, uint64_t ticks, uint32_t words) {
  if (ticks < lane->now_ticks) {
    ticks = lane->now_ticks;
    ++builder->stats.time_clamped;
  }
  if (lane->ticket == 0) {
    begin_page(builder, lane, ticks);
  } else if (kPageWords - lane->words < words || ticks - lane->page.header.base_ticks > kMaxPageAgeTicks) {
    hand_over(builder, lane, true);
    begin_page(builder, lane, ticks);
  }
  lane->now_ticks = ticks;
  ++lane->events;
  ++builder->stats.events;
  return ticks;
}

void push(OpenPage* lane, uint64_t word) {
  lane->page.words[lane->words++] = word;
}

}  // namespace

flamelet_result flamelet_capture_builder_create(const flamelet_capture_config* config,
                                                flamelet_capture_builder** result) {
  if (result == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *result = nullptr;
  flamelet_capture* capture = nullptr;
  const flamelet_result created = flamelet_capture_create(config, &capture);
  if (created != FLAMELET_OK) return created;
  const flamelet_allocator allocator = capture->config.allocator;
  const size_t bytes = lay_out(*config, nullptr, nullptr);
  char* memory = static_cast<char*>(allocator.allocate(allocator.user, bytes, 64));
  if (memory == nullptr) {
    flamelet_capture_destroy(capture);
    return FLAMELET_ERROR_OUT_OF_MEMORY;
  }
  flamelet_capture_builder* builder = nullptr;
  lay_out(*config, memory, &builder);
  builder->capture = capture;
  builder->allocator = allocator;
  builder->bytes = bytes;
  builder->next_ticket = 1;
  builder->max_lanes = config->max_tracks;
  flamelet_clock clock = {};
  clock.kind = FLAMELET_CLOCK_INJECTED;
  clock.rate_is_final = true;
  clock.ticks_per_second = 1e9;
  set_clock(capture, clock);
  flamelet_capture_builder_string(builder, "", 0);
  const uint32_t overflow = flamelet_capture_builder_string(builder, "(overflow)", 10);
  flamelet_capture_builder_site(builder, overflow, kEmpty, kEmpty, kEmpty, 0, 0);
  *result = builder;
  return FLAMELET_OK;
}

void flamelet_capture_builder_destroy(flamelet_capture_builder* builder) {
  if (builder == nullptr) return;
  const flamelet_allocator allocator = builder->allocator;
  for (uint32_t i = 0; i < builder->lane_count; ++i)
    allocator.free(allocator.user, builder->lanes[i], sizeof(OpenPage), alignof(OpenPage));
  flamelet_capture_destroy(builder->capture);
  allocator.free(allocator.user, builder, builder->bytes, 64);
}

void flamelet_capture_builder_finish(flamelet_capture_builder* builder, flamelet_capture** capture) {
  if (capture != nullptr) *capture = nullptr;
  if (builder == nullptr) return;
  for (uint32_t i = 0; i < builder->lane_count; ++i) {
    if (builder->lanes[i]->ticket != 0) hand_over(builder, builder->lanes[i], false);
  }
  if (capture != nullptr) {
    *capture = builder->capture;
    (*capture)->is_loaded = true;  // like one from a file: no recorder stands behind it
    builder->capture = nullptr;
  }
  flamelet_capture_builder_destroy(builder);
}

void flamelet_capture_builder_get_stats(const flamelet_capture_builder* builder,
                                        flamelet_capture_builder_stats* stats) {
  if (stats != nullptr) *stats = builder == nullptr ? flamelet_capture_builder_stats{} : builder->stats;
}

uint32_t flamelet_capture_builder_string(flamelet_capture_builder* builder, const char* text, size_t size) {
  if (builder == nullptr || text == nullptr) return kEmpty;
  if (size > InternTable::kMaxSize) size = InternTable::kMaxSize;
  const uint32_t id = builder->strings.intern(text, size);
  StringCopies& copies = builder->capture->strings;
  if (id != InternTable::kFull && (copies.has(id) || copies.put(id, {text, size}))) return id;
  ++builder->stats.names_dropped;
  return kEmpty;
}

uint32_t flamelet_capture_builder_site(flamelet_capture_builder* builder, uint32_t name, uint32_t category,
                                       uint32_t file, uint32_t function, uint32_t line, uint32_t color) {
  if (builder == nullptr) return 0;
  const SiteRecord record = {name, category, file, function, line, color};
  const uint32_t id = builder->sites.intern(&record, sizeof record);
  SiteCopies& copies = builder->capture->sites;
  if (id <= FLAMELET_MAX_SITES && (copies.has(id) || copies.put(id, record))) return id;
  ++builder->stats.names_dropped;
  return 0;
}

uint32_t flamelet_capture_builder_lane(flamelet_capture_builder* builder, flamelet_lane_kind kind, uint32_t name) {
  if (builder == nullptr) return 0;
  void* memory = nullptr;
  if (builder->lane_count < builder->max_lanes)
    memory = builder->allocator.allocate(builder->allocator.user, sizeof(OpenPage), alignof(OpenPage));
  if (memory == nullptr) {
    ++builder->stats.names_dropped;
    return 0;
  }
  memset(memory, 0, sizeof(OpenPage));
  OpenPage* lane = static_cast<OpenPage*>(memory);
  lane->kind = kind == FLAMELET_LANE_GPU || kind == FLAMELET_LANE_EXTERNAL ? kind : FLAMELET_LANE_THREAD;
  lane->name = name;
  builder->lanes[builder->lane_count++] = lane;
  lane->page.header.track = builder->lane_count;
  // The lanes stand in the order in which they were made, whichever has the first event.
  const uint32_t index = lane_for(builder->capture, builder->lane_count, lane->kind);
  if (index != kNoLane) builder->capture->lanes[index].name = name;
  return builder->lane_count;
}

flamelet_id flamelet_capture_builder_begin(flamelet_capture_builder* builder, uint32_t lane_id, int64_t time_ns,
                                           uint32_t site, uint32_t name, uint32_t object) {
  OpenPage* lane = lane_at(builder, lane_id, true);
  if (lane == nullptr) return 0;
  if (lane->depth == FLAMELET_MAX_DEPTH) {
    ++lane->too_deep;
    ++builder->stats.dropped_depth;
    return 0;
  }
  const uint64_t strings = make_strings(name & kMaxStringId, object & kMaxStringId);
  const WordType type = strings != 0 ? WordType::kBeginWith : WordType::kBegin;
  const uint64_t ticks = reserve(builder, lane, ticks_of(builder, time_ns), strings != 0 ? 2 : 1);
  const uint64_t word = ticks + make_code(type, site <= FLAMELET_MAX_SITES ? site : 0);
  push(lane, word);
  if (strings != 0) push(lane, strings);
  lane->open[lane->depth] = word;
  lane->strings[lane->depth++] = make_reopen_strings(strings, type, ticks);
  return word;
}

void flamelet_capture_builder_end(flamelet_capture_builder* builder, uint32_t lane_id, int64_t time_ns) {
  OpenPage* lane = lane_at(builder, lane_id, true);
  if (lane == nullptr) return;
  if (lane->too_deep != 0) {
    --lane->too_deep;
  } else if (lane->depth == 0) {
    ++builder->stats.extra_ends;
  } else {
    push(lane, reserve(builder, lane, ticks_of(builder, time_ns), 1) + make_code(WordType::kEnd, 0));
    --lane->depth;
  }
}

void flamelet_capture_builder_counter(flamelet_capture_builder* builder, uint32_t lane_id, int64_t time_ns,
                                      uint32_t site, double value) {
  OpenPage* lane = lane_at(builder, lane_id, true);
  if (lane == nullptr) return;
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  push(lane, reserve(builder, lane, ticks_of(builder, time_ns), 2) +
                 make_code(WordType::kCounter, site <= FLAMELET_MAX_SITES ? site : 0));
  push(lane, bits);
}

void flamelet_capture_builder_instant(flamelet_capture_builder* builder, uint32_t lane_id, int64_t time_ns,
                                      uint32_t site, uint32_t name, uint32_t object) {
  if (builder == nullptr) return;
  const uint64_t strings = make_strings(name & kMaxStringId, object & kMaxStringId);
  const uint64_t ticks = ticks_of(builder, time_ns);
  const uint32_t id = site <= FLAMELET_MAX_SITES ? site : 0;
  const bool nested =
      lane_id != 0 && lane_id <= builder->lane_count && builder->lanes[lane_id - 1]->kind == FLAMELET_LANE_THREAD;
  OpenPage* lane = lane_at(builder, lane_id, nested);
  if (lane == nullptr) return;
  if (nested) {
    push(lane, reserve(builder, lane, ticks, 2) + make_code(WordType::kInstant, id));
  } else {
    // Submitted events have times of their own; that of the word only has to rise.
    push(lane, reserve(builder, lane, lane->now_ticks, 3) + make_code(WordType::kPoint, id));
    push(lane, ticks);
  }
  push(lane, strings);
}

void flamelet_capture_builder_span(flamelet_capture_builder* builder, uint32_t lane_id, int64_t begin_ns,
                                   int64_t end_ns, flamelet_id id, uint32_t site, uint32_t name, uint32_t object) {
  OpenPage* lane = lane_at(builder, lane_id, false);
  if (lane == nullptr) return;
  const uint64_t begin = ticks_of(builder, begin_ns);
  const uint64_t end = ticks_of(builder, end_ns);
  const uint64_t ticks = reserve(builder, lane, lane->now_ticks, 5);
  push(lane, ticks + make_code(WordType::kSpan, site <= FLAMELET_MAX_SITES ? site : 0));
  push(lane, begin);
  push(lane, end < begin ? begin : end);
  push(lane, id);
  push(lane, make_strings(name & kMaxStringId, object & kMaxStringId));
}

void flamelet_capture_builder_interval(flamelet_capture_builder* builder, uint32_t begin_lane, int64_t begin_ns,
                                       uint32_t end_lane, int64_t end_ns, flamelet_id id, uint32_t site, uint32_t name,
                                       uint32_t object) {
  if (builder == nullptr) return;
  Interval interval = {};
  interval.id = id;
  interval.begin_ticks = ticks_of(builder, begin_ns);
  interval.end_ticks = ticks_of(builder, end_ns);
  interval.strings = make_strings(name & kMaxStringId, object & kMaxStringId);
  interval.site = site;
  interval.begin_track = begin_lane;
  interval.end_track = end_lane;
  if (builder->capture->intervals.restore(interval)) ++builder->stats.events;
}

void flamelet_capture_builder_frame(flamelet_capture_builder* builder, uint64_t index, int64_t begin_ns, int64_t end_ns,
                                    uint32_t flags) {
  if (builder == nullptr) return;
  const Frame frame = {index, ticks_of(builder, begin_ns), ticks_of(builder, end_ns), flags};
  if (builder->capture->frames.restore(frame)) ++builder->stats.events;
}
