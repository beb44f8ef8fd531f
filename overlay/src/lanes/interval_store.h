// SPDX-License-Identifier: MIT
//
// interval_store.h: the capture's intervals, packed into rows without overlaps: one group of rows for each category, one lane
// for each group. An interval keeps its row as long as it is there, whatever begins or ends beside it.
#ifndef FLAMELET_OVERLAY_SRC_INTERVAL_STORE_H
#define FLAMELET_OVERLAY_SRC_INTERVAL_STORE_H

#include <string_view>

#include "lanes/lane_rows.h"

namespace flamelet::ui {

struct IntervalGroup {
  std::string_view category;
  LaneRows rows;  // independent ones; a span's depth is its row
};

class IntervalStore {
 public:
  static constexpr uint32_t kMostGroups = 32;  // further categories go into the last one
  static constexpr uint32_t kMostRows = 256;   // of a group; what overlaps more than these is cut in the last one

  void carve(Carver* carver, uint32_t max_intervals);
  void clear();

  // All intervals of the capture, or, if there is no room for all, those that overlap the window.
  void read(const flamelet_capture* capture, TimeWindow window);

  const Array<IntervalGroup>& groups() const { return groups_; }
  // NULL if it is not there.
  const flamelet_interval* find(flamelet_id id) const;
  // The interval of one of the groups' spans.
  const flamelet_interval& of(const LaneRows& rows, uint32_t span) const {
    return intervals_[interval_of_[rows.spans.first + span]];
  }
  uint32_t count() const { return intervals_.count; }
  uint64_t left_out() const { return left_out_; }

 private:
  struct Place {
    int64_t begin_ns;
    flamelet_id id;
    uint32_t group, row;
  };
  // While intervals are packed: where each row of a group ends.
  struct Packing {
    uint32_t row_count = 0;
    int64_t ends_ns[kMostRows];
  };

  uint32_t find_group(const flamelet_capture* capture, uint32_t site);
  void pack(const flamelet_capture* capture);
  uint32_t pack_into(Packing* packing, const flamelet_interval& interval, uint32_t wanted);
  void make_rows();

  Array<flamelet_interval> intervals_;  // by begin
  Array<Place> places_;                 // of each of them
  Array<Place> before_;                 // of those of the read before
  Array<IntervalGroup> groups_;
  Array<Packing> packings_;  // of the groups
  SpanTable spans_;
  Array<uint32_t> interval_of_;  // each of the spans
  Array<uint32_t> order_;
  Array<uint32_t> row_begins_;
  uint64_t left_out_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_INTERVAL_STORE_H
