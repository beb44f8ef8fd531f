// SPDX-License-Identifier: MIT
//
// capture.cpp: the life of a capture, and what it copies from the running recorder besides pages.
#include "flamelet/capture.h"

#include <string.h>

#include <algorithm>
#include <new>

#include "capture/capture_data.h"
#include "capture/capture_writer.h"
#include "capture/file_chunks.h"
#include "platform/engine_memory.h"
#include "record/session.h"
#include "record/track.h"

using namespace flamelet;

namespace {

constexpr uint32_t kCaptureCookie = 0x666C6370;
// Every track that is alive keeps its open page, so this many are the least with which pages can come and go, and these
// are not packed.
constexpr uint32_t kMinPages = RingReader::kMaxOpen + 8;
constexpr PageStore::Sizes kLeastPages = {kMinPages, kMinPages, 0};
constexpr size_t kPageInfoBytes = sizeof(PageInfo) + sizeof(uint32_t);
constexpr size_t kLikelyPackedBytes = 1024;

struct CaptureParts {
  flamelet_capture* capture;
  PageStore::Memory pages;
  Lane* lanes;
  uint32_t* lane_buckets;
  FiberRun* runs;
  Frame* frames;
  ThreadTimeEntry* thread_times;
  Switch* switches;
  Interval* intervals;
  Interval* named_frames;
  uint64_t* interval_buckets;
  uint64_t* named_frame_buckets;
  StringCopies::Entry* strings;
  char* string_bytes;
  SiteRecord* sites;
  bool* sites_known;
};

size_t lay_out(const flamelet_capture_config& config, const PageStore::Sizes& pages, char* base, CaptureParts* parts) {
  Carver carver(base);
  parts->capture = carver.take<flamelet_capture>(1);
  parts->pages.raw = carver.take<PageWords>(pages.raw_pages);
  parts->pages.owners = carver.take<uint32_t>(pages.raw_pages);
  parts->pages.infos = carver.take<PageInfo>(pages.pages);
  parts->pages.places = carver.take<uint32_t>(pages.pages);
  parts->pages.packed = static_cast<unsigned char*>(carver.take_bytes(pages.packed_bytes, ByteRing::kAlignment));
  parts->lanes = carver.take<Lane>(config.max_tracks);
  parts->lane_buckets = carver.take<uint32_t>(HashIndex::slots_for(config.max_tracks));
  parts->runs = carver.take<FiberRun>(config.max_fiber_runs);
  parts->frames = carver.take<Frame>(config.max_frames);
  parts->thread_times = carver.take<ThreadTimeEntry>(config.max_thread_times);
  parts->switches = carver.take<Switch>(config.max_switches);
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
         config->max_switches <= kMaxEntries && config->budget_bytes <= kMostBytes &&
         (config->allocator.allocate == nullptr) == (config->allocator.free == nullptr);
}

// The defaults of what is 0, for a budget that is given.
constexpr uint32_t kTracks = 1024, kMostTracks = 16384, kSites = 16384, kStrings = 32768;
constexpr uint32_t kSwitches = 1024, kMostSwitches = 65536;
constexpr size_t kStringBytes = size_t{2} << 20;
constexpr size_t kBudget = size_t{16} << 20, kBudgetWithoutRing = size_t{64} << 20;

template <class Number>
Number at_least(Number value, Number least) {
  return value > least ? value : least;
}
template <class Number>
Number at_most(Number value, Number most) {
  return value < most ? value : most;
}

// For so many pages beside the least, whatever is in them.
PageStore::Sizes sizes_for(uint64_t pages, uint32_t raw_pages = kMinPages) {
  const uint64_t all = kMinPages + pages;
  const uint64_t packed_bytes = (all - raw_pages) * (kMostPackedBytes + ByteRing::kPieceBytes) + 4 * kPackRoom;
  return {static_cast<uint32_t>(all), raw_pages, static_cast<size_t>(packed_bytes) & ~(ByteRing::kAlignment - 1)};
}

// For so many pages of a ring: those that are not packed, and the others with half more than is likely.
PageStore::Sizes sizes_of_ring(uint32_t pages) {
  return {kMinPages + pages, kMinPages, pages * (kLikelyPackedBytes + kLikelyPackedBytes / 2)};
}

// Puts in for 0 what a capture of this ring needs, but not less than the defaults. Without a ring, or where a budget was
// given, the defaults.
flamelet_capture_config resolve(const flamelet_capture_config& from, RingSize ring = {},
                                size_t least_budget = kBudgetWithoutRing) {
  flamelet_capture_config config = from;
  const bool chosen = from.budget_bytes != 0;
  const bool has_switches = ring.has_switches;
  if (chosen) ring = {};
  if (from.max_switches == 0) config.max_switches = has_switches && !chosen ? kMostSwitches : kSwitches;
  if (from.max_sites == 0) config.max_sites = at_least(kSites, ring.sites);
  if (from.max_strings == 0) config.max_strings = at_least(kStrings, ring.strings);
  if (from.string_bytes == 0) config.string_bytes = at_least(kStringBytes, ring.string_bytes);
  // Each page may be that of another short thread, and have another short fiber.
  if (from.max_tracks == 0)
    config.max_tracks = at_most(at_least(kTracks, ring.has_fibers ? 2 * ring.pages : ring.pages), kMostTracks);
  CaptureParts parts;
  if (!chosen) {
    config.budget_bytes = at_least(least_budget, lay_out(config, sizes_of_ring(ring.pages), nullptr, &parts));
  } else {
    const size_t least = lay_out(config, kLeastPages, nullptr, &parts);
    const size_t more = from.budget_bytes > least ? from.budget_bytes - least : 0;
    const auto share = [more](size_t item_bytes, uint32_t low, uint32_t high) {
      return at_least(low, static_cast<uint32_t>(at_most(more / item_bytes, size_t{high})));
    };
    if (from.max_tracks == 0) config.max_tracks = share(sizeof(Page), kTracks, kMostTracks);
    if (from.max_switches == 0 && has_switches)
      config.max_switches = share(16 * sizeof(Switch), kSwitches, kMostSwitches);
  }
  return config;
}

// ... of a capture that a recorder fills.
flamelet_capture_config resolve_live(const flamelet_capture_config& from) {
  RingSize ring = {};
  get_ring_size(&ring);
  flamelet_capture_config config = from;
  if (from.max_tracks != 0) config.max_tracks = at_least(from.max_tracks, kLeastLanes);
  return resolve(config, ring, kBudget);
}

// The pages that fit into the budget beside the tables.
PageStore::Sizes pages_in_budget(const flamelet_capture_config& config) {
  CaptureParts parts;
  const size_t least = lay_out(config, kLeastPages, nullptr, &parts);
  if (config.budget_bytes < least) return {};
  constexpr size_t kAligning = 64;
  const size_t rest = config.budget_bytes - least;
  const size_t more = rest < kAligning ? 0 : rest - kAligning;
  const size_t pages = more / (kPageInfoBytes + kLikelyPackedBytes);
  const size_t packed_bytes = (more - pages * kPageInfoBytes) & ~(ByteRing::kAlignment - 1);
  return {kMinPages + static_cast<uint32_t>(pages), kMinPages, packed_bytes};
}

flamelet_result create(const flamelet_capture_config* config, const PageStore::Sizes& pages, BlockUse use,
                       flamelet_capture** result) {
  if (pages.pages == 0) return FLAMELET_ERROR_BUDGET_TOO_SMALL;

  CaptureParts parts;
  const size_t bytes = lay_out(*config, pages, nullptr, &parts);
  const flamelet_allocator allocator = allocator_or_default(config->allocator, use);
  void* block;
  const flamelet_result taken = take_memory(allocator, bytes, kPageBytes, &block);
  if (taken != FLAMELET_OK) return taken;
  char* memory = static_cast<char*>(block);
  if (use == BlockUse::kTouchedAtOnce) memset(memory, 0, bytes);
  lay_out(*config, pages, memory, &parts);

  flamelet_capture* capture = new (parts.capture) flamelet_capture();
  static Atomic<uint32_t> serials;
  capture->serial = serials.fetch_add_relaxed(1) + 1;
  capture->config = *config;
  capture->config.allocator = allocator;
  capture->memory = memory;
  capture->memory_bytes = bytes;
  capture->clock.ticks_per_second = 1e9;  // as the converter has it, until an update or a file says better
  capture->pages.attach(parts.pages, pages);
  capture->lanes.attach(parts.lanes, config->max_tracks, parts.lane_buckets);
  capture->fiber_runs.attach(parts.runs, config->max_fiber_runs);
  capture->frames.attach(parts.frames, config->max_frames, &capture->counts.frames_dropped);
  capture->thread_times.attach(parts.thread_times, config->max_thread_times, &capture->counts);
  capture->switches.attach(parts.switches, config->max_switches);
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
  capture->states.states = switch_states();
  capture->drops = {};
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
  const flamelet_clock was = capture->clock;
  capture->clock = clock;
  const bool is_same_time = clock.ticks_per_second == was.ticks_per_second && clock.origin_ticks == was.origin_ticks;
  if (is_same_time && clock.rate_is_final == was.rate_is_final) return;
  ++capture->version;
  if (!is_same_time) capture->converter = TickConverter(clock.origin_ticks, clock.ticks_per_second);
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

flamelet_capture_config flamelet_capture_config_small(void) {
  flamelet_capture_config config = flamelet_capture_config_default();
  config.budget_bytes = size_t{17} << 18;
  config.max_frames = 1024;
  config.max_tracks = kLeastLanes;
  config.max_sites = 2048;
  config.max_strings = 8192;
  config.string_bytes = size_t{512} << 10;
  config.max_fiber_runs = 4096;
  config.max_intervals = 1024;
  config.max_named_frames = 1024;
  config.max_thread_times = 4096;
  return config;
}

size_t flamelet_capture_memory_required(const flamelet_capture_config* config) {
  if (!is_valid(config)) return 0;
  flamelet_capture_config least = *config;
  least.budget_bytes = 1;  // so that what is 0 has its least
  CaptureParts parts;
  return lay_out(resolve_live(least), kLeastPages, nullptr, &parts);
}

flamelet_result flamelet_capture_create(const flamelet_capture_config* config, flamelet_capture** result) {
  if (result == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *result = nullptr;
  if (!is_valid(config)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_capture_config resolved = resolve_live(*config);
  return create(&resolved, pages_in_budget(resolved), BlockUse::kTouchedAtOnce, result);
}

flamelet_result flamelet::create_untouched(const flamelet_capture_config* config, flamelet_capture** result) {
  *result = nullptr;
  if (!is_valid(config)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_capture_config resolved = resolve(*config);
  return create(&resolved, pages_in_budget(resolved), BlockUse::kFilledOnce, result);
}

size_t flamelet::bytes_for_pages(const flamelet_capture_config& config, uint64_t pages) {
  CaptureParts parts;
  return lay_out(config, sizes_for(pages), nullptr, &parts);
}

flamelet_result flamelet::create_for_pages(const flamelet_capture_config& config, uint64_t pages,
                                           flamelet_capture** capture, uint32_t raw_pages) {
  if (!is_valid(&config)) return FLAMELET_ERROR_INVALID_ARGUMENT;
  return create(&config, sizes_for(pages, raw_pages == 0 ? kMinPages : raw_pages), BlockUse::kFilledOnce, capture);
}

void flamelet::let_tables_grow(flamelet_capture* capture) {
  capture->frames.let_grow(capture->config.allocator);
  capture->thread_times.let_grow(capture->config.allocator);
  capture->intervals.let_grow(capture->config.allocator);
  capture->named_frames.let_grow(capture->config.allocator);
  capture->switches.let_grow(capture->config.allocator);
}

void flamelet_capture_destroy(flamelet_capture* capture) {
  if (capture == nullptr) return;
  // Everything in it is plain memory; the allocator is copied because it lies there too.
  const flamelet_allocator allocator = capture->config.allocator;
  if (capture->set_frames != nullptr)
    allocator.free(allocator.user, capture->set_frames, capture->set_frames_bytes, alignof(Frame));
  capture->frames.free_grown();
  capture->thread_times.free_grown();
  capture->intervals.free_grown();
  capture->named_frames.free_grown();
  capture->switches.free_grown();
  allocator.free(allocator.user, capture->memory, capture->memory_bytes, kPageBytes);
}

flamelet_result flamelet_capture_set_frames(flamelet_capture* capture, const flamelet_frame_info* frames,
                                            size_t count) {
  constexpr size_t kMostFrames = std::min<size_t>(UINT32_MAX, SIZE_MAX / sizeof(Frame));
  if (capture == nullptr || !capture->is_loaded || count > kMostFrames || (frames == nullptr && count != 0))
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  for (size_t i = 0; i < count; ++i)
    if (frames[i].end_ns < frames[i].begin_ns ||
        (i != 0 && (frames[i].index <= frames[i - 1].index || frames[i].begin_ns < frames[i - 1].end_ns)))
      return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_allocator& allocator = capture->config.allocator;
  const size_t bytes = (count == 0 ? 1 : count) * sizeof(Frame);
  void* block;
  const flamelet_result taken = take_memory(allocator, bytes, alignof(Frame), &block);
  if (taken != FLAMELET_OK) return taken;
  if (capture->set_frames != nullptr)
    allocator.free(allocator.user, capture->set_frames, capture->set_frames_bytes, alignof(Frame));
  capture->frames.free_grown();
  capture->set_frames = block;
  capture->set_frames_bytes = bytes;
  capture->frames.attach(static_cast<Frame*>(block), static_cast<uint32_t>(bytes / sizeof(Frame)),
                         &capture->counts.frames_dropped);
  capture->thread_times.clear();
  for (size_t i = 0; i < count; ++i)
    capture->frames.restore({frames[i].index, capture->converter.to_ticks(frames[i].begin_ns),
                             capture->converter.to_ticks(frames[i].end_ns),
                             frames[i].flags & ~uint32_t{FLAMELET_FRAME_TIMES_DROPPED}, frames[i].thread});
  ++capture->version;
  return FLAMELET_OK;
}

void flamelet_capture_hold(flamelet_capture* capture, bool hold) {
  if (capture == nullptr) return;
  capture->is_held = hold;
  capture->was_held = capture->was_held || hold;
}

bool flamelet_capture_is_held(const flamelet_capture* capture) {
  return capture != nullptr && capture->is_held;
}

flamelet_result flamelet_capture_update(flamelet_capture* capture) {
  if (capture == nullptr) return FLAMELET_ERROR_INVALID_ARGUMENT;
  if (capture->is_loaded || capture->is_held) return FLAMELET_OK;
  if (capture->was_held) {
    ++capture->holds;
    capture->was_held = false;
  }
  // Kept until the tables are read, so that they are those of the session whose pages were.
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
    if (capture->has_news) {
      capture->has_news = false;
      take_system_names();
    }
    begin_session(capture, capture->reader.session());
    // acquire: pairs with the release of who switched one off.
    const uint32_t off_bytes = categories_off.size.load_acquire();
    if (off_bytes != capture->categories_off_bytes) copy_categories_off(capture, off_bytes);
    TableNews news;
    copy_new(&capture->strings, string_count(), get_string, &capture->strings_settled, &news);
    copy_new(&capture->sites, site_count(), get_site, &capture->sites_settled, &news);
    if (news.refused != 0) capture->counts.names_missing += news.refused;
    if (news.copied != 0) ++capture->version;
    copy_tracks(capture, table, census);
    set_clock(capture, recorder.clock.info());
    const DropCounts drops = count_drops();
    if (memcmp(&drops, &capture->drops, sizeof drops) != 0) {
      capture->drops = drops;
      ++capture->version;
    }
  }
  return running ? FLAMELET_OK : FLAMELET_ERROR_NOT_INITIALIZED;
}

namespace flamelet {

// Capture kept: what a flight recorder keeps as the capture file that it stands for: the same chunks, but with the pages
// unpacked.

namespace {

class KeptReader {
 public:
  KeptReader(flamelet_source kept, char* buffer, flamelet_sink sink) : source_(kept), chunks_(buffer, sink) {}

  bool run() {
    FileHeader header = {};
    read(&header, sizeof header);
    chunks_.bytes(&header, sizeof header);
    ChunkHeader chunk = {};
    for (read(&chunk, sizeof chunk); chunk.type != kEndChunk && is_good(); read(&chunk, sizeof chunk)) {
      if (chunk.type != kKeptPagesChunk)
        read(chunks_.chunk(chunk), chunk.payload_bytes);
      else
        for (uint32_t i = 0; i < chunk.count && is_good(); ++i) unpack_entry();
    }
    chunks_.finish();
    return is_good();
  }

 private:
  bool is_good() const { return chunks_.good() && !source_.failed(); }

  void read(void* bytes, size_t count) {
    source_.get(offset_, bytes, count);
    offset_ += count;
  }

  void unpack_entry() {
    KeptPageEntry kept = {};
    unsigned char packed[kMostKeptPageBytes];
    read(&kept, sizeof kept);
    read(packed, kept.packed_bytes);
    PageWords words;
    unpack_page(packed, kept_shape(kept), &words);
    const size_t word_bytes = kept.page.words * sizeof(uint64_t);
    char* const at = chunks_.entry(kPagesChunk, sizeof kept.page + word_bytes);
    memcpy(at, &kept.page, sizeof kept.page);
    memcpy(at + sizeof kept.page, words.words, word_bytes);
  }

  FileSource source_;
  ChunkWriter chunks_;
  uint64_t offset_ = 0;
};

}  // namespace

bool write_kept(flamelet_source kept, char* buffer, flamelet_sink sink) {
  return KeptReader(kept, buffer, sink).run();
}

}  // namespace flamelet
