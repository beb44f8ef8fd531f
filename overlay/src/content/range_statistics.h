// SPDX-License-Identifier: MIT
//
// range_statistics.h: what the spans of the shown frames add up to: a row for each scope, and the sum of the filter's
// matches. It reads the frames for itself, because the canvas has only what is in view.
//
// Tens of thousands of spans take longer than a frame of the overlay may, so a reading goes on over several frames: lane
// by lane, while the rows of the reading before are shown.
#ifndef FLAMELET_OVERLAY_SRC_RANGE_STATISTICS_H
#define FLAMELET_OVERLAY_SRC_RANGE_STATISTICS_H

#include "content/filter.h"
#include "content/hash_table.h"
#include "draw/scope_styles.h"
#include "flamelet/statistics.h"
#include "lanes/lane_rows.h"

namespace flamelet::ui {

class RangeStatistics {
 public:
  static constexpr uint32_t kSpansAPiece = 4096;

  void carve(Carver* carver, uint32_t max_scopes, uint32_t max_spans);

  // Begins a reading, in place of one that is under way. `styles` says which scopes match the filter.
  // `objects_apart`: each object of a scope gets a row of its own.
  void begin(const flamelet_capture* capture, TimeWindow range, ScopeStyles* styles, bool filtered,
             bool objects_apart = false);
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
  uint64_t left_out() const { return shown_.summary.left_out_count; }        // spans of scopes beyond max_scopes
  bool reading() const { return reading_; }
  uint64_t zones_read() const { return next_.summary.span_count; }  // of the reading under way
  // What the rows are about; while a reading is under way, what they will be about.
  TimeWindow range() const { return reading_ ? next_.range : shown_.range; }

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
    TimeWindow range;
    FilterSum filter_sum, gpu_filter_sum;
    bool filtered = false;
    bool objects_apart = false;
    HashTable<ObjectName> object_names;
  };

  static void clear(Table* table);
  static uint64_t object_key(uint32_t site, uint32_t object);
  void part(const flamelet_span_cursor& piece, bool gpu);
  void join(const flamelet_span_cursor& piece, bool gpu);
  void add_piece(const flamelet_span_cursor& piece, bool gpu);
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

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_RANGE_STATISTICS_H
