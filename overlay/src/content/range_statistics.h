// SPDX-License-Identifier: MIT
//
// range_statistics.h: what the spans of the shown frames add up to: a row for each scope, and the sum of the filter's
// matches. It reads the frames for itself, because the canvas has only what is in view.
//
// Tens of thousands of spans take longer than a frame of the overlay may, so a reading goes on over several frames: lane
// by lane, while the rows of the reading before are shown.
#ifndef FLAMELET_OVERLAY_SRC_RANGE_STATISTICS_H
#define FLAMELET_OVERLAY_SRC_RANGE_STATISTICS_H

#include <stdint.h>

#include "content/filter.h"
#include "content/memory.h"
#include "draw/theme.h"
#include "flamelet/capture.h"
#include "flamelet/statistics.h"
#include "lanes/lane_rows.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

class RangeStatistics {
 public:
  static constexpr uint32_t kSpansAPiece = 4096;
  static constexpr uint32_t kMostBeside = 1 << 15;

  void carve(Carver* carver, uint32_t max_scopes, uint32_t max_spans);

  // Begins a reading, in place of one that is under way. `styles` says which scopes match the filter.
  // `objects_apart`: each object of a scope gets a row of its own. `frames`: those that the range is, if it is any.
  void begin(const flamelet_capture* capture, TimeWindow range, ScopeStyles* styles, bool filtered,
             bool objects_apart = false, FrameRange frames = {});
  // Goes on with it for about `max_zones` spans, and true once the new rows are shown. Spans that are read count once,
  // and once more when their rows are made. It exceeds the number by what the last lane has, because one lane is read
  // at one time: recursion is seen only in a whole lane; and at least one step is made.
  bool step(uint32_t max_zones);
  void clear();
  void sort_by(flamelet_statistics_column column, bool descending);

  flamelet_statistics_column column() const { return column_; }
  bool descending() const { return descending_; }
  // Rows in sorted order; only those that match, if the rows were read with a filter.
  uint32_t row_count() const { return order_.count; }
  const flamelet_scope_statistics& row(uint32_t i) const { return shown_.summary.rows[order_[i]]; }
  // Which scope a row is about, where it ran, and which object of it. The row's own site and name tell other things.
  ScopePart part(const flamelet_scope_statistics& row) const;
  // NULL if the scope is not in the range.
  const flamelet_scope_statistics* find(ScopePart scope) const;
  bool objects_apart() const { return reading_ ? next_.objects_apart : shown_.objects_apart; }
  const FilterSum& filter_sum() const { return shown_.filter_sum; }          // of the threads
  const FilterSum& gpu_filter_sum() const { return shown_.gpu_filter_sum; }  // of the GPU queues
  uint64_t left_out() const {
    return shown_.summary.left_out_count;
  }  // spans of scopes beyond max_scopes, or nested too deep
  bool reading() const { return reading_; }
  uint64_t zones_read() const { return next_.summary.span_count; }  // of the reading under way
  // What the rows are about; while a reading is under way, what they will be about.
  TimeWindow range() const { return reading_ ? next_.range : shown_.range; }
  FrameRange row_frames() const {
    return shown_.frames;
  }  // of the rows: in a running game, earlier ones than are shown

  // A scratch array of spans, free between two calls of step().
  Array<flamelet_span>& scratch() { return scratch_; }

 private:
  // In rows of a GPU queue, the site has this bit.
  static constexpr uint32_t kOnGpu = 1u << 31;
  // In rows of objects, the object stands in place of the scope's name. This is the name.
  struct ObjectName {
    uint64_t key = 0;  // mixed from site and object
    uint32_t name = 0;
  };
  struct Table {
    flamelet_statistics_summary summary = {};  // before the end of a reading, only its span_count
    uint64_t too_deep = 0;                     // spans that nest deeper than can be read
    TimeWindow range;
    FrameRange frames;
    FilterSum filter_sum, gpu_filter_sum;
    bool filtered = false;
    bool objects_apart = false;
    HashTable<ObjectName> object_names;
  };

  static void clear(Table* table);
  static uint64_t object_key(uint32_t site, uint32_t object);
  void part(const flamelet_span_cursor& piece, bool gpu);
  void join(const flamelet_span_cursor& piece, bool gpu);
  TimeWindow reach_of(size_t lane, uint64_t events_held);
  bool is_in_range(const flamelet_span& span) const;
  bool set_aside(const flamelet_span_cursor& piece, TimeWindow reach);
  void add_piece(const flamelet_span_cursor& piece, TimeWindow reach, bool gpu);
  uint32_t read_lane(size_t lane);
  void finish();
  void sort();

  const flamelet_capture* capture_ = nullptr;
  ScopeStyles* styles_ = nullptr;
  Table shown_;
  Table next_;
  flamelet_statistics* statistics_ = nullptr;  // of the reading
  Array<flamelet_scope_statistics> rows_;      // of what is shown
  bool reading_ = false;
  size_t next_lane_ = 0;
  Array<flamelet_span> scratch_;
  Array<uint32_t> order_;
  flamelet_statistics_column column_ = FLAMELET_COLUMN_SELF;
  bool descending_ = true;
};

// Scope costs: what recording one frame cost the game: the scopes that began in it, and the price of each kind.
// Like range_statistics.h, a reading goes on over several frames of the overlay, and the counts before are shown
// meanwhile.

class ScopeCosts {
 public:
  // What one scope of a kind costs; 0: not known. Asked until it is known, and only for kinds that are met.
  using Price = double (*)(flamelet_scope_kind kind);
  explicit ScopeCosts(Price price = &flamelet_measure_scope_ns) : price_(price) {}

  // For another capture, or another session of it.
  void reset() { *this = ScopeCosts(price_); }
  // Begins a reading, in place of one that is under way.
  void begin(const flamelet_capture* capture, TimeWindow frame);
  // Goes on with it for about `max_zones` spans. True once the new counts are shown. `scratch` is overwritten.
  bool step(Array<flamelet_span>* scratch, uint32_t max_zones);

  bool reading() const { return reading_; }
  // What the counts are about; while a reading is under way, what they will be about.
  TimeWindow frame() const { return frame_; }
  uint64_t count(flamelet_scope_kind kind) const { return shown_[kind]; }
  double price_ns(flamelet_scope_kind kind) const { return prices_ns_[kind]; }
  double total_ns() const;

 private:
  Price price_;
  const flamelet_capture* capture_ = nullptr;
  TimeWindow frame_;
  size_t lane_ = 0;
  int64_t read_until_ns_ = 0;  // of the lane
  bool reading_ = false;
  uint64_t next_[FLAMELET_SCOPE_KINDS] = {};
  uint64_t shown_[FLAMELET_SCOPE_KINDS] = {};
  double prices_ns_[FLAMELET_SCOPE_KINDS] = {};
};

// Match search: how many calls of all that is kept match the filter, and the longest of them. Like scope costs, a reading goes
// on over several frames of the overlay.

class MatchSearch {
 public:
  static constexpr uint32_t kZonesPerFrame = 4096;

  void clear() { *this = MatchSearch(); }
  // Reads about `max_zones` spans, and all anew if the capture has changed. `scratch` is overwritten.
  void step(const flamelet_capture* capture, ScopeStyles* styles, Array<flamelet_span>* scratch, uint32_t max_zones);

  bool reading() const { return capture_ != nullptr && lane_ < flamelet_capture_lane_count(capture_); }
  bool found_none() const { return capture_ != nullptr && !reading() && count_ == 0; }
  uint64_t count() const { return count_; }
  // Of the longest.
  uint32_t lane() const { return longest_lane_; }
  const flamelet_span& longest() const { return longest_; }

 private:
  const flamelet_capture* capture_ = nullptr;
  uint64_t version_ = 0;
  TimeWindow range_;
  uint32_t lane_ = 0;
  int64_t read_until_ns_ = 0;  // of the lane
  uint64_t count_ = 0;
  uint32_t longest_lane_ = 0;
  flamelet_span longest_ = {};
};

// Refresh: when a reading of the capture that takes several frames begins anew. Numbers that change with every
// frame cannot be read, so live this happens four times a second, and paused when there is something new. Of the shown
// frames it happens with each step of the timeline: all figures of a picture are of one frame.

struct Refresh {
  static constexpr double kSeconds = 0.25;
  static constexpr uint32_t kZonesPerFrame = 12000;  // a frame of a game goes in at once

  bool stale = true;     // the choice has changed: read anew at once
  uint64_t version = 0;  // of the capture when the last reading began
  double next_s = 0;     // ImGui time

  // Whether it is time. `next_s` may be of another ImGui context, whose clock was ahead.
  static bool is_over(double next_s, double now_s) { return now_s >= next_s || next_s - now_s > 2 * kSeconds; }

  // Whether to begin anew, with `range_changed` or another version of the capture. A reading that is under way goes on
  // while live: frames that come meanwhile must not keep it from ever being shown. `frames_shown`: the range changes with
  // the frames that the timeline shows.
  bool due(bool range_changed, uint64_t now_version, bool paused, bool reading, double now_s,
           bool frames_shown = false) const {
    const bool changed = range_changed || version != now_version;
    const bool is_time = (range_changed && frames_shown) || is_over(next_s, now_s);
    return stale || (changed && (paused || (is_time && !reading)));
  }
  void begin(uint64_t now_version, double now_s) {
    stale = false;
    version = now_version;
    next_s = now_s + kSeconds;
  }
};

// Span visit: each span of a lane in a window, however many they are: read in pieces, into a scratch array.

// Calls visit(span) by begin time, until it returns false. `scratch` has room for FLAMELET_CURSOR_LEAST spans or more.
template <typename Visit>
void visit_spans(const flamelet_capture* capture, size_t lane, TimeWindow window, Array<flamelet_span>* scratch,
                 Visit visit) {
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture, lane, window.begin_ns, window.end_ns, scratch->data, scratch->capacity);
  while (flamelet_span_cursor_next(&cursor))
    for (size_t i = cursor.again; i < cursor.count; ++i)
      if (!visit(cursor.spans[i])) return;
}

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_RANGE_STATISTICS_H
