// SPDX-License-Identifier: MIT
//
// frame_times.cpp: what the lengths of the frames before say, whatever was done in them: that each so many frames one is
// long, or that they have become longer and longer.
#include <algorithm>

#include "evidence.h"

namespace flamelet::explain {
namespace {

class FrameTimes {
 public:
  FrameTimes(const flamelet_capture* capture, size_t position) : capture_(capture), position_(position) {}

  // How long the frame was that is so many frames before; -1: there is none, or it is not whole.
  int64_t length_ns(size_t before) const {
    flamelet_frame_info frame;
    if (before > position_ || !flamelet_capture_frame(capture_, position_ - before, &frame) || frame.flags != 0)
      return -1;
    return frame.end_ns - frame.begin_ns;
  }
  // Also a little earlier or later.
  bool is_long_about(size_t before, size_t slack, int64_t limit_ns) const {
    for (size_t at = before - slack; at <= before + slack; ++at)
      if (length_ns(at) > limit_ns) return true;
    return false;
  }

 private:
  const flamelet_capture* const capture_;
  const size_t position_;
};

// Long frames before at the same distance, and hardly any between them: three, or five where they are so close together that
// three may be by chance.
uint32_t period_of(const FrameTimes& times, int64_t limit_ns) {
  constexpr size_t kShortest = 4, kLongest = 1024, kClose = 60, kMostCandidates = 3;
  size_t found = 0;
  for (size_t period = kShortest; period <= kLongest; ++period) {
    if (times.length_ns(period) <= limit_ns) continue;
    if (++found > kMostCandidates) return 0;  // of so many, some are at equal distances by chance
    const size_t repeats = period < kClose ? 5 : 3, slack = period / 50;
    if (times.length_ns(repeats * period) < 0) return 0;
    size_t at = 2;
    while (at <= repeats && times.is_long_about(at * period, slack, limit_ns)) ++at;
    if (at <= repeats) continue;
    size_t between = 0;
    for (size_t before = 2; before + 2 <= repeats * period; ++before)
      between += before % period > 1 && before % period + 1 < period && times.length_ns(before) > limit_ns;
    if (between < repeats) return static_cast<uint32_t>(period);
  }
  return 0;
}

}  // namespace

void note_time(flamelet_explain* explain, const flamelet_capture* capture, size_t position, flamelet_explanation* why) {
  const FrameTimes times(capture, position);
  // At least half as much longer as this one.
  const int64_t like_ns = std::max(why->limit_ns, why->usual_ns + why->surplus_ns / 2);
  if ((why->flags & FLAMELET_EXPLAIN_UNUSUAL) != 0) why->period_frames = period_of(times, like_ns);

  // The medians of eight blocks of frames, the newest first.
  constexpr uint32_t kBlocks = 8, kMost = 128, kLeast = 8;
  double middles[kBlocks], scatter = 0, step_ns = 0;
  const auto each =
      static_cast<uint32_t>(std::min<size_t>({position / kBlocks, kMost, explain->config.baseline_frames}));
  if (each < kLeast || (why->flags & FLAMELET_EXPLAIN_IN_TURN) != 0) return;
  double* const values = explain->baseline.values();
  for (uint32_t block = 0; block < kBlocks; ++block) {
    uint32_t count = 0;
    for (uint32_t i = 1; i <= each; ++i) {
      const int64_t ns = times.length_ns(block * each + i);
      if (ns >= 0) values[count++] = static_cast<double>(ns);
    }
    if (count * 2 < each) return;
    const Usual usual = usual_of(values, count);
    middles[block] = usual.middle;
    scatter = std::max(scatter, usual.spread);
    if (block == 0) continue;
    if (middles[block] > middles[block - 1] * 1.01) return;
    step_ns = std::max(step_ns, middles[block - 1] - middles[block]);
  }
  uint32_t first = kBlocks - 1;  // the newest of those that are as the oldest
  while (first != 0 && middles[first - 1] < middles[kBlocks - 1] * 1.02) --first;
  const double grown_ns = middles[0] - middles[kBlocks - 1];
  const bool is_step = step_ns * 2 > grown_ns;  // once, and no growth
  if (middles[0] < 1.15 * middles[kBlocks - 1] || grown_ns < 2 * scatter || first < 3 || is_step) return;
  flamelet_frame_info since;
  flamelet_capture_frame(capture, position - size_t{first} * each - each / 2, &since);
  why->growth_since = since.index;
  why->growth_from_ns = static_cast<int64_t>(middles[kBlocks - 1]);
  why->growth_to_ns = static_cast<int64_t>(middles[0]);
  auto most_ns = static_cast<int64_t>(grown_ns / 4);  // what grew less is not what grew
  for (uint32_t i = 0; i < explain->path.touched_count(); ++i) {
    const uint32_t path = explain->path.touched()[i];
    if (PathTable::is_figure(explain->paths[path])) continue;
    const int64_t path_ns = explain->baseline.growth_of(path);
    if (path_ns <= most_ns) continue;
    most_ns = path_ns;
    why->growth_path = path;
  }
}

}  // namespace flamelet::explain
