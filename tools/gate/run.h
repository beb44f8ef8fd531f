// SPDX-License-Identifier: MIT
//
// run.h: what is kept of a run's capture, so that captures can be read one after the other: how long its frames took, and
// a few figures for each call path.
#pragma once

#include <flamelet/capture.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flamelet::tools {

// Path names: call paths and scopes by their names, the same for all runs: the same code has other ids in another
// recording.

class PathNames {
 public:
  static constexpr uint32_t kRoot = 0;
  static constexpr size_t kMost = size_t{1} << 16;

  struct Path {
    uint32_t parent;
    std::string name;
    bool is_wait;    // a scope that waits (FLAMELET_SCOPE_WAIT)
    uint32_t scope;  // of this name, whoever calls it
  };
  struct Scope {
    std::string name;
    std::vector<uint32_t> paths;  // that end with it
  };

  PathNames() { paths_.push_back({kRoot, "", false, 0}); }

  // The path of a call from `parent`. Recursion is folded as in the call tree: of a path that ends with W W, the last W is
  // dropped. Without room, it is the parent, and counted.
  uint32_t child(uint32_t parent, std::string_view name, bool is_wait);

  size_t size() const { return paths_.size(); }  // parents stand before their children
  const Path& operator[](size_t path) const { return paths_[path]; }
  const std::vector<Scope>& scopes() const { return scopes_; }
  size_t without_room() const { return without_room_; }

  // "Frame > Update > Physics"
  std::string text(uint32_t path) const;

 private:
  uint32_t folded(uint32_t parent, std::string_view name) const;

  std::vector<Path> paths_;
  std::vector<Scope> scopes_;
  std::map<std::string, uint32_t> scope_index_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> index_;
  size_t without_room_ = 0;
};

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

// Pace: how fast each run was as a whole. A run is slow because of its machine: the clock rate, the heat, other programs.
// What is left of a figure when its pace is taken out differs less from run to run, so smaller changes are seen.

double median(std::vector<double> values);

// The pace of each run: 1.1 if its paths took a tenth longer than those of a usual run. It is the median over the paths of
// how much longer each took, so paths that changed hardly move it, and neither do long ones that vary. (As in Anders and
// Huber 2010 for counts of genes.) Only paths that took `least_ns` in each run count. If they are too few, all paces are 1.
std::vector<double> paces_of(const std::vector<const Run*>& runs, const PathNames& names, double least_ns);

// How much a value grows with the pace: the median slope between two runs (Theil 1950). What waits for memory grows more
// than what only computes. With `first`, only runs of one side are compared: the first so many, and the others.
double growth_with_pace(const std::vector<double>& paces, const std::vector<double>& values, size_t first = 0);

// What the values would be at pace 1, if they grow by so much. A path that did not run stays at 0.
void bring_to_one_pace(const std::vector<double>& paces, double growth, std::vector<double>* values);

}  // namespace flamelet::tools
