// SPDX-License-Identifier: MIT
//
// capture_writer.h: a part of a capture as the bytes of capture_format.h, at once or a piece at a time. What changes when
// the capture is updated is written by begin(): counts, lanes, frames, intervals. Names and whole pages do not change.
// So step() may write them later, between updates, and the bytes are those of a save at the time of begin(). Names that
// a thread was just adding then may be there too.
#ifndef FLAMELET_SRC_CAPTURE_WRITER_H
#define FLAMELET_SRC_CAPTURE_WRITER_H

#include "capture/capture_data.h"
#include "capture/capture_format.h"
#include "flamelet/capture_file.h"

namespace flamelet {

// Collects entries into chunks. After the first failure it does nothing more.
class ChunkWriter {
 public:
  // The largest entry is a string; a page is far smaller.
  static constexpr size_t kBufferBytes =
      sizeof(ChunkHeader) + kChunkTargetBytes + sizeof(StringEntry) + kMaxStringBytes + 1;

  ChunkWriter() = default;
  ChunkWriter(char* buffer, flamelet_sink sink) : buffer_(buffer), sink_(sink) {}

  void bytes(const void* bytes, size_t count);
  // Room for an entry of this size, whatever was there.
  char* entry(ChunkType type, size_t size, uint32_t id_limit = 0);
  template <class Entry>
  void add(ChunkType type, const Entry& from, uint32_t id_limit = 0) {
    memcpy(entry(type, sizeof(Entry), id_limit), &from, sizeof(Entry));
  }
  // A chunk as it was written: its payload goes to what is returned, before the next call.
  char* chunk(const ChunkHeader& header);
  // Writes what is left, and the last chunk.
  void finish();
  bool good() const { return good_; }
  uint64_t byte_count() const { return byte_count_; }  // that were written

 private:
  void flush();

  char* buffer_ = nullptr;
  flamelet_sink sink_ = {};
  bool good_ = true;
  uint64_t byte_count_ = 0;
  ChunkHeader header_ = {};
};

// What of a capture is written: of each lane a run of neighbouring pages, so that no gap appears that was not there. A
// page counts up to the next one of its lane, because what is open in it goes on.
class PageSelection {
 public:
  // The last page of a lane as it was; an update may add to it.
  struct LanePart {
    PageId first;  // 0 = no page of this lane
    PageId last;
    uint64_t ticket;  // of the last page
    uint64_t last_ticks;
    uint32_t words;
    bool closed;
    bool bad;
  };

  // `parts` has room for as many as the capture has lanes.
  void attach(LanePart* parts) { parts_ = parts; }
  void select(const flamelet_capture& capture, int64_t begin_ns, int64_t end_ns);

  uint64_t begin() const { return begin_; }
  uint64_t end() const { return end_; }
  bool has(uint64_t begin_ticks, uint64_t end_ticks) const {
    return (begin_ticks < end_ || end_ == UINT64_MAX) && end_ticks >= begin_;
  }
  // Calls visit(frame) for those that overlap the window, or have no length and stand at an edge of it.
  template <class Visit>
  void each_frame(const FrameTable& frames, Visit visit) const {
    for (size_t i = frames.first_ending(begin_); i < frames.count(); ++i) {
      const Frame& frame = frames.at(i);
      if (frame.begin_ticks >= end_ && frame.end_ticks >= end_touch_) return;
      if (frame.begin_ticks >= begin_ || frame.end_ticks >= touch_) visit(frame);
    }
  }
  const LanePart& lane(uint32_t lane) const { return parts_[lane]; }
  uint32_t lane_count() const { return lane_count_; }
  bool has_all() const { return has_all_; }
  uint64_t page_count() const { return page_count_; }
  PageId first_page() const { return first_page_; }  // of all lanes
  PageId end_page() const { return end_page_; }
  uint64_t newest_ticks() const { return newest_ticks_; }  // on the selected pages

 private:
  LanePart part_of(const flamelet_capture& capture, const Lane& lane) const;

  LanePart* parts_ = nullptr;
  uint32_t lane_count_ = 0;
  uint64_t begin_ = 0;
  uint64_t touch_ = 0;  // what ends before this has nothing in the window
  uint64_t end_ = 0;
  uint64_t end_touch_ = 0;  // the first tick after the nanosecond with which the window ends
  bool has_all_ = false;
  uint64_t page_count_ = 0;
  PageId first_page_ = 0;
  PageId end_page_ = 0;
  uint64_t newest_ticks_ = 0;
};

enum class PageForm {
  kFile,
  kKept,  // packed: write_kept() and load_kept() read it, but no other
};

class CaptureWriter {
 public:
  CaptureWriter() = default;
  // `buffer` has ChunkWriter::kBufferBytes.
  CaptureWriter(const flamelet_capture* capture, const PageSelection* selection, char* buffer, flamelet_sink sink,
                PageForm form = PageForm::kFile)
      : capture_(capture), selection_(selection), form_(form), chunks_(buffer, sink) {}

  // No less than what will be kept, if the pages that are not packed yet are like the others.
  static uint64_t likely_kept_bytes(const flamelet_capture& capture, const PageSelection& selection);

  // `trigger`: why the frames are kept, if a flight recorder does; else NULL.
  void begin(const TriggerEntry* trigger);
  // Writes at least this many bytes of entries, unless that is all. False: there is no more, or the sink failed.
  bool step(size_t least_bytes);
  bool good() const { return chunks_.good(); }
  // The size of the file, once all is written, also where it is kept in another form.
  uint64_t file_bytes() const { return file_bytes_ + chunks_.byte_count(); }
  // The selected pages that are still to be written stand at this one or after it; 0 = none.
  PageId next_page() const { return next_page_ < selection_->end_page() ? next_page_ : 0; }
  // Selected pages that the capture evicted before they were written.
  uint64_t pages_missed() const { return selection_->page_count() - pages_written_; }

 private:
  // Then the file's counts are those of what it holds.
  bool is_part() const { return capture_->is_part || capture_->is_short || !selection_->has_all(); }
  void write_build();
  void write_session();
  void write_lanes();
  void write_frames();
  void write_thread_times();
  void write_switches();
  void write_intervals(const IntervalTable& table, ChunkType type);
  size_t write_string(uint32_t id);
  size_t write_site(uint32_t id);
  size_t write_page(PageId id);
  size_t add_page(const PageEntry& entry, uint32_t place);
  size_t add_kept_page(const PageEntry& entry, uint32_t place);
  void end_page_chunk();

  const flamelet_capture* capture_ = nullptr;
  const PageSelection* selection_ = nullptr;
  PageForm form_ = PageForm::kFile;
  ChunkWriter chunks_;
  uint32_t string_limit_ = 0;
  uint32_t site_limit_ = 0;
  uint32_t next_string_ = 0;
  uint32_t next_site_ = 0;
  PageId next_page_ = 0;
  uint64_t pages_written_ = 0;
  // Where pages are kept in another form than the file's: of the file's present chunk of pages, and of those before.
  uint64_t page_chunk_bytes_ = 0;
  uint64_t file_bytes_ = 0;
  bool finished_ = false;
};

// ---- What a flight recorder keeps (capture.cpp) -----------------------------------------------------------------

constexpr uint32_t kMostKeptPageBytes =
    (kMostPackedBytes + 2 * ByteRing::kAlignment) & ~uint32_t{ByteRing::kAlignment - 1};
constexpr PackedShape kept_shape(const KeptPageEntry& kept) {
  return {kept.page.base_ticks, kept.page.words, kept.whole_words, kept.page.open_count};
}
// As the bytes of a capture file. `buffer` has ChunkWriter::kBufferBytes. False: the sink failed.
bool write_kept(flamelet_source kept, char* buffer, flamelet_sink sink);
flamelet_result load_kept(const flamelet_load_options* options, flamelet_source kept, flamelet_capture** capture);

}  // namespace flamelet

#endif  // FLAMELET_SRC_CAPTURE_WRITER_H
