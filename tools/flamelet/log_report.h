// SPDX-License-Identifier: MIT
//
// log_report.h: an analysed log as text and pictures.
#ifndef FLAMELET_TOOLS_LOG_REPORT_H
#define FLAMELET_TOOLS_LOG_REPORT_H

#include <string>
#include <vector>

#include "command_line.h"
#include "log_analysis.h"
#include "table.h"

namespace flamelet::tools {

struct LogReport {
  const std::string& file;
  const LogAnalysis& analysis;
  const NameTable& names;
  std::vector<uint32_t> routines;  // that are shown, by name
  size_t left_out;                 // how many are not
  size_t extremes;
  bool has_bound;
  double bound_ms;
  const ReportOptions& options;  // its widths
};

std::string stats_text(const LogReport& report);
std::string cost_text(const LogReport& report);
std::string timeline_text(const LogReport& report);

std::string cost_svg(const LogReport& report);
std::string timeline_svg(const LogReport& report);

// A row for each routine; each routine's costs, where long logs have several frames in a row; when each routine ran.
Table stats_table(const LogReport& report);
Table cost_table(const LogReport& report);
Table timeline_table(const LogReport& report);
// `table` under this key, and what a reader of the figures should know.
std::string log_json(const LogReport& report, const Table& table, const char* key);

// Log follow: the figures of a performance log while it is being written.

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

#endif  // FLAMELET_TOOLS_LOG_REPORT_H
