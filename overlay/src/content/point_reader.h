// SPDX-License-Identifier: MIT
//
// point_reader.h: each point of a lane in a window, however many they are: read in pieces, into a scratch array.
#ifndef FLAMELET_OVERLAY_SRC_POINT_READER_H
#define FLAMELET_OVERLAY_SRC_POINT_READER_H

#include "lanes/lane_rows.h"

namespace flamelet::ui {

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

#endif  // FLAMELET_OVERLAY_SRC_POINT_READER_H
