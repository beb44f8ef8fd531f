// SPDX-License-Identifier: MIT
//
// log_analysis.h: what the routines of a log cost over its frames. Memory is bounded, however long the log: figures are
// kept as they come, and where a plot would need more points than it can show, neighbours are joined.
#ifndef FLAMELET_TOOLS_LOG_ANALYSIS_H
#define FLAMELET_TOOLS_LOG_ANALYSIS_H

#include <cstdint>
#include <string>
#include <vector>

#include "log_reader.h"

namespace flamelet::tools {

// Frame costs: what each routine cost in one frame: the time of all its blocks in it. A block inside one of the same
// name counts with that.

struct RoutineCost {
  uint32_t name;
  uint64_t block_count;
  int64_t cost_ns;   // stops at INT64_MAX, like every sum here
  int64_t begin_ns;  // of its first block
  int64_t end_ns;    // of its last one
};

class FrameCosts {
 public:
  // One entry for each routine of the frame, those around others first. Valid until the next call.
  // Blocks without times are given some: one frame stands behind the other, and what ran inside a block stands at its
  // end, without gaps.
  const std::vector<RoutineCost>& of(const LogFrame& frame);

 private:
  struct Open {
    uint32_t name;
    uint32_t depth;
    int64_t free_until_ns;  // where the next block without times inside it ends, going backwards
  };

  std::vector<RoutineCost> costs_;
  std::vector<uint32_t> entry_;  // by name: place in costs_ + 1; 0 = not in this frame
  std::vector<uint32_t> open_;   // by name: how often it is on the path
  std::vector<Open> path_;       // from the outermost block to the one that is added
  int64_t frames_end_ns_ = 0;    // of the frames without times so far
};

struct AnalysisOptions {
  std::vector<std::string> tasks;  // only routines of these names; empty = all
  size_t extremes = 3;             // how many of the largest and smallest costs are kept
  int64_t above_ns = -1;           // frames above this are listed; below 0 = none
  bool points = false;             // keep what the cost plot shows
  bool bars = false;               // ... the timeline
};

// One frame of a routine.
struct FrameCost {
  int64_t cost_ns;
  uint64_t frame;
  uint64_t line;   // where the frame begins in the file
  uint32_t place;  // the name of its thread or fiber; NameTable::kNone if the log does not say it
};

// Frames that stand together; one if first_frame == last_frame.
struct CostRange {
  uint64_t first_frame;
  uint64_t last_frame;
  uint64_t count;  // of them: frames in which the routine ran
  double sum_ns;
  int64_t low_ns;
  int64_t high_ns;
};

struct BusyRange {
  int64_t begin_ns;
  int64_t end_ns;
  double busy_ns;
};

struct RoutineAnalysis {
  static constexpr size_t kMaxRanges = 8192;
  static constexpr size_t kMaxAbove = 1000;  // listed; all are counted

  uint64_t frame_count = 0;
  uint64_t block_count = 0;
  double mean_ns = 0;
  double squares = 0;  // sum of the squared distances from the mean (Welford)
  int64_t min_ns = 0;
  int64_t max_ns = 0;
  std::vector<FrameCost> largest;   // the first is the largest; of equal ones the earlier is first
  std::vector<FrameCost> smallest;  // the first is the smallest
  std::vector<FrameCost> above;
  uint64_t above_count = 0;
  std::vector<CostRange> points;
  std::vector<BusyRange> bars;

  double deviation_ns() const;  // of the sample (n - 1); 0 for fewer than two frames
  double total_ns() const { return mean_ns * static_cast<double>(frame_count); }
};

class LogAnalysis {
 public:
  explicit LogAnalysis(AnalysisOptions options);

  void add(const LogFrame& frame, const NameTable& names);

  // Names of the wanted routines that ran, the one that took most time first.
  std::vector<uint32_t> by_total() const;
  // Whether a block of this name ran, wanted or not. Other names are those of frames and threads.
  bool ran(uint32_t name) const { return name < ran_.size() && ran_[name] != 0; }
  const RoutineAnalysis& routine(uint32_t name) const { return routines_[name]; }

  uint64_t frame_count() const { return frame_count_; }
  // Frames that began before the file, or whose end is not in it: their costs may lack something.
  uint64_t partial_count() const { return partial_count_; }
  uint64_t untimed_count() const { return untimed_count_; }  // blocks without begin and end
  int64_t begin_ns() const { return begin_ns_; }             // of the earliest block
  int64_t end_ns() const { return end_ns_; }

 private:
  bool is_wanted(uint32_t name, const NameTable& names);
  void add_cost(const RoutineCost& cost, const LogFrame& frame);

  const AnalysisOptions options_;
  FrameCosts costs_;
  std::vector<RoutineAnalysis> routines_;  // by name
  std::vector<char> wanted_;               // by name
  std::vector<char> ran_;                  // by name
  uint64_t frame_count_ = 0;
  uint64_t partial_count_ = 0;
  uint64_t untimed_count_ = 0;
  int64_t begin_ns_ = INT64_MAX;
  int64_t end_ns_ = INT64_MIN;
};

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_LOG_ANALYSIS_H
