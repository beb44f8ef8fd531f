// SPDX-License-Identifier: MIT
//
// perf_line.h: one line of what Linux's `perf script` prints:
//
//   game main  8240/8241 [001] 19807.771638:     250000 cycles:u:        the sample: command, process, ..., period, event
//           7f4b683bd8a8 Town::step(float)+0x1c (/opt/a game/game)       its frames, innermost first
//
// Fields that perf leaves out on request may be missing. What is needed is the time, or the event with the process or the
// processor. Parsing takes time in proportion to the line, and no memory but the name's.
#ifndef FLAMELET_TOOLS_PERF_LINE_H
#define FLAMELET_TOOLS_PERF_LINE_H

#include <cstdint>
#include <string>
#include <string_view>

namespace flamelet::tools {

struct PerfHeader {
  static constexpr uint64_t kMaxPeriod = uint64_t{1} << 48;

  std::string_view command;  // may hold spaces
  // Without the colon behind it: "cycles:u", "sched:sched_switch". Where there is none: "period", or else "samples".
  std::string_view event;
  bool has_process = false;
  bool has_period = false;
  uint64_t period = 1;
  std::string_view rest;   // what follows the event: an address, or the fields of a tracepoint
  bool has_frame = false;  // it is the only frame: there is no call chain
};

// The views point into `text`. False if it is no header.
bool parse_perf_header(std::string_view text, PerfHeader* header);

// Gives the frame's symbol without its offset, also one that holds spaces and parentheses; "[unknown in game]" where
// only the file is known, else "[unknown]". False if the text is no frame.
bool parse_perf_frame(std::string_view text, std::string* symbol);

// What perf prints between and behind the frames on request, and is none: source lines, branches, registers, instructions.
bool is_beside_frames(std::string_view text);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_PERF_LINE_H
