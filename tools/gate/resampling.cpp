// SPDX-License-Identifier: MIT
#include "resampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "run.h"

namespace flamelet::tools {

// ---- frame bootstrap

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

// ---- permute labels

namespace {

// How many ways there are to choose k of n; not exact where there are more than 1e15.
double ways(size_t n, size_t k) {
  double ways = 1;
  for (size_t i = 1; i <= k; ++i) ways = ways * static_cast<double>(n - k + i) / static_cast<double>(i);
  return std::round(ways);
}

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// Scores with mean 0 and square sum 1; all 0 if the values are all alike. The t statistic of a deal grows with the sum of
// the second group's scores, so that sum stands for it.
std::vector<double> scores_of(std::vector<double> values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const double low = quantile(sorted, 0.25), high = quantile(sorted, 0.75), room = high - low;
  if (room > 0)  // else more than half of the values are alike: those that are not are what there is to see
    for (double& value : values) value = std::clamp(value, low - room, high + room);
  const double count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (double& value : values) {
    value -= mean;
    squares += value * value;
  }
  const double scale = std::max(std::fabs(sorted.front()), std::fabs(sorted.back()));
  if (std::sqrt(squares) <= 1e-12 * scale) return std::vector<double>(values.size(), 0.0);
  for (double& value : values) value /= std::sqrt(squares);
  return values;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// What of some scores does not follow the pace, as scores; all 0 if they do nothing else.
void take_pace_out(const std::vector<double>& pace, std::vector<double>* scores) {
  const double following = product(pace, *scores);  // a correlation
  const double left = 1 - following * following;
  for (size_t i = 0; i < pace.size(); ++i)
    (*scores)[i] = left > 1e-9 ? ((*scores)[i] - following * pace[i]) / std::sqrt(left) : 0;
}

class Deals {
 public:
  Deals(const std::vector<TestedFigure>& figures, const std::vector<double>& paces)
      : runs_(figures[0].values.size()), pace_(paces.empty() ? std::vector<double>(runs_) : scores_of(paces)) {
    for (const TestedFigure& figure : figures) {
      std::vector<double> values = figure.values;
      // First for all runs alike, so that what is cut off is what the pace does not explain; then beside the labels.
      if (figure.follows_pace) bring_to_one_pace(paces, growth_with_pace(paces, values), &values);
      std::vector<double> scores = scores_of(std::move(values));
      if (figure.follows_pace) take_pace_out(pace_, &scores);
      scores_.insert(scores_.end(), scores.begin(), scores.end());
      follows_pace_.push_back(figure.follows_pace);
    }
  }

  // How much each figure differs between these runs and the others: a correlation, 0 to 1.
  const std::vector<double>& statistics(const std::vector<size_t>& second) {
    const auto count = static_cast<double>(second.size()), all = static_cast<double>(runs_);
    const double most = std::sqrt(count * (all - count) / all);  // that a sum can be
    const double by_pace = sum(pace_.data(), second) / most;
    const double beside_pace = std::sqrt(std::max(1 - by_pace * by_pace, 0.0));
    statistics_.resize(follows_pace_.size());
    for (size_t figure = 0; figure < statistics_.size(); ++figure) {
      const double apart = std::fabs(sum(scores_.data() + figure * runs_, second)) / most;
      statistics_[figure] = !follows_pace_[figure] ? apart : beside_pace > 1e-6 ? apart / beside_pace : 0;
    }
    return statistics_;
  }
  double largest(const std::vector<size_t>& second) {
    const std::vector<double>& all = statistics(second);
    return *std::max_element(all.begin(), all.end());
  }

 private:
  static double sum(const double* scores, const std::vector<size_t>& runs) {
    double sum = 0;
    for (const size_t run : runs) sum += scores[run];
    return sum;
  }

  const size_t runs_;
  const std::vector<double> pace_;
  std::vector<double> scores_;  // by figure and run
  std::vector<bool> follows_pace_;
  std::vector<double> statistics_;
};

// The next choice in lexical order; false after the last.
bool next_choice(std::vector<size_t>* chosen, size_t runs) {
  const size_t k = chosen->size();
  for (size_t i = k; i-- > 0;) {
    if ((*chosen)[i] == runs - k + i) continue;
    ++(*chosen)[i];
    for (size_t j = i + 1; j < k; ++j) (*chosen)[j] = (*chosen)[j - 1] + 1;
    return true;
  }
  return false;
}

}  // namespace

double least_p(size_t first, size_t second) {
  if (first == 0 || second == 0) return 1;
  // Groups of one size that change places give the same statistic.
  return std::min(1.0, (first == second ? 2 : 1) / ways(first + second, second));
}

double difference_at(double correlation, double scatter, size_t first, size_t second) {
  const double a = static_cast<double>(first), b = static_cast<double>(second);
  const double t = correlation * std::sqrt((a + b - 2) / (1 - correlation * correlation));
  return t * scatter * std::sqrt(1 / a + 1 / b);
}

LabelTest permute_labels(const std::vector<TestedFigure>& figures, const std::vector<double>& paces, size_t first,
                         size_t deals, uint64_t seed, double alarms) {
  if (figures.empty()) return {};
  const size_t runs = figures[0].values.size(), second = runs - first;
  Deals all(figures, paces);
  std::vector<size_t> chosen(second);
  std::vector<double> largest;
  const bool is_exact = ways(runs, second) <= static_cast<double>(deals);
  if (is_exact) {
    std::iota(chosen.begin(), chosen.end(), size_t{0});
    do largest.push_back(all.largest(chosen));
    while (next_choice(&chosen, runs));
  } else {
    RandomNumbers random(seed);
    std::vector<size_t> order(runs);
    std::iota(order.begin(), order.end(), size_t{0});
    for (size_t deal = 0; deal < deals; ++deal) {
      for (size_t i = 0; i < second; ++i) std::swap(order[i], order[i + random.below(runs - i)]);
      std::copy_n(order.begin(), second, chosen.begin());
      largest.push_back(all.largest(chosen));
    }
  }
  std::sort(largest.begin(), largest.end());
  std::iota(chosen.begin(), chosen.end(), first);
  const std::vector<double> statistics = all.statistics(chosen);
  LabelTest test;
  test.p.resize(figures.size());
  for (size_t figure = 0; figure < figures.size(); ++figure) {
    const double seen = statistics[figure] * (1 - 1e-9);  // sums in another order differ in their last bits
    const auto as_large = static_cast<double>(largest.end() - std::lower_bound(largest.begin(), largest.end(), seen));
    const auto count = static_cast<double>(largest.size());
    test.p[figure] = seen == 0 ? 1 : is_exact ? as_large / count : (as_large + 1) / (count + 1);
  }
  const double shares = alarms * static_cast<double>(largest.size() + !is_exact) - !is_exact;
  if (shares >= 1) test.limit = largest[largest.size() - static_cast<size_t>(shares)];
  return test;
}

}  // namespace flamelet::tools
