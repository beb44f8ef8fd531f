// SPDX-License-Identifier: MIT
//
// span_visit.h: each span of a lane in a window, however many they are: read in pieces, into a scratch array.
#ifndef FLAMELET_OVERLAY_SRC_SPAN_VISIT_H
#define FLAMELET_OVERLAY_SRC_SPAN_VISIT_H

#include "flamelet/capture.h"
#include "lanes/lane_rows.h"

namespace flamelet::ui {

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

#endif  // FLAMELET_OVERLAY_SRC_SPAN_VISIT_H
