// SPDX-License-Identifier: MIT
//
// call_paths.h: call trees of what a file holds, and their paths as plain data that commands can sort and cut.
#ifndef FLAMELET_TOOLS_CALL_PATHS_H
#define FLAMELET_TOOLS_CALL_PATHS_H

#include <flamelet/span_tree.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "capture_window.h"

namespace flamelet::tools {

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

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_CALL_PATHS_H
