// SPDX-License-Identifier: MIT
//
// capture.cpp: the life of a capture, and what it copies from the running recorder besides pages.
#include "flamelet/capture.h"

#include <stdlib.h>
#include <string.h>

#include <new>

#include "capture_data.h"

using namespace flamelet;

namespace {

constexpr uint32_t kCookie = 0x666C6370;
// Every track that is alive keeps its open page, so this many are the least with which pages can come and go.
constexpr uint32_t kMinPages = RingReader::kMaxOpen + 8;

// Where everything stands in the one block. Computed without a base it is the size; there is no other computation.
class Layout {
 public:
  explicit Layout(char* base) : base_(base) {}

  template <class Item>
  Item* take(size_t count, size_t alignment = alignof(Item)) {
    bytes_ = (bytes_ + alignment - 1) & ~(alignment - 1);
    char* at = base_ == nullptr ? nullptr : base_ + bytes_;
    bytes_ += count * sizeof(Item);
    return reinterpret_cast<Item*>(at);
  }
  size_t bytes() const { return bytes_; }

 private:
  char* base_;
  size_t bytes_ = 0;
};

struct Parts {
  flamelet_capture* capture;
  Page* pages;
  PageInfo* infos;
  Lane* lanes;
  uint32_t* lane_buckets;
  FiberRun* runs;
  Frame* frames;
  Interval* intervals;
  uint64_t* interval_buckets;
  StringCopies::Entry* strings;
  char* string_bytes;
  SiteRecord* sites;
  bool* sites_known;
};

size_t lay_out(const flamelet_capture_config& config, uint32_t page_count, char* base, Parts* parts) {
  Layout layout(base);
  // The pages first: they have the alignment of the block.
  parts->pages = layout.take<Page>(page_count, kPageBytes);
  parts->capture = layout.take<flamelet_capture>(1);
  parts->infos = layout.take<PageInfo>(page_count);
  parts->lanes = layout.take<Lane>(config.max_tracks);
  parts->lane_buckets = layout.take<uint32_t>(LaneTable::bucket_count(config.max_tracks));
  parts->runs = layout.take<FiberRun>(config.max_fiber_runs);
  parts->frames = layout.take<Frame>(config.max_frames);
  parts->intervals = layout.take<Interval>(config.max_intervals);
  parts->interval_buckets = layout.take<uint64_t>(IntervalTable::bucket_count(config.max_intervals));
  parts->strings = layout.take<StringCopies::Entry>(config.max_strings);
  parts->string_bytes = layout.take<char>(config.string_bytes);
  parts->sites = layout.take<SiteRecord>(config.max_sites);
  parts->sites_known = layout.take<bool>(config.max_sites);
  return layout.bytes();
}

// Limits that make every size fit in 64 bits without further checks.
bool is_valid(const flamelet_capture_config* config) {
  constexpr uint32_t kMaxEntries = 1u << 24;
  constexpr size_t kMaxBytes = size_t{1} << 40;
  return config != nullptr && config->cookie == kCookie && config->max_tracks >= 1 &&
         config->max_tracks <= kMaxEntries && config->max_frames >= 1 && config->max_frames <= kMaxEntries &&
         config->max_sites >= 1 && config->max_sites <= FLAMELET_MAX_SITES + 1 && config->max_strings >= 1 &&
         config->max_strings <= kMaxStringId + 1 && config->string_bytes >= 1 && config->string_bytes <= kMaxBytes &&
         config->max_fiber_runs <= kMaxEntries && config->max_intervals <= kMaxEntries &&
         config->budget_bytes <= kMaxBytes &&
         (config->allocator.allocate == nullptr) == (config->allocator.free == nullptr);
}

// How many pages fit into the budget beside the tables.
uint32_t pages_in_budget(const flamelet_capture_config& config) {
  Parts parts;
  const size_t least = lay_out(config, kMinPages, nullptr, &parts);
  if (config.budget_bytes < least) return 0;
  const size_t more = (config.budget_bytes - least) / (sizeof(Page) + sizeof(PageInfo));
  uint32_t count = kMinPages + static_cast<uint32_t>(more);
  // Alignment may cost a few bytes more than what is left.
  while (lay_out(config, count, nullptr, &parts) > config.budget_bytes) --count;
  return count;
}

void* allocate(const flamelet_allocator& allocator, size_t bytes) {
  if (allocator.allocate != nullptr) return allocator.allocate(allocator.user, bytes, kPageBytes);
  return aligned_alloc(kPageBytes, (bytes + kPageBytes - 1) & ~size_t{kPageBytes - 1});
}

void release(const flamelet_allocator& allocator, void* memory, size_t bytes) {
  if (allocator.free != nullptr) {
    allocator.free(allocator.user, memory, bytes, kPageBytes);
  } else {
    free(memory);
  }
}

void begin_session(flamelet_capture* capture, uint32_t session) {
  if (capture->session == session) return;
  clear_capture(capture);
  capture->session = session;
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
  config.cookie = kCookie;
  config.budget_bytes = size_t{64} << 20;
  config.max_frames = 4096;
  config.max_tracks = 1024;
  config.max_sites = 16384;
  config.max_strings = 32768;
  config.string_bytes = size_t{2} << 20;
  config.max_fiber_runs = 32768;
  config.max_intervals = 4096;
  return config;
}

size_t flamelet_capture_memory_required(const flamelet_capture_config* config) {
  Parts parts;
  return is_valid(config) ? lay_out(*config, kMinPages, nullptr, &parts) : 0;
}

flamelet_result flamelet_capture_create(const flamelet_capture_config* config, flamelet_capture** result) {
  if (result == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *result = nullptr;
  if (!is_valid(config)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const uint32_t page_count = pages_in_budget(*config);
  if (page_count == 0) return FLAMELET_ERROR_BUDGET_TOO_SMALL;

  Parts parts;
  const size_t bytes = lay_out(*config, page_count, nullptr, &parts);
  char* memory = static_cast<char*>(allocate(config->allocator, bytes));
  if (memory == nullptr) return FLAMELET_ERROR_OUT_OF_MEMORY;
  memset(memory, 0, bytes);  // touched, so that no update meets a page fault
  lay_out(*config, page_count, memory, &parts);

  flamelet_capture* capture = new (parts.capture) flamelet_capture();
  capture->config = *config;
  capture->memory = memory;
  capture->memory_bytes = bytes;
  capture->pages.attach(parts.pages, parts.infos, page_count);
  capture->lanes.attach(parts.lanes, config->max_tracks, parts.lane_buckets);
  capture->fiber_runs.attach(parts.runs, config->max_fiber_runs);
  capture->frames.attach(parts.frames, config->max_frames);
  capture->intervals.attach(parts.intervals, config->max_intervals, parts.interval_buckets);
  capture->strings.attach(parts.strings, config->max_strings, parts.string_bytes, config->string_bytes);
  capture->sites.attach(parts.sites, parts.sites_known, config->max_sites);
  clear_capture(capture);
  *result = capture;
  return FLAMELET_OK;
}

void flamelet_capture_destroy(flamelet_capture* capture) {
  if (capture == nullptr) return;
  // Everything in it is plain memory; the allocator is copied because it lies there too.
  const flamelet_allocator allocator = capture->config.allocator;
  release(allocator, capture->memory, capture->memory_bytes);
}

flamelet_result flamelet_capture_update(flamelet_capture* capture) {
  if (capture == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  // Held until the tables are read, so that they are those of the session whose pages were.
  if (!begin_read()) return FLAMELET_ERROR_NOT_INITIALIZED;
  EndedTracks ended;
  find_ended_tracks(&ended);
  const bool running = capture->reader.poll(
      [](void* user, const PagePart& part) {
        auto* to = static_cast<flamelet_capture*>(user);
        begin_session(to, to->reader.session());
        add_part(to, part);
      },
      capture);
  if (running) {
    begin_session(capture, capture->reader.session());
    TableNews news;
    copy_new(&capture->strings, string_count(), get_string, &capture->strings_settled, &news);
    copy_new(&capture->sites, site_count(), get_site, &capture->sites_settled, &news);
    capture->names_missing += news.refused;
    if (news.copied != 0) ++capture->version;
    copy_tracks(capture, ended);
    set_clock(capture, flamelet_clock_info());
  }
  end_read();
  return running ? FLAMELET_OK : FLAMELET_ERROR_NOT_INITIALIZED;
}
