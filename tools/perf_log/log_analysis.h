// SPDX-License-Identifier: MIT
//
// log_analysis.h: a performance log, piece by piece, as frames, and what its routines cost over them. Whatever the pieces
// are, and whatever is in them, memory is bounded by LogLimits.
//
// A frame ends with its line of depth 1, because lines stand in the order in which blocks end; else with the next
// "Frame" line of the same thread, or with the file. Lines of the older logger name their thread, and the frames of its
// threads may be mixed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text_input.h"

namespace flamelet::tools {

// Log line: one line of a performance log: ours, or of the older logger whose lines begin with a prefix,
//
//   2,"move<int, 3>",87112,5008121000,5008208112
//   I1030 16:22:29.477175 12116 frame.cc:53] 2,cloud_preprocessor,7629514,3628204071235884,3628204078865398
//
// docs/perf-log.md defines the format. Parsing takes time in proportion to the line, and no memory but the name's.

struct LogLine {
  enum class Kind {
    kEmpty,
    kHeader,  // what logging libraries write at the begin of a file
    kFrame,   // "Frame : <routine>[ on thread|fiber <place>]": `name`, `place`
    kBlock,   // depth,name,duration[,begin,end]
    kLost,    // "Lost : <events> events": `lost`
    kBad,     // `problem` says why
  };
  static constexpr uint32_t kMaxDepth = 65535;

  Kind kind = Kind::kEmpty;
  std::string name;
  std::string place;    // "thread Main", "fiber 3"; empty = not named
  uint64_t thread = 0;  // of the older logger's prefix; 0 without one
  uint32_t depth = 0;   // from 1
  bool has_times = false;
  int64_t duration_ns = 0;  // not negative
  int64_t begin_ns = 0;     // if has_times; not after end_ns
  int64_t end_ns = 0;
  bool is_exact = false;  // the duration is end - begin: no digit of the line is missing
  uint64_t lost = 0;
  const char* problem = "";
};

// `text` is without the line's end. Any bytes.
LogLine parse_log_line(std::string_view text);

struct LogLimits {
  size_t line_bytes = size_t{1} << 20;
  size_t names = size_t{1} << 16;  // different ones
  size_t name_bytes = size_t{64} << 20;
  size_t open_blocks = size_t{1} << 20;  // in frames that have not ended, all threads together
  size_t threads = 1024;                 // with frames that have not ended
};

struct LogBlock {
  uint32_t name;
  uint32_t depth;  // from 1
  bool has_times;
  int64_t duration_ns;
  int64_t begin_ns;
  int64_t end_ns;
};

struct LogFrame {
  uint64_t number = 0;                  // in the file, from 1
  uint64_t line = 0;                    // of its first line
  uint32_t routine = NameTable::kNone;  // that the frame is named after; kNone if its name is not in the file
  uint32_t place = NameTable::kNone;    // "thread Main"; kNone if the log does not say it
  bool has_begin = false;               // nothing of it stood before the file
  bool has_end = false;                 // its outermost block is there
  std::vector<LogBlock> blocks;         // in the order of the file; empty if the log ends behind its "Frame" line
};

class LogReader {
 public:
  using FrameFunction = std::function<void(const LogFrame& frame)>;
  // A line was skipped.
  using ProblemFunction = std::function<void(uint64_t line, const char* problem)>;

  LogReader(FrameFunction on_frame, ProblemFunction on_problem, LogLimits limits = {});

  void feed(std::string_view bytes);
  // The end of the file. A last line without an end counts only if its numbers show that it is whole; the last frame
  // may have no routine.
  void finish();

  const NameTable& names() const { return names_; }
  uint64_t frame_count() const { return frame_count_; }
  uint64_t problem_count() const { return problem_count_; }
  uint64_t events_lost() const { return events_lost_; }  // as far as the log tells it
  bool has_header() const { return has_header_; }        // that a logging library wrote

 private:
  void take_line(std::string_view text, bool whole, bool has_end);
  void take_block(const LogLine& line);
  void skip(const char* problem);
  void end_frame(LogFrame* frame);
  LogFrame* open_frame(uint64_t thread);

  const FrameFunction on_frame_;
  const ProblemFunction on_problem_;
  const LogLimits limits_;
  LineSplitter lines_;
  NameTable names_;
  std::unordered_map<uint64_t, LogFrame> open_;  // by thread
  size_t open_blocks_ = 0;
  uint64_t line_count_ = 0;
  uint64_t frame_count_ = 0;
  uint64_t problem_count_ = 0;
  uint64_t events_lost_ = 0;
  bool has_header_ = false;
};

// ---- what the routines cost
//
// Memory is bounded, however long the log: figures are kept as they come, and where a plot would need more points than it can
// show, neighbours are joined.

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
  bool has_blocks() const { return !ran_.empty(); }
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
