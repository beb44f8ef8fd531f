// SPDX-License-Identifier: MIT
#include "report_options.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "display_text.h"
#include "files.h"

namespace flamelet::tools {

ReportFormat ReportOptions::format() const {
  if (csv || (!json && ends_with(output, ".csv"))) return ReportFormat::kCsv;
  if (json || ends_with(output, ".json")) return ReportFormat::kJson;
  return ReportFormat::kText;
}

size_t ReportOptions::width() const {
  return columns != 0 ? columns : terminal_columns();
}

size_t ReportOptions::table_width() const {
  constexpr size_t kEnough = 1000000;
  return columns != 0 ? columns : to_file() ? kEnough : terminal_columns(kEnough);
}

void add_report_options(Command* command, ReportOptions* options, const std::string& outputs,
                        std::function<bool(const std::string&)> is_output) {
  const Option csv = command->flag("--csv", &options->csv, "As CSV with a header; times in ns");
  command->flag("--json", &options->json, "As JSON; times in ns").excludes(csv);
  add_width_option(command, options);
  const std::string names = outputs + ".csv, .json, .txt";
  command->text("-o,--output", "FILE", &options->output, "Write to this file: " + names)
      .check([names, is_output = std::move(is_output)](const std::string& path) -> std::string {
        if (path.empty()) return "the name of the file is empty";
        if (is_output && is_output(path)) return "";
        const std::string extension = utf8_of(std::filesystem::u8path(path).extension());
        for (const char* known : {"", ".csv", ".json", ".txt", ".md"})
          if (extension == known) return "";
        return "the name " + path + " does not say what to write: it can end with " + names;
      });
}

void add_width_option(Command* command, ReportOptions* options) {
  command->number("--width", "N", &options->columns, 40, 1000, "Width of the text; by default that of the terminal");
}

void add_report_file(Command* command, const std::string& names, std::string* path, const std::string& help) {
  command->text(names, "FILE", path, help).check([](const std::string& name) -> std::string {
    for (const char* const other : {".flamelet", ".csv"})
      if (ends_with(name, other)) return "this is no " + std::string(other) + ": " + name;
    return "";
  });
}

void add_json_options(Command* command, ReportOptions* options, const std::string& json_help) {
  command->flag("--json", &options->json, json_help);
  add_report_file(command, "-o,--output", &options->output, "Write to FILE; as JSON if its name ends with .json");
}

void put_report(const ReportOptions& options, std::string_view report) {
  if (!options.to_file()) {
    print(report);
    return;
  }
  write_file(options.output, report);
  print("wrote " + printable(options.output) + "\n");
}

std::string csv_field(std::string_view text) {
  std::string shown = printable(text);
  const size_t first = std::min(shown.find_first_not_of(' '), shown.size());
  if (first < shown.size() && std::string_view("=+-@").find(shown[first]) != std::string_view::npos)
    shown.insert(shown.begin(), '\'');
  if (shown.find_first_of(",\"") == std::string::npos) return shown;
  std::string field = "\"";
  for (const char c : shown) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

std::string share_text(uint64_t part, uint64_t all) {
  if (all == 0) return "-";
  return fixed(100.0 * static_cast<double>(part) / static_cast<double>(all), 1) + " %";
}

}  // namespace flamelet::tools
