// SPDX-License-Identifier: MIT
//
// report_options.h: how a command's result is put: as text for the terminal, CSV or JSON, and where.
#ifndef FLAMELET_TOOLS_REPORT_OPTIONS_H
#define FLAMELET_TOOLS_REPORT_OPTIONS_H

#include <cstdint>
#include <string>
#include <string_view>

#include "command_line.h"

namespace flamelet::tools {

enum class ReportFormat { kText, kCsv, kJson };

struct ReportOptions {
  bool csv = false;
  bool json = false;
  std::string output;  // "" or "-": the standard output
  size_t columns = 0;  // 0 = the terminal's

  ReportFormat format() const;  // that of the flags, else of the output's name
  size_t width() const;
  bool to_file() const { return !output.empty() && output != "-"; }
};

// --csv, --json, --width and -o, which is returned. `outputs` says how a file for -o can be named.
Option add_report_options(Command* command, ReportOptions* options,
                          const std::string& outputs = ".csv, .json, or text");

// To the standard output, or to a file that is then named there.
void put_report(const ReportOptions& options, std::string_view report);

// A field of a CSV file (RFC 4180), with what is printable of the text.
std::string csv_field(std::string_view text);

// "12.3 %" of all. "-" where all is nothing.
std::string share_text(uint64_t part, uint64_t all);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_REPORT_OPTIONS_H
