// SPDX-License-Identifier: MIT
#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <limits>
#include <locale>
#include <memory>
#include <sstream>
#include <type_traits>
#include <utility>

#include "display_text.h"
#include "files.h"
#include "plot.h"

namespace flamelet::tools {

namespace {

std::string plain(size_t number) {
  return std::to_string(number);
}

std::string plain(double number) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::setprecision(12) << number;
  return text.str();
}

// What the parser sees instead of a "--" that stands between two lists: it would take that for the end of the options.
constexpr const char* kBetweenLists = "\x1f";

bool is_two_lists(const CLI::Option& option) {
  return option.get_positional() && option.get_name(true).find(" -- ") != std::string::npos;
}

bool takes_two_lists(const CLI::App& command) {
  return !command.get_options([](const CLI::Option* option) { return is_two_lists(*option); }).empty();
}

// A program with arguments: the positional that takes all the rest.
bool takes_program(const CLI::App& command) {
  return !takes_two_lists(command) && !command
                                           .get_options([](const CLI::Option* option) {
                                             return option->get_positional() && option->get_items_expected_max() > 1;
                                           })
                                           .empty();
}

// Where a program stands among the arguments, its own options follow: as if "--" stood before it. `arguments` are those
// behind the command's name.
void end_options_at_program(const CLI::App& command, std::vector<std::string>* arguments) {
  for (size_t i = 0; i < arguments->size(); ++i) {
    const std::string& argument = (*arguments)[i];
    if (argument == "--") return;
    if (argument.size() < 2 || argument[0] != '-') {
      arguments->insert(arguments->begin() + static_cast<std::ptrdiff_t>(i), "--");
      return;
    }
    const CLI::Option* const option = command.get_option_no_throw(argument);
    if (option != nullptr && option->get_items_expected_max() > 0) ++i;  // its value
  }
}

// An option with nothing behind its "=" has no value: the parser would take the next word.
void end_at_missing_value(const CLI::App* command, std::vector<std::string>* arguments) {
  for (size_t i = 0; i < arguments->size() && (*arguments)[i] != "--"; ++i) {
    const std::string& argument = (*arguments)[i];
    for (const CLI::App* nested : command->get_subcommands([](const CLI::App*) { return true; }))
      if (nested->check_name(argument)) command = nested;
    if (argument.size() < 4 || argument.compare(0, 2, "--") != 0 || argument.back() != '=') continue;
    const CLI::Option* const option = command->get_option_no_throw(argument.substr(0, argument.size() - 1));
    if (option != nullptr && option->get_items_expected_max() > 0) arguments->resize(i + 1);
  }
}

constexpr size_t kHelpColumns = 80;

// Options in two columns, their help wrapped.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    constexpr size_t kLeft = 28;
    std::string text = "  " + make_option_name(option, is_positional) + make_option_opts(option);
    for (size_t line = 0; column_count(text.substr(line)) > kHelpColumns;) {  // a long list of words
      const size_t comma = text.rfind(',', line + kHelpColumns - 1);
      if (comma == std::string::npos || comma < line) break;
      text.insert(comma + 1, "\n      ");
      line = comma + 2;
    }
    size_t used = column_count(text);
    if (used + 2 > kLeft) text += "\n", used = 0;
    std::istringstream words(make_option_desc(option));
    bool is_first = true;
    for (std::string word; words >> word;) {
      const size_t size = column_count(word);
      if (!is_first && used + 1 + size > kHelpColumns) text += "\n", used = 0, is_first = true;
      if (is_first) {
        text.append(kLeft - used, ' ');
        used = kLeft;
      } else {
        text += ' ', ++used;
      }
      text += word;
      used += size;
      is_first = false;
    }
    return text + "\n";
  }
};

// How many letters have to be changed, put in or left out to make one word of another; those of two neighbours that are
// swapped count once.
size_t changes_between(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> least(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      size_t& here = least[i][j];
      if (i == 0 || j == 0) {
        here = i + j;
        continue;
      }
      here = std::min({least[i - 1][j] + 1, least[i][j - 1] + 1, least[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        here = std::min(here, least[i - 2][j - 2] + 1);
    }
  return least[a.size()][b.size()];
}

// "; did you mean frames?" for "frame". "" if nothing is like it.
std::string meant_text(const std::string& given, const std::vector<std::string>& known) {
  constexpr size_t kMost = 64;  // longer ones are no typing mistakes
  if (given.size() > kMost) return "";
  const std::string* nearest = nullptr;
  size_t least = std::max<size_t>(given.size() / 3, 1) + 1;
  for (const std::string& name : known) {
    const size_t changes = changes_between(given, name);
    if (changes >= least) continue;
    least = changes;
    nearest = &name;
  }
  return nearest == nullptr ? "" : "; did you mean " + *nearest + "?";
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// "help frames" and "-h frames" are "frames --help". What is no command stays without help, to be complained of.
std::vector<std::string> without_help_command(const CLI::App& app, std::vector<std::string> arguments) {
  const bool is_option = arguments.size() > 2 && (arguments[1] == "-h" || arguments[1] == "--help");
  if (arguments.size() < 2 || (arguments[1] != "help" && !is_option)) return arguments;
  arguments.erase(arguments.begin() + 1);
  const CLI::App* command = &app;
  size_t used = 1;
  for (; used < arguments.size() && !commands_of(*command).empty(); ++used) {
    const auto nested =
        command->get_subcommands([&](const CLI::App* each) { return each->check_name(arguments[used]); });
    if (nested.empty()) return arguments;
    command = nested.front();
  }
  arguments.resize(used);
  arguments.push_back("--help");
  return arguments;
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// A second file where a command takes one. Of captures it is likely meant to be compared with the first.
std::string too_many_text(const CLI::App& program, const std::string& argument) {
  std::error_code error;
  const bool has_diff =
      !program.get_subcommands([](const CLI::App* command) { return command->get_name() == "diff"; }).empty();
  const bool compares = has_diff && std::filesystem::is_regular_file(std::filesystem::u8path(argument), error);
  return argument + " is one argument too many" +
         (compares ? ". To compare two captures: flamelet diff; in the window of flamelet view, B in the tab of each"
                   : "");
}

// "-n: 3x is no number" for "--top: 3x is no number", where `given` has the option by that name of it.
std::string by_given_name(const CLI::App& command, const std::vector<std::string>& given, const std::string& problem) {
  const std::string called = problem.substr(0, problem.find_first_of(": "));
  const CLI::Option* const option = called[0] == '-' ? command.get_option_no_throw(called) : nullptr;
  if (option == nullptr) return problem;
  for (const std::string& name : option->get_snames())
    for (const std::string& argument : given)
      if (argument.compare(0, 2, "-" + name) == 0) return "-" + name + problem.substr(called.size());
  for (const std::string& name : option->get_lnames())
    for (const std::string& argument : given)
      if (argument.substr(0, argument.find('=')) == "--" + name) return "--" + name + problem.substr(called.size());
  return problem;
}

// Says what is wrong with the command line, in the name of the command that was chosen. The parser's own words are for
// who writes a program, not for who calls it.
int complain(const CLI::App& program, const CLI::ParseError& error, const std::vector<std::string>& given) {
  const CLI::App* command = &program;
  std::string name = program.get_name(), parent;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    parent = std::exchange(name, name + " " + command->get_name());
  }
  std::vector<std::string> unknown = command->remaining();
  unknown.erase(std::remove(unknown.begin(), unknown.end(), "--"), unknown.end());
  const bool needs_command = !command->get_subcommands([](const CLI::App*) { return true; }).empty();
  if (needs_command && unknown.empty()) {
    std::cerr << command->help(parent);
    return kExitUsage;
  }
  std::string problem = error.what();
  if (!unknown.empty()) {
    const std::string& first = unknown.front();
    problem = first.size() > 1 && first[0] == '-'
                  ? "there is no option " + first + meant_text(first, options_of(*command))
              : needs_command ? "there is no command " + first + meant_text(first, commands_of(*command))
                              : too_many_text(program, first);
  } else if (error.get_name() == "ArgumentMismatch") {
    const bool is_given_again = problem.find("At Most") != std::string::npos;
    problem = problem.substr(0, problem.find(':')) + (is_given_again ? " takes one file" : " needs a value");
  }
  problem = by_given_name(*command, given, problem);
  std::cerr << name << ": " << printable(problem) << "\n"
            << name << " --help lists the " << (needs_command ? "commands" : "options") << "\n";
  return kExitUsage;
}

}  // namespace

Option Option::check(std::function<std::string(const std::string&)> problem) {
  option_->check([problem = std::move(problem)](const std::string& value) { return problem(value); });
  return *this;
}

Option Option::optional() {
  option_->required(false);
  return *this;
}

Option Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Option Option::needs(const Option& other) {
  option_->needs(other.option_);
  return *this;
}

Option Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Command Command::add_command(const std::string& name, const std::string& description) {
  return {app_->add_subcommand(name, description)->group("Commands"), exit_code_};
}

void Command::needs_command() {
  app_->require_subcommand(1);
}

void Command::footer(const std::string& text) {
  app_->footer(wrapped(text, kHelpColumns));
}

void Command::run(std::function<int()> work) {
  app_->callback([work = std::move(work), exit_code = exit_code_] { *exit_code = work(); });
}

void Command::check(std::function<void()> check) {
  app_->parse_complete_callback(std::move(check));
}

Option Command::positional(const std::string& name, std::string* value, const std::string& help) {
  return Option(app_->add_option(name, *value, help)->required()->type_name(""));
}

Option Command::positionals(const std::string& name, std::vector<std::string>* values, const std::string& help) {
  return Option(app_->add_option(name, *values, help)->required()->type_name(""));
}

Option Command::two_lists(const std::string& names, std::vector<std::string>* first, std::vector<std::string>* second,
                          const std::string& help) {
  const std::function<void(const std::vector<std::string>&)> split = [=](const std::vector<std::string>& all) {
    const auto between = std::find(all.begin(), all.end(), kBetweenLists);
    first->assign(all.begin(), between);
    if (between == all.end()) return;
    if (std::find(between + 1, all.end(), kBetweenLists) != all.end())
      throw CommandError(kExitUsage, "there are two lists, and one -- between them");
    second->assign(between + 1, all.end());
  };
  return Option(app_->add_option_function(names, split, help)->required()->type_name(""));
}

Option Command::flag(const std::string& names, bool* value, const std::string& help) {
  return Option(app_->add_flag(names, *value, help));
}

Option Command::text(const std::string& names, const std::string& type, std::string* value, const std::string& help) {
  CLI::Option* const option = app_->add_option(names, *value, help)->type_name(type);
  if (type != "FILE")
    option->take_last();
  else
    option->check([](const std::string& path) { return path.empty() ? "the name of the file is empty" : ""; });
  return Option(option);
}

Option Command::texts(const std::string& names, const std::string& type, std::vector<std::string>* values,
                      const std::string& help) {
  // Without extra arguments, or it would take a file's name for a second value.
  return Option(app_->add_option(names, *values, help)->type_name(type)->allow_extra_args(false));
}

template <class Number>
Option Command::add_number(const std::string& names, const std::string& type, Number* value, Number least, Number most,
                           const std::string& help) {
  // The parser would read a number as the locale writes it.
  const auto read = [](const std::string& text, Number* number) {
    const char* const end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, *number);
    return problem == std::errc() && stop == end;
  };
  const auto take = [read, value](const CLI::results_t& texts) { return read(texts.back(), value); };
  CLI::Option* const option = app_->add_option(names, take, help, false, [value] { return plain(*value); });
  option->type_name(type)->take_last();
  option->check([read, least, most](const std::string& text) -> std::string {
    Number number = {};
    if (read(text, &number) && number >= least && number <= most) return "";
    const bool has_end = most != std::numeric_limits<Number>::max();
    return text + " is no " + (std::is_integral_v<Number> ? "whole number" : "number") + " from " + plain(least) +
           (has_end ? " to " + plain(most) : " on");
  });
  return Option(option);
}

Option Command::number(const std::string& names, const std::string& type, size_t* value, size_t least, size_t most,
                       const std::string& help) {
  return add_number(names, type, value, least, most, help);
}

Option Command::number(const std::string& names, const std::string& type, double* value, double least, double most,
                       const std::string& help) {
  return add_number(names, type, value, least, most, help);
}

Option Command::choice(const std::string& names, const std::string& type, std::string* value,
                       const std::vector<std::string>& words, const std::string& help) {
  CLI::Option* const option = app_->add_option(names, *value, help)->take_last()->capture_default_str();
  option->type_name(type + ":{" + CLI::detail::join(words) + "}");
  option->check([words](const std::string& text) -> std::string {
    if (std::find(words.begin(), words.end(), text) != words.end()) return "";
    return text + " is none of " + CLI::detail::join(words, ", ");
  });
  return Option(option);
}

int run_program(const ProgramText& text, const std::vector<std::string>& given,
                const std::function<void(Command* program)>& add) {
  int exit_code = kExitDone;
  CLI::App app(text.description, text.name);
  app.set_version_flag("--version", text.version);
  app.require_subcommand(1);
  app.allow_windows_style_options(false);  // on Windows, too, a word that begins with a slash is a path
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(wrapped(text.footer, kHelpColumns));
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("REQUIRED", "");
  app.get_formatter()->column_width(12);  // of commands
  Command program(&app, &exit_code);
  add(&program);
  const std::vector<std::string> arguments = without_help_command(app, given);
  const bool has_command = arguments.size() > 1;
  std::vector<std::string> rest;
  if (has_command) rest.assign(arguments.begin() + 2, arguments.end());
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (has_command && command->check_name(arguments[1])) {
      if (takes_program(*command)) end_options_at_program(*command, &rest);
      end_at_missing_value(command, &rest);
      if (takes_two_lists(*command))
        std::replace(rest.begin(), rest.end(), std::string("--"), std::string(kBetweenLists));
    }
  if (has_command) rest.insert(rest.begin(), arguments[1]);
  std::reverse(rest.begin(), rest.end());  // so the parser wants them
  try {
    app.parse(std::move(rest));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return complain(app, error, given);
    app.exit(error);  // help, or the version
    std::cout.flush();
    if (!std::cout) throw CommandError(kExitOutput, "cannot write to the standard output");
  }
  return exit_code;
}

// ---- report options

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
      .check([names, is_output](const std::string& path) -> std::string {
        if (is_output && is_output(path)) return "";
        const std::string extension = utf8_of(std::filesystem::u8path(path).extension());
        for (const char* known : {"", ".csv", ".json", ".txt", ".md"})
          if (extension == known) return "";
        return "the name " + path + " does not say what to write: it can end with " + names;
      });
  command->check([options, is_output = std::move(is_output)] {
    if (!options->csv && !options->json) return;
    const std::string& path = options->output;
    const bool is_other = ends_with(path, options->csv ? ".json" : ".csv") || (is_output && is_output(path));
    if (is_other)
      throw CommandError(kExitUsage, std::string(options->csv ? "--csv" : "--json") + " and the name " +
                                         printable(path) + " ask for different formats: leave one of them out");
  });
}

void add_width_option(Command* command, ReportOptions* options) {
  command->number("--width", "N", &options->columns, 40, 1000, "Width of the text; by default that of the terminal");
}

void add_report_file(Command* command, const std::string& names, std::string* path, const std::string& help) {
  command->text(names, "FILE", path, help).check([](const std::string& name) -> std::string {
    for (const char* const other : {".flamelet", ".csv", ".svg", ".png"})
      if (ends_with(name, other)) return "this is no " + std::string(other) + ": " + name;
    return "";
  });
}

void add_json_options(Command* command, ReportOptions* options, const std::string& json_help) {
  command->flag("--json", &options->json, json_help);
  add_report_file(command, "-o,--output", &options->output, "Write to FILE; as JSON if its name ends with .json");
}

void check_capture_name(const std::string& path) {
  for (const char* const end : {".gz", ".bz2", ".xz", ".zst", ".lz4", ".zip", ".7z"})
    if (ends_with(path, end))
      throw CommandError(kExitUsage, std::string("captures are not compressed: leave ") + end + " out");
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
  std::string shown;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find_first_of("\t\n", at), text.size());
    shown += printable(text.substr(at, end - at));
    if (end < text.size()) shown += text[end];
    at = end + 1;
  }
  const size_t first = std::min(shown.find_first_not_of(" \t\n"), shown.size());
  if (first < shown.size() && std::string_view("=+-@").find(shown[first]) != std::string_view::npos)
    shown.insert(shown.begin(), '\'');
  if (shown.find_first_of(",\"\t\n") == std::string::npos) return shown;
  std::string field = "\"";
  for (const char c : shown) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

std::string share_text(uint64_t part, uint64_t all) {
  if (all == 0) return "-";
  return percent(static_cast<double>(part) / static_cast<double>(all), false);
}

bool is_plot_file(const std::string& path) {
  return ends_with(path, ".svg") || ends_with(path, ".png");
}

std::string check_plot_file(const std::string& path) {
  if (!ends_with(path, ".png") || can_draw_png()) return "";
  return "this flamelet was built without librsvg, which draws PNG: use a name with .svg";
}

void put_plot_file(const std::string& path, const std::string& svg) {
  if (ends_with(path, ".png")) {
    std::string png, problem;
    if (!svg_to_png(svg, &png, &problem)) throw CommandError(kExitOutput, "cannot draw the PNG: " + problem);
    write_file(path, png);
  } else {
    write_file(path, svg);
  }
  print("wrote " + printable(path) + "\n");
}

}  // namespace flamelet::tools
