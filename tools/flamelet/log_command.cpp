// SPDX-License-Identifier: MIT
//
// log_command.cpp: `flamelet log cost|timeline|stats`: a performance log (docs/perf-log.md) as plots and figures.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "command_line.h"
#include "display_text.h"
#include "files.h"
#include "log_analysis.h"
#include "platform/system.h"
#include "plot.h"
#include "table.h"

namespace flamelet::tools {
namespace {

// ---- an analysed log as text and pictures

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
  uint64_t events_lost;          // before the log could be written
};

std::string name_of(const LogReport& report, uint32_t name) {
  const std::string& text = report.names[name];
  return text.empty() ? "(no name)" : printable(text);
}

std::string title(const LogReport& report) {
  return printable(report.file) + ": " + counted(report.analysis.frame_count(), "frame", "frames");
}

std::string figures(const RoutineAnalysis& routine) {
  return counted(routine.frame_count, "frame", "frames") + ", mean " + duration_text(routine.mean_ns) + ", sd " +
         (routine.frame_count < 2 ? "-" : duration_text(routine.deviation_ns())) + ", min " +
         duration_text(static_cast<double>(routine.min_ns)) + ", max " +
         duration_text(static_cast<double>(routine.max_ns));
}

// "9.021 ms in frame 17 (line 102, thread Main)", as many to a line as fit.
std::string list(const LogReport& report, const std::string& head, const std::vector<FrameCost>& costs) {
  const auto place_of = [&](const FrameCost& cost) {
    return cost.place == NameTable::kNone ? std::string() : ", " + printable(report.names[cost.place]);
  };
  std::string text = "  " + head;
  size_t used = column_count(text);
  const size_t indent = used;
  for (size_t i = 0; i < costs.size(); ++i) {
    const std::string item = " " + duration_text(static_cast<double>(costs[i].cost_ns)) + " in frame " +
                             std::to_string(costs[i].frame) + " (line " + std::to_string(costs[i].line) +
                             place_of(costs[i]) + ")" + (i + 1 < costs.size() ? "," : "");
    if (used + column_count(item) > report.options.width() && used > indent) {
      text += "\n" + std::string(indent, ' ');
      used = indent;
    }
    text += item;
    used += column_count(item);
  }
  return text + "\n";
}

std::string details(const LogReport& report, const RoutineAnalysis& routine) {
  std::string text;
  if (report.extremes != 0) {
    text += list(report, "largest: ", routine.largest);
    text += list(report, "smallest:", routine.smallest);
  }
  if (report.has_bound) {
    const std::string head = "above " + fixed(report.bound_ms, 3) + " ms: " + std::to_string(routine.above_count) +
                             " of " + counted(routine.frame_count, "frame", "frames");
    text += routine.above.empty() ? "  " + head + "\n" : list(report, head + ":", routine.above);
    if (routine.above_count > routine.above.size())
      text += "  ... and " + std::to_string(routine.above_count - routine.above.size()) + " more\n";
  }
  return text;
}

// What a reader of the figures should know about them.
std::string remarks(const LogReport& report) {
  std::string text;
  if (report.left_out != 0)
    text += "\n" + counted(report.left_out, "routine that took less is", "routines that took less are") +
            " not shown (--top 0 shows all, -t NAME one)\n";
  if (report.events_lost != 0)
    text += "\n" + counted(report.events_lost, "event was", "events were") +
            " lost before the log was written: frames in between are missing\n";
  const uint64_t partial = report.analysis.partial_count();
  if (partial != 0)
    text += "\n" + counted(partial, "frame is", "frames are") +
            " not whole (cut by the begin or the end of the file, or of a log): costs in it may be too low\n";
  return text;
}

std::string without_times(const LogReport& report) {
  if (report.analysis.untimed_count() == 0) return "";
  return "\n" + counted(report.analysis.untimed_count(), "block has", "blocks have") +
         " no begin and end in this log: they are shown one behind the other\n";
}

CostPlot cost_plot(const LogReport& report) {
  CostPlot plot;
  plot.title = title(report);
  plot.last_frame = report.analysis.frame_count();
  for (const uint32_t name : report.routines) {
    const RoutineAnalysis& routine = report.analysis.routine(name);
    CostPanel panel;
    panel.name = name_of(report, name);
    panel.note = figures(routine);
    panel.mean_ns = routine.mean_ns;
    panel.bound_ns = report.has_bound ? report.bound_ms * 1e6 : 0;
    for (const CostRange& range : routine.points)
      panel.points.push_back({range.first_frame, range.last_frame, static_cast<double>(range.low_ns),
                              range.sum_ns / static_cast<double>(range.count), static_cast<double>(range.high_ns)});
    plot.panels.push_back(std::move(panel));
  }
  return plot;
}

TimelinePlot timeline_plot(const LogReport& report) {
  TimelinePlot plot;
  plot.title = title(report);
  // Times since 1970 are too long for a double to hold each nanosecond, those since the first block are not.
  const int64_t start_ns = report.analysis.begin_ns();
  plot.end_ns = length_ns(start_ns, report.analysis.end_ns());
  for (const uint32_t name : report.routines) {
    TimelineRow row;
    row.name = name_of(report, name);
    for (const BusyRange& range : report.analysis.routine(name).bars) {
      const double begin_ns = length_ns(start_ns, range.begin_ns), took_ns = length_ns(range.begin_ns, range.end_ns);
      row.bars.push_back({begin_ns, begin_ns + took_ns, took_ns > 0 ? std::min(range.busy_ns / took_ns, 1.0) : 1});
    }
    plot.rows.push_back(std::move(row));
  }
  return plot;
}

// A row for each routine.
Table stats_table(const LogReport& report) {
  Table table;
  table.columns = {{"routine", "routine", ColumnKind::kName},   {"frames", "frames", ColumnKind::kCount, 3},
                   {"blocks", "blocks", ColumnKind::kCount, 4}, {"mean_ns", "mean", ColumnKind::kNs},
                   {"sd_ns", "sd", ColumnKind::kNs, 2},         {"min_ns", "min", ColumnKind::kNs, 1},
                   {"max_ns", "max", ColumnKind::kNs},          {"total_ns", "total", ColumnKind::kNs}};
  for (const uint32_t name : report.routines) {
    const RoutineAnalysis& routine = report.analysis.routine(name);
    table.rows.push_back({report.names[name], routine.frame_count, routine.block_count, routine.mean_ns,
                          routine.frame_count < 2 ? Cell::none() : Cell(routine.deviation_ns()), routine.min_ns,
                          routine.max_ns, routine.total_ns()});
  }
  return table;
}

// Each routine's costs, where long logs have several frames in a row.
Table cost_table(const LogReport& report) {
  Table table;
  table.columns = {{"routine", "", ColumnKind::kName},     {"first_frame", "", ColumnKind::kCount},
                   {"last_frame", "", ColumnKind::kCount}, {"frames", "", ColumnKind::kCount},
                   {"min_ns", "", ColumnKind::kNs},        {"mean_ns", "", ColumnKind::kNs},
                   {"max_ns", "", ColumnKind::kNs}};
  for (const uint32_t name : report.routines)
    for (const CostRange& range : report.analysis.routine(name).points)
      table.rows.push_back({report.names[name], range.first_frame, range.last_frame, range.count, range.low_ns,
                            range.sum_ns / static_cast<double>(range.count), range.high_ns});
  return table;
}

// When each routine ran.
Table timeline_table(const LogReport& report) {
  Table table;
  table.columns = {{"routine", "", ColumnKind::kName},
                   {"begin_ns", "", ColumnKind::kNs},
                   {"end_ns", "", ColumnKind::kNs},
                   {"busy_ns", "", ColumnKind::kNs}};
  for (const uint32_t name : report.routines)
    for (const BusyRange& range : report.analysis.routine(name).bars)
      table.rows.push_back({report.names[name], range.begin_ns, range.end_ns, range.busy_ns});
  return table;
}

// `table` under this key, and what a reader of the figures should know.
std::string log_json(const LogReport& report, const Table& table, const char* key) {
  // The frames that the text lists below each routine.
  Table listed;
  listed.columns = {{"routine", "", ColumnKind::kName}, {"list", "", ColumnKind::kText},
                    {"cost_ns", "", ColumnKind::kNs},   {"frame", "", ColumnKind::kCount},
                    {"line", "", ColumnKind::kCount},   {"place", "", ColumnKind::kText}};
  for (const uint32_t name : report.routines) {
    const RoutineAnalysis& routine = report.analysis.routine(name);
    for (const auto& [list, costs] : {std::pair<const char*, const std::vector<FrameCost>&>("largest", routine.largest),
                                      {"smallest", routine.smallest},
                                      {"above", routine.above}})
      for (const FrameCost& cost : costs)
        listed.rows.push_back({report.names[name], std::string(list), cost.cost_ns, cost.frame, cost.line,
                               cost.place == NameTable::kNone ? Cell::none() : Cell(report.names[cost.place])});
  }
  JsonWriter json;
  json.text("file", report.file);
  json.count("frames", report.analysis.frame_count());
  json.count("frames_not_whole", report.analysis.partial_count());
  json.count("events_lost", report.events_lost);
  json.count("blocks_without_times", report.analysis.untimed_count());
  table.json(&json, key);
  if (!listed.rows.empty()) listed.json(&json, "listed");
  return json.take();
}

std::string stats_text(const LogReport& report) {
  Table table = stats_table(report);
  for (auto& row : table.rows)
    if (row[0].text.empty()) row[0].text = "(no name)";
  std::string text = table.text(report.options.table_width());
  if (report.extremes != 0 || report.has_bound) {
    for (const uint32_t name : report.routines)
      text += "\n" + cut_to(name_of(report, name), report.options.width()) + "\n" +
              details(report, report.analysis.routine(name));
  }
  return text + remarks(report);
}

std::string cost_text(const LogReport& report) {
  // Each routine's plot with its figures below it.
  const CostPlot plot = cost_plot(report);
  std::string text;
  for (size_t i = 0; i < plot.panels.size(); ++i) {
    CostPlot one = {plot.title, plot.first_frame, plot.last_frame, {plot.panels[i]}};
    if (i != 0) text += "\n";
    text +=
        draw_on_terminal(one, report.options.width()) + details(report, report.analysis.routine(report.routines[i]));
  }
  return text + remarks(report);
}

std::string cost_svg(const LogReport& report) {
  return draw_as_svg(cost_plot(report));
}

std::string timeline_text(const LogReport& report) {
  return draw_on_terminal(timeline_plot(report), report.options.width()) + remarks(report) + without_times(report);
}

std::string timeline_svg(const LogReport& report) {
  return draw_as_svg(timeline_plot(report));
}

// ---- --follow: the figures of a log while it is being written

struct FollowOptions {
  std::string file;  // "-": the standard input
  std::vector<std::string> tasks;
  size_t top;
  const ReportOptions& report;  // its widths
  double interval_s;
};

using Clock = std::chrono::steady_clock;

// A log and what it amounts to so far.
class LiveLog {
 public:
  explicit LiveLog(const std::vector<std::string>& tasks) : analysis_(analysis_options(tasks)) {}
  LiveLog(const LiveLog&) = delete;
  LiveLog& operator=(const LiveLog&) = delete;

  void feed(std::string_view piece) { reader_.feed(piece); }
  void finish() { reader_.finish(); }
  const LogAnalysis& analysis() const { return analysis_; }
  const NameTable& names() const { return reader_.names(); }
  uint64_t events_lost() const { return reader_.events_lost(); }
  uint64_t skipped() const { return skipped_; }

 private:
  static AnalysisOptions analysis_options(const std::vector<std::string>& tasks) {
    AnalysisOptions options;
    options.tasks = tasks;
    options.extremes = 0;
    return options;
  }

  LogAnalysis analysis_;
  uint64_t skipped_ = 0;
  LogReader reader_{[this](const LogFrame& frame) { analysis_.add(frame, reader_.names()); },
                    [this](uint64_t, const char*) { ++skipped_; }};
};

class LiveTable {
 public:
  explicit LiveTable(const FollowOptions& options) : options_(options), is_terminal_(is_terminal(Stream::kOutput)) {}

  // Nothing if no frame came since the last time.
  void show(const LiveLog& log) {
    if (log.analysis().frame_count() == shown_frames_) return;
    shown_frames_ = log.analysis().frame_count();
    LogReport report = {options_.file,   log.analysis(),   log.names(), log.analysis().by_total(), 0, 0, false, 0,
                        options_.report, log.events_lost()};
    // On a terminal, what would scroll away is left out.
    constexpr size_t kOtherRows = 6;
    size_t top = options_.top == 0 ? SIZE_MAX : options_.top;
    if (is_terminal_) top = std::min(top, std::max<size_t>(terminal_rows(), kOtherRows + 4) - kOtherRows);
    report.left_out = cut_rows(&report.routines, top);
    std::string text = is_terminal_ ? "\033[H\033[J" : any_ ? "\n" : "";
    any_ = true;
    text += (options_.file == "-" ? std::string("standard input") : printable(options_.file)) + ": " +
            counted(shown_frames_, "frame", "frames");
    if (log.skipped() != 0) text += ", " + std::to_string(log.skipped()) + " lines skipped";
    print(text + "\n" + stats_text(report));
  }

  bool any() const { return any_; }

 private:
  const FollowOptions& options_;
  const bool is_terminal_;
  bool any_ = false;
  uint64_t shown_frames_ = 0;
};

// Reads what is there, shows the table, and again whenever more came: on a terminal in the same place, else one table
// behind the other. A log that was begun anew, also in another file, is read anew. Ends with the input, or when the file was removed; else with
// the user. Returns an ExitCode.
int follow_log(const FollowOptions& options) {
  const auto interval = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.interval_s));
  auto file = std::make_unique<InputFile>(options.file);
  const std::string name = options.file == "-" ? "standard input" : printable(options.file);
  // Not of a pipe: what it begins with may come late.
  if (file->is_regular() && (is_capture(file->head()) || is_ring(file->head()))) throw log_is_capture(name);
  auto log = std::make_unique<LiveLog>(options.tasks);
  LiveTable table(options);
  Clock::time_point next = Clock::now() + interval;
  bool has_waited = false;
  for (;;) {
    file->read([&](std::string_view piece) {
      log->feed(piece);
      if (Clock::now() < next) return;  // of a pipe, pieces come as they are written
      table.show(*log);
      next = Clock::now() + interval;
    });
    if (!file->is_regular() || (file->is_removed() && !file->is_replaced())) break;
    table.show(*log);
    if (!table.any() && !std::exchange(has_waited, true) && is_terminal(Stream::kError))
      std::fprintf(stderr, "%s: no frame yet\n", name.c_str());
    std::this_thread::sleep_for(interval);
    const bool is_replaced = file->is_replaced();
    if (is_replaced) file = std::make_unique<InputFile>(options.file);
    if (is_replaced || file->restart_if_cut()) log = std::make_unique<LiveLog>(options.tasks);
  }
  log->finish();
  table.show(*log);
  if (!table.any()) throw CommandError(kExitNothing, "there was no PERF block in " + name);
  return kExitDone;
}

// ---- the command

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
  if (file.head().empty()) throw EmptyInput(name);
  if (is_capture(file.head()) || is_ring(file.head())) throw log_is_capture(name);
  file.read([&](std::string_view piece) { reader.feed(piece); });
  reader.finish();

  if (!analysis.has_blocks() && (problems.any() || !reader.has_header()))
    throw CommandError(kExitInput, name + " is no performance log: " +
                                       (problems.any() ? problems.first() : "there is no PERF block in it"));
  problems.show();
  if (!analysis.has_blocks())
    throw CommandError(kExitNothing,
                       "there is no PERF block in " + name + ": it is an empty log, with a header and nothing else");
  for (const std::string& task : options.tasks)
    if (!analysis.ran(names->find(task)))
      throw CommandError(kExitNothing, "no routine of " + name + " is called " + printable(task) +
                                           "; there are:" + routines_in(analysis, *names));

  LogReport report = {options.file,          analysis,         *names,         analysis.by_total(), 0, options.extremes,
                      options.above_ms >= 0, options.above_ms, options.report, reader.events_lost()};
  report.left_out = cut_rows(&report.routines, options.top);
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
  const Option follow =
      stats.flag("-f,--follow", &options->follow, "Read on while the log grows, and show the table anew each interval");
  stats.number("--interval", "S", &options->interval_s, 0.05, 3600, "With --follow: seconds between two tables")
      .needs(follow)
      .shows_default();
  stats.run([options] {
    if (!options->follow)
      return run(*options, AnalysisOptions(),
                 [&](const LogReport& report) { put(*options, report, stats_text, nullptr, stats_table, "routines"); });
    if (options->report.to_file() || options->report.format() != ReportFormat::kText)
      throw CommandError(kExitUsage, "--follow shows text on the standard output: leave -o, --csv and --json out");
    if (options->extremes != LogOptions().extremes || options->above_ms >= 0 || options->strict)
      throw CommandError(kExitUsage, "--follow shows only the table: leave -k, --above and --strict out");
    return follow_log({options->file, options->tasks, options->top, options->report, options->interval_s});
  });
}

}  // namespace flamelet::tools
