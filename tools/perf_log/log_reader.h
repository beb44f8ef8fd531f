// SPDX-License-Identifier: MIT
//
// log_reader.h: a performance log, piece by piece, as frames. Whatever the pieces are, and whatever is in them, memory is
// bounded by LogLimits.
//
// A frame ends with its line of depth 1, because lines stand in the order in which blocks end; else with the next
// "Frame" line of the same thread, or with the file. Lines of the older logger name their thread, and the frames of its
// threads may be mixed.
#ifndef FLAMELET_TOOLS_LOG_READER_H
#define FLAMELET_TOOLS_LOG_READER_H

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
  std::vector<LogBlock> blocks;         // in the order of the file; never empty
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
  uint64_t line_count() const { return line_count_; }
  uint64_t frame_count() const { return frame_count_; }
  uint64_t problem_count() const { return problem_count_; }
  bool has_header() const { return has_header_; }  // that a logging library wrote

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
  bool has_header_ = false;
};

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_LOG_READER_H
