// SPDX-License-Identifier: MIT
//
// pace.h: how fast each run was as a whole. A run is slow because of its machine: the clock rate, the heat, other programs.
// What is left of a figure when its pace is taken out differs less from run to run, so smaller changes are seen.
#ifndef FLAMELET_TOOLS_PACE_H
#define FLAMELET_TOOLS_PACE_H

#include <vector>

#include "path_names.h"
#include "run.h"

namespace flamelet::tools {

double median(std::vector<double> values);

// The pace of each run: 1.1 if its paths took a tenth longer than those of a usual run. It is the median over the paths of
// how much longer each took, so paths that changed hardly move it, and neither do long ones that vary. (As in Anders and
// Huber 2010 for counts of genes.) Only paths that took `least_ns` in each run count. If they are too few, all paces are 1.
std::vector<double> paces_of(const std::vector<const Run*>& runs, const PathNames& names, double least_ns);

// How much a value grows with the pace: the median slope between two runs (Theil 1950). What waits for memory grows more
// than what only computes. With `first`, only runs of one side are compared: the first so many, and the others.
double growth_with_pace(const std::vector<double>& paces, const std::vector<double>& values, size_t first = 0);

// What the values would be at pace 1, if they grow by so much. A path that did not run stays at 0.
void bring_to_one_pace(const std::vector<double>& paces, double growth, std::vector<double>* values);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_PACE_H
