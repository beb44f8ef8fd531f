// SPDX-License-Identifier: MIT
//
// command_line.h: commands and their options. What parses is CLI11; only command_line.cpp includes it, because a source
// file that does takes half a minute to compile with the sanitizers.
//
//   Command tree = program.add_command("tree", "The call tree");
//   tree.positional("FILE", &options->file, "A capture");
//   tree.flag("--keep", &options->keep, "Recursion as it was called");
//   tree.run([options] { return kExitDone; });
//
// Each command is a file with one function that adds its options and its work to the program; main.cpp lists them.
// Variables have to live as long as the program; what they hold before parsing is the default.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace flamelet::tools {

enum ExitCode {
  kExitDone = 0,
  kExitNothing = 1,  // the input is good, and holds nothing of what was asked for
  kExitUsage = 2,    // the command line is wrong
  kExitInput = 3,    // an input cannot be read, is of no known kind, or (with --strict) is damaged
  kExitOutput = 4,   // an output cannot be written
  kExitSlower = 5,   // something takes longer than it did, or than it may
  kExitUnclear = 6,  // there is no verdict
};

// Ends the command: printed after "flamelet: ". Lines of the message are printed as they are; what came out of files
// and arguments is made printable() before it enters one.
class CommandError : public std::runtime_error {
 public:
  CommandError(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  // The function says what is wrong with a value, "" if nothing is.
  Option check(std::function<std::string(const std::string&)> problem);
  Option excludes(const Option& other);
  Option needs(const Option& other);
  Option optional();
  Option shows_default();

 private:
  CLI::Option* option_;
};

class Command {
 public:
  Command(CLI::App* app, int* exit_code) : app_(app), exit_code_(exit_code) {}

  Command add_command(const std::string& name, const std::string& description);
  void needs_command();                  // one of those that were added
  void footer(const std::string& text);  // below the help
  void run(std::function<int()> work);   // returns an ExitCode

  // Required, unless optional() says otherwise; in the order of the calls.
  Option positional(const std::string& name, std::string* value, const std::string& help);
  // A program and its arguments: all from the first one on that is neither an option nor its value, or from "--" on.
  Option positionals(const std::string& name, std::vector<std::string>* values, const std::string& help);
  // Two lists of files with "--" between them. The second is empty without one.
  Option two_lists(const std::string& names, std::vector<std::string>* first, std::vector<std::string>* second,
                   const std::string& help);
  // Runs when all options are known, before the work; a CommandError ends the command.
  void check(std::function<void()> check);

  // An option of the next kinds that is given again has its last value, so that an alias can hold others. But for a text that
  // is a FILE: two files are asked for, and one would be written or read.
  Option flag(const std::string& names, bool* value, const std::string& help);
  // `type` stands for the value in the help: "FILE", "N".
  Option text(const std::string& names, const std::string& type, std::string* value, const std::string& help);
  // May be given more than once, with one value each time.
  Option texts(const std::string& names, const std::string& type, std::vector<std::string>* values,
               const std::string& help);
  Option number(const std::string& names, const std::string& type, size_t* value, size_t least, size_t most,
                const std::string& help);
  Option number(const std::string& names, const std::string& type, double* value, double least, double most,
                const std::string& help);
  // One of these words; the default is shown.
  Option choice(const std::string& names, const std::string& type, std::string* value,
                const std::vector<std::string>& words, const std::string& help);

 private:
  template <class Number>
  Option add_number(const std::string& names, const std::string& type, Number* value, Number least, Number most,
                    const std::string& help);

  CLI::App* app_;
  int* exit_code_;
};

struct ProgramText {
  const char* name;
  const char* description;
  const char* version;
  const char* footer;
};

// Parses the arguments with the commands that `add` adds, and runs the one that was chosen. The exit code; a CommandError
// goes through.
int run_program(const ProgramText& text, const std::vector<std::string>& arguments,
                const std::function<void(Command* program)>& add);

// Report options: how a command's result is put: as text for the terminal, CSV or JSON, and where.

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

// A CommandError if the name of a new capture promises a compressed file.
void check_capture_name(const std::string& path);

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

// Pictures in files, as SVG or PNG by their names.
bool is_plot_file(const std::string& path);

// For the command line: what is wrong with the name, "" if nothing is. A .png needs librsvg.
std::string check_plot_file(const std::string& path);

// Writes the picture and says so. A CommandError if that fails.
void put_plot_file(const std::string& path, const std::string& svg);

// A field of a CSV file (RFC 4180), with what is printable of the text.
std::string csv_field(std::string_view text);

// "12.3 %" of all. "-" where all is nothing.
std::string share_text(uint64_t part, uint64_t all);

// Each adds the command of its name.
void add_budgets_command(Command* program);
void add_convert_command(Command* program);
void add_diff_command(Command* program);
void add_frames_command(Command* program);
void add_gate_command(Command* program);
void add_info_command(Command* program);
void add_locks_command(Command* program);
void add_log_command(Command* program);
void add_record_command(Command* program);
void add_stats_command(Command* program);
void add_tree_command(Command* program);
void add_why_command(Command* program);
#ifdef FLAMELET_HAS_VIEW
void add_view_command(Command* program);
#endif

}  // namespace flamelet::tools
