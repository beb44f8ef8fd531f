// SPDX-License-Identifier: MIT
//
// capture_load.cpp: a file as a capture. The headers of all chunks are read first, for the sizes of the tables; then
// the payloads, one at a time. Pages go through add_part(), as those of a running recorder do, so whatever stands in
// them is checked, and counted, in the one place that does so.
#include <string.h>

#include "capture/capture_chunks.h"
#include "capture/capture_data.h"
#include "capture/capture_format.h"
#include "capture/capture_writer.h"
#include "capture/file_chunks.h"
#include "flamelet/flight.h"
#include "platform/engine_memory.h"

using namespace flamelet;

namespace {

constexpr uint32_t kLoadCookie = 0x664C6F61;

template <class Number>
Number clamp(Number value, Number low, Number high) {
  return value < low ? low : value > high ? high : value;
}

class Loader {
 public:
  Loader(FileSource* source, const flamelet_load_options& options, flamelet_load_report* report, bool is_kept = false)
      : source_(*source), options_(options), report_(*report), may_have_kept_pages_(is_kept) {}

  flamelet_result run(flamelet_capture** result) {
    FileHeader header;
    report_.file_bytes = source_.size();
    if (!source_.get(0, &header, sizeof header))
      return source_.failed() ? FLAMELET_ERROR_FILE_READ : FLAMELET_ERROR_FILE_FORMAT;
    if (memcmp(header.magic, kFileMagic, sizeof kFileMagic) != 0) return FLAMELET_ERROR_FILE_FORMAT;
    report_.format_version = header.version;
    if (header.version == 0 || header.version > FLAMELET_CAPTURE_FORMAT_VERSION ||
        header.header_bytes < sizeof header || header.header_bytes > source_.size() || header.header_bytes % 8 != 0)
      return FLAMELET_ERROR_FILE_FORMAT;
    first_chunk_ = header.header_bytes;

    ChunkSizes sizes;
    ChunkHeader chunk;
    ChunkWalk walk(&source_, first_chunk_);
    while (walk.next(&chunk)) sizes.add(chunk);
    if (source_.failed()) return FLAMELET_ERROR_FILE_READ;
    report_.chunks_damaged = walk.damaged();
    report_.truncated = !walk.ended();

    flamelet_result answer = create(sizes);
    if (answer != FLAMELET_OK) return answer;
    const flamelet_allocator allocator = capture_->config.allocator;
    const size_t buffer_bytes = sizes.largest_payload == 0 ? 8 : static_cast<size_t>(sizes.largest_payload);
    void* payload;
    answer = take_memory(allocator, buffer_bytes, alignof(uint64_t), &payload);
    if (answer != FLAMELET_OK) {
      flamelet_capture_destroy(capture_);
      return answer;
    }
    payload_ = static_cast<char*>(payload);
    // The lanes before their pages, which are checked against them. Intervals after the pages: those whose pages are gone are
    // in the table of the saved capture, and those for which it had no room are on the pages.
    for (int pass = 0; pass < 3; ++pass) {
      if (pass == 2) expect_saved(&capture_->intervals);
      if (pass == 2) expect_saved(&capture_->named_frames);
      ChunkWalk again(&source_, first_chunk_);
      while (again.next(&chunk)) {
        if (pass_of(chunk.type) == pass && fetch(again, chunk)) take(chunk);
      }
      if (pass == 0 && has_all_lanes()) capture_->lanes.close();
    }
    end_saved(&capture_->intervals);
    end_saved(&capture_->named_frames);
    finish();
    allocator.free(allocator.user, payload_, buffer_bytes, alignof(uint64_t));
    if (source_.failed()) {  // a part of it would look like all of it
      flamelet_capture_destroy(capture_);
      return FLAMELET_ERROR_FILE_READ;
    }
    *result = capture_;
    return FLAMELET_OK;
  }

 private:
  static int pass_of(uint32_t type) {
    if (type == kPagesChunk || type == kKeptPagesChunk) return 1;
    const bool is_last = type == kIntervalsChunk || type == kNamedFramesChunk || type == kSwitchesChunk ||
                         type == kStateBeforeChunk;  // these want the lanes
    return is_last ? 2 : 0;
  }

  // Then what the pages mention besides, the saved capture had no room for either.
  bool has_all_lanes() const {
    return !report_.truncated && report_.chunks_damaged == 0 && report_.entries_refused == 0;
  }

  flamelet_result create(const ChunkSizes& sizes) {
    flamelet_capture_config config = flamelet_capture_config_default();
    constexpr uint64_t kMost = 1u << 24;
    config.allocator = options_.allocator;
    config.max_frames = static_cast<uint32_t>(clamp<uint64_t>(sizes.frames, 1, kMost));
    // Lanes whose entries were lost show all the same, as far as there is room.
    config.max_tracks =
        static_cast<uint32_t>(clamp<uint64_t>(sizes.lanes + (sizes.pages < 64 ? sizes.pages : 64), 1, kMost));
    config.max_sites = clamp<uint32_t>(sizes.site_limit, 1, FLAMELET_MAX_SITES + 1);
    config.max_strings = clamp<uint32_t>(sizes.string_limit, 1, kMaxStringId + 1);
    config.string_bytes = static_cast<size_t>(sizes.string_bytes + 1);
    // A page holds a run for each switch and one for its beginning; that there are so many is rare.
    config.max_fiber_runs = static_cast<uint32_t>(clamp<uint64_t>(sizes.pages * 4, 0, 1u << 20));
    if (config.max_fiber_runs < kLeastFiberRuns && sizes.pages != 0) config.max_fiber_runs = kLeastFiberRuns;
    config.max_thread_times = static_cast<uint32_t>(clamp<uint64_t>(sizes.thread_times, 0, kMost));
    config.max_switches = static_cast<uint32_t>(clamp<uint64_t>(sizes.switches, 1, kMost));
    constexpr uint64_t kLeast = 64;  // they grow
    config.max_intervals = static_cast<uint32_t>(clamp<uint64_t>(sizes.intervals, kLeast, kMost));
    config.max_named_frames = static_cast<uint32_t>(clamp<uint64_t>(sizes.named_frames, kLeast, kMost));
    const uint64_t bytes = bytes_for_pages(config, sizes.pages);
    if (options_.max_bytes != 0 && bytes > options_.max_bytes) return FLAMELET_ERROR_BUDGET_TOO_SMALL;
    config.budget_bytes = static_cast<size_t>(bytes);
    const flamelet_result result = create_for_pages(config, sizes.pages, &capture_);
    if (result != FLAMELET_OK) return result;
    capture_->is_loaded = true;
    let_tables_grow(capture_);
    return result;
  }

  bool fetch(const ChunkWalk& walk, const ChunkHeader& chunk) {
    const bool is_known = chunk.type == kEndChunk || least_entry_bytes(chunk.type) != 0;
    if (!is_known || (chunk.type == kKeptPagesChunk && !may_have_kept_pages_)) {
      ++report_.chunks_unknown;
      return false;
    }
    if (!source_.get(walk.payload(), payload_, chunk.payload_bytes) ||
        crc32c(payload_, chunk.payload_bytes) != chunk.payload_crc) {
      ++report_.chunks_damaged;
      return false;
    }
    ++report_.chunks_read;
    return true;
  }

  template <class Entry>
  Entry get(uint32_t index) const {
    Entry entry;
    memcpy(&entry, payload_ + index * sizeof(Entry), sizeof(Entry));
    return entry;
  }

  void take(const ChunkHeader& chunk) {
    if (chunk.type == kStringsChunk) return take_strings(chunk);
    if (chunk.type == kPagesChunk) return take_pages(chunk);
    if (chunk.type == kKeptPagesChunk) return take_kept_pages(chunk);
    for (uint32_t i = 0; i < chunk.count; ++i) {
      switch (chunk.type) {
        case kSessionChunk:
          take_session(get_one(chunk, session_here()));
          break;
        case kSitesChunk:
          take_site(get<SiteEntry>(i));
          break;
        case kLanesChunk:
          take_lane(get<LaneEntry>(i));
          break;
        case kBuildChunk:
          take_build(get<BuildInfo>(i));
          break;
        case kCategoriesChunk:
          take_categories(get<CategoryNames>(i));
          break;
        case kTriggerChunk:
          take_trigger(get<TriggerEntry>(i));
          break;
        case kFramesChunk:
          take_frame(get<FrameEntry>(i));
          break;
        case kThreadTimesChunk:
          take_thread_time(get<ThreadTimeEntry>(i));
          break;
        case kDropsChunk:
          capture_->drops = get_one(chunk, DropCounts());
          break;
        case kStatesChunk:
          take_states(get_one(chunk, StatesEntry()));
          break;
        case kSwitchesChunk:
          take_switch(get<SwitchEntry>(i));
          break;
        case kStateBeforeChunk:
          take_state_before(get<SwitchEntry>(i));
          break;
        case kIntervalsChunk:
          take_interval(get<IntervalEntry>(i), &capture_->intervals);
          break;
        case kNamedFramesChunk:
          take_interval(get<IntervalEntry>(i), &capture_->named_frames);
          break;
        default:
          break;
      }
    }
  }

  // The first one: what the file's version has of it, as far as this one knows it.
  template <class Entry>
  Entry get_one(const ChunkHeader& chunk, Entry entry) const {
    memcpy(&entry, payload_, chunk.payload_bytes < sizeof entry ? chunk.payload_bytes : sizeof entry);
    return entry;
  }

  static SessionEntry session_here() {
    SessionEntry entry = {};
    entry.counts = counts_here<CaptureCounts>();
    entry.window_begin_ticks = kNoWindowInFile;
    entry.window_end_ticks = UINT64_MAX;
    return entry;
  }

  void take_build(const BuildInfo& info) {
    if (has_build_) ++report_.duplicates;
    if (!has_build_) capture_->build = checked(info);
    has_build_ = true;
  }

  void take_categories(const CategoryNames& names) {
    if (capture_->categories_off.text[0] != 0)
      ++report_.duplicates;
    else
      capture_->categories_off = checked(names);
  }

  void take_trigger(const TriggerEntry& entry) {
    if (capture_->has_trigger) {
      ++report_.duplicates;
      return;
    }
    // A limit that is no number is not one either.
    if (entry.cause >= FLAMELET_FLIGHT_CAUSE_COUNT || !(entry.limit_ms >= 0 && entry.limit_ms <= 1e12)) {
      ++report_.entries_refused;
      return;
    }
    capture_->has_trigger = true;
    capture_->trigger = entry;
    capture_->trigger.text[sizeof entry.text - 1] = 0;
  }

  void take_session(const SessionEntry& entry) {
    if (has_session_) {
      ++report_.duplicates;
      return;
    }
    if (entry.clock_kind > FLAMELET_CLOCK_INJECTED ||
        !(entry.ticks_per_second >= 1 && entry.ticks_per_second <= 1e15)) {
      ++report_.entries_refused;
      return;
    }
    has_session_ = true;
    session_ = entry;
    flamelet_clock& clock = capture_->clock;
    clock.kind = static_cast<flamelet_clock_kind>(entry.clock_kind);
    clock.rate_is_final = entry.rate_is_final != 0;
    clock.origin_ticks = entry.origin_ticks;
    clock.origin_unix_ns = entry.origin_unix_ns;
    clock.ticks_per_second = entry.ticks_per_second;
    capture_->converter = TickConverter(clock.origin_ticks, clock.ticks_per_second);
  }

  void take_strings(const ChunkHeader& chunk) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < chunk.count; ++i) {
      StringEntry entry;
      if (chunk.payload_bytes - at < sizeof entry) break;
      memcpy(&entry, payload_ + at, sizeof entry);
      at += static_cast<uint32_t>(sizeof entry);
      if (entry.bytes > chunk.payload_bytes - at) {
        ++report_.entries_refused;
        break;
      }
      if (capture_->strings.has(entry.id)) {
        ++report_.duplicates;
      } else if (!capture_->strings.put(entry.id, {payload_ + at, entry.bytes})) {
        ++report_.entries_refused;
      }
      at += (entry.bytes + 7) & ~7u;
    }
  }

  void take_site(const SiteEntry& entry) {
    if (capture_->sites.has(entry.id)) {
      ++report_.duplicates;
    } else if (!capture_->sites.put(
                   entry.id, {entry.name, entry.category, entry.file, entry.function, entry.line, entry.color})) {
      ++report_.entries_refused;
    }
  }

  void take_lane(const LaneEntry& entry) {
    LaneTable& lanes = capture_->lanes;
    if (entry.kind > FLAMELET_LANE_FIBER || lanes.full()) {
      ++report_.entries_refused;
      return;
    }
    const flamelet_lane_kind kind = static_cast<flamelet_lane_kind>(entry.kind);
    if (lanes.find(entry.id, kind == FLAMELET_LANE_FIBER) != kNoLane) {
      ++report_.duplicates;
      return;
    }
    Lane& lane = lanes[lanes.add(entry.id, kind, kNoLane)];
    lane.name = entry.name;
    lane.submitted = (entry.submitted & kLaneSubmitted) != 0;
    lane.in_order = (entry.submitted & kLaneInOrder) != 0;
    lane.saved_counts = entry.counts;
    lane.is_saved = true;
    if ((entry.submitted & kLaneDestroyed) != 0) {
      lane.destroyed_ticks = entry.first_event;
      lane.destroyed_depth = static_cast<uint32_t>(entry.next_event);
      return;
    }
    // As if everything before the first page had been read: then a gap appears where a page is missing, and only there.
    lane.next_event = entry.first_event;
    lane.saved_next_event = entry.next_event;
    lane.ended = (entry.submitted & kLaneEnded) != 0;
  }

  void take_frame(const FrameEntry& entry) {
    if (!capture_->frames.restore({entry.index, entry.begin_ticks, entry.end_ticks, entry.flags, entry.thread}))
      ++report_.entries_refused;
  }

  void take_thread_time(const ThreadTimeEntry& entry) {
    if (!capture_->thread_times.add(entry.frame, {entry.thread, entry.known & kTimeAll, entry.ran_ns, entry.ready_ns,
                                                  entry.switches, entry.major_faults, entry.minor_faults}))
      ++report_.entries_refused;
  }

  void take_states(const StatesEntry& entry) {
    capture_->states = entry;
    if (entry.states >= FLAMELET_THREAD_STATES_COUNT) capture_->states.states = FLAMELET_THREAD_STATES_FAILED;
  }

  void take_switch(const SwitchEntry& entry) {
    if (!add_switch(capture_, entry.ticks, read_switch(entry.event))) ++report_.entries_refused;
  }

  void take_state_before(const SwitchEntry& entry) {
    const SwitchEvent event = read_switch(entry.event);
    const uint32_t lane = capture_->lanes.find(event.thread, false);
    if (lane == kNoLane || event.what >= kSwitchLost) {
      ++report_.entries_refused;
      return;
    }
    SwitchList& list = capture_->lanes[lane].switches;
    list.before = {entry.ticks, event, 0, 0, 0, 0};
    list.has_before = true;
  }

  // A part of a capture has whole pages, but of their intervals those of its window. Older ones do not tell the window.
  bool is_part() const { return has_session_ && session_.counts.events_read == kCountHere; }
  void expect_saved(IntervalTable* table) {
    if (is_part() && session_.window_begin_ticks == kNoWindowInFile)
      table->clear();
    else
      table->expect_saved();
  }
  void end_saved(IntervalTable* table) const {
    if (is_part())
      table->end_saved_part(session_.window_begin_ticks, session_.window_end_ticks);
    else
      table->end_saved();
  }

  void take_interval(const IntervalEntry& entry, IntervalTable* table) {
    Interval interval = {};
    interval.id = entry.id;
    interval.begin_ticks = entry.begin_ticks;
    interval.end_ticks = entry.end_ticks;
    interval.strings = entry.strings;
    interval.site = entry.site;
    interval.begin_track = entry.begin_track;
    interval.end_track = entry.end_track;
    interval.flags = entry.flags;
    if (!table->restore(interval)) ++report_.duplicates;
  }

  void take_pages(const ChunkHeader& chunk) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < chunk.count; ++i) {
      PageEntry entry;
      if (chunk.payload_bytes - at < sizeof entry) break;
      memcpy(&entry, payload_ + at, sizeof entry);
      at += static_cast<uint32_t>(sizeof entry);
      const uint64_t bytes = uint64_t{entry.words} * sizeof(uint64_t);
      if (bytes > chunk.payload_bytes - at) {
        ++report_.pages_refused;
        break;
      }
      if (take_page(entry, reinterpret_cast<const uint64_t*>(payload_ + at))) {
        ++report_.pages_read;
      } else {
        ++report_.pages_refused;
      }
      at += static_cast<uint32_t>(bytes);
    }
  }

  // Nobody else wrote them than this process.
  void take_kept_pages(const ChunkHeader& chunk) {
    const char* at = payload_;
    for (uint32_t i = 0; i < chunk.count; ++i) {
      KeptPageEntry kept;
      memcpy(&kept, at, sizeof kept);
      PageWords words;
      unpack_page(reinterpret_cast<const unsigned char*>(at + sizeof kept), kept_shape(kept), &words);
      ++(take_page(kept.page, words.words) ? report_.pages_read : report_.pages_refused);
      at += sizeof kept + kept.packed_bytes;
    }
  }

  bool take_page(const PageEntry& entry, const uint64_t* words) {
    if (entry.words > kPageWords || entry.open_count > FLAMELET_MAX_DEPTH || entry.words < 2 * entry.open_count ||
        entry.track >= kSwitchTrack)
      return false;
    PageHeader header = {};
    header.track = entry.track;
    header.fiber = entry.fiber;
    const uint32_t lane_index = lane_of_page(capture_, header);
    if (lane_index == kNoLane) return false;
    Lane& lane = capture_->lanes[lane_index];
    if (capture_->pages.full() || (lane.pages.count != 0 && entry.ticket <= lane.ticket)) return false;
    header.base_ticks = entry.base_ticks;
    header.last_ticks = entry.last_ticks;
    header.first_event = entry.first_event;
    header.open_count = entry.open_count;
    if (lane.is_saved && entry.first_event > lane.next_event) lose(hole_from(lane), entry.begin_ticks);
    // What pages that are not in the file did to their lane.
    if (entry.begin_ticks > lane.now_ticks) lane.now_ticks = entry.begin_ticks;
    lane.fiber = entry.track != 0 ? entry.fiber : 0;
    lane.run_ticks = entry.run_ticks;
    lane.fiber_switches = entry.fiber_switches;
    add_part(capture_, {entry.ticket, &header, words, 0, entry.words, (entry.flags & kPageClosed) != 0});
    if ((entry.flags & kPageBad) != 0) capture_->pages.info(lane.pages.newest).bad = true;
    return true;
  }

  // Events that the file lacks lie behind this time.
  uint64_t hole_from(const Lane& lane) const { return std::max(lane.now_ticks, session_.oldest_ticks); }
  void lose(uint64_t begin_ticks, uint64_t end_ticks) {
    capture_->frames.lose(begin_ticks, end_ticks);
    hole_begin_ticks_ = std::min(hole_begin_ticks_, begin_ticks);
    hole_end_ticks_ = std::max(hole_end_ticks_, end_ticks);
  }
  // A lane of which there is no page: when it had events, nobody knows. Pages of one time lie together in the file, so it
  // lacks them where other lanes lack theirs.
  bool lacks_all_pages(const Lane& lane) const { return lacks_its_end(lane) && lane.pages.count == 0; }

  void finish() {
    LaneTable& lanes = capture_->lanes;
    bool is_cut = false, lacks_lane = false;
    for (uint32_t i = 0; i < lanes.count(); ++i) {
      Lane& lane = lanes[i];
      if (!lane.is_saved) continue;
      is_cut = is_cut || lacks_its_end(lane);
      lacks_lane = lacks_lane || lacks_all_pages(lane);
      if (lacks_its_end(lane) && !lacks_all_pages(lane)) lose(lane.now_ticks, UINT64_MAX);
      if (lane.ended) leave_in_gap(capture_, lane);
      lane.counts = loaded_counts(lane.saved_counts, lane.counts);
    }
    if (lacks_lane && hole_begin_ticks_ > hole_end_ticks_) lose(session_.oldest_ticks, UINT64_MAX);
    if (lacks_lane) capture_->frames.lose(hole_begin_ticks_, hole_end_ticks_);
    report_.damaged_before = session_.damage;
    const uint64_t damaged = report_.truncated + report_.chunks_damaged + report_.chunks_unknown +
                             report_.pages_refused + report_.entries_refused + report_.duplicates;
    capture_->is_short = damaged != 0;
    capture_->damage = session_.damage + std::min(damaged, UINT64_MAX - session_.damage);
    if (capture_->damage != 0) capture_->frames.doubt_longer_than(kMostFrameSeconds * capture_->clock.ticks_per_second);
    if (!has_session_) return;
    if (capture_->oldest_ticks > session_.oldest_ticks) capture_->oldest_ticks = session_.oldest_ticks;
    // A file without its end counts up to the newest time that it still has: when its open scopes ended, nobody knows.
    if (!is_cut && capture_->newest_ticks < session_.newest_ticks) capture_->newest_ticks = session_.newest_ticks;
    capture_->evicted_ticks = session_.evicted_ticks;
    capture_->is_part = session_.counts.events_read == kCountHere;
    capture_->window_begin_ticks = session_.window_begin_ticks;
    capture_->window_end_ticks = session_.window_end_ticks;
    if (session_.window_begin_ticks == kNoWindowInFile)  // of an older file that was cut, the begin is known
      capture_->window_begin_ticks = capture_->is_part ? session_.evicted_ticks : 0;
    // A part of a capture has the counts of what it holds: those of its pages, by now, of its frames and its switches.
    capture_->counts.events_read += capture_->frames.count() + capture_->switches.end() - capture_->switches.first();
    capture_->counts = loaded_counts(session_.counts, capture_->counts);
  }

  static constexpr uint32_t kLeastFiberRuns = 4096;
  static constexpr uint64_t kNoWindowInFile = UINT64_MAX;

  FileSource& source_;
  const flamelet_load_options& options_;
  flamelet_load_report& report_;
  const bool may_have_kept_pages_;
  flamelet_capture* capture_ = nullptr;
  char* payload_ = nullptr;
  uint32_t first_chunk_ = 0;
  bool has_build_ = false;
  bool has_session_ = false;
  SessionEntry session_ = {};
  // Where lanes lack pages that the file had.
  uint64_t hole_begin_ticks_ = UINT64_MAX;
  uint64_t hole_end_ticks_ = 0;
};

struct KeptLoader : Loader {
  KeptLoader(FileSource* source, const flamelet_load_options& options, flamelet_load_report* report)
      : Loader(source, options, report, true) {}
};

}  // namespace

flamelet_result flamelet::load_kept(const flamelet_load_options* options, flamelet_source kept,
                                    flamelet_capture** capture) {
  return read_capture<KeptLoader, flamelet_load_report>(options, kept, capture, nullptr);
}

flamelet_load_options flamelet_load_options_default(void) {
  flamelet_load_options options = {};
  options.cookie = kLoadCookie;
  return options;
}

flamelet_result flamelet_capture_load_from(const flamelet_load_options* options, flamelet_source source,
                                           flamelet_capture** capture, flamelet_load_report* report) {
  return read_capture<Loader>(options, source, capture, report);
}

flamelet_result flamelet_capture_load_bytes(const flamelet_load_options* options, const void* bytes, size_t size,
                                            flamelet_capture** capture, flamelet_load_report* report) {
  const auto read = [](void* user, uint64_t offset, void* to, size_t wanted, size_t* count) {
    memcpy(to, *static_cast<const char**>(user) + offset, wanted);  // all of it is there
    *count = wanted;
    return true;
  };
  const char* from = static_cast<const char*>(bytes);
  flamelet_source source = {read, size, &from};
  if (bytes == nullptr && size != 0) source.read = nullptr;
  return read_capture<Loader>(options, source, capture, report);
}

flamelet_result flamelet_capture_load(const flamelet_load_options* options, const char* path,
                                      flamelet_capture** capture, flamelet_load_report* report) {
  return read_capture<Loader>(options, path, capture, report);
}
