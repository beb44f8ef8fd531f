// SPDX-License-Identifier: MIT
//
// capture_recover.cpp: the file of a ring (ring_file.h) as a capture. Its pages go through add_part(), in the order of
// their tickets, as those of a running recorder do; nothing else in the file is believed beyond what can be checked. It is
// read by calls and not mapped, so that a file which shrinks or changes meanwhile is no danger.
#include <string.h>

#include <algorithm>

#include "capture/capture_data.h"
#include "capture/file_chunks.h"
#include "platform/engine_memory.h"
#include "record/intern_table.h"
#include "record/replay.h"
#include "record/ring_file.h"

using namespace flamelet;

namespace {

struct FoundPage {
  uint64_t ticket;
  uint32_t index;
  // Of its header, which may be another page's soon.
  uint32_t track;
  uint64_t first_event, base_ticks;
  uint16_t kind;
};

class Recovery {
 public:
  Recovery(FileSource* source, const flamelet_load_options& options, flamelet_recover_report* report)
      : source_(*source),
        options_(options),
        allocator_(allocator_or_default(options.allocator, BlockUse::kFilledOnce)),
        report_(*report) {}

  flamelet_result run(flamelet_capture** result) {
    report_.file_bytes = source_.size();
    if (!source_.get(0, &file_, sizeof file_) || !is_sane())
      return source_.failed() ? FLAMELET_ERROR_FILE_READ : FLAMELET_ERROR_FILE_FORMAT;
    report_.shut_down = file_.shut_down != 0;
    report_.truncated = source_.size() < file_.file_bytes;

    const uint64_t pages = in_file(file_.pages_offset, file_.page_count, sizeof(Page));
    const size_t scratch_bytes = static_cast<size_t>(pages) * sizeof(FoundPage) + InternTable::kMaxSize;
    if (options_.max_bytes != 0 && scratch_bytes > options_.max_bytes) return FLAMELET_ERROR_BUDGET_TOO_SMALL;
    void* scratch;
    const flamelet_result taken = take_memory(allocator_, scratch_bytes, alignof(FoundPage), &scratch);
    if (taken != FLAMELET_OK) return taken;
    pages_ = static_cast<FoundPage*>(scratch);
    text_ = reinterpret_cast<char*>(pages_ + pages);
    find_pages(static_cast<uint32_t>(pages));
    flamelet_result answer = create();
    if (answer == FLAMELET_OK) {
      const TrackCensus nobody_lives = {nullptr, 0, UINT32_MAX, 0, 0, {}, {}};
      capture_->census = &nobody_lives;
      for (uint32_t i = 0; i < found_; ++i) take_page(pages_[i]);
      capture_->census = nullptr;
      // After the pages, whose process may go on: the names of what they hold are there by now.
      take_names();
      take_tracks();
      if (source_.failed()) {
        flamelet_capture_destroy(capture_);
        answer = FLAMELET_ERROR_FILE_READ;
      } else {
        capture_->damage = report_.truncated + report_.pages_refused + report_.names_refused;
        *result = capture_;
      }
    }
    allocator_.free(allocator_.user, scratch, scratch_bytes, alignof(FoundPage));
    return answer;
  }

 private:
  bool is_inside(uint64_t offset, uint64_t count, uint64_t size) const {
    return offset % 8 == 0 && offset <= file_.file_bytes && count <= (file_.file_bytes - offset) / size;
  }
  bool is_sane(const RingFileTable& table, uint32_t most_entries) const {
    return table.max_entries >= 1 && table.max_entries <= most_entries &&
           is_inside(table.entries_offset, table.max_entries, sizeof(uint64_t)) &&
           is_inside(table.text_offset, table.text_bytes, 1);
  }
  bool is_sane() const {
    return memcmp(file_.magic, kRingFileMagic, sizeof file_.magic) == 0 &&
           ((file_.version == kRingFileVersion && file_.header_bytes == sizeof file_) ||
            (file_.version == kRingFileVersion3 && file_.header_bytes == kRingFileVersion3Bytes)) &&
           file_.page_count >= 1 && is_inside(file_.pages_offset, file_.page_count, sizeof(Page)) &&
           is_sane(file_.strings, kMaxStringId + 1) && is_sane(file_.sites, FLAMELET_MAX_SITES + 1) &&
           file_.fiber_count <= 65536 &&
           (file_.fiber_count == 0 || (file_.fiber_bytes >= sizeof(RingFileFiber) &&
                                       is_inside(file_.fibers_offset, file_.fiber_count, file_.fiber_bytes)));
  }

  // How many of the items are there, if the file is shorter than it says.
  uint64_t in_file(uint64_t offset, uint64_t count, uint64_t item_bytes) const {
    return offset >= source_.size() ? 0 : std::min(count, (source_.size() - offset) / item_bytes);
  }

  uint64_t page_offset(uint32_t index) const { return file_.pages_offset + uint64_t{index} * sizeof(Page); }

  // Whether a page holds events, and of which ticket. Its state names the ticket that it was taken for, its commit the one
  // that it was opened for; a ticket has one place.
  bool is_open_to_readers(const PageHeader& header, uint32_t index, uint64_t* ticket) const {
    *ticket = header.commit >> Protocol::kCountShift;
    return *ticket != 0 && header.state >> Protocol::kTicketShift == *ticket && *ticket % file_.page_count == index &&
           header.open_count <= FLAMELET_MAX_DEPTH;
  }

  void find_pages(uint32_t count) {
    for (uint32_t index = 0; index < count; ++index) {
      PageHeader header;
      uint64_t ticket = 0;
      if (!source_.get(page_offset(index), &header, sizeof header)) continue;
      if (is_open_to_readers(header, index, &ticket)) {
        pages_[found_++] = {ticket, index, header.track, header.first_event, header.base_ticks, header.kind};
        frame_pages_ += header.track == kFrameTrack;
        switch_pages_ += header.track == kSwitchTrack;
      } else if (header.state != 0) {
        ++report_.pages_refused;
      }
    }
    std::sort(pages_, pages_ + found_, [](const FoundPage& a, const FoundPage& b) { return a.ticket < b.ticket; });
  }

  uint32_t count_in_file(const RingFileTable& table) const {
    return static_cast<uint32_t>(std::max<uint64_t>(1, in_file(table.entries_offset, table.max_entries, 8)));
  }

  flamelet_result create() {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.allocator = options_.allocator;
    config.max_frames = std::min(found_ * (kPageWords / 2) + 1, 1u << 20);
    // For all tracks, and the newest of fibers, of which a page can hold a hundred.
    config.max_tracks = std::min(found_ + kLeastLanes + std::max(file_.fiber_count, 16384u), 1u << 24);
    config.max_sites = count_in_file(file_.sites);
    config.max_strings = count_in_file(file_.strings);
    config.string_bytes = static_cast<size_t>(in_file(file_.strings.text_offset, file_.strings.text_bytes, 1)) + 1;
    config.max_fiber_runs = file_.fiber_count == 0 ? 0 : std::min(found_ * 4 + 4096, 1u << 20);
    config.max_thread_times = std::min(frame_pages_ * kMostThreadTimes + 1, 1u << 20);
    config.max_switches = std::min(switch_pages_ * (kPageWords / 2) + 1, 1u << 24);
    config.max_intervals = std::min(found_ * 16 + 64, 1u << 20);
    config.max_named_frames = config.max_intervals;
    const uint64_t bytes = bytes_for_pages(config, found_);
    if (options_.max_bytes != 0 && bytes > options_.max_bytes) return FLAMELET_ERROR_BUDGET_TOO_SMALL;
    config.budget_bytes = static_cast<size_t>(bytes);
    const flamelet_result result = create_for_pages(config, found_, &capture_);
    if (result != FLAMELET_OK) return result;
    capture_->is_loaded = true;
    let_tables_grow(capture_);

    flamelet_clock clock = {};
    clock.kind = FLAMELET_CLOCK_INJECTED;
    if (file_.clock_kind <= FLAMELET_CLOCK_INJECTED) clock.kind = static_cast<flamelet_clock_kind>(file_.clock_kind);
    clock.rate_is_final = file_.rate_is_final != 0;
    clock.origin_ticks = file_.origin_ticks;
    clock.origin_unix_ns = file_.origin_unix_ns;
    memcpy(&clock.ticks_per_second, &file_.rate_bits, sizeof clock.ticks_per_second);
    if (!(clock.ticks_per_second >= 1 && clock.ticks_per_second <= 1e15)) clock.ticks_per_second = 1e9;
    set_clock(capture_, clock);
    if (file_.thread_states < FLAMELET_THREAD_STATES_COUNT) capture_->states.states = file_.thread_states;
    uint64_t drops[kRingFileDrops] = {};
    for (size_t i = 0; i < kRingFileDrops; ++i)
      if (!source_.get(ring_file_drop_offset(i), &drops[i], sizeof drops[i])) drops[i] = 0;
    memcpy(&capture_->drops, drops, sizeof drops);
    capture_->build = checked(file_.build);
    capture_->categories_off = checked(file_.categories_off);
    return FLAMELET_OK;
  }

  void take_page(const FoundPage& found) {
    PageHeader after;
    uint64_t ticket = 0;
    if (!source_.get(page_offset(found.index), &page_, sizeof page_) ||
        !source_.get(page_offset(found.index), &after, sizeof after))
      return;
    // Taken anew by a live process while it was read, if it is not the same page before and after.
    const uint64_t closed_words = page_.header.commit & Protocol::kCountMask;
    if (!is_open_to_readers(page_.header, found.index, &ticket) || ticket != found.ticket ||
        !is_open_to_readers(after, found.index, &ticket) || ticket != found.ticket) {
      ++report_.pages_refused;
      PageHeader header = {};
      header.track = found.track;
      header.first_event = found.first_event;
      header.base_ticks = found.base_ticks;
      header.kind = found.kind;
      lose_page(capture_, header);
      return;
    }
    if (closed_words > kPageWords + 1) {
      ++report_.pages_refused;
      return;
    }
    const bool closed = closed_words != 0;
    const uint32_t words = closed ? static_cast<uint32_t>(closed_words) - 1 : written_words(page_);
    if (words < 2 * page_.header.open_count) {  // less than the scopes that it re-opens
      ++report_.pages_refused;
      return;
    }
    add_part(capture_, {found.ticket, &page_.header, page_.words, 0, words, closed});
    ++report_.pages_read;
    if (!closed) ++report_.pages_open;
  }

  // Entry `id` of a table; its text goes to text_. False if there is none.
  bool get_entry(const RingFileTable& table, uint64_t id, uint32_t* size) {
    uint64_t offset = 0;
    if (!source_.get(table.entries_offset + id * sizeof offset, &offset, sizeof offset) || offset == 0) return false;
    uint32_t head[2];  // id, size
    --offset;
    if (offset >= table.text_bytes || table.text_bytes - offset < sizeof head ||
        !source_.get(table.text_offset + offset, head, sizeof head) || head[0] != id ||
        head[1] > InternTable::kMaxSize || head[1] >= table.text_bytes - offset - sizeof head ||
        !source_.get(table.text_offset + offset + sizeof head, text_, head[1])) {
      ++report_.names_refused;
      return false;
    }
    *size = head[1];
    return true;
  }

  void take_names() {
    uint32_t size = 0;
    for (uint32_t id = 0; id < capture_->config.max_strings; ++id) {
      if (get_entry(file_.strings, id, &size) && !capture_->strings.put(id, {text_, size})) ++report_.names_refused;
    }
    for (uint32_t id = 0; id < capture_->config.max_sites; ++id) {
      SiteRecord site;
      if (!get_entry(file_.sites, id, &size)) continue;
      if (size == sizeof site) {
        memcpy(&site, text_, sizeof site);
        capture_->sites.put(id, site);
      } else {
        ++report_.names_refused;
      }
    }
  }

  bool get_track(uint32_t slot, TrackRecord* record) {
    *record = {};
    if (slot >= FLAMELET_MAX_TRACKS) {
      RingFileFiber fiber;
      const uint64_t at = uint64_t{slot - FLAMELET_MAX_TRACKS} * file_.fiber_bytes;
      if (!source_.get(file_.fibers_offset + at, &fiber, sizeof fiber) || fiber.id == 0 || fiber.id == UINT32_MAX)
        return false;
      record->id = record->fiber = fiber.id;
      record->name = fiber.name;
      record->ended = fiber.state == 0;  // kFiberFree
      return true;
    }
    const RingFileTrack& track = file_.tracks[slot];
    if (track.id == 0 || track.kind > FLAMELET_TRACK_EXTERNAL) return false;
    record->id = track.id;
    record->kind = static_cast<flamelet_track_kind>(track.kind);
    record->name = track.name;
    record->ended = track.ended != 0;
    record->events = track.events;
    return true;
  }

  void take_tracks() {
    const auto get = [](void* self, uint32_t slot, TrackRecord* record) {
      return static_cast<Recovery*>(self)->get_track(slot, record);
    };
    const auto all = [](void*) -> uint32_t { return FLAMELET_MAX_TRACKS; };
    const TrackTable table = {FLAMELET_MAX_TRACKS + file_.fiber_count, all, get, this};
    TrackCensus census;
    take_census(table, file_.ended_events, &census);
    capture_->overwritten_ticks = capture_->oldest_ticks;
    copy_tracks(capture_, table, census);
  }

  FileSource& source_;
  const flamelet_load_options& options_;
  const flamelet_allocator allocator_;
  flamelet_recover_report& report_;
  RingFileHeader file_;
  FoundPage* pages_ = nullptr;
  uint32_t found_ = 0;
  uint32_t frame_pages_ = 0;  // of these, with frame marks
  uint32_t switch_pages_ = 0;
  flamelet_capture* capture_ = nullptr;
  char* text_ = nullptr;  // room for the longest
  Page page_;
};

}  // namespace

flamelet_result flamelet_capture_recover_from(const flamelet_load_options* options, flamelet_source source,
                                              flamelet_capture** capture, flamelet_recover_report* report) {
  return read_capture<Recovery>(options, source, capture, report);
}

flamelet_result flamelet_capture_recover(const flamelet_load_options* options, const char* path,
                                         flamelet_capture** capture, flamelet_recover_report* report) {
  return read_capture<Recovery>(options, path, capture, report);
}
