// SPDX-License-Identifier: MIT
//
// run.h: what is kept of a run's capture, so that captures can be read one after the other: how long its frames took, and
// a few figures for each call path.
#ifndef FLAMELET_TOOLS_RUN_H
#define FLAMELET_TOOLS_RUN_H

#include <flamelet/capture.h>

#include <cstdint>
#include <string>
#include <vector>

#include "path_names.h"

namespace flamelet::tools {

// Time in a frame. `typical` is what it takes when nothing disturbs: the mean of the middle fifth of the frames' times of a
// call, times the calls in a mean frame. A change of every frame shows there first; one of few frames in the mean. (The
// middle half would differ three times as much from run to run on a machine that other programs keep busy. And what runs
// beside the frames often runs twice in one and not at all in the next: so calls are counted over the whole run.)
struct FrameTime {
  double typical_ns = 0;
  double mean_ns = 0;
};

struct RunPath {
  FrameTime self;
  FrameTime inclusive;  // without scopes that wait: what the path's own threads worked
  double calls = 0;     // in a frame
};

// A scope in all paths that end with it: jobs that whichever thread is free runs have another path each time.
struct RunScope {
  FrameTime self;
  double calls = 0;
};

struct Run {
  std::string name;
  std::string problem;  // why nothing of it was read, ""
  flamelet_clock_kind clock = {};
  double ticks_per_second = 0;
  uint64_t recorded_unix_ns = 0;  // 0: not known
  std::vector<int64_t> frames_ns;
  size_t partial_frames = 0;  // these two kinds of frames were left out
  size_t lossy_frames = 0;
  std::vector<RunPath> paths;    // by path; those at the end may be missing, as here:
  std::vector<RunScope> scopes;  // by scope

  const RunPath& path(size_t index) const {
    static const RunPath kNone;
    return index < paths.size() ? paths[index] : kNone;
  }
  const RunScope& scope(size_t index) const {
    static const RunScope kNone;
    return index < scopes.size() ? scopes[index] : kNone;
  }
};

// Reads the frames at [first_frame, end_frame) and all lanes but fibers, whose time is on their threads. A span counts in
// the frame in which it begins. Paths of GPU queues
// and external lanes begin with the lane's name. Memory: about 16 bytes for each frame and path.
Run read_run(const flamelet_capture* capture, size_t first_frame, size_t end_frame, PathNames* names);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_RUN_H
