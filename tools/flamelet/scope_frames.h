// SPDX-License-Identifier: MIT
//
// scope_frames.h: what each scope took in each frame.
#ifndef FLAMELET_TOOLS_SCOPE_FRAMES_H
#define FLAMELET_TOOLS_SCOPE_FRAMES_H

#include <cstdint>
#include <vector>

#include "capture_window.h"

namespace flamelet::tools {

struct ScopeFrames {
  uint32_t site;  // of the first, where scopes of one name are one
  uint32_t name;
  // By frame of the window. A span that reaches over a border counts in each frame with its part.
  std::vector<int64_t> total_ns;  // a scope inside itself counts once
  std::vector<int64_t> self_ns;
  uint64_t calls = 0;  // that began in the window
};

// All scopes of the lanes, in the order in which they were first met; `by_name`: those of one name together, wherever in
// the code they are. Memory: 16 bytes for each scope and frame.
std::vector<ScopeFrames> scope_frames(const CaptureInput& input, const std::vector<size_t>& lanes, const Window& window,
                                      bool by_name = false);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_SCOPE_FRAMES_H
