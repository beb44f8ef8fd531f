// SPDX-License-Identifier: MIT
//
// tree_report.h: call trees as a drawing for the terminal, as CSV and as JSON.
#ifndef FLAMELET_TOOLS_TREE_REPORT_H
#define FLAMELET_TOOLS_TREE_REPORT_H

#include <flamelet/span_tree.h>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture_window.h"

namespace flamelet::tools {

// Call paths: call trees of what a file holds, and their paths as plain data that commands can sort and cut.

// A call tree with its memory. Names live as long as what it was made of.
class CallTree {
 public:
  explicit CallTree(const flamelet_call_tree_config& config);
  flamelet_call_tree* get() const { return tree_; }

 private:
  std::unique_ptr<unsigned char[]> memory_;
  flamelet_call_tree* tree_ = nullptr;
};

// What the lanes did in the window, merged; samples are nanoseconds. The memory grows until every path has room, up to
// 4 million.
CallTree call_tree_of(const CaptureInput& input, const std::vector<size_t>& lanes, const Window& window,
                      bool keep_recursion);

struct CallPath {
  uint32_t parent;  // index in the same list; the root stands first
  uint32_t depth;   // 0 = the root
  const char* name;
  uint64_t calls;
  uint64_t self;
  uint64_t total;
};

// Every path, each behind its parent and before its parent's next child.
std::vector<CallPath> paths_of(flamelet_call_tree* tree);

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
