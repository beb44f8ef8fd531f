// SPDX-License-Identifier: MIT
//
// log_report.h: an analysed log as text and pictures.
#ifndef FLAMELET_TOOLS_LOG_REPORT_H
#define FLAMELET_TOOLS_LOG_REPORT_H

#include <string>
#include <vector>

#include "log_analysis.h"

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
  size_t columns;        // of the terminal
  size_t table_columns;  // without limit where there is none
};

std::string stats_text(const LogReport& report);
std::string cost_text(const LogReport& report);
std::string cost_svg(const LogReport& report);
std::string timeline_text(const LogReport& report);
std::string timeline_svg(const LogReport& report);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_LOG_REPORT_H
