// SPDX-License-Identifier: MIT
#include "bars/hitch_strip.h"

#include <algorithm>

namespace flamelet::ui {

float layout_hitch_strip(const HitchStripInput& input, Array<HitchBar>* bars) {
  constexpr float kLeastStripPx = 2;
  bars->clear();
  const uint32_t fit = static_cast<uint32_t>(std::max(input.most_width_px / input.bar_px, 0.0f));
  // A scale of their own: on that of the frame bars, all that is over twice the budget would be of one height.
  const int64_t longest_ns =
      input.hitch_count != 0 ? input.hitches[0].frame.end_ns - input.hitches[0].frame.begin_ns : 0;
  const uint32_t count = std::min({input.hitch_count, fit, bars->capacity});
  for (uint32_t i = 0; i < count; ++i) {
    const flamelet_frame_info& frame = input.hitches[i].frame;
    const double share =
        static_cast<double>(frame.end_ns - frame.begin_ns) / static_cast<double>(std::max<int64_t>(longest_ns, 1));
    const float height = static_cast<float>(std::min(share, 1.0)) * input.height_px;
    const float x = static_cast<float>(i) * input.bar_px;
    bars->push({x, x + input.bar_px - 1, std::max(kLeastStripPx, static_cast<float>(static_cast<int>(height))), i});
  }
  return static_cast<float>(bars->count) * input.bar_px;
}

uint32_t find_hitch(const Array<HitchBar>& bars, float x) {
  for (uint32_t i = 0; i < bars.count; ++i)
    if (x >= bars[i].x0 && x < bars[i].x1 + 1) return i;
  return bars.count;
}

}  // namespace flamelet::ui
