// SPDX-License-Identifier: MIT
//
// log_follow.h: the figures of a performance log while it is being written.
#ifndef FLAMELET_TOOLS_LOG_FOLLOW_H
#define FLAMELET_TOOLS_LOG_FOLLOW_H

#include <string>
#include <vector>

#include "report_options.h"

namespace flamelet::tools {

struct FollowOptions {
  std::string file;  // "-": the standard input
  std::vector<std::string> tasks;
  size_t top;
  const ReportOptions& report;  // its widths
  double interval_s;
};

// Reads what is there, shows the table, and again whenever more came: on a terminal in the same place, else one table
// behind the other. A log that was begun anew is read anew. Ends with the input, or when the file was removed; else with
// the user. Returns an ExitCode.
int follow_log(const FollowOptions& options);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_LOG_FOLLOW_H
