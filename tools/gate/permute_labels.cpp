// SPDX-License-Identifier: MIT
#include "permute_labels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "random_numbers.h"

namespace flamelet::tools {
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
  const double low = quantile(sorted, 0.25), high = quantile(sorted, 0.75), room = (high - low) / 2;
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

class Deals {
 public:
  Deals(const std::vector<std::vector<double>>& figures, size_t runs) : runs_(runs) {
    for (const std::vector<double>& figure : figures) {
      const std::vector<double> scores = scores_of(figure);
      scores_.insert(scores_.end(), scores.begin(), scores.end());
    }
  }

  // |sum| of these runs' scores.
  double statistic(size_t figure, const std::vector<size_t>& second) const {
    const double* const scores = scores_.data() + figure * runs_;
    double sum = 0;
    for (const size_t run : second) sum += scores[run];
    return std::fabs(sum);
  }
  double largest(const std::vector<size_t>& second) const {
    double largest = 0;
    for (size_t figure = 0; figure < scores_.size() / runs_; ++figure)
      largest = std::max(largest, statistic(figure, second));
    return largest;
  }

 private:
  const size_t runs_;
  std::vector<double> scores_;  // by figure and run
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

std::vector<double> permute_labels(const std::vector<std::vector<double>>& figures, size_t first, size_t deals,
                                   uint64_t seed) {
  if (figures.empty()) return {};
  const size_t runs = figures[0].size(), second = runs - first;
  const Deals all(figures, runs);
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
  std::vector<double> p(figures.size());
  for (size_t figure = 0; figure < figures.size(); ++figure) {
    const double seen = all.statistic(figure, chosen) * (1 - 1e-9);  // sums in another order differ in their last bits
    const auto as_large = static_cast<double>(largest.end() - std::lower_bound(largest.begin(), largest.end(), seen));
    const auto count = static_cast<double>(largest.size());
    p[figure] = seen == 0 ? 1 : is_exact ? as_large / count : (as_large + 1) / (count + 1);
  }
  return p;
}

}  // namespace flamelet::tools
