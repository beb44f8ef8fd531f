// SPDX-License-Identifier: MIT
#include "view/frame_bars.h"

#include <algorithm>

namespace flamelet::ui {

FrameVerdict frame_verdict(int64_t duration_ns, int64_t budget_ns) {
  if (budget_ns <= 0 || duration_ns <= budget_ns) return FrameVerdict::kGood;
  return duration_ns / 2 <= budget_ns ? FrameVerdict::kOver : FrameVerdict::kFarOver;
}

uint32_t frames_that_fit(float width_px, float bar_px, uint32_t frames_per_bar) {
  if (!(width_px >= 1)) return 0;
  return static_cast<uint32_t>(width_px / std::max(bar_px, 1.0f)) * frames_per_bar;
}

void layout_frame_bars(const FrameBarsInput& input, Array<Bar>* bars) {
  bars->clear();
  const uint32_t most_bars = std::min(frames_that_fit(input.width_px, input.bar_px, 1), bars->capacity);
  if (most_bars == 0 || input.frame_count == 0 || !(input.height_px > 0)) return;
  const float pitch = std::max(input.bar_px, 1.0f);
  const float gap = pitch >= 3 ? 1.0f : 0.0f;
  // Bars are cut on multiples of frames_per_bar counted by frame index, not from the newest frame: else every frame
  // would shift the grouping and the bars would shimmer.
  const uint32_t per_bar = (input.frame_count + most_bars - 1) / most_bars;
  uint32_t end = input.frame_count;
  float right = input.width_px;
  while (end > 0 && !bars->full() && right - pitch >= -0.5f) {
    const uint64_t newest_index = input.frames[end - 1].index;
    const uint32_t in_group = static_cast<uint32_t>(newest_index % per_bar) + 1;
    Bar bar = {};
    bar.first = end - std::min(in_group, end);
    bar.count = end - bar.first;
    int64_t longest_ns = -1;
    for (uint32_t i = bar.first; i < end; ++i) {
      const int64_t duration_ns = input.frames[i].end_ns - input.frames[i].begin_ns;
      if (duration_ns <= longest_ns) continue;
      longest_ns = duration_ns;
      bar.frame = i;
    }
    const double share = static_cast<double>(std::max<int64_t>(longest_ns, 0)) /
                         static_cast<double>(std::max<int64_t>(input.range_ns, 1));
    bar.broken = share > 1;
    bar.height = std::max(1.0f, static_cast<float>(std::min(share, 1.0)) * input.height_px);
    bar.verdict = frame_verdict(longest_ns, input.budget_ns);
    bar.x0 = right - pitch;
    bar.x1 = right - gap;
    bars->push(bar);
    right -= pitch;
    end = bar.first;
  }
  std::reverse(bars->begin(), bars->end());
}

uint32_t find_bar(const Array<Bar>& bars, float x) {
  const Bar* next = std::partition_point(bars.begin(), bars.end(), [&](const Bar& bar) { return bar.x0 <= x; });
  if (next == bars.begin()) return bars.count;
  const float pitch = bars.count > 1 ? bars[1].x0 - bars[0].x0 : next[-1].x1 - next[-1].x0 + 1;
  return x < next[-1].x0 + pitch ? static_cast<uint32_t>(next - 1 - bars.data) : bars.count;
}

}  // namespace flamelet::ui
