// SPDX-License-Identifier: MIT
//
// log_command.cpp: `flamelet log cost|timeline|stats`: a performance log (docs/perf-log.md) as plots and figures.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "command.h"
#include "display_text.h"
#include "files.h"
#include "log_analysis.h"
#include "log_follow.h"
#include "log_report.h"
#include "plot_file.h"

namespace flamelet::tools {
namespace {

struct LogOptions {
  std::string file;
  std::vector<std::string> tasks;
  size_t extremes = 3;
  double above_ms = -1;
  size_t top = 0;
  size_t columns = 0;
  std::string output;
  bool strict = false;
  bool follow = false;
  double interval_s = 1;
};

// Which lines were skipped; of many, the first ones and how many there are. Said at the end, when it is clear that the
// file is a log at all.
class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}
  void add(uint64_t line, const char* problem) {
    if (++count_ == 1) first_ = "line " + std::to_string(line) + ": " + problem;
    if (count_ <= kShown) text_ += file_ + ":" + std::to_string(line) + ": skipped: " + problem + "\n";
  }
  void show() const {
    std::fputs(text_.c_str(), stderr);
    if (count_ > kShown)
      std::fprintf(stderr, "%s: %llu lines were skipped, the first %llu of them are shown\n", file_.c_str(),
                   static_cast<unsigned long long>(count_), static_cast<unsigned long long>(kShown));
  }
  bool any() const { return count_ != 0; }
  const std::string& first() const { return first_; }

 private:
  static constexpr uint64_t kShown = 10;
  const std::string file_;  // printable
  uint64_t count_ = 0;
  std::string text_, first_;
};

std::string names_in(const NameTable& names) {
  constexpr size_t kShown = 12;
  std::string text;
  for (size_t i = 0; i < names.size() && i < kShown; ++i)
    text += "\n  " + cut_to(printable(names[static_cast<uint32_t>(i)]), 100);
  if (names.size() > kShown) text += "\n  ... and " + std::to_string(names.size() - kShown) + " more";
  return text;
}

// Reads the log and gives what is left of it to `show`.
int run(const LogOptions& options, AnalysisOptions analysis_options,
        const std::function<void(const LogReport& report)>& show) {
  analysis_options.tasks = options.tasks;
  analysis_options.extremes = options.extremes;
  if (options.above_ms >= 0)
    analysis_options.above_ns = static_cast<int64_t>(std::min(std::round(options.above_ms * 1e6), 9e18));
  LogAnalysis analysis(analysis_options);
  const std::string name = options.file == "-" ? "standard input" : printable(options.file);
  Problems problems(name);
  const NameTable* names = nullptr;
  LogReader reader([&](const LogFrame& frame) { analysis.add(frame, *names); },
                   [&](uint64_t line, const char* problem) { problems.add(line, problem); });
  names = &reader.names();
  InputFile file(options.file);
  if (is_capture(file.head()) || is_ring(file.head())) throw log_is_capture(name);
  file.read([&](std::string_view piece) { reader.feed(piece); });
  reader.finish();

  if (analysis.frame_count() == 0 && problems.any())
    throw CommandError(kExitInput, name + " is no performance log: " + problems.first());
  problems.show();
  if (analysis.frame_count() == 0) throw CommandError(kExitNothing, "there is no PERF block in " + name);
  for (const std::string& task : options.tasks)
    if (names->find(task) == NameTable::kNone)
      throw CommandError(kExitNothing,
                         "no routine of " + name + " is called " + printable(task) + "; there are:" + names_in(*names));

  LogReport report = {options.file,
                      analysis,
                      *names,
                      analysis.by_total(),
                      0,
                      options.extremes,
                      options.above_ms >= 0,
                      options.above_ms,
                      options.columns != 0 ? options.columns : terminal_columns(),
                      options.columns != 0 ? options.columns : terminal_columns(SIZE_MAX)};
  if (options.top != 0 && report.routines.size() > options.top) {
    report.left_out = report.routines.size() - options.top;
    report.routines.resize(options.top);
  }
  show(report);
  return options.strict && problems.any() ? kExitInput : kExitDone;
}

void add_common_options(Command* command, LogOptions* options, size_t default_top) {
  command->positional("FILE", &options->file, "The log; - is the standard input");
  command->texts("-t,--task", "NAME", &options->tasks, "Only the routine of this name. May be given more than once");
  options->top = default_top;
  command->number("--top", "N", &options->top, 0, SIZE_MAX, "The N routines that took most time; 0 = all")
      .shows_default();
  command->number("--width", "N", &options->columns, 40, 1000, "Width in characters; else that of the terminal");
  command->flag("--strict", &options->strict, "Exit with 3 if a line was skipped");
}

void add_figures(Command* command, LogOptions* options) {
  command->number("-k", "K", &options->extremes, 0, 1000, "List the K largest and smallest costs").shows_default();
  command->number("--above", "MS", &options->above_ms, 0, 1e9,
                  "List the frames in which a routine cost more than this");
}

void add_output(Command* command, LogOptions* options) {
  command
      ->text("-o,--output", "FILE", &options->output,
             "Write the plot to this .svg or .png file instead of the terminal")
      .check([](const std::string& path) -> std::string {
        return is_plot_file(path) ? check_plot_file(path)
                                  : "the plot is written as SVG or PNG: give it a name that ends with .svg or .png";
      });
}

// A plot to the terminal, or to a file that is then named.
void put_plot(const LogOptions& options, const std::string& on_terminal, const std::function<std::string()>& as_svg) {
  if (options.output.empty())
    print(on_terminal);
  else
    put_plot_file(options.output, as_svg());
}

}  // namespace

void add_log_command(Command* program) {
  Command log = program->add_command("log", "Performance logs of PERF blocks: costs over the frames");
  log.needs_command();
  log.footer(
      "A log has a frame for each outermost PERF block. A routine is a PERF block or function by its name; its cost "
      "in\n"
      "a frame is the time of all its blocks in it. Logs of the older logger, with its prefix on every line and with\n"
      "or without begin and end, are read too. Lines that cannot be read are named and skipped.\n\n"
      "Examples:\n"
      "  flamelet log stats perf.log --above 16.6      which frames were slow, and in which routine\n"
      "  flamelet log cost perf.log -t Game::update    its cost over the frames, as a line\n"
      "  flamelet log timeline perf.log -o frames.svg  what ran when, as a picture\n"
      "  flamelet log stats perf.log --follow          live, while the game runs");
  // Alive as long as the parser, which holds the functions that use it.
  const auto options = std::make_shared<LogOptions>();

  Command cost = log.add_command("cost", "A line for each routine: its cost in each frame");
  add_common_options(&cost, options.get(), 8);
  add_figures(&cost, options.get());
  add_output(&cost, options.get());
  cost.run([options] {
    AnalysisOptions analysis;
    analysis.points = true;
    return run(*options, analysis, [&](const LogReport& report) {
      put_plot(*options, cost_text(report), [&] { return cost_svg(report); });
    });
  });

  Command timeline = log.add_command("timeline", "A row for each routine, with a bar for each frame");
  add_common_options(&timeline, options.get(), 24);
  add_output(&timeline, options.get());
  timeline.run([options] {
    AnalysisOptions analysis;
    analysis.bars = true;
    return run(*options, analysis, [&](const LogReport& report) {
      put_plot(*options, timeline_text(report), [&] { return timeline_svg(report); });
    });
  });

  Command stats = log.add_command("stats", "Mean, deviation, extremes of each routine over the frames");
  add_common_options(&stats, options.get(), 0);
  add_figures(&stats, options.get());
  stats.flag("-f,--follow", &options->follow, "Go on while the log grows, and show the table again and again");
  stats.number("--interval", "S", &options->interval_s, 0.05, 3600, "--follow: seconds between two tables")
      .shows_default();
  stats.run([options] {
    if (options->follow)
      return follow_log({options->file, options->tasks, options->top, options->columns, options->interval_s});
    return run(*options, AnalysisOptions(), [&](const LogReport& report) { print(stats_text(report)); });
  });
}

}  // namespace flamelet::tools
