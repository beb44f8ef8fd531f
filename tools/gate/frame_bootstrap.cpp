// SPDX-License-Identifier: MIT
#include "frame_bootstrap.h"

#include <algorithm>
#include <cmath>

#include "random_numbers.h"

namespace flamelet::tools {
namespace {

constexpr double kShares[] = {0.50, 0.95, 0.99};  // of kP50 .. kP99

// The nearest rank, from 0.
size_t rank_of(double share, size_t count) {
  return static_cast<size_t>(std::max(1.0, std::ceil(share * static_cast<double>(count) - 1e-9))) - 1;
}

// Frames as ranks among all frames of their side: a draw counts ranks, and percentiles are found without sorting.
class Side {
 public:
  Side(const std::vector<std::vector<int64_t>>& runs, double budget_ns) {
    for (const auto& run : runs) sorted_ns_.insert(sorted_ns_.end(), run.begin(), run.end());
    std::sort(sorted_ns_.begin(), sorted_ns_.end());
    for (const auto& run : runs) {
      ranks_.emplace_back();
      for (const int64_t ns : run)
        ranks_.back().push_back(
            static_cast<uint32_t>(std::lower_bound(sorted_ns_.begin(), sorted_ns_.end(), ns) - sorted_ns_.begin()));
    }
    first_over_ =
        static_cast<size_t>(std::partition_point(sorted_ns_.begin(), sorted_ns_.end(),
                                                 [&](int64_t ns) { return static_cast<double>(ns) <= budget_ns; }) -
                            sorted_ns_.begin());
    for (size_t figure = 0; figure < kFrameFigures; ++figure)
      values_[figure] = frame_figure(static_cast<FrameFigure>(figure), sorted_ns_, budget_ns);
    counts_.resize(sorted_ns_.size());
  }

  const double* values() const { return values_; }

  void draw(RandomNumbers* random, double* figures) {
    std::fill(counts_.begin(), counts_.end(), 0u);
    size_t drawn = 0;
    for (size_t i = 0; i < ranks_.size(); ++i) {
      const std::vector<uint32_t>& run = ranks_[random->below(ranks_.size())];
      const size_t block = static_cast<size_t>(std::ceil(std::cbrt(static_cast<double>(run.size()))));
      for (size_t left = run.size(); left != 0;) {
        const size_t length = std::min(block, left);
        size_t at = random->below(run.size());
        for (size_t j = 0; j < length; ++j) {
          ++counts_[run[at]];
          if (++at == run.size()) at = 0;
        }
        left -= length;
      }
      drawn += run.size();
    }
    size_t seen = 0, figure = 0, under = 0;
    for (size_t rank = 0; rank < counts_.size(); ++rank) {
      if (rank == first_over_) under = seen;
      seen += counts_[rank];
      for (; figure < kOverBudget && seen > rank_of(kShares[figure], drawn); ++figure)
        figures[figure] = static_cast<double>(sorted_ns_[rank]);
    }
    if (first_over_ == counts_.size()) under = seen;
    figures[kOverBudget] = 1 - static_cast<double>(under) / static_cast<double>(drawn);
  }

 private:
  std::vector<int64_t> sorted_ns_;
  std::vector<std::vector<uint32_t>> ranks_;  // by run and frame
  size_t first_over_ = 0;                     // index in sorted_ns_
  std::vector<uint32_t> counts_;              // by rank
  double values_[kFrameFigures];
};

Interval interval(double value, std::vector<double>* draws) {
  std::sort(draws->begin(), draws->end());
  return {value, (*draws)[rank_of(0.025, draws->size())], (*draws)[rank_of(0.975, draws->size())]};
}

double change_of(size_t figure, double from, double to) {
  if (figure == kOverBudget) return to - from;
  return from > 0 ? to / from - 1 : 0;
}

}  // namespace

double frame_figure(FrameFigure figure, const std::vector<int64_t>& sorted_ns, double budget_ns) {
  if (figure != kOverBudget) return static_cast<double>(sorted_ns[rank_of(kShares[figure], sorted_ns.size())]);
  const auto over = std::partition_point(sorted_ns.begin(), sorted_ns.end(),
                                         [&](int64_t ns) { return static_cast<double>(ns) <= budget_ns; });
  return static_cast<double>(sorted_ns.end() - over) / static_cast<double>(sorted_ns.size());
}

FrameIntervals bootstrap_frames(const std::vector<std::vector<int64_t>> (&runs)[2], double budget_ns, size_t draws,
                                uint64_t seed) {
  RandomNumbers random(seed);
  Side sides[2] = {Side(runs[0], budget_ns), Side(runs[1], budget_ns)};
  std::vector<double> drawn[2][kFrameFigures], changes[kFrameFigures];
  for (size_t draw = 0; draw < draws; ++draw) {
    double figures[2][kFrameFigures];
    for (size_t side = 0; side < 2; ++side) sides[side].draw(&random, figures[side]);
    for (size_t figure = 0; figure < kFrameFigures; ++figure) {
      for (size_t side = 0; side < 2; ++side) drawn[side][figure].push_back(figures[side][figure]);
      changes[figure].push_back(change_of(figure, figures[0][figure], figures[1][figure]));
    }
  }
  FrameIntervals result;
  for (size_t figure = 0; figure < kFrameFigures; ++figure) {
    const double values[2] = {sides[0].values()[figure], sides[1].values()[figure]};
    for (size_t side = 0; side < 2; ++side) result.side[side][figure] = interval(values[side], &drawn[side][figure]);
    result.change[figure] = interval(change_of(figure, values[0], values[1]), &changes[figure]);
  }
  return result;
}

}  // namespace flamelet::tools
