// SPDX-License-Identifier: MIT
#include "capture/capture_writer.h"

#include <string.h>

#include "capture/file_chunks.h"
#include "platform/engine_memory.h"
#include "platform/file.h"

namespace flamelet {

void ChunkWriter::bytes(const void* bytes, size_t count) {
  good_ = good_ && sink_.write(sink_.user, bytes, count);
  byte_count_ += header_.type == kKeptPagesChunk ? 0 : count;
}

char* ChunkWriter::entry(ChunkType type, size_t size, uint32_t id_limit) {
  if (header_.count != 0 && (header_.type != type || header_.payload_bytes + size > kChunkTargetBytes)) flush();
  header_.type = type;
  if (header_.id_limit < id_limit) header_.id_limit = id_limit;
  char* at = buffer_ + sizeof(ChunkHeader) + header_.payload_bytes;
  header_.payload_bytes += static_cast<uint32_t>(size);
  ++header_.count;
  return at;
}

char* ChunkWriter::chunk(const ChunkHeader& header) {
  if (header_.count != 0) flush();
  const uint32_t number = header_.number;
  header_ = header;
  header_.number = number;
  return buffer_ + sizeof(ChunkHeader);
}

void ChunkWriter::finish() {
  if (header_.count != 0) flush();
  header_.type = kEndChunk;
  flush();
}

void ChunkWriter::flush() {
  header_.magic = kChunkMagic;
  header_.payload_crc = crc32c(buffer_ + sizeof(ChunkHeader), header_.payload_bytes);
  header_.header_crc = crc32c(&header_, offsetof(ChunkHeader, header_crc));
  memcpy(buffer_, &header_, sizeof(ChunkHeader));
  bytes(buffer_, sizeof(ChunkHeader) + header_.payload_bytes);
  const uint32_t number = header_.number + 1;
  header_ = ChunkHeader();
  header_.number = number;
}

// ---- What is written ------------------------------------------------------------------------------------------------

PageSelection::LanePart PageSelection::part_of(const flamelet_capture& capture, const Lane& lane) const {
  const PageStore& pages = capture.pages;
  LanePart part = {};
  // What is open in the newest page goes on, also where nothing is known of it yet.
  part.first = pages.first_where(lane.pages, [&](PageId id) {
    const PageInfo& info = pages.info(id);
    uint64_t covered = info.closed ? info.end_ticks : UINT64_MAX;
    if (pages.holds(info.next)) {
      const uint64_t next = pages.info(info.next).begin_ticks;
      covered = next > info.end_ticks ? next : info.end_ticks;
    }
    return covered >= begin_;
  });
  if (part.first == 0) return part;
  part.last = lane.pages.newest;
  if (!lane.submitted && end_ != UINT64_MAX) {  // what was submitted late stands on later pages
    const PageId after = pages.first_where(lane.pages, [&](PageId id) { return pages.info(id).begin_ticks >= end_; });
    if (after != 0) part.last = pages.info(after).previous;
    if (after != 0 && after <= part.first) part = LanePart();
  }
  if (part.first == 0) return part;
  const PageInfo& last = pages.info(part.last);
  part.ticket = last.ticket;
  part.last_ticks = last.last_ticks;
  part.closed = last.closed;
  part.bad = last.bad;
  // A bad page gives what was good, or nothing if its block is not whole; an open one also gives the beginning of an
  // event.
  const bool whole_block = last.whole_open_count() == last.open_count;
  part.words = last.bad || !whole_block ? last.word_count : last.copied_words;
  return part;
}

void PageSelection::select(const flamelet_capture& capture, int64_t begin_ns, int64_t end_ns) {
  const PageStore& pages = capture.pages;
  begin_ = begin_ns == INT64_MIN ? 0 : capture.converter.to_ticks(begin_ns);
  touch_ = begin_ns == INT64_MIN ? 0 : capture.converter.to_ticks(begin_ns + 1);
  end_ = end_ns == INT64_MAX ? UINT64_MAX : capture.converter.to_ticks(end_ns);
  end_touch_ = end_ns == INT64_MAX ? UINT64_MAX : capture.converter.to_ticks(end_ns + 1);
  page_count_ = 0;
  newest_ticks_ = 0;
  first_page_ = end_page_ = 0;
  lane_count_ = capture.lanes.count();
  for (uint32_t i = 0; i < lane_count_; ++i) {
    const LanePart part = parts_[i] = part_of(capture, capture.lanes[i]);
    if (part.first == 0) continue;
    page_count_ += pages.info(part.last).ordinal - pages.info(part.first).ordinal + 1;
    if (pages.info(part.last).end_ticks > newest_ticks_) newest_ticks_ = pages.info(part.last).end_ticks;
    if (first_page_ == 0 || part.first < first_page_) first_page_ = part.first;
    if (part.last >= end_page_) end_page_ = part.last + 1;
  }
  has_all_ = page_count_ == pages.held();
}

static bool has_any(const DropCounts& drops) {
  const DropCounts none = {};
  return memcmp(&drops, &none, sizeof none) != 0;
}

// ---- As bytes -------------------------------------------------------------------------------------------------------

uint64_t CaptureWriter::likely_kept_bytes(const flamelet_capture& capture, const PageSelection& selection) {
  uint64_t frame_bytes = 0;
  selection.each_frame(capture.frames, [&](const Frame& frame) {
    frame_bytes += sizeof(FrameEntry);
    capture.thread_times.for_each(frame.index, [&](const ThreadTimeEntry&) { frame_bytes += sizeof(ThreadTimeEntry); });
  });
  // A name that is still on its way may come before it is written.
  uint64_t names_to_come = 0;
  for (uint32_t id = capture.strings_settled; id < capture.strings.count(); ++id)
    names_to_come += capture.strings.has(id) ? 0u : 1u;
  const uint64_t entries =
      names_to_come * kMaxStringBytes + sizeof(BuildInfo) + sizeof(CategoryNames) + sizeof(SessionEntry) +
      sizeof(DropCounts) + sizeof(TriggerEntry) + capture.strings.byte_count() +
      capture.strings.count() * (sizeof(StringEntry) + 7) + capture.sites.count() * sizeof(SiteEntry) +
      capture.lanes.count() * sizeof(LaneEntry) + frame_bytes +
      (capture.intervals.count() + capture.named_frames.count()) * sizeof(IntervalEntry) + sizeof(StatesEntry) +
      (capture.switches.end() - capture.switches.first_at(selection.begin()) + capture.lanes.count()) *
          sizeof(SwitchEntry) +
      selection.page_count() * (sizeof(KeptPageEntry) + capture.pages.likely_packed_bytes());
  // A chunk of each kind that is not full, and the others at least half full.
  return sizeof(FileHeader) + entries + (17 + entries / (kChunkTargetBytes / 2)) * sizeof(ChunkHeader);
}

void CaptureWriter::begin(const TriggerEntry* trigger) {
  FileHeader header = {{}, FLAMELET_CAPTURE_FORMAT_VERSION, sizeof(FileHeader)};
  memcpy(header.magic, kFileMagic, sizeof kFileMagic);
  chunks_.bytes(&header, sizeof header);
  write_build();
  write_session();
  write_lanes();
  write_frames();
  write_thread_times();
  write_switches();
  write_intervals(capture_->intervals, kIntervalsChunk);
  write_intervals(capture_->named_frames, kNamedFramesChunk);
  if (trigger != nullptr) chunks_.add(kTriggerChunk, *trigger);
  string_limit_ = capture_->strings.count();
  site_limit_ = capture_->sites.count();
  next_page_ = selection_->first_page();
}

void CaptureWriter::write_build() {
  if (capture_->build.library[0] != 0 || capture_->build.note[0] != 0) chunks_.add(kBuildChunk, capture_->build);
  if (capture_->categories_off.text[0] != 0) chunks_.add(kCategoriesChunk, capture_->categories_off);
  if (has_any(capture_->drops)) chunks_.add(kDropsChunk, capture_->drops);
}

void CaptureWriter::write_session() {
  SessionEntry entry = {};
  entry.clock_kind = capture_->clock.kind;
  entry.rate_is_final = capture_->clock.rate_is_final ? 1 : 0;
  entry.origin_ticks = capture_->clock.origin_ticks;
  entry.origin_unix_ns = capture_->clock.origin_unix_ns;
  entry.ticks_per_second = capture_->clock.ticks_per_second;
  entry.oldest_ticks = capture_->oldest_ticks;
  entry.newest_ticks = capture_->newest_ticks;
  entry.evicted_ticks = capture_->evicted_ticks;
  entry.counts = written_counts(capture_->counts);
  if (is_part()) {
    entry.newest_ticks = selection_->newest_ticks();
    if (selection_->begin() > entry.evicted_ticks) entry.evicted_ticks = selection_->begin();
    entry.counts = counts_here<CaptureCounts>();
    entry.counts.names_missing = written_count(capture_->counts.names_missing);
    entry.counts.timed_from = capture_->counts.timed_from;
  }
  entry.window_begin_ticks = capture_->window_begin_ticks;
  if (selection_->begin() > entry.window_begin_ticks) entry.window_begin_ticks = selection_->begin();
  entry.window_end_ticks = capture_->window_end_ticks;
  if (selection_->end() < entry.window_end_ticks) entry.window_end_ticks = selection_->end();
  entry.damage = capture_->damage;
  chunks_.add(kSessionChunk, entry);
}

void CaptureWriter::write_lanes() {
  const PageStore& pages = capture_->pages;
  for (uint32_t i = 0; i < capture_->lanes.count(); ++i) {
    const Lane& lane = capture_->lanes[i];
    const PageSelection::LanePart& part = selection_->lane(i);
    LaneEntry entry = {};
    entry.id = lane.id;
    entry.kind = lane.kind;
    entry.name = lane.name;
    entry.submitted = (lane.submitted ? kLaneSubmitted : 0u) | (lane.in_order ? kLaneInOrder : 0u);
    entry.counts = is_part() ? counts_here<LaneCounts>() : written_counts(lane.counts);
    if (part.first != 0) {
      if (lane.ended && part.ticket == lane.ticket) entry.submitted |= kLaneEnded;
      entry.first_event = pages.info(part.first).first_event;
      entry.next_event = pages.info(part.last).first_event + pages.info(part.last).event_count;
    } else if (lane.destroyed_ticks != 0) {
      entry.submitted |= kLaneDestroyed;
      entry.first_event = lane.destroyed_ticks;
      entry.next_event = lane.destroyed_depth;
    }
    chunks_.add(kLanesChunk, entry);
  }
}

void CaptureWriter::write_frames() {
  selection_->each_frame(capture_->frames, [this](const Frame& frame) {
    chunks_.add(kFramesChunk, FrameEntry{frame.index, frame.begin_ticks, frame.end_ticks, frame.flags, frame.thread});
  });
}

void CaptureWriter::write_thread_times() {
  selection_->each_frame(capture_->frames, [this](const Frame& frame) {
    capture_->thread_times.for_each(frame.index,
                                    [this](const ThreadTimeEntry& entry) { chunks_.add(kThreadTimesChunk, entry); });
  });
}

void CaptureWriter::write_switches() {
  const SwitchTable& table = capture_->switches;
  if (capture_->states.states == FLAMELET_THREAD_STATES_OFF) return;
  chunks_.add(kStatesChunk, capture_->states);
  const SwitchId first = table.first_at(selection_->begin());
  for (uint32_t i = 0; i < capture_->lanes.count(); ++i) {
    const Switch* before = table.before(capture_->lanes[i].switches, first);
    if (before != nullptr) chunks_.add(kStateBeforeChunk, SwitchEntry{before->ticks, write_switch(before->event)});
  }
  // Up to the newest time of the file: there, the last state of a thread ends.
  const auto is_in = [&](uint64_t ticks) {
    return !is_part() || selection_->has(ticks, ticks) || ticks <= selection_->newest_ticks();
  };
  for (SwitchId id = first; id != table.end() && is_in(table[id].ticks); ++id)
    chunks_.add(kSwitchesChunk, SwitchEntry{table[id].ticks, write_switch(table[id].event)});
}

void CaptureWriter::write_intervals(const IntervalTable& table, ChunkType type) {
  for (size_t i = 0; i < table.count(); ++i) {
    const Interval& from = table.at(i);
    if (!selection_->has(from.begin_ticks, from.end_track == 0 ? UINT64_MAX : from.end_ticks)) continue;
    chunks_.add(type, IntervalEntry{from.id, from.begin_ticks, from.end_ticks, from.strings, from.site,
                                    from.begin_track, from.end_track, from.flags});
  }
}

bool CaptureWriter::step(size_t least_bytes) {
  // What is looked at and not written costs time, too.
  constexpr size_t kLookBytes = 64;
  size_t bytes = 0;
  while (chunks_.good() && next_string_ < string_limit_ && bytes < least_bytes)
    bytes += kLookBytes + write_string(next_string_++);
  while (chunks_.good() && next_site_ < site_limit_ && bytes < least_bytes)
    bytes += kLookBytes + write_site(next_site_++);
  while (chunks_.good() && next_page_ < selection_->end_page() && bytes < least_bytes)
    bytes += kLookBytes + write_page(next_page_++);
  if (!chunks_.good() || finished_) return false;
  if (bytes >= least_bytes) return true;
  if (page_chunk_bytes_ != 0) end_page_chunk();
  chunks_.finish();
  finished_ = true;
  return false;
}

size_t CaptureWriter::write_string(uint32_t id) {
  if (!capture_->strings.has(id)) return 0;
  const flamelet_string text = capture_->strings.get(id);
  const uint32_t size = text.size < kMaxStringBytes ? static_cast<uint32_t>(text.size) : kMaxStringBytes;
  const StringEntry entry = {id, size};
  const size_t filled = (size_t{size} + 7) & ~size_t{7};
  char* at = chunks_.entry(kStringsChunk, sizeof entry + filled, id + 1);
  memcpy(at, &entry, sizeof entry);
  memset(at + sizeof entry + size, 0, filled - size);
  memcpy(at + sizeof entry, text.text, size);
  return sizeof entry + filled;
}

size_t CaptureWriter::write_site(uint32_t id) {
  if (!capture_->sites.has(id)) return 0;
  const SiteRecord& site = capture_->sites.get(id);
  chunks_.add(kSitesChunk, SiteEntry{id, site.name, site.category, site.file, site.function, site.line, site.color, 0},
              id + 1);
  return sizeof(SiteEntry);
}

size_t CaptureWriter::write_page(PageId id) {
  const PageStore& pages = capture_->pages;
  const uint32_t place = pages.place(id);  // that an open page keeps when it gets another id
  const PageInfo& info = pages.info_at(place);
  if (info.lane >= selection_->lane_count()) return 0;
  const PageSelection::LanePart& part = selection_->lane(info.lane);
  if (id < part.first || id > part.last || part.first == 0) return 0;
  const bool last = id == part.last;
  if (!pages.holds(id) && !(last && info.ticket == part.ticket)) return 0;
  PageEntry entry = {};
  entry.ticket = info.ticket;
  entry.base_ticks = info.base_ticks;
  entry.begin_ticks = info.begin_ticks;
  entry.last_ticks = last ? part.last_ticks : info.last_ticks;
  entry.run_ticks = info.run_ticks;
  entry.first_event = info.first_event;
  entry.track = info.track;
  entry.fiber = info.fiber;
  entry.fiber_switches = info.fiber_switches;
  entry.open_count = info.whole_open_count();
  const bool bad = last ? part.bad : info.bad;
  entry.words = last ? part.words : bad || entry.open_count != info.open_count ? info.word_count : info.copied_words;
  entry.flags = ((last ? part.closed : info.closed) ? kPageClosed : 0u) | (bad ? kPageBad : 0u);
  if (2 * entry.open_count > entry.words) entry.open_count = 0;  // the rest of the block came later
  ++pages_written_;
  return form_ == PageForm::kKept ? add_kept_page(entry, place) : add_page(entry, place);
}

size_t CaptureWriter::add_page(const PageEntry& entry, uint32_t place) {
  const size_t word_bytes = entry.words * sizeof(uint64_t);
  char* at = chunks_.entry(kPagesChunk, sizeof entry + word_bytes);
  memcpy(at, &entry, sizeof entry);
  PageRoom room;
  memcpy(at + sizeof entry, capture_->pages.words_at(place, &room), word_bytes);
  return sizeof entry + word_bytes;
}

void CaptureWriter::end_page_chunk() {
  file_bytes_ += sizeof(ChunkHeader) + page_chunk_bytes_;
  page_chunk_bytes_ = 0;
}

size_t CaptureWriter::add_kept_page(const PageEntry& entry, uint32_t place) {
  const PackedShape shape = capture_->pages.info_at(place).shape();
  const bool is_all = entry.words == shape.count && entry.open_count == shape.open_count;
  unsigned char packed[kPackRoom];
  KeptPageEntry kept = {entry, is_all ? shape.whole : 2 * entry.open_count, 0};
  const size_t size = capture_->pages.pack_at(place, kept_shape(kept), is_all, packed);
  kept.packed_bytes = static_cast<uint32_t>((size + 7) & ~size_t{7});
  char* const at = chunks_.entry(kKeptPagesChunk, sizeof kept + kept.packed_bytes);
  memcpy(at, &kept, sizeof kept);
  memset(at + sizeof kept + size, 0, kept.packed_bytes - size);
  memcpy(at + sizeof kept, packed, size);
  const size_t in_file = sizeof entry + entry.words * sizeof(uint64_t);
  if (page_chunk_bytes_ != 0 && page_chunk_bytes_ + in_file > kChunkTargetBytes) end_page_chunk();
  page_chunk_bytes_ += in_file;
  // To pack takes longer than to copy.
  return is_all && capture_->pages.info_at(place).is_packed() ? sizeof kept + kept.packed_bytes : in_file;
}

}  // namespace flamelet

// Capture save: a capture in a file, or through a sink.

using namespace flamelet;

flamelet_result flamelet_capture_save_to(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                         flamelet_sink sink) {
  if (capture == nullptr || sink.write == nullptr || begin_ns >= end_ns) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const flamelet_allocator& allocator = capture->config.allocator;
  constexpr size_t kAlignment = alignof(PageSelection::LanePart);
  char* buffer = nullptr;
  PageSelection::LanePart* parts = nullptr;
  const auto lay_out = [&](char* base) {
    Carver carver(base);
    parts = carver.take<PageSelection::LanePart>(capture->lanes.count());
    buffer = carver.take<char>(ChunkWriter::kBufferBytes);
    return carver.used();
  };
  const size_t bytes = lay_out(nullptr);
  void* block;
  const flamelet_result taken = take_memory(allocator, bytes, kAlignment, &block);
  if (taken != FLAMELET_OK) return taken;
  lay_out(static_cast<char*>(block));

  PageSelection selection;
  selection.attach(parts);
  selection.select(*capture, begin_ns, end_ns);
  CaptureWriter writer(capture, &selection, buffer, sink);
  writer.begin(capture->has_trigger ? &capture->trigger : nullptr);
  while (writer.step(SIZE_MAX)) {
  }
  const bool good = writer.good();
  allocator.free(allocator.user, block, bytes, kAlignment);
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
