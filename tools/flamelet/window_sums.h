// SPDX-License-Identifier: MIT
//
// window_sums.h: what happened in a window of a capture, added up: by scope and frame, intervals by name, and by call path.
#ifndef FLAMELET_TOOLS_WINDOW_SUMS_H
#define FLAMELET_TOOLS_WINDOW_SUMS_H

#include <flamelet/call_tree.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture_window.h"

namespace flamelet::tools {

struct ScopeFrames {
  uint32_t site;  // of the first, where scopes of one name are one
  uint32_t name;
  // By frame. A span that reaches over a border counts in each frame with its part.
  std::vector<int64_t> total_ns;  // a scope inside itself counts once
  std::vector<int64_t> self_ns;
  uint64_t calls = 0;  // that began in one of them
};

// All scopes of the lanes in these frames, in the order in which they were first met; `by_name`: those of one name together,
// wherever in the code they are. Memory: 16 bytes for each scope and frame.
std::vector<ScopeFrames> scope_frames(const CaptureInput& input, const std::vector<size_t>& lanes,
                                      const std::vector<flamelet_frame_info>& frames, bool by_name = false);

struct IntervalSums {
  std::string name;
  uint64_t incomplete = 0;  // without a begin or an end
  uint64_t open = 0;        // without an end
  int64_t total_ns = 0;
  std::vector<int64_t> durations_ns;
};

// Those that overlap the window, each with its whole duration, by name. Only names that hold the filter's text.
std::vector<IntervalSums> interval_sums(const CaptureInput& input, const Window& window, const std::string& filter);

// A call tree with its memory. Names live as long as what it was made of.
class CallTree {
 public:
  explicit CallTree(const flamelet_call_tree_config& config);
  flamelet_call_tree* get() const { return tree_; }

 private:
  std::unique_ptr<unsigned char[]> memory_;
  flamelet_call_tree* tree_ = nullptr;
};

struct Stretch {
  int64_t begin_ns, end_ns;  // half open
};
// Frames that follow each other are one.
std::vector<Stretch> stretches_of(const std::vector<flamelet_frame_info>& frames);

// What the lanes did in these stretches of time, merged; samples are nanoseconds. The memory grows until every path has room,
// up to 4 million.
CallTree call_tree_of(const CaptureInput& input, const std::vector<size_t>& lanes,
                      const std::vector<Stretch>& stretches, bool keep_recursion);

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

#endif  // FLAMELET_TOOLS_WINDOW_SUMS_H
