// SPDX-License-Identifier: MIT
#include "view/spike_strip.h"

#include <algorithm>

namespace flamelet::ui {

float layout_spike_strip(const SpikeStripInput& input, Array<SpikeBar>* bars) {
  constexpr float kLeastPx = 2;
  bars->clear();
  const uint32_t fit = static_cast<uint32_t>(std::max(input.most_width_px / input.bar_px, 0.0f));
  // A scale of their own: on that of the frame bars, all that is over twice the budget would be of one height.
  const int64_t longest_ns = input.kept_count != 0 ? input.kept[0].frame.end_ns - input.kept[0].frame.begin_ns : 0;
  const uint32_t count = std::min({input.kept_count, fit, bars->capacity});
  for (uint32_t i = 0; i < count; ++i) {
    const flamelet_frame_info& frame = input.kept[i].frame;
    const double share =
        static_cast<double>(frame.end_ns - frame.begin_ns) / static_cast<double>(std::max<int64_t>(longest_ns, 1));
    const float height = static_cast<float>(std::min(share, 1.0)) * input.height_px;
    const float x = static_cast<float>(i) * input.bar_px;
    bars->push({x, x + input.bar_px - 1, std::max(kLeastPx, static_cast<float>(static_cast<int>(height))), i});
  }
  return static_cast<float>(bars->count) * input.bar_px;
}

uint32_t find_spike(const Array<SpikeBar>& bars, float x) {
  for (uint32_t i = 0; i < bars.count; ++i)
    if (x >= bars[i].x0 && x < bars[i].x1 + 1) return i;
  return bars.count;
}

uint32_t bar_of_frame(const Array<Bar>& bars, const Array<flamelet_frame_info>& frames,
                      const flamelet_frame_info& wanted) {
  const flamelet_frame_info* begin = frames.data;
  const flamelet_frame_info* end = frames.data + frames.count;
  const flamelet_frame_info* found = std::lower_bound(
      begin, end, wanted.index, [](const flamelet_frame_info& frame, uint64_t index) { return frame.index < index; });
  if (found == end || found->index != wanted.index || found->begin_ns != wanted.begin_ns) return bars.count;
  const uint32_t position = static_cast<uint32_t>(found - begin);
  for (uint32_t i = 0; i < bars.count; ++i)
    if (position >= bars[i].first && position - bars[i].first < bars[i].count) return i;
  return bars.count;
}

}  // namespace flamelet::ui
