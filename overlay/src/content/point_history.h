// SPDX-License-Identifier: MIT
//
// point_history.h: all points of a capture, read once in the order of their times, a piece in each step: which counters
// there are, their values over all of the time, and the messages. A live capture is read on as it grows.
#ifndef FLAMELET_OVERLAY_SRC_POINT_HISTORY_H
#define FLAMELET_OVERLAY_SRC_POINT_HISTORY_H

#include "counters/counter_table.h"
#include "draw/scope_styles.h"
#include "lanes/lane_rows.h"

namespace flamelet::ui {

// The instants of a capture as a list, by time. When it is full, the oldest are left out, and counted.

struct Message {
  int64_t time_ns;
  uint32_t site, name, object;  // of the instant
  uint32_t lane_id;
  flamelet_lane_kind lane_kind;

  bool operator==(const Message& other) const {
    return time_ns == other.time_ns && site == other.site && name == other.name && object == other.object &&
           lane_id == other.lane_id && lane_kind == other.lane_kind;
  }
};

class Messages {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  void carve(Carver* carver, uint32_t max_messages);
  void clear();

  // Replaces all from `begin_ns` on: first this, then each message in any order, then end_replacing().
  void begin_replacing(int64_t begin_ns);
  void add(const Message& message);
  void end_replacing();

  uint32_t count() const { return messages_.count; }
  const Message& operator[](uint32_t i) const { return messages_[i]; }
  uint64_t left_out() const { return left_out_; }  // older than the first one

  // The rows are the messages whose name or text matches; all of them without a filter. Looks only at what is new since
  // the call before, unless `anew`: the filter has changed.
  void update_rows(const flamelet_capture* capture, ScopeStyles* styles, std::string_view filter, bool anew);
  uint32_t row_count() const { return rows_.count; }
  const Message& row(uint32_t i) const { return messages_[rows_[i]]; }
  // The first row that is not before this time; row_count() if there is none.
  uint32_t row_at(int64_t time_ns) const;
  // The row of this message; kNone if it is not there.
  uint32_t find_row(const Message& message) const;

 private:
  Array<Message> messages_;
  Array<uint32_t> rows_;        // positions in messages_
  uint32_t replaced_from_ = 0;  // while messages are replaced
  uint32_t rows_until_ = 0;     // messages before this have been looked at
  uint64_t left_out_ = 0;
};

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
  uint32_t points_read() const { return points_read_; }  // in the last step
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
  uint32_t points_read_ = 0;
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
