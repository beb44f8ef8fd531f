// SPDX-License-Identifier: MIT
//
// capture_data.h: what a flamelet_capture consists of, and the steps between which capture.cpp divides its work:
//
//   parts of pages ──capture_ingest.cpp, capture_lanes.cpp──► pages, lanes, fiber runs, frames, intervals
//   pages ──capture_spans.cpp, capture_submitted.cpp, capture_points.cpp──► answers
//
// Whoever has parts of pages can fill a capture: the running recorder is one source.
#ifndef FLAMELET_SRC_CAPTURE_DATA_H
#define FLAMELET_SRC_CAPTURE_DATA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <algorithm>

#include "capture/capture_format.h"
#include "capture/capture_lanes.h"
#include "capture/capture_states.h"
#include "capture/page_store.h"
#include "flamelet/base.h"
#include "flamelet/capture.h"
#include "record/categories.h"
#include "record/clock.h"
#include "record/frame.h"
#include "record/page.h"
#include "record/replay.h"
#include "record/ring_reader.h"
#include "record/session.h"

namespace flamelet {

// The intervals of flamelet_interval_begin() and flamelet_interval_end(), paired by id while pages
// arrive. Start and finish may stand on different threads and arrive in either order. Where there is no room, the newest
// intervals win, and the others are counted; the table of a file grows.

struct Interval {
  uint64_t id;
  uint64_t begin_ticks;
  uint64_t end_ticks;  // may be a little before begin_ticks: the clocks of two cores differ. Without a finish: until
                       // when it was seen open, 0 = until now
  uint64_t strings;
  uint64_t next;  // in the bucket: the number of an older one
  uint32_t site;
  uint32_t begin_track;  // 0 = its start was not seen
  uint32_t end_track;    // 0 = its finish was not seen
  uint32_t flags;        // of its end
};

class IntervalTable {
 public:
  static uint32_t bucket_count(uint32_t capacity);

  void attach(Interval* intervals, uint32_t capacity, uint64_t* buckets);
  void clear();
  // As far as there is memory. A table without room stays so.
  void let_grow(const flamelet_allocator& allocator) { allocator_ = &allocator; }
  void free_grown();

  // False, and the first one counts: there is one with this id already, which only a damaged page says twice ...
  bool start(uint64_t id, uint32_t track, uint64_t ticks, uint32_t site, uint64_t strings);
  // ... or it is finished already.
  bool finish(uint64_t id, uint32_t track, uint64_t ticks, uint32_t flags = 0);

  // An interval as it was saved; false if there is one with this id already.
  bool restore(const Interval& interval);
  // Only where the table may grow. Saved intervals follow. They get the begin and the end that only pages tell; then come
  // those that pages told, for which the saved table had no room. Of a part of a capture, these are whole, and overlap its
  // window [from, until).
  void expect_saved();
  void end_saved();
  void end_saved_part(uint64_t from, uint64_t until);

  uint64_t dropped() const { return dropped_; }
  size_t count() const { return static_cast<size_t>(end_ - first_); }
  const Interval& at(size_t position) const { return intervals_[(first_ + position) % capacity_]; }

 private:
  static constexpr uint32_t kMostGrown = 1u << 24;

  bool grow();
  void take_told(bool is_part, uint64_t from, uint64_t until);
  Interval* find(uint64_t id);
  Interval* add(uint64_t id);
  uint64_t* bucket_of(uint64_t id) const;

  Interval* intervals_ = nullptr;
  uint32_t capacity_ = 0;
  uint64_t* buckets_ = nullptr;  // numbers; one below first_ is none
  uint32_t mask_ = 0;
  uint64_t first_ = 1;
  uint64_t end_ = 1;
  uint64_t dropped_ = 0;
  uint64_t dropped_open_ = 0;  // of these, those whose finish is still to come: it makes no interval of its own
  const flamelet_allocator* allocator_ = nullptr;
  void* grown_ = nullptr;
  size_t grown_bytes_ = 0;
  Interval* told_ = nullptr;  // by pages, while saved ones follow
  size_t told_count_ = 0;
};

// The frames of a capture. A frame runs from its mark to the next mark. Frames are kept beyond the
// life of their pages, because a header is small and a history of minutes is worth having.

struct Frame {
  uint64_t index;
  uint64_t begin_ticks;
  uint64_t end_ticks;
  uint32_t flags;   // FLAMELET_FRAME_*
  uint32_t thread;  // whose mark ended it; 0 = not known
};

class FrameTable {
 public:
  // *dropped counts frames that went for newer ones.
  void attach(Frame* frames, uint32_t capacity, uint64_t* dropped);
  void clear();
  void let_grow(const flamelet_allocator& allocator) { growth_.let(allocator); }
  void free_grown() { growth_.free(frames_, capacity_); }

  // A mark as the frame track has it. True if it ends a frame. Marks whose index or time does not rise are ignored.
  bool mark(uint64_t ticks, const FrameMark& mark);
  // A frame as it was saved; false if it is not after the ones that are there.
  bool restore(const Frame& frame);
  // Events between these times are lost: frames that overlap are flagged, now or when they end. An interval that the
  // small list of those still to come has no room for is joined to another: a frame too many may be flagged, never one
  // too few.
  void lose(uint64_t begin_ticks, uint64_t end_ticks);
  // In a damaged file a time may be wrong: no length is known of a frame that is so long.
  void doubt_longer_than(double ticks);

  size_t count() const { return static_cast<size_t>(end_ - first_); }
  const Frame& at(size_t position) const { return frames_[(first_ + position) % capacity_]; }
  size_t first_ending(uint64_t ticks) const;  // at this time or later; count() if there is none
  size_t find(uint64_t index) const;          // SIZE_MAX if it is not held
  size_t find_at(uint64_t ticks) const;       // that contains this time

 private:
  struct Gap {
    uint64_t begin_ticks;
    uint64_t end_ticks;
  };
  static constexpr uint32_t kMaxGaps = 32;

  void append(const Frame& frame);

  Frame* frames_ = nullptr;
  RingGrowth growth_;
  uint64_t* dropped_ = nullptr;
  uint32_t capacity_ = 0;
  uint64_t first_ = 0;
  uint64_t end_ = 0;
  bool has_mark_ = false;  // the frame that runs
  uint64_t mark_index_ = 0;
  uint64_t mark_ticks_ = 0;
  uint32_t gap_count_ = 0;
  Gap gaps_[kMaxGaps];  // that may reach into frames still to come
};

// Capture thread times: how long each thread ran in each frame. The newest are kept, in the order of their frames.

class ThreadTimeTable {
 public:
  // Times that went for newer ones are counted in `counts`, which outlives a clear.
  void attach(ThreadTimeEntry* entries, uint32_t capacity, CaptureCounts* counts);
  void clear();
  void let_grow(const flamelet_allocator& allocator) { growth_.let(allocator); }
  void free_grown() { growth_.free(entries_, capacity_); }

  // False if its frame is before the newest one that is there.
  bool add(uint64_t frame, const ThreadTime& time);

  // Calls take(entry) for each thread of a frame.
  template <class Take>
  void for_each(uint64_t frame, Take take) const {
    for (uint64_t i = find(frame); i != end_ && entries_[i % capacity_].frame == frame; ++i)
      take(entries_[i % capacity_]);
  }

 private:
  uint64_t find(uint64_t frame) const;  // the first entry that is not of an earlier frame

  ThreadTimeEntry* entries_ = nullptr;
  RingGrowth growth_;
  CaptureCounts* counts_ = nullptr;
  uint32_t capacity_ = 0;
  uint64_t first_ = 0, end_ = 0;
};

// A capture's own copies of the recorder's strings and sites, under the same ids. What does not fit is
// counted, and shown as "(unknown)".

class StringCopies {
 public:
  struct Entry {
    size_t offset;
    uint32_t size;
    bool known;
  };

  void attach(Entry* entries, uint32_t capacity, char* bytes, size_t byte_capacity);
  void clear();

  bool put(uint32_t id, const flamelet_string& text);  // false if it does not fit
  bool has(uint32_t id) const { return id < capacity_ && entries_[id].known; }
  flamelet_string get(uint32_t id) const;  // only if has(id)

  uint32_t count() const { return count_; }  // ids from here on were never put
  size_t byte_count() const { return byte_count_; }

 private:
  Entry* entries_ = nullptr;
  uint32_t capacity_ = 0;
  char* bytes_ = nullptr;
  size_t byte_capacity_ = 0;
  size_t byte_count_ = 0;
  uint32_t count_ = 0;
};

class SiteCopies {
 public:
  void attach(SiteRecord* records, bool* known, uint32_t capacity);
  void clear();

  bool put(uint32_t id, const SiteRecord& site);  // false if it does not fit
  bool has(uint32_t id) const { return id < capacity_ && known_[id]; }
  const SiteRecord& get(uint32_t id) const { return records_[id]; }  // only if has(id)
  // The name of a site, 0 if it is not known: for every span, so without a second look.
  uint32_t name(uint32_t id) const { return id < capacity_ ? records_[id].name : 0; }

  uint32_t count() const { return count_; }  // ids from here on were never put

 private:
  SiteRecord* records_ = nullptr;
  bool* known_ = nullptr;
  uint32_t capacity_ = 0;
  uint32_t count_ = 0;
};

struct TableNews {
  uint64_t copied = 0;
  uint64_t refused = 0;
};

// Copies what is new in one of the recorder's tables, which has `count` entries by now. An entry that is still being
// written (`get` is false) is asked for again the next time; the ones after it need not wait for it. Entries below
// *settled are copied or refused for good.
template <class Copies, class Item>
void copy_new(Copies* copies, uint32_t count, bool (*get)(uint32_t, Item*), uint32_t* settled, TableNews* news) {
  bool all_settled = true;
  for (uint32_t id = *settled; id < count; ++id) {
    Item item;
    if (!copies->has(id)) {
      if (!get(id, &item)) {
        all_settled = false;
      } else if (copies->put(id, item)) {
        ++news->copied;
      }
    }
    if (!all_settled) continue;
    *settled = id + 1;
    if (!copies->has(id)) ++news->refused;
  }
}

// The first `capacity` of any number of items, sorted, in the caller's array and no other memory.

// A heap with the last item on top once the array is full; items that arrive in order, the usual case, are only
// appended. Items that compare equal keep the order in which they were added only if the comparison says so.
template <class Item, class Before>
class SortedItems {
 public:
  SortedItems(Item* items, size_t capacity, Before before) : items_(items), capacity_(capacity), before_(before) {}

  void add(const Item& item) {
    ++count_;
    if (written_ < capacity_) {
      sorted_ = sorted_ && (written_ == 0 || !before_(item, items_[written_ - 1]));
      items_[written_++] = item;
      return;
    }
    if (sorted_) {
      // A sorted array is not a max-heap, but one that takes no further item needs none.
      if (written_ == 0 || !before_(item, items_[written_ - 1])) return;
      sorted_ = false;
    }
    if (!heap_) std::make_heap(items_, items_ + written_, before_);
    heap_ = true;
    if (!before_(item, items_[0])) return;
    std::pop_heap(items_, items_ + written_, before_);
    items_[written_ - 1] = item;
    std::push_heap(items_, items_ + written_, before_);
  }

  // Sorts what was written. Returns how many items were added; written() of them are there.
  size_t finish() {
    if (!sorted_) std::sort(items_, items_ + written_, before_);
    return count_;
  }
  size_t written() const { return written_; }

 private:
  Item* const items_;
  const size_t capacity_;
  const Before before_;
  size_t written_ = 0;
  size_t count_ = 0;
  bool sorted_ = true;
  bool heap_ = false;
};

struct TrackCensus;

// A track of the recorder's own. Its pages are not kept: a table has it all.
struct OwnTrack {
  uint64_t ticket;
  uint32_t words;
  uint64_t now_ticks;
  uint64_t events_read, events_lost;
};
}  // namespace flamelet

struct flamelet_capture {
  flamelet_capture_config config;
  void* memory;  // the one block; this structure lies in it too
  size_t memory_bytes;

  flamelet::RingReader reader;
  bool is_loaded;   // from a file: updates leave it alone
  bool is_part;     // of another capture: it was saved with a window
  bool is_short;    // its file is damaged: it counts more than it holds
  uint64_t damage;  // places that were damaged or missing in its file, and in those which that was made of
  bool is_held;     // updates leave it alone, until it is let go
  bool was_held;    // since the last update that copied
  bool has_news;    // of threads, since the last update
  uint32_t holds;   // updates that came after a hold
  uint64_t version;
  uint32_t session;
  uint32_t serial;  // none of the four billion captures of the process before has it
  flamelet_clock clock;
  flamelet::TickConverter converter;

  flamelet::PageStore pages;
  flamelet::LaneTable lanes;
  flamelet::FiberRuns fiber_runs;
  flamelet::FrameTable frames;
  void* set_frames;  // those of flamelet_capture_set_frames(), in a block of their own; NULL = none
  size_t set_frames_bytes;
  flamelet::ThreadTimeTable thread_times;
  flamelet::SwitchTable switches;
  flamelet::StatesEntry states;
  flamelet::DropCounts drops;  // of the recorder
  flamelet::BuildInfo build;
  flamelet::CategoryNames categories_off;
  uint32_t categories_off_bytes;  // of a live capture: what has been copied
  bool has_trigger;               // from a flight recorder's file
  flamelet::TriggerEntry trigger;
  flamelet::IntervalTable intervals;
  flamelet::IntervalTable named_frames;  // of a frame: its mark begins it, and the set's next one ends it
  flamelet::StringCopies strings;
  flamelet::SiteCopies sites;
  uint32_t strings_settled;  // ids below are copied, or do not fit
  uint32_t sites_settled;

  flamelet::OwnTrack frame_track, switch_track;

  const flamelet::TrackCensus* census;  // during an update; NULL = every track may live
  uint64_t ended_events;                // of the tracks that are known to have ended
  uint64_t dropped_events;              // known of the tracks whose lanes went to others
  uint64_t unattributed_events;         // lost with tracks that nothing else is known of; modulo 2^64
  uint64_t settled_ticks;               // newest_ticks when that was worked out
  uint64_t overwritten_ticks;           // what the ring lost to overwriting is older, as far as one can tell

  uint64_t oldest_ticks;  // where the first page began
  uint64_t newest_ticks;
  uint64_t evicted_ticks;  // where the newest evicted page ended; complete from here on
  // That it was saved with, from a file: its pages, frames and spans may reach beyond. 0 and UINT64_MAX = there is none.
  uint64_t window_begin_ticks;
  uint64_t window_end_ticks;
  uint64_t events_held;
  flamelet::CaptureCounts counts;  // since creation
};

namespace flamelet {

// As flamelet_capture_create(), but the memory for pages is not touched before there are pages for it: for captures that
// are filled once and by no recorder.
flamelet_result create_untouched(const flamelet_capture_config* config, flamelet_capture** capture);
// ... with the config as it is, and room for so many pages beside the least that a capture has, whatever is in them.
size_t bytes_for_pages(const flamelet_capture_config& config, uint64_t pages);
// So many pages are not packed; 0 = as usual.
flamelet_result create_for_pages(const flamelet_capture_config& config, uint64_t pages, flamelet_capture** capture,
                                 uint32_t raw_pages = 0);
// For a capture that a file or an importer fills: its intervals and named frames have no limit but the memory.
void let_tables_grow(flamelet_capture* capture);

// ---- In (capture_ingest.cpp) ----------------------------------------------------------------------------------------

// Takes what is new of one page. The parts of a track must come in the order of their tickets; others are left out. Any
// content is safe.
void add_part(flamelet_capture* capture, const PagePart& part);
// The page was overwritten before it could be read: what its track recorded before it is lost, and the rest not known.
void lose_page(flamelet_capture* capture, const PageHeader& header);
// Empties everything but the counts since creation.
void clear_capture(flamelet_capture* capture);
void set_clock(flamelet_capture* capture, const flamelet_clock& clock);
// Forgets the oldest page, counted.
void evict_oldest(flamelet_capture* capture);
// Takes a switch of a thread; the oldest goes if there is no room. False: it is no such event, or it is out of order.
bool add_switch(flamelet_capture* capture, uint64_t ticks, const SwitchEvent& event);

// ---- In (capture_lanes.cpp) ---------------------------------------------------------------------------------

// The lane of a track or fiber, new if there was none; kNoLane (counted) if the table is full of better ones.
uint32_t lane_for(flamelet_capture* capture, uint32_t id, flamelet_lane_kind kind);
uint32_t lane_of_page(flamelet_capture* capture, const PageHeader& header);
// Places that a capture of a recorder has at least: tracks that live, and as many that came while it was updated.
constexpr uint32_t kLeastLanes = 2 * FLAMELET_MAX_TRACKS;

// ---- In (capture_lanes.cpp) ----------------------------------------------------------------------------------------

// A table of tracks and fibers: the running recorder's, or that of a ring in a file.
struct TrackTable {
  uint32_t slots;                // tracks in the first FLAMELET_MAX_TRACKS, fibers behind them
  uint32_t (*used)(void* user);  // how many of the first have had tracks; grows
  bool (*get)(void* user, uint32_t slot, TrackRecord* track);
  void* user;
};

// Which tracks lived before a poll, and which had ended, so that whatever the poll did not find of these is lost.
struct TrackCensus {
  struct Ended {
    uint32_t id;
    flamelet_track_kind kind;
    uint64_t events;
  };
  const TrackTable* table;  // for the fibers; NULL = none of them lives
  uint64_t ended_events;    // of all tracks that ever ended
  uint32_t newest_id;       // tracks with higher ids came later
  uint32_t live_count;
  uint32_t ended_count;
  uint32_t live[FLAMELET_MAX_TRACKS];
  Ended ended[FLAMELET_MAX_TRACKS];
};
void take_census(const TrackTable& table, uint64_t ended_events, TrackCensus* census);
bool may_live(const TrackCensus& census, uint32_t id, bool fiber);
// Names the lanes, and settles what is lost of those that ended.
void copy_tracks(flamelet_capture* capture, const TrackTable& table, const TrackCensus& census);
// The switch away from the fiber that runs on a lane is lost.
void leave_in_gap(flamelet_capture* capture, const Lane& lane);
// Before a lane's place goes to another one.
void forget_lane(flamelet_capture* capture, uint32_t lane);

// ---- Out ------------------------------------------------------------------------------------------------------------

// A window in ticks: the spans asked for begin before `end`, and end at or after `touch` or begin at or after `begin`.
// (Several ticks may be one nanosecond, and answers are cut by nanoseconds.)
struct Window {
  uint64_t begin;  // the first tick of the window
  uint64_t touch;  // the first tick after the window's first nanosecond
  uint64_t end;    // the first tick after the window
};
// False if the window is empty.
inline bool make_window(const flamelet_capture& capture, int64_t begin_ns, int64_t end_ns, Window* window) {
  if (begin_ns >= end_ns) return false;
  window->begin = capture.converter.to_ticks(begin_ns);
  window->touch = capture.converter.to_ticks(begin_ns + 1);
  window->end = capture.converter.to_ticks(end_ns);
  return true;
}

// `may_lack`: a part of the capture may lack what comes behind its window, though it holds later events of other lanes.
inline uint64_t known_until_ticks(const flamelet_capture& capture, bool may_lack) {
  return may_lack ? std::min(capture.newest_ticks, capture.window_end_ticks) : capture.newest_ticks;
}

// The time of which all spans of a lane are here. Of a part of a capture: that of the lane's pages; where spans were submitted
// late, or lie on the threads' pages, the window. What lies beyond is nobody's self time, as children are missing there.
struct WholeTime {
  WholeTime(const flamelet_capture& capture, const Lane& lane) {
    if (!capture.is_part) return;
    uint64_t begin = capture.window_begin_ticks, end = capture.window_end_ticks;
    if (!lane.submitted && lane.pages.count != 0) {
      begin = capture.pages.info(capture.pages.first_where(lane.pages, [](PageId) { return true; })).begin_ticks;
      const PageInfo& newest = capture.pages.info(lane.pages.newest);
      end = std::max(newest.end_ticks, known_until_ticks(capture, newest.closed));
    }
    if (begin != 0) begin_ns = capture.converter.to_ns(begin);
    if (end != UINT64_MAX) end_ns = capture.converter.to_ns(end);
  }
  // So much of a span lies in it.
  int64_t part_of(const flamelet_span& span) const {
    return std::max<int64_t>(std::min(span.end_ns, end_ns) - std::max(span.begin_ns, begin_ns), 0);
  }
  int64_t begin_ns = INT64_MIN, end_ns = INT64_MAX;
};

// NULL if there is none.
inline const Lane* lane_at(const flamelet_capture* capture, size_t lane) {
  return capture != nullptr && lane < capture->lanes.count() ? &capture->lanes[static_cast<uint32_t>(lane)] : nullptr;
}

// PointKind and flamelet_point_kind have the same numbers.
constexpr uint32_t kPointKindBits = 4;
static_assert(uint32_t{FLAMELET_POINT_COUNTER} == static_cast<uint32_t>(PointKind::kCounter), "the same numbers");
inline flamelet_point to_point(const flamelet_capture& capture, uint64_t ticks, const PointEvent& event) {
  flamelet_point point = {};
  point.time_ns = capture.converter.to_ns(ticks);
  memcpy(&point.value, &event.bits, sizeof point.value);
  point.site = event.site;
  point.name = strings_name(event.strings) != 0 ? strings_name(event.strings) : capture.sites.name(event.site);
  point.object = strings_object(event.strings);
  point.kind = static_cast<uint32_t>(event.kind);
  return point;
}

size_t read_nested_spans(const flamelet_capture& capture, const Lane& lane, const Window& window, flamelet_span* spans,
                         size_t capacity);
size_t read_submitted_spans(const flamelet_capture& capture, const Lane& lane, const Window& window,
                            flamelet_span* spans, size_t capacity);
size_t read_nested_points(const flamelet_capture& capture, const Lane& lane, const Window& window,
                          flamelet_point* points, size_t capacity);
size_t read_submitted_points(const flamelet_capture& capture, const Lane& lane, const Window& window,
                             flamelet_point* points, size_t capacity);
size_t read_flows(const flamelet_capture& capture, const Window& window, flamelet_flow* flows, size_t capacity);
// The next piece. False at the end, and with an error in cursor->result.
bool next_nested_spans(const Lane& lane, const Window& window, flamelet_span_cursor* cursor);
bool next_submitted_spans(const Lane& lane, const Window& window, flamelet_span_cursor* cursor);
bool next_nested_points(const Lane& lane, const Window& window, flamelet_point_cursor* cursor);
bool next_submitted_points(const Lane& lane, const Window& window, flamelet_point_cursor* cursor);
bool next_flows(const Window& window, flamelet_flow_cursor* cursor);
bool next_states(const Window& window, flamelet_state_cursor* cursor);
bool next_processor_runs(const Window& window, flamelet_processor_cursor* cursor);
// The lane of who ran, by its thread's id, or FLAMELET_BY_UNKNOWN.
uint32_t lane_of_runner(const flamelet_capture& capture, uint32_t thread);
// Between one thread and the next, a processor is busy with the switch itself.
inline uint64_t switch_ticks(const flamelet_capture& capture) {
  return static_cast<uint64_t>(capture.clock.ticks_per_second * 5e-6);
}

}  // namespace flamelet

#endif  // FLAMELET_SRC_CAPTURE_DATA_H
