// SPDX-License-Identifier: MIT
#include "bars/frame_bars.h"

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

void layout_frame_bars(const FrameBarsInput& input, const Array<FrameSum>& sums, Array<Bar>* bars) {
  bars->clear();
  if (!(input.height_px > 0)) return;
  const uint32_t count =
      std::min(std::min(frames_that_fit(input.width_px, input.bar_px, 1), sums.count), bars->capacity);
  const float pitch = std::max(input.bar_px, 1.0f);
  const float gap = pitch >= 3 ? 1.0f : 0.0f;
  const double range = static_cast<double>(std::max<int64_t>(input.range_ns, 1));
  const auto height = [&](int64_t ns) {
    const double share = static_cast<double>(std::max<int64_t>(ns, 0)) / range;
    return std::max(1.0f, static_cast<float>(std::min(share, 1.0)) * input.height_px);
  };
  for (uint32_t i = 0; i < count; ++i) {
    const FrameSum& sum = sums[sums.count - count + i];
    Bar bar = {};
    bar.broken = sum.longest_ns > input.range_ns;
    bar.height = height(sum.longest_ns);
    bar.mean_height = sum.count > 1 ? height(sum.mean_ns()) : bar.height;
    bar.verdict = frame_verdict(sum.longest_ns, input.budget_ns);
    bar.x0 = input.width_px - static_cast<float>(count - i) * pitch;
    bar.x1 = bar.x0 + pitch - gap;
    bars->push(bar);
  }
}

uint32_t find_bar(const Array<Bar>& bars, float x) {
  const Bar* next = std::partition_point(bars.begin(), bars.end(), [&](const Bar& bar) { return bar.x0 <= x; });
  if (next == bars.begin()) return bars.count;
  const float pitch = bars.count > 1 ? bars[1].x0 - bars[0].x0 : next[-1].x1 - next[-1].x0 + 1;
  return x < next[-1].x0 + pitch ? static_cast<uint32_t>(next - 1 - bars.data) : bars.count;
}

}  // namespace flamelet::ui
