// SPDX-License-Identifier: MIT
//
// tree_report.h: call trees as a drawing for the terminal, as CSV and as JSON.
#ifndef FLAMELET_TOOLS_TREE_REPORT_H
#define FLAMELET_TOOLS_TREE_REPORT_H

#include <string>
#include <vector>

#include "call_paths.h"

namespace flamelet::tools {

enum class TreeOrder { kTotal, kSelf, kCalls, kName };

struct TreeCut {
  uint32_t depth = UINT32_MAX;  // deeper paths are summed up
  double least_share = 0;       // of the whole tree's total, 0 to 1; so are paths below it
  std::string filter;           // only what leads to or comes from a name that holds it
  TreeOrder order = TreeOrder::kTotal;
};

struct ReportedTree {
  std::string name;  // printable: of the lane; "" = of all that were merged
  std::vector<CallPath> paths;
};

struct TreeReport {
  std::string file;  // printable
  std::string unit;  // of the samples: "ns", or what perf counted
  bool calls_are_samples = false;
  std::vector<ReportedTree> trees;
};

std::string tree_text(const TreeReport& report, const TreeCut& cut, size_t columns);
std::string tree_csv(const TreeReport& report, const TreeCut& cut);
std::string tree_json(const TreeReport& report, const TreeCut& cut);

// Whether any path is left after the filter.
bool filter_finds(const TreeReport& report, const TreeCut& cut);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_TREE_REPORT_H
