// SPDX-License-Identifier: MIT
//
// point_reader.h: all points of a lane in a window, however many there are, through a scratch array of any size.
#ifndef FLAMELET_OVERLAY_SRC_POINT_READER_H
#define FLAMELET_OVERLAY_SRC_POINT_READER_H

#include <algorithm>

#include "lanes/lane_rows.h"

namespace flamelet::ui {

// Calls visit(point) for each point, by time. Returns how many could not be visited: more points at one nanosecond than
// the array holds.
template <typename Visit>
uint64_t for_each_point(const flamelet_capture* capture, size_t lane, TimeWindow window, Array<flamelet_point>* scratch,
                        Visit visit) {
  uint64_t missed = 0;
  int64_t from_ns = window.begin_ns;
  int64_t length_ns = window.end_ns - window.begin_ns;  // of a piece; learned from how many points a piece has
  uint32_t visited = 0;                                 // points at from_ns
  while (from_ns < window.end_ns) {
    const int64_t end_ns = window.end_ns - from_ns > length_ns ? from_ns + length_ns : window.end_ns;
    size_t found = 0;
    flamelet_capture_read_points(capture, lane, from_ns, end_ns, scratch->data, scratch->capacity, &found);
    const uint32_t count = static_cast<uint32_t>(std::min<size_t>(found, scratch->capacity));
    const flamelet_point* points = scratch->data;
    for (uint32_t i = visited; i < count; ++i) visit(points[i]);
    if (found <= count) {
      from_ns = end_ns;
      visited = 0;
      if (found < count / 2 && length_ns < INT64_MAX / 4) length_ns *= 2;
      continue;
    }
    const int64_t last_ns = points[count - 1].time_ns;
    uint32_t same = 1;
    while (same < count && points[count - 1 - same].time_ns == last_ns) ++same;
    length_ns = std::max<int64_t>(last_ns - from_ns, 1);
    if (same < count) {
      from_ns = last_ns;
      visited = same;
      continue;
    }
    missed += flamelet_capture_count_points(capture, lane, last_ns, last_ns + 1) - count;
    from_ns = last_ns + 1;
    visited = 0;
  }
  return missed;
}

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_POINT_READER_H
