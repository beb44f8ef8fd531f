// SPDX-License-Identifier: MIT
//
// stats_command.h: the intervals of a window, added up by name.
#ifndef FLAMELET_TOOLS_STATS_COMMAND_H
#define FLAMELET_TOOLS_STATS_COMMAND_H

#include <cstdint>
#include <string>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "table.h"

namespace flamelet::tools {

struct IntervalSums {
  std::string name;
  uint64_t incomplete = 0;  // without a begin or an end
  int64_t total_ns = 0;
  std::vector<int64_t> durations_ns;
};

// Those that overlap the window, each with its whole duration, by name. Only names that hold the filter's text.
std::vector<IntervalSums> interval_sums(const CaptureInput& input, const Window& window, const std::string& filter);

// A row for each.
Table interval_table(std::vector<IntervalSums> sums);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_STATS_COMMAND_H
