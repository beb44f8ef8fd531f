// SPDX-License-Identifier: MIT
//
// scope_times.cpp: what scopes took in a part of a lane.
#include <algorithm>

#include "flamelet/budgets.h"

flamelet_result flamelet_scope_times_add(flamelet_scope_times* to, const flamelet_capture* capture, size_t lane,
                                         int64_t begin_ns, int64_t end_ns) {
  if (to == nullptr || to->slot_of == nullptr || (to->times == nullptr && to->count != 0))
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture, lane, begin_ns, end_ns, to->spans, to->capacity);
  while (flamelet_span_cursor_next(&cursor)) {
    const uint64_t first = to->spans_read;  // so that what an earlier piece left behind ends before
    to->spans_read += cursor.count;
    for (size_t i = 0; i < cursor.count; ++i) {
      const flamelet_span& span = cursor.spans[i];
      const uint32_t slot = to->slot_of(to->user, &span);
      if (slot >= to->count) continue;
      flamelet_scope_time& time = to->times[slot];
      const bool is_outermost = first + i >= time.until_;  // parents stand before their children
      if (is_outermost) time.until_ = first + span.subtree_end;
      if ((span.flags & FLAMELET_SPAN_AGAIN) != 0) continue;
      time.calls += span.begin_ns >= begin_ns && (span.flags & FLAMELET_SPAN_RESUMED) == 0;
      if (is_outermost)
        time.time_ns += std::max<int64_t>(std::min(span.end_ns, end_ns) - std::max(span.begin_ns, begin_ns), 0);
    }
  }
  return cursor.result;
}
