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
#include "command_line.h"
#include "display_text.h"
#include "files.h"
#include "log_analysis.h"
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
  ReportOptions report;
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

std::string routines_in(const LogAnalysis& analysis, const NameTable& names) {
  constexpr size_t kShown = 12;
  std::string text;
  size_t count = 0;
  for (uint32_t name = 0; name < names.size(); ++name)
    if (analysis.ran(name) && ++count <= kShown) text += "\n  " + cut_to(printable(names[name]), 100);
  if (count > kShown) text += "\n  ... and " + std::to_string(count - kShown) + " more";
  return text;
}

// Reads the log and gives what is left of it to `show`.
int run(const LogOptions& options, AnalysisOptions analysis_options,
        const std::function<void(const LogReport& report)>& show) {
  const std::string no_plot = check_plot_file(options.report.output);
  if (!no_plot.empty()) throw CommandError(kExitUsage, no_plot);
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
  if (analysis.frame_count() == 0)
    throw CommandError(kExitNothing,
                       "there is no PERF block in " + name +
                           (reader.has_header() ? ": it is an empty log, with a header and nothing else" : ""));
  for (const std::string& task : options.tasks)
    if (!analysis.ran(names->find(task)))
      throw CommandError(kExitNothing, "no routine of " + name + " is called " + printable(task) +
                                           "; there are:" + routines_in(analysis, *names));

  LogReport report = {options.file,          analysis,         *names,        analysis.by_total(), 0, options.extremes,
                      options.above_ms >= 0, options.above_ms, options.report};
  if (options.top != 0 && report.routines.size() > options.top) {
    report.left_out = report.routines.size() - options.top;
    report.routines.resize(options.top);
  }
  show(report);
  return options.strict && problems.any() ? kExitInput : kExitDone;
}

void add_common_options(Command* command, LogOptions* options, size_t default_top) {
  command->positional("FILE", &options->file, "The log; - is the standard input");
  command->texts("-t,--task", "NAME", &options->tasks, "Only the routine with this name; may be repeated");
  options->top = default_top;
  command->number("--top", "N", &options->top, 0, SIZE_MAX, "The N routines that took most time; 0 = all")
      .shows_default();
  command->flag("--strict", &options->strict, "Exit with 3 if a line was skipped");
}

void add_figures(Command* command, LogOptions* options) {
  command->number("-k", "K", &options->extremes, 0, 1000, "List the K largest and smallest costs").shows_default();
  command->number("--above", "MS", &options->above_ms, 0, 1e9,
                  "List the frames in which a routine cost more than this");
}

// As text, as a picture, or as the numbers behind it.
void put(const LogOptions& options, const LogReport& report, std::string (*text)(const LogReport&),
         std::string (*svg)(const LogReport&), Table (*table)(const LogReport&), const char* key) {
  if (svg != nullptr && is_plot_file(options.report.output)) return put_plot_file(options.report.output, svg(report));
  put_report(
      options.report, [&] { return table(report).csv(); }, [&] { return log_json(report, table(report), key); },
      [&](size_t) { return text(report); });
}

}  // namespace

void add_log_command(Command* program) {
  Command log = program->add_command("log", "Performance logs of PERF blocks: costs over the frames");
  log.needs_command();
  log.footer(
      "A log has a frame for each outermost PERF block. All PERF blocks or functions with one name are a routine; its\n"
      "cost in a frame is the time of all its blocks there. The older logger's logs are read, too, with its prefix on\n"
      "every line, with or without begin and end. Lines that cannot be read are reported and skipped.\n\n"
      "Examples:\n"
      "  flamelet log stats perf.log --above 16.6  which frames were slow, and in what\n"
      "  flamelet log cost perf.log -t Game::update  its cost over the frames, as plot\n"
      "  flamelet log timeline perf.log -o frames.svg  what ran when, as a picture\n"
      "  flamelet log stats perf.log --csv             for a program or a sheet\n"
      "  flamelet log stats perf.log --follow          live, while the game runs");
  // Options live as long as the parser, which holds the functions that use them.
  Command cost = log.add_command("cost", "A plot for each routine: its cost over the frames");
  const auto cost_options = std::make_shared<LogOptions>();
  add_common_options(&cost, cost_options.get(), 8);
  add_figures(&cost, cost_options.get());
  add_report_options(&cost, &cost_options->report, ".svg or .png for the plot, ", is_plot_file);
  cost.run([cost_options] {
    AnalysisOptions analysis;
    analysis.points = true;
    return run(*cost_options, analysis,
               [&](const LogReport& report) { put(*cost_options, report, cost_text, cost_svg, cost_table, "costs"); });
  });

  Command timeline = log.add_command("timeline", "A row for each routine, with a bar for each frame");
  const auto timeline_options = std::make_shared<LogOptions>();
  add_common_options(&timeline, timeline_options.get(), 24);
  add_report_options(&timeline, &timeline_options->report, ".svg or .png for the plot, ", is_plot_file);
  timeline.run([timeline_options] {
    AnalysisOptions analysis;
    analysis.bars = true;
    return run(*timeline_options, analysis, [&](const LogReport& report) {
      put(*timeline_options, report, timeline_text, timeline_svg, timeline_table, "bars");
    });
  });

  Command stats = log.add_command("stats", "A table: mean, deviation and extremes of each routine");
  const auto options = std::make_shared<LogOptions>();
  add_common_options(&stats, options.get(), 0);
  add_figures(&stats, options.get());
  add_report_options(&stats, &options->report);
  stats.flag("-f,--follow", &options->follow, "Read on while the log grows, and show the table anew each interval");
  stats.number("--interval", "S", &options->interval_s, 0.05, 3600, "With --follow: seconds between two tables")
      .shows_default();
  stats.run([options] {
    if (!options->follow)
      return run(*options, AnalysisOptions(),
                 [&](const LogReport& report) { put(*options, report, stats_text, nullptr, stats_table, "routines"); });
    if (options->report.to_file() || options->report.format() != ReportFormat::kText)
      throw CommandError(kExitUsage, "--follow shows text on the standard output: leave -o, --csv and --json out");
    return follow_log({options->file, options->tasks, options->top, options->report, options->interval_s});
  });
}

}  // namespace flamelet::tools
