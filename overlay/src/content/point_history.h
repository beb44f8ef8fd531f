// SPDX-License-Identifier: MIT
//
// point_history.h: all points of a capture, read once in the order of their times, a piece in each step: which counters
// there are, their values over all of the time, and the messages. A live capture is read on as it grows.
#ifndef FLAMELET_OVERLAY_SRC_POINT_HISTORY_H
#define FLAMELET_OVERLAY_SRC_POINT_HISTORY_H

#include "counters/counter_table.h"
#include "lanes/lane_rows.h"
#include "pages/messages/messages.h"

namespace flamelet::ui {

class PointHistory {
 public:
  struct Limits {
    uint32_t counters;
    uint32_t bins;  // of all counters over all of the time
    uint32_t messages;
  };

  void carve(Carver* carver, const Limits& limits);
  void clear();

  // What came since the last round is to be read: again from a little earlier, because GPU queues and other sources
  // submit their points late.
  void begin_round(const flamelet_capture* capture);
  // Reads a piece of about this length. False if there is nothing more in this round.
  bool step(const flamelet_capture* capture, int64_t piece_ns);
  bool reading() const { return next_ns_ < end_ns_; }
  // All points before this time have been read, but for those that are submitted late.
  int64_t read_until_ns() const { return next_ns_; }

  CounterTable& counters() { return counters_; }
  const CounterTable& counters() const { return counters_; }
  uint32_t value_count() const { return bins_.count(); }  // of all counters, one by one or merged
  Messages& messages() { return messages_; }
  const Messages& messages() const { return messages_; }

  // For each counter its newest bin that begins before this time, or NULL. `bins` has room for all counters.
  void bins_before(int64_t time_ns, Array<const CounterBin*>* bins) const;

  // Free between two steps.
  Array<flamelet_point>& scratch() { return scratch_; }

 private:
  CounterTable counters_;
  CounterBins bins_;
  Messages messages_;
  Array<flamelet_point> scratch_;
  int64_t next_ns_ = INT64_MIN, end_ns_ = INT64_MIN;  // what this round has still to read
  bool begun_ = false;
};

// Calls visit(info, lane) for the lanes on which each point stands once. A fiber's points stand on its threads' lanes, too.
template <typename Visit>
void for_each_source(const flamelet_capture* capture, Visit visit) {
  const size_t lanes = flamelet_capture_lane_count(capture);
  for (size_t lane = 0; lane < lanes; ++lane) {
    flamelet_lane_info info;
    if (flamelet_capture_lane(capture, lane, &info) && info.kind != FLAMELET_LANE_FIBER) visit(info, lane);
  }
}

// Point reader: each point of a lane in a window, however many they are: read in pieces, into a scratch array.

constexpr uint32_t kPointsAPiece = 2048;  // a usual size of the scratch array

// Calls visit(point) by time. `scratch` has room for FLAMELET_CURSOR_LEAST points or more.
template <typename Visit>
void for_each_point(const flamelet_capture* capture, size_t lane, TimeWindow window, Array<flamelet_point>* scratch,
                    Visit visit) {
  flamelet_point_cursor cursor;
  flamelet_point_cursor_start(&cursor, capture, lane, window.begin_ns, window.end_ns, scratch->data, scratch->capacity);
  while (flamelet_point_cursor_next(&cursor))
    for (size_t i = 0; i < cursor.count; ++i) visit(cursor.points[i]);
}

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_POINT_HISTORY_H
