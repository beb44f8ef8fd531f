// SPDX-License-Identifier: MIT
//
// permute_labels.h: which of many figures differ between two groups of runs? A permutation test: if nothing changed, a run
// might as well have been one of the other group, so the labels are dealt out again and again, and what that gives is what
// chance gives. Of each deal only the largest statistic of all figures counts (maxT, Westfall and Young 1993, Resampling-
// Based Multiple Testing; Ge, Dudoit and Speed 2003, Test 12): so the chance that *any* figure is called different without
// being so is at most the level, however many there are and however much they depend on each other. Nothing is assumed of
// their distributions.
//
// The statistic is that of the t test, of values that lie at most an interquartile range outside of the quartiles of both
// groups together; what is farther out is moved to there. For normal values those are two standard deviations (Huber
// 1964): one disturbed run does not hide a change that all others show. Nearer limits would cut off what a slow run's
// figures and its pace have in common.
//
// A figure that follows the pace of the runs is tested for what the pace leaves: the t statistic is that of the side in a
// regression on pace and side. Each deal has its own regression. (An analysis of covariance; the labels are dealt to
// whole runs, with their pace, so this is as exact as without.)
#ifndef FLAMELET_TOOLS_PERMUTE_LABELS_H
#define FLAMELET_TOOLS_PERMUTE_LABELS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flamelet::tools {

// The smallest p that groups of these sizes can give: their labels can only be dealt in so many ways.
double least_p(size_t first, size_t second);

struct TestedFigure {
  std::vector<double> values;  // of the first group's runs, then those of the second's
  bool follows_pace = false;
};

struct LabelTest {
  std::vector<double> p;  // of each figure, adjusted, for a difference in either direction
  double limit = 1;       // the correlation of a figure with the labels from which on p is at most `alarms`; 1: never
};

// `paces` are of the runs, in the same order; not needed if no figure follows them. All deals if they are fewer than
// `deals`; else so many random ones, and the one that happened is counted as another (Phipson and Smyth 2010).
LabelTest permute_labels(const std::vector<TestedFigure>& figures, const std::vector<double>& paces, size_t first,
                         size_t deals, uint64_t seed, double alarms);

// How far apart groups of these sizes lie that have this correlation with their labels and this scatter in each.
double difference_at(double correlation, double scatter, size_t first, size_t second);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_PERMUTE_LABELS_H
