// SPDX-License-Identifier: MIT
//
// capture_builder.cpp: a builder's life, its names and its lanes.
#include "flamelet/capture_builder.h"

#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <new>

#include "capture/capture_builder_data.h"
#include "platform/engine_memory.h"
#include "record/intern_table.h"

using namespace flamelet;

namespace {

constexpr uint32_t kEmpty = 0;

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

// With every page: the capture may have given the lane's place away meanwhile.
void settle_lane(flamelet_capture_builder* builder, const OpenPage* from, uint32_t index) {
  if (index == kNoLane) return;
  LaneTable& lanes = builder->capture->lanes;
  lanes[index].name = from->name;
  lanes[index].in_order = from->in_order;
  if (lanes[index].kind != from->kind) lanes.set_kind(index, from->kind);
}

bool is_taken(const flamelet_capture_builder* builder, flamelet_lane_kind kind, uint32_t id) {
  return id == 0 || id >= kSwitchTrack || builder->capture->lanes.find(id, kind == FLAMELET_LANE_FIBER) != kNoLane;
}

uint32_t add_lane(flamelet_capture_builder* builder, flamelet_lane_kind kind, uint32_t id, uint32_t name, bool nested,
                  bool in_order) {
  if (builder == nullptr) return 0;
  void* memory = nullptr;
  if (builder->lane_count < builder->max_lanes)
    take_memory(builder->allocator, sizeof(OpenPage), alignof(OpenPage), &memory);
  if (memory == nullptr) {
    ++builder->stats.names_dropped;
    return 0;
  }
  memset(memory, 0, sizeof(OpenPage));
  OpenPage* lane = static_cast<OpenPage*>(memory);
  lane->kind = kind;
  lane->name = name;
  lane->nested = nested;
  lane->in_order = in_order;
  builder->lanes[builder->lane_count++] = lane;
  lane->place = builder->lane_count;
  if (is_taken(builder, kind, id)) id = builder->lane_count;
  while (is_taken(builder, kind, id)) ++id;
  (kind == FLAMELET_LANE_FIBER ? lane->page.header.fiber : lane->page.header.track) = id;
  // The lanes stand in the order in which they were made, whichever has the first event.
  settle_lane(builder, lane, lane_for(builder->capture, id, kind));
  return builder->lane_count;
}

// Those beside others are called and placed as these are now.
void settle_beside(flamelet_capture_builder* builder) {
  for (uint32_t i = 0; i < builder->lane_count; ++i) {
    OpenPage* const lane = builder->lanes[i];
    if (lane->beside == 0) continue;
    const OpenPage* const first = builder->lanes[lane->beside - 1];
    lane->place = first->place;
    flamelet_lane_info info;
    flamelet_capture_lane(builder->capture, lane_of_page(builder->capture, first->page.header), &info);
    size_t most = std::min<size_t>(info.name.size, 1000);
    while (most < info.name.size && (static_cast<unsigned char>(info.name.text[most]) & 0xC0) == 0x80) --most;
    char text[1024];
    const int size = snprintf(text, sizeof text, "%.*s, %u", static_cast<int>(most), info.name.text, lane->number);
    flamelet_capture_builder_name_lane(builder, i + 1,
                                       flamelet_capture_builder_string(builder, text, static_cast<size_t>(size)));
  }
}

// The capture's table has an entry for each lane, in the order in which they were made; pages name it by its position.
// Without memory for a copy they stay as they are.
void place_lanes(flamelet_capture_builder* builder) {
  if (!builder->has_places) return;
  const flamelet_allocator& allocator = builder->allocator;
  LaneTable& lanes = builder->capture->lanes;
  const uint32_t count = lanes.count();
  struct Entry {
    Lane lane;
    uint32_t place, made;
  };
  const size_t bytes = count * (sizeof(Entry) + sizeof(uint32_t));
  void* memory;
  if (take_memory(allocator, bytes, alignof(Entry), &memory) != FLAMELET_OK) return;
  Entry* entries = static_cast<Entry*>(memory);
  uint32_t* positions = reinterpret_cast<uint32_t*>(entries + count);
  for (uint32_t i = 0; i < count; ++i) new (&entries[i]) Entry{lanes[i], builder->lanes[i]->place, i};
  std::sort(entries, entries + count,
            [](const Entry& a, const Entry& b) { return a.place != b.place ? a.place < b.place : a.made < b.made; });
  lanes.clear();
  for (uint32_t i = 0; i < count; ++i) {
    lanes[lanes.add(entries[i].lane.id, entries[i].lane.kind, kNoLane)] = entries[i].lane;
    positions[entries[i].made] = i;
  }
  PageStore& pages = builder->capture->pages;
  for (PageId id = pages.oldest(); pages.holds(id); ++id) pages.info(id).lane = positions[pages.info(id).lane];
  allocator.free(allocator.user, memory, bytes, alignof(Entry));
}

void begin_at_zero(flamelet_capture* capture) {
  int64_t begin_ns, end_ns;
  uint64_t outside;
  if (!flamelet_capture_main_extent(capture, &begin_ns, &end_ns, &outside)) return;
  if (outside == 0) begin_ns = capture->converter.to_ns(capture->oldest_ticks);  // also where that was evicted
  flamelet_clock clock = capture->clock;
  clock.origin_ticks += static_cast<uint64_t>(begin_ns);
  if (clock.origin_unix_ns != 0) clock.origin_unix_ns += static_cast<uint64_t>(begin_ns);
  set_clock(capture, clock);
}

}  // namespace

namespace flamelet {

OpenPage* find_lane(flamelet_capture_builder* builder, uint32_t lane) {
  return builder != nullptr && lane != 0 && lane <= builder->lane_count ? builder->lanes[lane - 1] : nullptr;
}

void hand_over(flamelet_capture_builder* builder, OpenPage* lane, bool closed) {
  flamelet_capture* capture = builder->capture;
  PageHeader& header = lane->page.header;
  header.last_ticks = lane->now_ticks;
  add_part(capture, {lane->ticket, &header, lane->page.words, 0, lane->words, closed});
  settle_lane(builder, lane, lane_of_page(capture, header));
}

}  // namespace flamelet

flamelet_result flamelet_capture_builder_create(const flamelet_capture_config* config,
                                                flamelet_capture_builder** result) {
  if (result == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *result = nullptr;
  flamelet_capture* capture = nullptr;
  const flamelet_result created = create_untouched(config, &capture);
  if (created != FLAMELET_OK) return created;
  let_tables_grow(capture);
  const flamelet_allocator allocator = capture->config.allocator;
  const size_t bytes = lay_out(capture->config, nullptr, nullptr);
  void* memory;
  const flamelet_result taken = take_memory(allocator, bytes, 64, &memory);
  if (taken != FLAMELET_OK) {
    flamelet_capture_destroy(capture);
    return taken;
  }
  flamelet_capture_builder* builder = nullptr;
  lay_out(capture->config, static_cast<char*>(memory), &builder);
  builder->capture = capture;
  builder->allocator = allocator;
  builder->bytes = bytes;
  builder->next_ticket = 1;
  builder->max_lanes = capture->config.max_tracks;
  set_clock(capture, {FLAMELET_CLOCK_INJECTED, true, kOriginTicks, 0, 1e9});
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
  settle_beside(builder);
  place_lanes(builder);
  if (builder->starts_at_zero) begin_at_zero(builder->capture);
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
  if (static_cast<uint32_t>(kind) > FLAMELET_LANE_FIBER) return 0;
  const bool nested = kind != FLAMELET_LANE_GPU && kind != FLAMELET_LANE_EXTERNAL;
  return add_lane(builder, nested ? FLAMELET_LANE_THREAD : kind, 0, name, nested, false);
}

uint32_t flamelet_capture_builder_thread_lane(flamelet_capture_builder* builder, uint32_t id, uint32_t name) {
  return add_lane(builder, FLAMELET_LANE_THREAD, id, name, true, false);
}

uint32_t flamelet_capture_builder_span_lane(flamelet_capture_builder* builder, flamelet_lane_kind kind, uint32_t id,
                                            uint32_t name, bool in_order) {
  if (static_cast<uint32_t>(kind) > FLAMELET_LANE_FIBER) return 0;
  return add_lane(builder, kind, id, name, false, in_order);
}

uint32_t flamelet_capture_builder_lane_beside(flamelet_capture_builder* builder, uint32_t lane_id) {
  OpenPage* const first = find_lane(builder, lane_id);
  if (first == nullptr) return 0;
  const uint32_t made = add_lane(builder, first->kind, 0, 0, false, first->in_order);
  if (made == 0) return 0;
  OpenPage* const lane = find_lane(builder, made);
  lane->beside = lane_id;
  lane->number = ++first->number + 1;
  builder->has_places = true;
  return made;
}

uint32_t flamelet_capture_builder_lane_id(const flamelet_capture_builder* builder, uint32_t lane_id) {
  if (builder == nullptr || lane_id == 0 || lane_id > builder->lane_count) return 0;
  const OpenPage* const lane = builder->lanes[lane_id - 1];
  return lane->kind == FLAMELET_LANE_FIBER ? lane->page.header.fiber : lane->page.header.track;
}

void flamelet_capture_builder_name_lane(flamelet_capture_builder* builder, uint32_t lane_id, uint32_t name) {
  OpenPage* lane = find_lane(builder, lane_id);
  if (lane == nullptr) return;
  lane->name = name;
  settle_lane(builder, lane, lane_of_page(builder->capture, lane->page.header));
}

void flamelet_capture_builder_place_lane(flamelet_capture_builder* builder, uint32_t lane_id, uint32_t place) {
  OpenPage* lane = find_lane(builder, lane_id);
  if (lane == nullptr) return;
  lane->place = place;
  builder->has_places = true;
}

void flamelet_capture_builder_set_origin(flamelet_capture_builder* builder, uint64_t origin_unix_ns) {
  if (builder != nullptr) builder->capture->clock.origin_unix_ns = origin_unix_ns;
}

void flamelet_capture_builder_start_at_zero(flamelet_capture_builder* builder) {
  if (builder != nullptr) builder->starts_at_zero = true;
}
