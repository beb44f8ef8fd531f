// SPDX-License-Identifier: MIT
#include "perf_statistics.h"

#include <math.h>

namespace flamelet {

void PerfStatistics::add(uint32_t name, uint32_t depth, int64_t duration_ns) {
  Row& row = rows_[name];
  if (row.stamp != frame_) {
    row.stamp = frame_;
    row.frame_ns = 0;
  }
  ++row.blocks;
  // Backwards, parents come before their children: the path to this block stands above it.
  path_[depth] = name;
  for (uint32_t above = 1; above < depth; ++above)
    if (path_[above] == name) return;
  row.frame_ns += duration_ns;
}

void PerfStatistics::end(uint32_t name) {
  Row& row = rows_[name];
  if (row.stamp != frame_) return;
  row.stamp = 0;
  if (row.frames == 0) rows_[count_++].listed = name;
  const int64_t ns = row.frame_ns;
  row.last_ns = ns;
  if (row.frames == 0 || ns < row.min_ns) row.min_ns = ns;
  if (row.frames == 0 || ns > row.max_ns) row.max_ns = ns;
  ++row.frames;
  const double distance = static_cast<double>(ns) - row.mean_ns;
  row.mean_ns += distance / static_cast<double>(row.frames);
  row.squares += distance * (static_cast<double>(ns) - row.mean_ns);
}

double PerfStatistics::deviation_ns(uint32_t name) const {
  const Row& row = rows_[name];
  return row.frames < 2 ? 0 : sqrt(row.squares / static_cast<double>(row.frames - 1));
}

}  // namespace flamelet
