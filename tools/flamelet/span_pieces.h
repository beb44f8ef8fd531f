// SPDX-License-Identifier: MIT
//
// span_pieces.h: the spans of a lane piece by piece, so that memory is bounded however long the lane is.
#ifndef FLAMELET_TOOLS_SPAN_PIECES_H
#define FLAMELET_TOOLS_SPAN_PIECES_H

#include <flamelet/budgets.h>
#include <flamelet/capture.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "command_line.h"

namespace flamelet::tools {

class SpanPieces {
 public:
  explicit SpanPieces(const flamelet_capture* capture) : capture_(capture) {
    // A span takes two words at least.
    flamelet_capture_stats stats;
    flamelet_capture_get_stats(capture, &stats);
    constexpr size_t kMostOfPage = FLAMELET_PAGE_BYTES / sizeof(uint64_t);
    most_ = std::max<size_t>(FLAMELET_CURSOR_LEAST, 2 * kMostOfPage * stats.pages_held);
  }

  // Calls take(spans, count) for each piece that flamelet_span_cursor hands out of the window.
  template <class Take>
  void read(size_t lane, int64_t begin_ns, int64_t end_ns, Take take) {
    make_room(lane);
    flamelet_span_cursor cursor;
    flamelet_span_cursor_start(&cursor, capture_, lane, begin_ns, end_ns, spans_.data(), spans_.size());
    while (flamelet_span_cursor_next(&cursor)) take(cursor.spans, cursor.count);
    check(cursor.result);
  }

  // Adds the times of a window to (*times)[slot_of(span)]; returns how many spans it has (flamelet_scope_times_add()).
  template <class SlotOf>
  size_t add_times(size_t lane, int64_t begin_ns, int64_t end_ns, std::vector<flamelet_scope_time>* times,
                   SlotOf slot_of) {
    make_room(lane);
    flamelet_scope_times to = {};
    to.times = times->data();
    to.count = static_cast<uint32_t>(times->size());
    to.user = &slot_of;
    to.slot_of = [](void* user, const flamelet_span* span) { return (*static_cast<SlotOf*>(user))(*span); };
    to.spans = spans_.data();
    to.capacity = spans_.size();
    to.spans_read = times_read_;
    check(flamelet_scope_times_add(&to, capture_, lane, begin_ns, end_ns));
    return static_cast<size_t>(to.spans_read - std::exchange(times_read_, to.spans_read));
  }

 private:
  void make_room(size_t lane) {
    flamelet_lane_info info = {};
    flamelet_capture_lane(capture_, lane, &info);
    const bool is_deep = info.kind == FLAMELET_LANE_GPU || info.kind == FLAMELET_LANE_EXTERNAL;
    spans_.resize(std::max(spans_.size(), std::min(most_, is_deep ? kMostDeep : kMost)));
  }
  static void check(flamelet_result result) {
    if (result != FLAMELET_OK)
      throw CommandError(kExitInput, std::string("cannot read spans: ") + flamelet_result_message(result));
  }

  static constexpr size_t kMost = size_t{1} << 15;      // 2 MiB
  static constexpr size_t kMostDeep = size_t{1} << 17;  // room for twice the deepest span there can be

  const flamelet_capture* const capture_;
  size_t most_;
  std::vector<flamelet_span> spans_;
  uint64_t times_read_ = 0;
};

// How many there are on all these lanes.
inline size_t count_spans(const flamelet_capture* capture, const std::vector<size_t>& lanes, int64_t begin_ns,
                          int64_t end_ns) {
  size_t count = 0;
  for (const size_t lane : lanes) count += flamelet_capture_count_spans(capture, lane, begin_ns, end_ns);
  return count;
}

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_SPAN_PIECES_H
