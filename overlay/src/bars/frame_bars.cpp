// SPDX-License-Identifier: MIT
#include "bars/frame_bars.h"

#include <algorithm>

#include "flamelet/detail/sums.h"

namespace flamelet::ui {

// ---- frame levels

void FrameSum::add(const FrameSum& later) {
  if (later.longest_ns > longest_ns) {
    longest = later.longest;
    longest_ns = later.longest_ns;
  }
  last = later.last;
  sum_ns += later.sum_ns;
  count += later.count;
}

void FrameLevels::carve(Carver* carver, uint32_t sums_per_level) {
  for (Level& level : levels_) carver->take(&level.sums, sums_per_level);
  clear();
}

void FrameLevels::clear() {
  for (uint32_t i = 0; i < kLevels; ++i) {
    levels_[i].sums.clear();
    levels_[i].oldest = 0;
    levels_[i].shift = kFirstShift + i * kShiftStep;
  }
  next_index_ = frame_count_ = 0;
}

// Only the coarsest level merges, and it never drops: its ring begins at 0.
void FrameLevels::Level::merge_pairs() {
  ++shift;
  uint32_t kept = 0;
  for (uint32_t i = 1; i < sums.count; ++i) {
    if (sums[i].first >> shift == sums[kept].first >> shift)
      sums[kept].add(sums[i]);
    else
      sums[++kept] = sums[i];
  }
  sums.count = kept + 1;
}

void FrameLevels::Level::add(const FrameSum& frame, bool drops_oldest) {
  const auto into_newest = [&] {
    if (sums.count == 0) return false;
    FrameSum& newest = sums[(oldest + sums.count - 1) % sums.capacity];
    if (newest.first >> shift != frame.first >> shift) return false;
    newest.add(frame);
    return true;
  };
  if (into_newest()) return;
  while (!drops_oldest && sums.full()) {
    merge_pairs();
    if (into_newest()) return;
  }
  if (sums.full()) {
    sums[oldest] = frame;
    oldest = (oldest + 1) % sums.capacity;
  } else {
    sums.push(frame);
  }
}

void FrameLevels::add(uint64_t index, int64_t duration_ns) {
  if (index < next_index_) return;
  next_index_ = index + 1;
  ++frame_count_;
  const FrameSum frame = {index, index, index, duration_ns, duration_ns, 1};
  for (uint32_t i = 0; i < kLevels; ++i) levels_[i].add(frame, i + 1 < kLevels);
}

uint64_t FrameLevels::first_index() const {
  const Level& coarsest = levels_[kLevels - 1];
  return coarsest.sums.empty() ? next_index_ : coarsest.at(0).first;
}

void FrameLevels::read(uint32_t shift, uint64_t newest, uint32_t most, Array<FrameSum>* sums) const {
  sums->clear();
  const Level* level = &levels_[0];
  for (const Level& coarser : levels_)
    if (coarser.shift <= shift) level = &coarser;
  shift = std::max(shift, level->shift);
  const uint32_t end = first_not(0u, level->sums.count, [&](uint32_t i) { return level->at(i).first <= newest; });
  // Back to the first sum of the oldest group that still fits.
  uint32_t first = end;
  uint32_t groups = 0;
  uint64_t group = 0;
  for (; first > 0; --first) {
    const uint64_t next = level->at(first - 1).first >> shift;
    if (groups != 0 && next == group) continue;
    if (groups == std::min(most, sums->capacity)) break;
    group = next;
    ++groups;
  }
  for (uint32_t i = first; i < end; ++i) {
    const FrameSum& sum = level->at(i);
    if (!sums->empty() && sums->data[sums->count - 1].first >> shift == sum.first >> shift)
      sums->data[sums->count - 1].add(sum);
    else
      sums->push(sum);
  }
}

uint32_t find_sum(const Array<FrameSum>& sums, uint64_t index) {
  const FrameSum* found =
      std::partition_point(sums.begin(), sums.end(), [index](const FrameSum& sum) { return sum.last < index; });
  return found != sums.end() && found->contains(index) ? static_cast<uint32_t>(found - sums.begin()) : sums.count;
}

double range_budgets(int64_t median_ns, int64_t budget_ns) {
  // The first shows the line at twice the budget well inside; larger ones are for games that miss their budget by far, so
  // that their bars still differ.
  constexpr double kRanges[] = {2.35, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
  constexpr double kMedianShare = 0.62;  // of the height, that the median frame may take
  // Below the first share the bars of frames far shorter than the budget would be a line: they get a scale of their own,
  // where the median takes the second share or less. The budget is above it.
  constexpr double kLeastShare = 0.04, kSmallShare = 0.3;
  const double budget = static_cast<double>(budget_ns), median = static_cast<double>(median_ns) / budget;
  if (median > 0 && median < kRanges[0] * kLeastShare) {
    double top_ns = 1;  // 1, 2, 5, 10, ..., so that it stays while the median changes a little
    for (uint32_t i = 0; top_ns < static_cast<double>(median_ns) / kSmallShare; ++i) top_ns *= i % 3 == 1 ? 2.5 : 2;
    return top_ns / budget;
  }
  for (const double range : kRanges)
    if (median <= range * kMedianShare) return range;
  return 256;
}

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

// ---- hitch strip

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
