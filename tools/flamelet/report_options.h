// SPDX-License-Identifier: MIT
//
// report_options.h: how a command's result is put: as text for the terminal, CSV or JSON, and where.
#ifndef FLAMELET_TOOLS_REPORT_OPTIONS_H
#define FLAMELET_TOOLS_REPORT_OPTIONS_H

#include <cstdint>
#include <functional>
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
  size_t width() const;         // of plots
  size_t table_width() const;   // where the text goes to no terminal, names are whole: they may be searched for
  bool to_file() const { return !output.empty() && output != "-"; }
};

// --csv, --json, --width and -o. `outputs` says how a file for -o can be named besides .csv, .json and .txt, and
// `is_output` whether it is: of any other name it is not clear what should be in the file.
void add_report_options(Command* command, ReportOptions* options, const std::string& outputs = "",
                        std::function<bool(const std::string&)> is_output = nullptr);

// --width alone, for a report with tables that has no CSV.
void add_width_option(Command* command, ReportOptions* options);

// A name for a file of any other kind than a capture: a shell's pattern behind the wrong option must not overwrite one.
void add_report_file(Command* command, const std::string& names, std::string* path, const std::string& help);

// --json and -o alone, for a report that is no table: JSON where the file's name ends with .json, too.
void add_json_options(Command* command, ReportOptions* options, const std::string& json_help);

// To the standard output, or to a file that is then named there.
void put_report(const ReportOptions& options, std::string_view report);

// In the form that is asked for; only that function is called. text(width) gets the width of tables.
template <class Csv, class Json, class Text>
void put_report(const ReportOptions& options, Csv csv, Json json, Text text) {
  const ReportFormat format = options.format();
  put_report(options, format == ReportFormat::kCsv    ? csv()
                      : format == ReportFormat::kJson ? json()
                                                      : text(options.table_width()));
}

// A field of a CSV file (RFC 4180), with what is printable of the text.
std::string csv_field(std::string_view text);

// "12.3 %" of all. "-" where all is nothing.
std::string share_text(uint64_t part, uint64_t all);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_REPORT_OPTIONS_H
