// SPDX-License-Identifier: MIT
#include "gate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using flamelet::tools::least_p;
using flamelet::tools::TestedFigure;

namespace {

std::vector<double> permute_labels(const std::vector<std::vector<double>>& values, size_t first, size_t deals,
                                   uint64_t seed) {
  std::vector<TestedFigure> figures;
  for (const std::vector<double>& each : values) figures.push_back({each, false});
  return flamelet::tools::permute_labels(figures, {}, first, deals, seed, 0.01).p;
}

}  // namespace

TEST_CASE("permutation test: the smallest p is one deal of all") {
  CHECK(least_p(5, 5) == doctest::Approx(2.0 / 252));
  CHECK(least_p(10, 10) == doctest::Approx(2.0 / 184756));
  CHECK(least_p(3, 10) == doctest::Approx(1.0 / 286));
  CHECK(least_p(1, 1) == 1);
  CHECK(least_p(0, 9) == 1);
  // Groups that lie apart have it, whatever their distance.
  CHECK(permute_labels({{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, 5, 4999, 1)[0] == doctest::Approx(2.0 / 252));
  CHECK(permute_labels({{1, 1, 1, 1, 1, 9, 9, 9, 9, 9}}, 5, 4999, 1)[0] == doctest::Approx(2.0 / 252));
}

TEST_CASE("permutation test: p of a single figure is the share of deals that are as far apart") {
  // Sums of the second group of 20 deals: 6 (1 + 2 + 3) to 15. Mean 10.5; {3, 5, 6} gives 14, as far as 7: two deals each,
  // with one more at 15 and 6.
  CHECK(permute_labels({{1, 2, 4, 3, 5, 6}}, 3, 4999, 1)[0] == doctest::Approx(4.0 / 20));
  CHECK(permute_labels({{4, 4, 4, 4, 4, 4}}, 3, 4999, 1)[0] == 1);
  CHECK(permute_labels({}, 3, 4999, 1).empty());
}

TEST_CASE("permutation test: more figures make a difference less sure") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> figures = {{0, .1, -.1, .2, -.2, .3, 0, .1, 1, 1.1, .9, .2, .8, .7, 1.3, .9}};
  const double alone = permute_labels(figures, 8, 20000, 1)[0];
  CHECK(alone < 0.002);
  // Those that depend on it do not; others do.
  for (int i = 0; i < 100; ++i) figures.push_back(figures[0]);
  CHECK(permute_labels(figures, 8, 20000, 1)[0] == alone);
  figures.resize(1);
  for (int i = 0; i < 100; ++i) {
    figures.emplace_back();
    for (int run = 0; run < 16; ++run) figures.back().push_back(normal(random));
  }
  const std::vector<double> p = permute_labels(figures, 8, 20000, 1);
  CHECK(p[0] > 5 * alone);
  for (size_t i = 1; i < p.size(); ++i) CHECK(p[i] > 0.01);
}

TEST_CASE("permutation test: one disturbed run does not hide a difference") {
  std::vector<double> values = {1.00, 1.01, 0.99, 1.02, 0.98, 1.00, 1.01, 0.99, 1.00, 1.01,
                                1.10, 1.11, 1.09, 1.12, 1.08, 1.10, 1.11, 1.09, 1.10, 1.11};
  CHECK(permute_labels({values}, 10, 4999, 1)[0] <= 0.001);
  values[4] = 50;
  CHECK(permute_labels({values}, 10, 4999, 1)[0] <= 0.002);
}

TEST_CASE("permutation test: random deals are the same for the same seed, and p is never 0") {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) values.push_back(i < 10 ? i : 100 + i);
  const double p = permute_labels({values}, 10, 999, 7)[0];
  CHECK(p >= 0.001);
  CHECK(p <= 0.002);
  std::vector<double> mixed = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4};
  CHECK(permute_labels({mixed}, 10, 999, 7) == permute_labels({mixed}, 10, 999, 7));
  CHECK(permute_labels({mixed}, 10, 999, 7) != permute_labels({mixed}, 10, 999, 8));
}

TEST_CASE("permutation test: a figure that follows the pace is tested for what the pace leaves") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> paces, same, slower;
  for (int run = 0; run < 20; ++run) {
    paces.push_back(1 + 0.1 * (run * 7 % 10) + (run < 10 ? 0 : 0.3));
    same.push_back(5 + 2 * paces.back() + 0.02 * normal(random));
    slower.push_back(same.back() + (run < 10 ? 0 : 0.1));
  }
  const auto p = [&](const std::vector<double>& values, bool follows) {
    return flamelet::tools::permute_labels({{values, follows}}, paces, 10, 4999, 1, 0.01).p[0];
  };
  CHECK(p(same, true) > 0.05);
  CHECK(p(same, false) < 0.05);  // it is the slower pace that is seen here
  CHECK(p(slower, true) < 0.001);
  CHECK(p(paces, true) == 1);  // nothing is left
}

TEST_CASE("permutation test: a difference a little above the limit is seen, and one a little below is not") {
  constexpr size_t kRuns = 10;
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<TestedFigure> figures(20);
  for (TestedFigure& figure : figures)
    for (size_t run = 0; run < 2 * kRuns; ++run) figure.values.push_back(normal(random));
  // Scores whose scatter is 1 in both groups, and whose groups lie as far apart as they are told.
  const auto p_at = [&](double apart) {
    figures[0].values.clear();
    for (size_t run = 0; run < 2 * kRuns; ++run) {
      const double score = (static_cast<double>(run % kRuns) - 4.5) / std::sqrt(82.5 / 9);
      figures[0].values.push_back(score + (run < kRuns ? 0 : apart));
    }
    return flamelet::tools::permute_labels(figures, {}, kRuns, 4999, 1, 0.01);
  };
  const double limit = p_at(0).limit;
  CHECK(limit > 0.6);
  CHECK(limit < 0.85);
  const double apart = flamelet::tools::difference_at(limit, 1, kRuns, kRuns);
  CHECK(p_at(1.05 * apart).p[0] <= 0.01);
  CHECK(p_at(0.95 * apart).p[0] > 0.01);
  CHECK(flamelet::tools::permute_labels(figures, {}, kRuns, 50, 1, 0.01).limit == 1);  // too few deals for any
}
