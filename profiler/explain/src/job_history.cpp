// SPDX-License-Identifier: MIT
#include "job_history.h"

namespace flamelet::why {

JobUsual usual_job(flamelet_explain* explain, const flamelet_capture* capture, size_t position, uint32_t path,
                   int64_t until_ns) {
  constexpr size_t kLookBack = 8;  // frames
  double calls[kLookBack], call_ns[kLookBack], self_ns[kLookBack];
  uint32_t frames = 0, seen = 0;
  for (size_t i = position; i != 0 && i + kLookBack > position; --i) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(capture, i - 1, &frame) || frame.flags != 0 || frame.end_ns > until_ns) continue;
    explain->lanes.start(capture, frame.begin_ns, frame.end_ns);
    double count = 0, sum_ns = 0, self_sum_ns = 0;
    for (uint32_t lane = 0; lane < explain->lanes.lane_count(); ++lane)
      explain->path.for_each_span(lane, path, [&](const flamelet_span& span) {
        if (span.begin_ns < frame.begin_ns) return;  // counts where it began
        count += (span.flags & FLAMELET_SPAN_RESUMED) == 0;
        sum_ns += static_cast<double>(span.end_ns - span.begin_ns);
        self_sum_ns += static_cast<double>(span.self_ns);
      });
    calls[frames++] = count;
    if (count == 0) continue;
    call_ns[seen] = sum_ns / count;
    self_ns[seen++] = self_sum_ns / count;
  }
  if (seen * 2 < frames || frames == 0) return {0, 0, 0};
  return {usual_of(calls, frames).middle, usual_of(call_ns, seen).middle, usual_of(self_ns, seen).middle};
}

}  // namespace flamelet::why
