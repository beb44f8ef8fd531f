// SPDX-License-Identifier: MIT
//
// log_line.h: one line of a performance log: ours, or of the older logger whose lines begin with a prefix,
//
//   2,"move<int, 3>",87112,5008121000,5008208112
//   I1030 16:22:29.477175 12116 frame.cc:53] 2,cloud_preprocessor,7629514,3628204071235884,3628204078865398
//
// docs/perf-log.md defines the format. Parsing takes time in proportion to the line, and no memory but the name's.
#ifndef FLAMELET_TOOLS_LOG_LINE_H
#define FLAMELET_TOOLS_LOG_LINE_H

#include <cstdint>
#include <string>
#include <string_view>

namespace flamelet::tools {

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

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_LOG_LINE_H
