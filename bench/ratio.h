// SPDX-License-Identifier: MIT
//
// ratio.h: contender against limit, in one process, on pinned threads. A round takes the rows in a new random order;
// in each row, contender and limit run one after the other, in random order, each a few frames to warm up and then a
// few that count. So whatever else the machine does, and whatever its clock rate, hits both alike: times move from run
// to run and machine to machine, ratios hardly.
#ifndef FLAMELET_BENCH_RATIO_H
#define FLAMELET_BENCH_RATIO_H

#include <vector>

#include "frames.h"

namespace flamelet_bench {

struct RowResult {
  Row row;
  // Nanoseconds per scope, over frames of kScopesPerFrame scopes.
  double p50_ns, mean_ns, p99_ns;
  double limit_p50_ns, limit_mean_ns, limit_p99_ns;
  // The median ratio of the rounds' medians, and its quartiles over the rounds.
  double ratio, ratio_low, ratio_high;
};

// Empty if a contender does not record what it should; stderr says which.
std::vector<RowResult> measure_rows(const std::vector<Row>& rows, uint32_t rounds);

}  // namespace flamelet_bench

#endif  // FLAMELET_BENCH_RATIO_H
