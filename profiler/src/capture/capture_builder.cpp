// SPDX-License-Identifier: MIT
//
// capture_builder.cpp: a builder's life, its names and its lanes.
#include "flamelet/capture_builder.h"

#include <stdio.h>
#include <string.h>
#include <algorithm>
#include <new>

#include "capture/capture_data.h"
#include "flamelet/detail/text.h"
#include "platform/engine_memory.h"
#include "record/intern_table.h"

namespace flamelet {

// What a flamelet_capture_builder consists of. Events of other tools are written into pages, one
// open page for each lane, and the pages are handed to the capture as they fill, so that its own checks, limits and
// eviction hold here too.

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
  uint32_t place;   // among the lanes of the capture
  uint32_t beside;  // the lane beside which it stands, if it stands beside one
  uint32_t number;  // of those beside each other; of the first one, how many there are beside it
  flamelet_lane_kind kind;
  bool nested;    // takes begins and ends; else whole spans
  bool in_order;  // of whole spans
};

// Time 0 in ticks of 1 ns, so that times before it are ticks too.
constexpr uint64_t kOriginTicks = uint64_t{1} << 62;

// NULL: there is none.
OpenPage* find_lane(flamelet_capture_builder* builder, uint32_t lane);
// What is on the page goes to the capture.
void hand_over(flamelet_capture_builder* builder, OpenPage* lane, bool closed);

}  // namespace flamelet

struct flamelet_capture_builder {
  flamelet_capture* capture;
  flamelet_allocator allocator;
  size_t bytes;
  flamelet_capture_builder_stats stats;
  uint64_t next_ticket;
  uint32_t max_lanes;
  uint32_t lane_count;
  uint32_t marking_thread;  // its id; 0 = nobody knows who marks the frames
  bool starts_at_zero;
  int64_t first_good_ns;       // the earliest time that was not clamped; INT64_MAX: there was none
  bool has_places;             // some lane stands elsewhere than where it was made
  flamelet::OpenPage** lanes;  // made one by one, as few traces have as many as the config allows
  uint32_t sets[FLAMELET_MAX_FRAME_SETS], set_count;  // of named frames: their names
  flamelet::InternTable strings;
  flamelet::InternTable sites;
};

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
    (*builder)->first_good_ns = INT64_MAX;
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
    const std::string_view name = whole_start(view_of(info.name), 1000);
    char text[1024];
    const int size = snprintf(text, sizeof text, "%.*s, %u", static_cast<int>(name.size()), name.data(), lane->number);
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

void begin_at_zero(flamelet_capture* capture, int64_t first_good_ns) {
  int64_t begin_ns, end_ns;
  uint64_t outside;
  if (!flamelet_capture_main_extent(capture, &begin_ns, &end_ns, &outside)) return;
  if (outside == 0) begin_ns = capture->converter.to_ns(capture->oldest_ticks);  // also where that was evicted
  // A bad time is not the begin, as good ones would be too far from it.
  if (begin_ns <= -TickConverter::kMostNs && first_good_ns != INT64_MAX) begin_ns = first_good_ns;
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
  if (builder->starts_at_zero) begin_at_zero(builder->capture, builder->first_good_ns);
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

flamelet_string flamelet_capture_builder_text(const flamelet_capture_builder* builder, uint32_t string) {
  if (builder == nullptr || !builder->capture->strings.has(string)) return {"", 0};
  return builder->capture->strings.get(string);
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

void flamelet_capture_builder_name_site(flamelet_capture_builder* builder, uint32_t site, uint32_t name) {
  if (builder == nullptr || !builder->capture->sites.has(site)) return;
  SiteRecord record = builder->capture->sites.get(site);
  record.name = name;
  builder->capture->sites.put(site, record);
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

void flamelet_capture_builder_keep_order(flamelet_capture_builder* builder, uint32_t lane_id) {
  OpenPage* lane = find_lane(builder, lane_id);
  if (lane == nullptr) return;
  lane->in_order = true;
  settle_lane(builder, lane, lane_of_page(builder->capture, lane->page.header));
}

void flamelet_capture_builder_set_origin(flamelet_capture_builder* builder, uint64_t origin_unix_ns) {
  if (builder != nullptr) builder->capture->clock.origin_unix_ns = origin_unix_ns;
}

void flamelet_capture_builder_start_at_zero(flamelet_capture_builder* builder) {
  if (builder != nullptr) builder->starts_at_zero = true;
}

// Capture builder events: what other tools recorded, as words on the open page of its lane.

using namespace flamelet;

namespace {

constexpr int64_t kMaxTimeNs = TickConverter::kMostNs;
static_assert((FLAMELET_SPAN_SUSPENDED << 1) - 1 == kMaxSpanFlags, "a span's word has a bit for every flag");

// NULL, counted: none of this kind.
OpenPage* lane_at(flamelet_capture_builder* builder, uint32_t lane, bool nested) {
  OpenPage* found = find_lane(builder, lane);
  if (found != nullptr && found->nested == nested) return found;
  if (builder != nullptr) ++builder->stats.dropped_lane;
  return nullptr;
}

// 0: it is no thread's lane.
uint32_t thread_id(flamelet_capture_builder* builder, uint32_t lane) {
  const OpenPage* found = find_lane(builder, lane);
  return found != nullptr && found->kind == FLAMELET_LANE_THREAD ? found->page.header.track : 0;
}

uint64_t ticks_of(flamelet_capture_builder* builder, int64_t time_ns) {
  if (time_ns > kMaxTimeNs || time_ns < -kMaxTimeNs) {
    ++builder->stats.time_clamped;
    time_ns = time_ns < 0 ? -kMaxTimeNs : kMaxTimeNs;
  } else {
    builder->first_good_ns = std::min(builder->first_good_ns, time_ns);
  }
  return kOriginTicks + static_cast<uint64_t>(time_ns);  // modulo 2^64
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

uint32_t known_site(uint32_t site) {
  return site <= FLAMELET_MAX_SITES ? site : 0;
}

// As `nested` on a lane of begins and ends, else as `own`, with a time of its own.
void add_point(flamelet_capture_builder* builder, uint32_t lane_id, int64_t time_ns, uint64_t nested, uint64_t own,
               uint64_t payload) {
  const OpenPage* found = find_lane(builder, lane_id);
  OpenPage* lane = lane_at(builder, lane_id, found != nullptr && found->nested);  // of either kind
  if (lane == nullptr) return;
  const uint64_t ticks = ticks_of(builder, time_ns);
  if (lane->nested) {
    push(lane, reserve(builder, lane, ticks, 2) + nested);
  } else {
    // The word's time only has to rise.
    push(lane, reserve(builder, lane, std::max(lane->now_ticks, ticks), 3) + own);
    push(lane, ticks);
  }
  push(lane, payload);
}

}  // namespace

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
  const uint64_t word = ticks + make_code(type, known_site(site));
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
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  site = known_site(site);
  add_point(builder, lane_id, time_ns, make_code(WordType::kCounter, site), make_code(WordType::kValue, site), bits);
}

void flamelet_capture_builder_instant(flamelet_capture_builder* builder, uint32_t lane_id, int64_t time_ns,
                                      uint32_t site, uint32_t name, uint32_t object) {
  site = known_site(site);
  add_point(builder, lane_id, time_ns, make_code(WordType::kInstant, site), make_code(WordType::kPoint, site),
            make_strings(name & kMaxStringId, object & kMaxStringId));
}

void flamelet_capture_builder_flow(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns, uint64_t id,
                                   bool ends) {
  const MoreType type = ends ? MoreType::kFlowEnd : MoreType::kFlowBegin;
  add_point(builder, lane, time_ns, make_code(WordType::kMore, make_more_id(type, 1)),
            make_code(WordType::kMore, make_more_id(type, 2)), id);
}

void flamelet_capture_builder_span(flamelet_capture_builder* builder, uint32_t lane_id, const flamelet_span* span) {
  OpenPage* lane = lane_at(builder, lane_id, false);
  if (lane == nullptr || span == nullptr) return;
  const uint64_t begin = ticks_of(builder, span->begin_ns);
  const uint64_t end = std::max(begin, ticks_of(builder, span->end_ns));
  const bool knows_depth = begin == end && span->depth != FLAMELET_DEPTH_UNKNOWN;
  const uint64_t ticks = reserve(builder, lane, std::max(lane->now_ticks, begin), 5);
  push(lane, ticks + make_code(WordType::kSpan, known_site(span->site)));
  push(lane, begin);
  push(lane, end);
  push(lane, span->id);
  push(lane, make_span_strings(make_strings(span->name & kMaxStringId, span->object & kMaxStringId), span->flags,
                               knows_depth ? static_cast<uint16_t>(span->depth + 1) : uint16_t{0}));
}

void flamelet_capture_builder_interval(flamelet_capture_builder* builder, uint32_t begin_track, int64_t begin_ns,
                                       uint32_t end_track, int64_t end_ns, flamelet_id id, uint32_t site, uint32_t name,
                                       uint32_t object) {
  if (builder == nullptr) return;
  const uint64_t strings = make_strings(name & kMaxStringId, object & kMaxStringId);
  const Interval interval = {
      id, ticks_of(builder, begin_ns), ticks_of(builder, end_ns), strings, 0, known_site(site), begin_track, end_track,
      0};
  if (!builder->capture->intervals.restore(interval)) {
    ++builder->stats.intervals_dropped;
    return;
  }
  ++builder->stats.events;
  flamelet_capture* const capture = builder->capture;
  capture->oldest_ticks = std::min(capture->oldest_ticks, interval.begin_ticks);
  capture->newest_ticks = std::max(capture->newest_ticks, std::max(interval.begin_ticks, interval.end_ticks));
}

void flamelet_capture_builder_frame(flamelet_capture_builder* builder, uint64_t index, int64_t begin_ns, int64_t end_ns,
                                    uint32_t flags) {
  if (builder == nullptr) return;
  const Frame frame = {index, ticks_of(builder, begin_ns), ticks_of(builder, end_ns), flags, builder->marking_thread};
  ++(builder->capture->frames.restore(frame) ? builder->stats.events : builder->stats.frames_dropped);
}

void flamelet_capture_builder_mark_frames(flamelet_capture_builder* builder, uint32_t lane) {
  if (builder != nullptr) builder->marking_thread = thread_id(builder, lane);
}

void flamelet_capture_builder_damage(flamelet_capture_builder* builder, uint64_t places) {
  if (builder != nullptr) builder->capture->damage = places;
}

bool flamelet_capture_builder_switch(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns,
                                     flamelet_state_kind state, uint32_t processor) {
  if (builder == nullptr) return false;
  const bool is_gap = state == FLAMELET_STATE_UNKNOWN;
  const uint32_t thread = thread_id(builder, lane);
  if (thread == 0 && lane != FLAMELET_BY_UNKNOWN && !is_gap) {
    ++builder->stats.dropped_lane;
    return false;
  }
  // In the order of flamelet_state_kind.
  constexpr uint16_t kWhat[FLAMELET_STATE_COUNT] = {kSwitchLost, kSwitchIn, kSwitchTakenOff, kSwitchAsleep};
  if (static_cast<uint32_t>(state) >= FLAMELET_STATE_COUNT || (processor > UINT16_MAX && !is_gap)) {
    ++builder->stats.switches_dropped;
    return false;
  }
  flamelet_capture* capture = builder->capture;
  const uint64_t ticks = ticks_of(builder, time_ns);
  const SwitchEvent event = {is_gap ? 0 : thread, is_gap ? uint16_t{0} : static_cast<uint16_t>(processor),
                             kWhat[state]};
  if (!add_switch(capture, ticks, event)) {
    ++builder->stats.switches_dropped;
    return false;
  }
  ++builder->stats.events;
  capture->states.states = FLAMELET_THREAD_STATES_RECORDED;
  capture->newest_ticks = std::max(capture->newest_ticks, ticks);  // there, the last state of each thread ends
  return true;
}

bool flamelet_capture_builder_thread_time(flamelet_capture_builder* builder, uint64_t frame, uint32_t lane_id,
                                          const flamelet_thread_time* time) {
  const OpenPage* lane = builder == nullptr ? nullptr : find_lane(builder, lane_id);
  if (lane == nullptr || time == nullptr) return false;
  const auto ns = [](int64_t value) { return static_cast<uint64_t>(value < 0 ? 0 : value); };
  return builder->capture->thread_times.add(
      frame, {lane->page.header.track, time->known & kTimeAll, ns(time->ran_ns), ns(time->ready_ns), time->switches,
              time->major_faults, time->minor_faults});
}

void flamelet_capture_builder_named_frame(flamelet_capture_builder* builder, uint32_t set, uint64_t index,
                                          int64_t begin_ns, int64_t end_ns, uint32_t flags) {
  if (builder == nullptr) return;
  set &= kMaxStringId;
  uint32_t place = 0;
  while (place < builder->set_count && builder->sets[place] != set) ++place;
  const bool fits = place < FLAMELET_MAX_FRAME_SETS && index >> kNamedFrameIndexBits == 0;
  if (fits && place == builder->set_count) builder->sets[builder->set_count++] = set;
  Interval frame = {};
  frame.id = named_frame_mark(set, index, false);
  frame.begin_ticks = ticks_of(builder, begin_ns);
  frame.end_ticks = ticks_of(builder, end_ns);
  frame.strings = make_strings(set, 0);
  frame.begin_track = frame.end_track = UINT32_MAX;  // whose marks they are is not told
  frame.flags = flags;
  ++(fits && builder->capture->named_frames.restore(frame) ? builder->stats.events : builder->stats.frames_dropped);
}
