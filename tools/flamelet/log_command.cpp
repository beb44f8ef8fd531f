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

#include "command.h"
#include "display_text.h"
#include "files.h"
#include "log_analysis.h"
#include "log_report.h"
#include "png.h"

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
};

// Says which lines were skipped; of many, the first ones and how many there are.
class Problems {
 public:
  explicit Problems(std::string file) : file_(printable(file)) {}
  void add(uint64_t line, const char* problem) {
    if (++count_ <= kShown)
      std::fprintf(stderr, "%s:%llu: skipped: %s\n", file_.c_str(), static_cast<unsigned long long>(line), problem);
  }
  void finish() const {
    if (count_ > kShown)
      std::fprintf(stderr, "%s: %llu lines were skipped, the first %llu of them are shown\n", file_.c_str(),
                   static_cast<unsigned long long>(count_), static_cast<unsigned long long>(kShown));
  }
  bool any() const { return count_ != 0; }

 private:
  static constexpr uint64_t kShown = 10;
  const std::string file_;
  uint64_t count_ = 0;
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
  Problems problems(options.file == "-" ? "standard input" : options.file);
  const NameTable* names = nullptr;
  LogReader reader([&](const LogFrame& frame) { analysis.add(frame, *names); },
                   [&](uint64_t line, const char* problem) { problems.add(line, problem); });
  names = &reader.names();
  read_file(options.file, [&](std::string_view piece) { reader.feed(piece); });
  reader.finish();
  problems.finish();

  if (analysis.frame_count() == 0)
    throw CommandError(kExitNothing, "there is no PERF block in " + printable(options.file));
  for (const std::string& task : options.tasks)
    if (names->find(task) == NameTable::kNone)
      throw CommandError(kExitNothing, "no routine of " + printable(options.file) + " is called " + printable(task) +
                                           "; there are:" + names_in(*names));

  LogReport report = {options.file,
                      analysis,
                      *names,
                      analysis.by_total(),
                      0,
                      options.extremes,
                      options.above_ms >= 0,
                      options.above_ms,
                      options.columns != 0 ? options.columns : terminal_columns()};
  if (options.top != 0 && report.routines.size() > options.top) {
    report.left_out = report.routines.size() - options.top;
    report.routines.resize(options.top);
  }
  show(report);
  return options.strict && problems.any() ? kExitInput : kExitDone;
}

void add_common_options(CLI::App* command, LogOptions* options, size_t default_top) {
  command->add_option("FILE", options->file, "The log; - is the standard input")->required();
  command->add_option("-t,--task", options->tasks, "Only the routine of this name. May be given more than once")
      ->type_name("NAME")
      ->allow_extra_args(false);  // or it would take FILE for a second name
  options->top = default_top;
  command->add_option("--top", options->top, "The N routines that took most time; 0 = all")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--width", options->columns, "Width in characters; else that of the terminal")
      ->type_name("N")
      ->check(CLI::Range(40, 1000));
  command->add_flag("--strict", options->strict, "Exit with 3 if a line was skipped");
}

void add_figures(CLI::App* command, LogOptions* options) {
  command->add_option("-k", options->extremes, "List the K largest and smallest costs")
      ->type_name("K")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command->add_option("--above", options->above_ms, "List the frames in which a routine cost more than this")
      ->type_name("MS")
      ->check(CLI::NonNegativeNumber);
}

void add_output(CLI::App* command, LogOptions* options) {
  command
      ->add_option("-o,--output", options->output, "Write the plot to this .svg or .png file instead of the terminal")
      ->type_name("FILE")
      ->check([](const std::string& path) -> std::string {
        if (ends_with(path, ".svg")) return "";
        if (!ends_with(path, ".png"))
          return "the plot is written as SVG or PNG: give it a name that ends with .svg or .png";
        return can_draw_png() ? "" : "this flamelet was built without librsvg, which draws PNG: use a name with .svg";
      });
}

// A plot to the terminal, or to a file that is then named.
void put_plot(const LogOptions& options, const std::string& on_terminal, const std::function<std::string()>& as_svg) {
  if (options.output.empty()) {
    print(on_terminal);
    return;
  }
  std::string picture = as_svg();
  if (ends_with(options.output, ".png")) {
    const std::string svg = std::move(picture);
    std::string problem;
    if (!svg_to_png(svg, &picture, &problem)) throw CommandError(kExitOutput, "cannot draw the PNG: " + problem);
  }
  write_file(options.output, picture);
  print("wrote " + printable(options.output) + "\n");
}

}  // namespace

void add_log_command(CLI::App* app, int* exit_code) {
  CLI::App* log = app->add_subcommand("log", "Performance logs of PERF blocks: costs over the frames");
  log->require_subcommand(1);
  log->footer(
      "A log has a frame for each outermost PERF block. A routine is a PERF block or function by its name; its cost "
      "in\n"
      "a frame is the time of all its blocks in it. Logs of the older logger, with its prefix on every line and with\n"
      "or without begin and end, are read too. Lines that cannot be read are named and skipped.\n\n"
      "Examples:\n"
      "  flamelet log stats perf.log --above 16.6      which frames were slow, and in which routine\n"
      "  flamelet log cost perf.log -t Game::update    its cost over the frames, as a line\n"
      "  flamelet log timeline perf.log -o frames.svg  what ran when, as a picture");
  // Alive as long as the parser, which holds the functions that use it.
  const auto options = std::make_shared<LogOptions>();

  CLI::App* cost = log->add_subcommand("cost", "A line for each routine: its cost in each frame");
  add_common_options(cost, options.get(), 8);
  add_figures(cost, options.get());
  add_output(cost, options.get());
  cost->callback([options, exit_code] {
    AnalysisOptions analysis;
    analysis.points = true;
    *exit_code = run(*options, analysis, [&](const LogReport& report) {
      put_plot(*options, cost_text(report), [&] { return cost_svg(report); });
    });
  });

  CLI::App* timeline = log->add_subcommand("timeline", "A row for each routine, with a bar for each frame");
  add_common_options(timeline, options.get(), 24);
  add_output(timeline, options.get());
  timeline->callback([options, exit_code] {
    AnalysisOptions analysis;
    analysis.bars = true;
    *exit_code = run(*options, analysis, [&](const LogReport& report) {
      put_plot(*options, timeline_text(report), [&] { return timeline_svg(report); });
    });
  });

  CLI::App* stats = log->add_subcommand("stats", "Mean, deviation, extremes of each routine over the frames");
  add_common_options(stats, options.get(), 0);
  add_figures(stats, options.get());
  stats->callback([options, exit_code] {
    *exit_code = run(*options, AnalysisOptions(), [&](const LogReport& report) { print(stats_text(report)); });
  });
}

}  // namespace flamelet::tools
