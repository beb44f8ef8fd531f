// SPDX-License-Identifier: MIT
//
// info_lanes.h: the lanes of a capture as tables, for `flamelet info`.
#ifndef FLAMELET_TOOLS_INFO_LANES_H
#define FLAMELET_TOOLS_INFO_LANES_H

#include "capture_input.h"
#include "table.h"

namespace flamelet::tools {

struct LaneTables {
  bool merge = false;  // lanes of the same name as one
  // Rows. The lanes beyond it are one row for each kind: first those that were quiet in the end, then those with the fewest
  // spans.
  size_t most = SIZE_MAX;
};

// What each lane holds, and what it lost.
Table lane_table(const CaptureInput& input, const LaneTables& options);

// The counters by name, with how many values each has, the last of them, the least and the most. The first `most` of them, and
// how many more there are. The lanes of fibers show again what stands on those of threads.
Table counter_table(const CaptureInput& input, size_t most);

// The scopes of each lane that had not ended when the capture did, from the outermost in: after a crash, where it happened.
// In the first `most` of such lanes, and how many more there are.
Table open_table(const CaptureInput& input, size_t most);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_INFO_LANES_H
