// SPDX-License-Identifier: MIT
//
// capture_builder.cpp: writes events of other tools into pages, one open page for each lane, and hands the pages to the
// capture as they fill, so that its own checks, limits and eviction hold here too.
#include "flamelet/capture_builder.h"

#include <string.h>

#include <algorithm>
#include <new>

#include "capture/capture_data.h"
#include "platform/engine_memory.h"
#include "record/intern_table.h"

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
  uint32_t place;  // among the lanes of the capture
  flamelet_lane_kind kind;
  bool nested;    // takes begins and ends; else whole spans
  bool in_order;  // of whole spans
};

constexpr uint32_t kEmpty = 0;
// Time 0 in ticks of 1 ns, so that times before it are ticks too.
constexpr uint64_t kOriginTicks = uint64_t{1} << 62;
constexpr int64_t kMaxTimeNs = TickConverter::kMostNs;
static_assert((FLAMELET_SPAN_SUSPENDED << 1) - 1 == kMaxSpanFlags, "a span's word has a bit for every flag");

}  // namespace

struct flamelet_capture_builder {
  flamelet_capture* capture;
  flamelet_allocator allocator;
  size_t bytes;
  flamelet_capture_builder_stats stats;
  uint64_t next_ticket;
  uint32_t max_lanes;
  uint32_t lane_count;
  bool has_places;   // some lane stands elsewhere than where it was made
  OpenPage** lanes;  // made one by one, as few traces have as many as the config allows
  uint32_t sets[FLAMELET_MAX_FRAME_SETS], set_count;  // of named frames: their names
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

OpenPage* find_lane(flamelet_capture_builder* builder, uint32_t lane) {
  return builder != nullptr && lane != 0 && lane <= builder->lane_count ? builder->lanes[lane - 1] : nullptr;
}

// NULL, counted: none of this kind.
OpenPage* lane_at(flamelet_capture_builder* builder, uint32_t lane, bool nested) {
  OpenPage* found = find_lane(builder, lane);
  if (found != nullptr && found->nested == nested) return found;
  if (builder != nullptr) ++builder->stats.dropped_lane;
  return nullptr;
}

uint64_t ticks_of(flamelet_capture_builder* builder, int64_t time_ns) {
  if (time_ns > kMaxTimeNs || time_ns < -kMaxTimeNs) {
    ++builder->stats.time_clamped;
    time_ns = time_ns < 0 ? -kMaxTimeNs : kMaxTimeNs;
  }
  return kOriginTicks + static_cast<uint64_t>(time_ns);  // modulo 2^64
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
  return id == 0 || id == kFrameTrack || builder->capture->lanes.find(id, kind == FLAMELET_LANE_FIBER) != kNoLane;
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

void hand_over(flamelet_capture_builder* builder, OpenPage* lane, bool closed) {
  flamelet_capture* capture = builder->capture;
  PageHeader& header = lane->page.header;
  header.last_ticks = lane->now_ticks;
  header.event_count = static_cast<uint32_t>(lane->events - header.first_event);
  add_part(capture, {lane->ticket, &header, lane->page.words, 0, lane->words, closed});
  settle_lane(builder, lane, lane_of_page(capture, header));
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

flamelet_result flamelet_capture_builder_create(const flamelet_capture_config* config,
                                                flamelet_capture_builder** result) {
  if (result == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *result = nullptr;
  flamelet_capture* capture = nullptr;
  const flamelet_result created = create_untouched(config, &capture);
  if (created != FLAMELET_OK) return created;
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
  place_lanes(builder);
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
  const bool nested = kind != FLAMELET_LANE_GPU && kind != FLAMELET_LANE_EXTERNAL;
  return add_lane(builder, nested ? FLAMELET_LANE_THREAD : kind, 0, name, nested, false);
}

uint32_t flamelet_capture_builder_span_lane(flamelet_capture_builder* builder, flamelet_lane_kind kind, uint32_t id,
                                            uint32_t name, bool in_order) {
  if (static_cast<uint32_t>(kind) > FLAMELET_LANE_FIBER) kind = FLAMELET_LANE_EXTERNAL;
  return add_lane(builder, kind, id, name, false, in_order);
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
  ++(builder->capture->intervals.restore(interval) ? builder->stats.events : builder->stats.intervals_dropped);
}

void flamelet_capture_builder_frame(flamelet_capture_builder* builder, uint64_t index, int64_t begin_ns, int64_t end_ns,
                                    uint32_t flags) {
  if (builder == nullptr) return;
  const Frame frame = {index, ticks_of(builder, begin_ns), ticks_of(builder, end_ns), flags, 0};
  ++(builder->capture->frames.restore(frame) ? builder->stats.events : builder->stats.frames_dropped);
}

bool flamelet_capture_builder_thread_time(flamelet_capture_builder* builder, uint64_t frame, uint32_t lane_id,
                                          const flamelet_thread_time* time) {
  const OpenPage* lane = builder == nullptr ? nullptr : find_lane(builder, lane_id);
  if (lane == nullptr || time == nullptr) return false;
  const auto ns = [](int64_t value) { return static_cast<uint64_t>(value < 0 ? 0 : value); };
  return builder->capture->thread_times.add(frame, {lane->page.header.track, time->known & kTimeAll, ns(time->ran_ns),
                                                    ns(time->ready_ns), time->switches, time->major_faults});
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

void flamelet_capture_builder_set_origin(flamelet_capture_builder* builder, uint64_t origin_unix_ns) {
  if (builder != nullptr) builder->capture->clock.origin_unix_ns = origin_unix_ns;
}
