// SPDX-License-Identifier: MIT
//
// capture_save.cpp: a capture as the bytes of capture_format.h.
#include <string.h>

#include "capture/capture_data.h"
#include "capture/capture_format.h"
#include "capture/crc32c.h"
#include "platform/engine_memory.h"
#include "platform/new_file.h"

using namespace flamelet;

namespace {

// The largest entry is a string; a page is far smaller.
constexpr size_t kBufferBytes = sizeof(ChunkHeader) + kChunkTargetBytes + sizeof(StringEntry) + kMaxStringBytes + 1;

// Collects entries into chunks. After the first failure it does nothing more.
class ChunkWriter {
 public:
  ChunkWriter(char* buffer, flamelet_sink sink) : buffer_(buffer), sink_(sink) {}

  void bytes(const void* bytes, size_t count) { good_ = good_ && sink_.write(sink_.user, bytes, count); }

  // Room for an entry of this size, whatever was there.
  char* entry(ChunkType type, size_t size, uint32_t id_limit = 0) {
    if (header_.count != 0 && (header_.type != type || header_.payload_bytes + size > kChunkTargetBytes)) flush();
    header_.type = type;
    if (header_.id_limit < id_limit) header_.id_limit = id_limit;
    char* at = buffer_ + sizeof(ChunkHeader) + header_.payload_bytes;
    header_.payload_bytes += static_cast<uint32_t>(size);
    ++header_.count;
    return at;
  }
  template <class Entry>
  void add(ChunkType type, const Entry& from, uint32_t id_limit = 0) {
    memcpy(entry(type, sizeof(Entry), id_limit), &from, sizeof(Entry));
  }
  bool finish() {
    if (header_.count != 0) flush();
    header_.type = kEndChunk;
    flush();
    return good_;
  }

 private:
  void flush() {
    header_.magic = kChunkMagic;
    header_.payload_crc = crc32c(buffer_ + sizeof(ChunkHeader), header_.payload_bytes);
    header_.header_crc = crc32c(&header_, offsetof(ChunkHeader, header_crc));
    memcpy(buffer_, &header_, sizeof(ChunkHeader));
    bytes(buffer_, sizeof(ChunkHeader) + header_.payload_bytes);
    const uint32_t number = header_.number + 1;
    header_ = ChunkHeader();
    header_.number = number;
  }

  char* const buffer_;
  const flamelet_sink sink_;
  bool good_ = true;
  ChunkHeader header_ = {};
};

// What of a capture is saved.
class Selection {
 public:
  Selection(const flamelet_capture& capture, int64_t begin_ns, int64_t end_ns)
      : capture_(capture),
        begin_(begin_ns == INT64_MIN ? 0 : capture.converter.to_ticks(begin_ns)),
        end_(end_ns == INT64_MAX ? UINT64_MAX : capture.converter.to_ticks(end_ns)) {}

  uint64_t begin() const { return begin_; }
  bool has(uint64_t begin_ticks, uint64_t end_ticks) const {
    return (begin_ticks < end_ || end_ == UINT64_MAX) && end_ticks >= begin_;
  }
  // A page counts up to the next one of its track: what is open in it goes on. Of one lane always a run of neighbours,
  // so that no gap appears that was not there.
  bool has(PageId id) const {
    const PageInfo& info = capture_.pages.info(id);
    uint64_t covered = info.closed ? info.end_ticks : UINT64_MAX;
    if (capture_.pages.holds(info.next)) {
      const uint64_t next = capture_.pages.info(info.next).begin_ticks;
      covered = next > info.end_ticks ? next : info.end_ticks;
    }
    // What was submitted late stands on later pages.
    const bool submitted = capture_.lanes[info.lane].submitted;
    return has(submitted ? 0 : info.begin_ticks, covered);
  }
  // Whether every page is selected.
  bool has_all() const {
    for (PageId id = capture_.pages.oldest(); capture_.pages.holds(id); ++id) {
      if (!has(id)) return false;
    }
    return true;
  }

 private:
  const flamelet_capture& capture_;
  const uint64_t begin_;
  const uint64_t end_;
};

void write_session(const flamelet_capture& capture, const Selection& selection, bool is_part, ChunkWriter* writer) {
  const PageStore& pages = capture.pages;
  SessionEntry entry = {};
  entry.clock_kind = capture.clock.kind;
  entry.rate_is_final = capture.clock.rate_is_final ? 1 : 0;
  entry.origin_ticks = capture.clock.origin_ticks;
  entry.origin_unix_ns = capture.clock.origin_unix_ns;
  entry.ticks_per_second = capture.clock.ticks_per_second;
  entry.oldest_ticks = capture.oldest_ticks;
  entry.newest_ticks = capture.newest_ticks;
  entry.evicted_ticks = capture.evicted_ticks;
  entry.counts = written_counts(capture.counts);
  if (is_part) {
    entry.newest_ticks = 0;
    for (PageId id = pages.oldest(); pages.holds(id); ++id) {
      if (selection.has(id) && pages.info(id).end_ticks > entry.newest_ticks)
        entry.newest_ticks = pages.info(id).end_ticks;
    }
    if (selection.begin() > entry.evicted_ticks) entry.evicted_ticks = selection.begin();
    entry.counts = counts_here<CaptureCounts>();
    entry.counts.names_missing = written_count(capture.counts.names_missing);
  }
  writer->add(kSessionChunk, entry);
}

void write_names(const flamelet_capture& capture, ChunkWriter* writer) {
  for (uint32_t id = 0; id < capture.config.max_strings; ++id) {
    if (!capture.strings.has(id)) continue;
    const flamelet_string text = capture.strings.get(id);
    const uint32_t size = text.size < kMaxStringBytes ? static_cast<uint32_t>(text.size) : kMaxStringBytes;
    const StringEntry entry = {id, size};
    const size_t filled = (size_t{size} + 7) & ~size_t{7};
    char* at = writer->entry(kStringsChunk, sizeof entry + filled, id + 1);
    memcpy(at, &entry, sizeof entry);
    memset(at + sizeof entry + size, 0, filled - size);
    memcpy(at + sizeof entry, text.text, size);
  }
  for (uint32_t id = 0; id < capture.sites.count(); ++id) {
    if (!capture.sites.has(id)) continue;
    const SiteRecord& site = capture.sites.get(id);
    writer->add(kSitesChunk,
                SiteEntry{id, site.name, site.category, site.file, site.function, site.line, site.color, 0}, id + 1);
  }
}

void write_lanes(const flamelet_capture& capture, const Selection& selection, bool is_part, ChunkWriter* writer) {
  const PageStore& pages = capture.pages;
  for (uint32_t i = 0; i < capture.lanes.count(); ++i) {
    const Lane& lane = capture.lanes[i];
    LaneEntry entry = {};
    entry.id = lane.id;
    entry.kind = lane.kind;
    entry.name = lane.name;
    entry.submitted = (lane.submitted ? kLaneSubmitted : 0u) | (lane.in_order ? kLaneInOrder : 0u);
    entry.counts = is_part ? counts_here<LaneCounts>() : written_counts(lane.counts);
    bool last = true;
    for (PageId id = lane.pages.newest; pages.holds(id); id = pages.info(id).previous) {
      if (!selection.has(id)) continue;
      entry.first_event = pages.page(id).header.first_event;
      if (last) entry.next_event = entry.first_event + pages.info(id).event_count;
      last = false;
    }
    writer->add(kLanesChunk, entry);
  }
}

void write_frames(const flamelet_capture& capture, const Selection& selection, ChunkWriter* writer) {
  for (size_t i = 0; i < capture.frames.count(); ++i) {
    const Frame& frame = capture.frames.at(i);
    if (selection.has(frame.begin_ticks, frame.end_ticks))
      writer->add(kFramesChunk, FrameEntry{frame.index, frame.begin_ticks, frame.end_ticks, frame.flags});
  }
}

void write_intervals(const IntervalTable& table, ChunkType type, const Selection& selection, ChunkWriter* writer) {
  for (size_t i = 0; i < table.count(); ++i) {
    const Interval& from = table.at(i);
    if (!selection.has(from.begin_ticks, from.end_track == 0 ? UINT64_MAX : from.end_ticks)) continue;
    writer->add(type, IntervalEntry{from.id, from.begin_ticks, from.end_ticks, from.strings, from.site,
                                    from.begin_track, from.end_track, from.flags});
  }
}

void write_pages(const flamelet_capture& capture, const Selection& selection, ChunkWriter* writer) {
  const PageStore& pages = capture.pages;
  for (PageId id = pages.oldest(); pages.holds(id); ++id) {
    if (!selection.has(id)) continue;
    const PageInfo& info = pages.info(id);
    const Page& page = pages.page(id);
    PageEntry entry = {};
    entry.ticket = info.ticket;
    entry.base_ticks = page.header.base_ticks;
    entry.begin_ticks = info.begin_ticks;
    entry.last_ticks = page.header.last_ticks;
    entry.run_ticks = info.run_ticks;
    entry.first_event = page.header.first_event;
    entry.track = page.header.track;
    entry.fiber = page.header.fiber;
    entry.fiber_switches = info.fiber_switches;
    entry.open_count = pages.open_block(id).count;
    // Of a bad page, what was good, and nothing of one whose block is not whole; of an open one also the beginning of an
    // event.
    entry.words = info.bad || entry.open_count != page.header.open_count ? info.word_count : info.copied_words;
    entry.flags = (info.closed ? kPageClosed : 0u) | (info.bad ? kPageBad : 0u);
    const size_t word_bytes = entry.words * sizeof(uint64_t);
    char* at = writer->entry(kPagesChunk, sizeof entry + word_bytes);
    memcpy(at, &entry, sizeof entry);
    memcpy(at + sizeof entry, page.words, word_bytes);
  }
}

}  // namespace

flamelet_result flamelet_capture_save_to(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                         flamelet_sink sink) {
  if (capture == nullptr || sink.write == nullptr || begin_ns >= end_ns) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_allocator& allocator = capture->config.allocator;
  void* block;
  const flamelet_result taken = take_memory(allocator, kBufferBytes, alignof(uint64_t), &block);
  if (taken != FLAMELET_OK) return taken;
  char* buffer = static_cast<char*>(block);

  const Selection selection(*capture, begin_ns, end_ns);
  ChunkWriter writer(buffer, sink);
  FileHeader header = {{}, FLAMELET_CAPTURE_FORMAT_VERSION, sizeof(FileHeader)};
  memcpy(header.magic, kFileMagic, sizeof kFileMagic);
  writer.bytes(&header, sizeof header);
  const bool is_part = capture->is_part || !selection.has_all();
  write_session(*capture, selection, is_part, &writer);
  write_names(*capture, &writer);
  write_lanes(*capture, selection, is_part, &writer);
  write_frames(*capture, selection, &writer);
  write_intervals(capture->intervals, kIntervalsChunk, selection, &writer);
  write_intervals(capture->named_frames, kNamedFramesChunk, selection, &writer);
  write_pages(*capture, selection, &writer);
  const bool good = writer.finish();
  allocator.free(allocator.user, buffer, kBufferBytes, alignof(uint64_t));
  return good ? FLAMELET_OK : FLAMELET_ERROR_FILE_WRITE;
}

flamelet_result flamelet_capture_save(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                      const char* path) {
  if (capture == nullptr || path == nullptr || begin_ns >= end_ns) return FLAMELET_ERROR_INVALID_ARGUMENT;
  NewFile file;
  if (!file.open(path)) return FLAMELET_ERROR_FILE_OPEN;
  const auto write = [](void* to, const void* bytes, size_t size) {
    return static_cast<NewFile*>(to)->write(bytes, size);
  };
  const flamelet_result result = flamelet_capture_save_to(capture, begin_ns, end_ns, {write, &file});
  if (result != FLAMELET_OK) {
    file.discard();
    return result;
  }
  return file.commit() ? FLAMELET_OK : FLAMELET_ERROR_FILE_WRITE;
}
