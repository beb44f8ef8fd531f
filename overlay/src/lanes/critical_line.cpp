// SPDX-License-Identifier: MIT
#include "lanes/critical_line.h"

#include <algorithm>

namespace flamelet::ui {

bool lay_out_critical_line(const CriticalLineInput& input, const Array<Lane>& lanes, Array<LineRect>* rects) {
  rects->clear();
  const TimeWindow window = window_of(input.view);
  const flamelet_piece* const end = input.pieces + input.piece_count;
  const flamelet_piece* piece = std::partition_point(
      input.pieces, end, [&](const flamelet_piece& before) { return before.end_ns <= window.begin_ns; });
  const auto x_of = [&](int64_t time_ns) {
    const double width = static_cast<double>(input.width_px);
    return static_cast<float>(std::min(std::max(x_at(input.view, static_cast<double>(time_ns), width), 0.0), width));
  };
  bool connected = false;
  bool complete = true;
  float y_before = 0;
  while (piece != end && piece->begin_ns < window.end_ns) {
    const float x0 = x_of(piece->begin_ns);
    const flamelet_piece* shown = piece;
    float x1 = x0;
    for (; piece != end && piece->begin_ns < window.end_ns && x1 - x0 < input.least_px; ++piece) {
      // A longer piece begins a run of its own.
      if (x1 > x0 && x_of(piece->end_ns) - x_of(piece->begin_ns) >= input.least_px) break;
      if (piece->end_ns - piece->begin_ns > shown->end_ns - shown->begin_ns) shown = piece;
      x1 = x_of(piece->end_ns);
    }
    const Lane* lane = find_shown_lane(lanes, shown->lane);
    if (lane == nullptr) {
      connected = false;
      continue;
    }
    const uint32_t row = innermost_row(*lane, std::max(shown->begin_ns, window.begin_ns));
    const float y = lane->place(static_cast<float>(row + 1) * input.row_px - input.thickness_px);
    const float step = std::min(x0, input.width_px - input.thickness_px);
    if (connected && y != y_before)
      complete &= rects->push(
          {step, std::min(y, y_before), step + input.thickness_px, std::max(y, y_before) + input.thickness_px});
    complete &=
        rects->push({x0, y, std::min(std::max(x1, x0 + input.thickness_px), input.width_px), y + input.thickness_px});
    connected = true;
    y_before = y;
  }
  return complete;
}

}  // namespace flamelet::ui
