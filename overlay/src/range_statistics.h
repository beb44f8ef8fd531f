// SPDX-License-Identifier: MIT
//
// range_statistics.h: what the spans of the shown frames add up to: a row for each scope, and the sum of the filter's
// matches. It reads the frames for itself, because the canvas has only what is in view.
#ifndef FLAMELET_OVERLAY_SRC_RANGE_STATISTICS_H
#define FLAMELET_OVERLAY_SRC_RANGE_STATISTICS_H

#include "filter.h"
#include "flamelet/statistics.h"
#include "lane_rows.h"
#include "scope_looks.h"

namespace flamelet::ui {

class RangeStatistics {
 public:
  void carve(Carver* carver, uint32_t max_scopes, uint32_t max_spans);

  // Reads the range and sorts. `looks` says which scopes match the filter.
  void read(const flamelet_capture* capture, TimeWindow range, ScopeLooks* looks, bool filtered);
  void clear();
  void sort_by(flamelet_statistics_column column, bool descending);

  flamelet_statistics_column column() const { return column_; }
  bool descending() const { return descending_; }
  // Rows in sorted order; only those that match, if the rows were read with a filter.
  uint32_t row_count() const { return order_.count; }
  const flamelet_scope_statistics& row(uint32_t i) const { return summary_.rows[order_[i]]; }
  // NULL if the scope is not in the range.
  const flamelet_scope_statistics* find(uint32_t site, uint32_t name) const;
  // Whether the scope ran on a GPU queue. Its times are not the CPU's, even where the names are the same.
  bool on_gpu(uint32_t site) const { return site < gpu_sites_.capacity && gpu_sites_[site] != 0; }
  const FilterSum& filter_sum() const { return filter_sum_; }
  uint64_t left_out() const { return left_out_; }  // spans or scopes beyond the memory
  TimeWindow range() const { return range_; }

  // A scratch array of spans, free between two calls of read().
  Array<flamelet_span>& scratch() { return scratch_; }

 private:
  void sort();

  const flamelet_capture* capture_ = nullptr;
  ScopeLooks* looks_ = nullptr;
  flamelet_statistics* statistics_ = nullptr;
  flamelet_statistics_summary summary_ = {};
  Array<flamelet_span> scratch_;
  Array<uint32_t> order_;
  Array<uint8_t> gpu_sites_;  // by site
  TimeWindow range_;
  FilterSum filter_sum_;
  uint64_t left_out_ = 0;
  flamelet_statistics_column column_ = FLAMELET_COLUMN_SELF;
  bool descending_ = true;
  bool filtered_ = false;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_RANGE_STATISTICS_H
