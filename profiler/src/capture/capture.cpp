// SPDX-License-Identifier: MIT
//
// capture.cpp: the life of a capture, and what it copies from the running recorder besides pages.
#include "flamelet/capture.h"

#include <string.h>

#include <new>

#include "capture/capture_data.h"
#include "platform/engine_memory.h"
#include "record/session.h"
#include "record/session_guard.h"

using namespace flamelet;

namespace {

constexpr uint32_t kCaptureCookie = 0x666C6370;
// Every track that is alive keeps its open page, so this many are the least with which pages can come and go.
constexpr uint32_t kMinPages = RingReader::kMaxOpen + 8;

struct CaptureParts {
  flamelet_capture* capture;
  Page* pages;
  PageInfo* infos;
  Lane* lanes;
  uint32_t* lane_buckets;
  FiberRun* runs;
  Frame* frames;
  ThreadTimeEntry* thread_times;
  Interval* intervals;
  Interval* named_frames;
  uint64_t* interval_buckets;
  uint64_t* named_frame_buckets;
  StringCopies::Entry* strings;
  char* string_bytes;
  SiteRecord* sites;
  bool* sites_known;
};

size_t lay_out(const flamelet_capture_config& config, uint32_t page_count, char* base, CaptureParts* parts) {
  Carver carver(base);
  // The pages first: they have the alignment of the block.
  parts->pages = static_cast<Page*>(carver.take_bytes(sizeof(Page) * page_count, kPageBytes));
  parts->capture = carver.take<flamelet_capture>(1);
  parts->infos = carver.take<PageInfo>(page_count);
  parts->lanes = carver.take<Lane>(config.max_tracks);
  parts->lane_buckets = carver.take<uint32_t>(HashIndex::slots_for(config.max_tracks));
  parts->runs = carver.take<FiberRun>(config.max_fiber_runs);
  parts->frames = carver.take<Frame>(config.max_frames);
  parts->thread_times = carver.take<ThreadTimeEntry>(config.max_thread_times);
  parts->intervals = carver.take<Interval>(config.max_intervals);
  parts->interval_buckets = carver.take<uint64_t>(IntervalTable::bucket_count(config.max_intervals));
  parts->named_frames = carver.take<Interval>(config.max_named_frames);
  parts->named_frame_buckets = carver.take<uint64_t>(IntervalTable::bucket_count(config.max_named_frames));
  parts->strings = carver.take<StringCopies::Entry>(config.max_strings);
  parts->string_bytes = carver.take<char>(config.string_bytes);
  parts->sites = carver.take<SiteRecord>(config.max_sites);
  parts->sites_known = carver.take<bool>(config.max_sites);
  return carver.used();
}

// Limits that make every size fit in 64 bits without further checks; a Carver minds 32 bits.
bool is_valid(const flamelet_capture_config* config) {
  constexpr uint32_t kMaxEntries = 1u << 24;
  return config != nullptr && config->cookie == kCaptureCookie && config->max_tracks <= kMaxEntries &&
         config->max_frames >= 1 && config->max_frames <= kMaxEntries && config->max_sites <= FLAMELET_MAX_SITES + 1 &&
         config->max_strings <= kMaxStringId + 1 && config->string_bytes <= kMostBytes &&
         config->max_fiber_runs <= kMaxEntries && config->max_intervals <= kMaxEntries &&
         config->max_named_frames <= kMaxEntries && config->max_thread_times <= kMaxEntries &&
         config->budget_bytes <= kMostBytes &&
         (config->allocator.allocate == nullptr) == (config->allocator.free == nullptr);
}

// The defaults of what is 0, for a budget that is given.
constexpr uint32_t kTracks = 1024, kMostTracks = 16384, kSites = 16384, kStrings = 32768;
constexpr size_t kStringBytes = size_t{2} << 20, kBudget = size_t{64} << 20;

template <class Number>
Number at_least(Number value, Number least) {
  return value > least ? value : least;
}
template <class Number>
Number at_most(Number value, Number most) {
  return value < most ? value : most;
}

// Puts in for 0 what a capture of this ring needs, but not less than the defaults. Without a ring, or where a budget was
// given, the defaults.
flamelet_capture_config resolve(const flamelet_capture_config& from, RingSize ring = {}) {
  flamelet_capture_config config = from;
  const bool chosen = from.budget_bytes != 0;
  if (chosen) ring = {};
  if (from.max_sites == 0) config.max_sites = at_least(kSites, ring.sites);
  if (from.max_strings == 0) config.max_strings = at_least(kStrings, ring.strings);
  if (from.string_bytes == 0) config.string_bytes = at_least(kStringBytes, ring.string_bytes);
  // Each page may be that of another short thread, and have another short fiber.
  if (from.max_tracks == 0)
    config.max_tracks = at_most(at_least(kTracks, ring.has_fibers ? 2 * ring.pages : ring.pages), kMostTracks);
  CaptureParts parts;
  if (!chosen) {
    config.budget_bytes = at_least(kBudget, lay_out(config, at_least(ring.pages, kMinPages), nullptr, &parts));
  } else if (from.max_tracks == 0) {
    const size_t least = lay_out(config, kMinPages, nullptr, &parts);
    const size_t more = from.budget_bytes > least ? (from.budget_bytes - least) / (2 * sizeof(Page)) : 0;
    config.max_tracks = at_least(kTracks, static_cast<uint32_t>(at_most(more, size_t{kMostTracks})));
  }
  return config;
}

// ... of a capture that a recorder fills.
flamelet_capture_config resolve_live(const flamelet_capture_config& from) {
  RingSize ring = {};
  if (from.budget_bytes == 0) get_ring_size(&ring);
  flamelet_capture_config config = from;
  if (from.max_tracks != 0) config.max_tracks = at_least(from.max_tracks, kLeastLanes);
  return resolve(config, ring);
}

// How many pages fit into the budget beside the tables.
uint32_t pages_in_budget(const flamelet_capture_config& config) {
  CaptureParts parts;
  const size_t least = lay_out(config, kMinPages, nullptr, &parts);
  if (config.budget_bytes < least) return 0;
  const size_t more = (config.budget_bytes - least) / (sizeof(Page) + sizeof(PageInfo));
  uint32_t count = kMinPages + static_cast<uint32_t>(more);
  // Alignment may cost a few bytes more than what is left.
  while (lay_out(config, count, nullptr, &parts) > config.budget_bytes) --count;
  return count;
}

flamelet_result create(const flamelet_capture_config* config, BlockUse use, flamelet_capture** result) {
  const uint32_t page_count = pages_in_budget(*config);
  if (page_count == 0) return FLAMELET_ERROR_BUDGET_TOO_SMALL;

  CaptureParts parts;
  const size_t bytes = lay_out(*config, page_count, nullptr, &parts);
  const flamelet_allocator allocator = allocator_or_default(config->allocator, use);
  void* block;
  const flamelet_result taken = take_memory(allocator, bytes, kPageBytes, &block);
  if (taken != FLAMELET_OK) return taken;
  char* memory = static_cast<char*>(block);
  if (use == BlockUse::kTouchedAtOnce) memset(memory, 0, bytes);
  lay_out(*config, page_count, memory, &parts);

  flamelet_capture* capture = new (parts.capture) flamelet_capture();
  capture->config = *config;
  capture->config.allocator = allocator;
  capture->memory = memory;
  capture->memory_bytes = bytes;
  capture->clock.ticks_per_second = 1e9;  // as the converter has it, until an update or a file says better
  capture->pages.attach(parts.pages, parts.infos, page_count);
  capture->lanes.attach(parts.lanes, config->max_tracks, parts.lane_buckets);
  capture->fiber_runs.attach(parts.runs, config->max_fiber_runs);
  capture->frames.attach(parts.frames, config->max_frames);
  capture->thread_times.attach(parts.thread_times, config->max_thread_times);
  capture->intervals.attach(parts.intervals, config->max_intervals, parts.interval_buckets);
  capture->named_frames.attach(parts.named_frames, config->max_named_frames, parts.named_frame_buckets);
  capture->strings.attach(parts.strings, config->max_strings, parts.string_bytes, config->string_bytes);
  capture->sites.attach(parts.sites, parts.sites_known, config->max_sites);
  clear_capture(capture);
  *result = capture;
  return FLAMELET_OK;
}

// Once in a while: a call, so that updates without news are short.
__attribute__((noinline)) void begin_new_session(flamelet_capture* capture, uint32_t session) {
  clear_capture(capture);
  capture->session = session;
  capture->build = recorder.build;
  capture->categories_off = {};
  capture->categories_off_bytes = 0;
}

void begin_session(flamelet_capture* capture, uint32_t session) {
  if (capture->session != session) begin_new_session(capture, session);
}

__attribute__((noinline)) void copy_categories_off(flamelet_capture* capture, uint32_t size) {
  const uint32_t known = capture->categories_off_bytes;
  memcpy(capture->categories_off.text + known, categories_off.names.text + known, size - known);
  capture->categories_off_bytes = size;
  ++capture->version;
}

}  // namespace

void flamelet::set_clock(flamelet_capture* capture, const flamelet_clock& clock) {
  if (clock.kind == FLAMELET_CLOCK_NONE) return;  // the recorder is shutting down
  if (clock.ticks_per_second != capture->clock.ticks_per_second || clock.origin_ticks != capture->clock.origin_ticks ||
      clock.rate_is_final != capture->clock.rate_is_final)
    ++capture->version;
  capture->clock = clock;
  capture->converter = TickConverter(clock.origin_ticks, clock.ticks_per_second);
}

flamelet_capture_config flamelet_capture_config_default(void) {
  flamelet_capture_config config = {};
  config.cookie = kCaptureCookie;
  config.max_frames = 4096;
  config.max_fiber_runs = 32768;
  config.max_intervals = 4096;
  config.max_named_frames = 4096;
  config.max_thread_times = 16384;
  return config;
}

size_t flamelet_capture_memory_required(const flamelet_capture_config* config) {
  if (!is_valid(config)) return 0;
  flamelet_capture_config least = *config;
  least.budget_bytes = 1;  // so that what is 0 has its least
  return least_bytes(resolve_live(least));
}

size_t flamelet::least_bytes(const flamelet_capture_config& config) {
  CaptureParts parts;
  return lay_out(config, kMinPages, nullptr, &parts);
}

flamelet_result flamelet_capture_create(const flamelet_capture_config* config, flamelet_capture** result) {
  if (result == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *result = nullptr;
  if (!is_valid(config)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_capture_config resolved = resolve_live(*config);
  return create(&resolved, BlockUse::kTouchedAtOnce, result);
}

flamelet_result flamelet::create_untouched(const flamelet_capture_config* config, flamelet_capture** result) {
  *result = nullptr;
  if (!is_valid(config)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_capture_config resolved = resolve(*config);
  return create(&resolved, BlockUse::kFilledOnce, result);
}

void flamelet_capture_destroy(flamelet_capture* capture) {
  if (capture == nullptr) return;
  // Everything in it is plain memory; the allocator is copied because it lies there too.
  const flamelet_allocator allocator = capture->config.allocator;
  allocator.free(allocator.user, capture->memory, capture->memory_bytes, kPageBytes);
}

flamelet_result flamelet_capture_update(flamelet_capture* capture) {
  if (capture == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  if (capture->is_loaded) return FLAMELET_OK;
  // Held until the tables are read, so that they are those of the session whose pages were.
  const SessionGuard guard;
  if (!guard) return FLAMELET_ERROR_NOT_INITIALIZED;
  const auto get = [](void*, uint32_t slot, TrackRecord* track) { return get_track(slot, track); };
  const TrackTable table = {track_slots(), [](void*) { return used_track_slots(); }, get, nullptr};
  TrackCensus census;
  take_census(table, ended_events(), &census);
  capture->census = &census;
  capture->overwritten_ticks = 0;
  const bool running = capture->reader.poll(
      [](void* user, const PagePart& part) {
        auto* to = static_cast<flamelet_capture*>(user);
        begin_session(to, to->reader.session());
        // The oldest page that nothing has overwritten yet.
        if (to->overwritten_ticks == 0 && part.ticket >= to->reader.first_ticket())
          to->overwritten_ticks = part.header->base_ticks;
        add_part(to, part);
      },
      capture);
  capture->census = nullptr;
  if (running) {
    begin_session(capture, capture->reader.session());
    // acquire: pairs with the release of who switched one off.
    const uint32_t off_bytes = categories_off.size.load_acquire();
    if (off_bytes != capture->categories_off_bytes) copy_categories_off(capture, off_bytes);
    TableNews news;
    copy_new(&capture->strings, string_count(), get_string, &capture->strings_settled, &news);
    copy_new(&capture->sites, site_count(), get_site, &capture->sites_settled, &news);
    capture->counts.names_missing += news.refused;
    if (news.copied != 0) ++capture->version;
    copy_tracks(capture, table, census);
    set_clock(capture, flamelet_clock_info());
  }
  return running ? FLAMELET_OK : FLAMELET_ERROR_NOT_INITIALIZED;
}
