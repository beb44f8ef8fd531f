// SPDX-License-Identifier: MIT
//
// frames_command.cpp: `flamelet frames`: which frames were slow, by how much, and because of what.
#include <flamelet/statistics.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command_line.h"
#include "display_text.h"
#include "explainer.h"
#include "plot.h"
#include "table.h"

namespace flamelet::tools {
namespace {

struct FramesOptions {
  InputOptions input;
  WindowOptions window;
  ReportOptions report;
  size_t top = 10;
  double above_ms = -1;
  double within_ms = -1;
  bool no_plots = false;
};

constexpr struct {
  const char* key;
  const char* title;
  double percent;
  int rank;  // of a Column
} kPercentiles[] = {{"min_ns", "min", 0, 1},  {"median_ns", "median", 50, 0}, {"p90_ns", "p90", 90, 4},
                    {"p95_ns", "p95", 95, 2}, {"p99_ns", "p99", 99, 0},       {"p999_ns", "p99.9", 99.9, 3},
                    {"max_ns", "max", 100, 0}};

struct Analysis {
  std::vector<flamelet_frame_info> frames;  // of the window, by time
  std::vector<int64_t> sorted_ns;           // how long each took of which that is known, rising
  std::vector<size_t> chosen;               // positions in `frames` of those that are listed, slowest first
  bool has_bound = false;
  double bound_ns = 0;
  size_t above = 0;  // how many took longer than the bound

  FrameLengths lengths;

  // Calls that are frames may have gaps between them: then their begins count.
  double frames_a_second() const {
    double period_ns = lengths.mean_ns;
    const auto has_gap = [](const flamelet_frame_info& a, const flamelet_frame_info& b) {
      return has_length(a) && has_length(b) && a.index + 1 == b.index && a.end_ns < b.begin_ns;
    };
    if (lengths.unknown == 0 && std::adjacent_find(frames.begin(), frames.end(), has_gap) != frames.end())
      period_ns = static_cast<double>(frames.back().begin_ns - frames.front().begin_ns) /
                  static_cast<double>(frames.back().index - frames.front().index);
    return period_ns > 0 ? 1e9 / period_ns : 0;
  }
  // Nearest rank, as flamelet/statistics.h has it.
  int64_t percentile(double percent) const {
    const size_t rank = static_cast<size_t>(std::ceil(percent / 100 * static_cast<double>(sorted_ns.size()) - 1e-9));
    return sorted_ns[rank == 0 ? 0 : rank - 1];
  }
};

int64_t duration(const flamelet_frame_info& frame) {
  return frame.end_ns - frame.begin_ns;
}

Analysis analyse(const FramesOptions& options, const CaptureInput& input, const Window& window) {
  Analysis analysis;
  flamelet_frame_info frame;
  for (size_t i = window.first_frame; i < window.end_frame && flamelet_capture_frame(input.get(), i, &frame); ++i)
    analysis.frames.push_back(frame);
  if (analysis.frames.empty()) throw CommandError(kExitNothing, no_frames_text(input, window));
  analysis.lengths = frame_lengths(input.get(), window);
  if (analysis.lengths.count == 0)
    throw CommandError(kExitNothing, input.name() + ": the clock jumped in every frame, so no length is known");
  for (const flamelet_frame_info& each : analysis.frames)
    if (has_length(each)) analysis.sorted_ns.push_back(duration(each));
  std::sort(analysis.sorted_ns.begin(), analysis.sorted_ns.end());
  const double bound_ms = std::max(options.above_ms, options.within_ms);  // only one of them is given
  analysis.has_bound = bound_ms >= 0;
  analysis.bound_ns = std::max(bound_ms, 0.0) * 1e6;
  for (size_t i = 0; i < analysis.frames.size(); ++i) {
    if (!has_length(analysis.frames[i])) continue;
    const bool above = static_cast<double>(duration(analysis.frames[i])) > analysis.bound_ns;
    analysis.above += above;
    if (above || !analysis.has_bound) analysis.chosen.push_back(i);
  }
  std::stable_sort(analysis.chosen.begin(), analysis.chosen.end(),
                   [&](size_t a, size_t b) { return duration(analysis.frames[a]) > duration(analysis.frames[b]); });
  if (options.top != 0 && analysis.chosen.size() > options.top) analysis.chosen.resize(options.top);
  return analysis;
}

std::string flags_text(const flamelet_frame_info& frame) {
  std::string flags;
  // The first frame begins with the recorder, and not with a mark.
  if (!has_length(frame))
    flags = "clock jumped";
  else if ((frame.flags & FLAMELET_FRAME_PARTIAL) != 0)
    flags = frame.index == 0 ? "start" : "partial";
  if ((frame.flags & FLAMELET_FRAME_LOSSY) != 0) flags += flags.empty() ? "lossy" : " lossy";
  return flags;
}

// How long the thread that marked a frame ran in it.
flamelet_thread_time marker_time(const CaptureInput& input, const flamelet_frame_info& frame) {
  flamelet_thread_time time = {};
  const size_t position = flamelet_capture_find_frame(input.get(), frame.index);
  flamelet_lane_info info;
  for (size_t lane = 0; frame.thread != 0 && flamelet_capture_lane(input.get(), lane, &info); ++lane)
    if (info.kind == FLAMELET_LANE_THREAD && info.id == frame.thread)
      flamelet_capture_thread_time(input.get(), position, lane, &time);
  return time;
}

// Columns at the end, if the capture has anything for them.
void add_thread_times(const CaptureInput& input, const Analysis& analysis, Table* table) {
  std::vector<flamelet_thread_time> times;
  uint32_t known = 0;
  for (const size_t position : analysis.chosen) {
    times.push_back(marker_time(input, analysis.frames[position]));
    known |= times.back().known;
  }
  if (known == 0) return;
  table->columns.insert(table->columns.end(), {{"ran_ns", "ran", ColumnKind::kNs, 5},
                                               {"ready_ns", "no processor", ColumnKind::kNs, 4},
                                               {"major_faults", "disk faults", ColumnKind::kCount, 5},
                                               {"minor_faults", "new memory", ColumnKind::kCount, 6}});
  for (size_t i = 0; i < times.size(); ++i) {
    const flamelet_thread_time& time = times[i];
    const auto if_known = [&time](uint32_t bit, Cell cell) { return (time.known & bit) != 0 ? cell : Cell::none(); };
    table->rows[i].insert(table->rows[i].end(),
                          {if_known(FLAMELET_TIME_RAN, time.ran_ns), if_known(FLAMELET_TIME_READY, time.ready_ns),
                           if_known(FLAMELET_TIME_MAJOR_FAULTS, uint64_t{time.major_faults}),
                           if_known(FLAMELET_TIME_MINOR_FAULTS, uint64_t{time.minor_faults})});
  }
}

// The frames that are listed, each with the first cause that the explainer has for it.
Table slow_table(const CaptureInput& input, const Analysis& analysis) {
  Table table;
  table.columns = {{"frame", "frame", ColumnKind::kCount},    {"begin_ns", "at", ColumnKind::kNs, 3},
                   {"duration_ns", "took", ColumnKind::kNs},  {"flags", "", ColumnKind::kText},
                   {"usual_ns", "usual", ColumnKind::kNs, 3}, {"more_ns", "added", ColumnKind::kNs, 1},
                   {"share", "share", ColumnKind::kShare, 3}, {"cause", "cause", ColumnKind::kText, 2},
                   {"scope", "in", ColumnKind::kPath}};
  Explainer explainer(flamelet_explain_config_default());
  std::vector<size_t> by_time(analysis.chosen.size());  // each baseline is nearly that of the one before
  std::iota(by_time.begin(), by_time.end(), size_t{0});
  std::sort(by_time.begin(), by_time.end(),
            [&](size_t a, size_t b) { return analysis.chosen[a] < analysis.chosen[b]; });
  table.rows.resize(by_time.size());
  for (const size_t i : by_time) {
    const flamelet_frame_info& frame = analysis.frames[analysis.chosen[i]];
    const size_t position = flamelet_capture_find_frame(input.get(), frame.index);
    const flamelet_explanation why = explainer.explain(input.get(), position);
    std::vector<Cell>& row = table.rows[i];
    row = {frame.index, frame.begin_ns, duration(frame), flags_text(frame)};
    if (!row.back().text.empty()) table.columns[3].title = "flags";
    row.push_back(why.baseline_frames != 0 ? Cell(why.usual_ns) : Cell::none());
    // Where events are lost, nobody knows that there was no scope.
    const bool is_known = why.cause_count != 0 && ((frame.flags & FLAMELET_FRAME_LOSSY) == 0 ||
                                                   why.causes[0].verdict != FLAMELET_VERDICT_UNINSTRUMENTED);
    if ((why.flags & FLAMELET_EXPLAIN_UNUSUAL) != 0 && is_known) {
      const flamelet_cause& cause = why.causes[0];
      const double share = static_cast<double>(cause.surplus_ns) / static_cast<double>(why.surplus_ns);
      row.insert(row.end(), {cause.surplus_ns, std::min(share, 1.0), std::string(flamelet_verdict_name(cause.verdict)),
                             printable(explainer.words(flamelet_explain_place, input.get(), cause))});
    } else {
      row.insert(row.end(), {Cell::none(), Cell::none(), Cell::none(), Cell::none()});
    }
  }
  add_thread_times(input, analysis, &table);
  return table;
}

std::string above_text(const Analysis& analysis) {
  if (!analysis.has_bound) return "";
  const size_t count = analysis.sorted_ns.size();
  return std::to_string(analysis.above) + " of " + std::to_string(count) + " frames took more than " +
         duration_text(analysis.bound_ns) + " (" + share_text(analysis.above, count) + ")\n";
}

std::string title_of(const CaptureInput& input, const Analysis& analysis) {
  const std::string first = std::to_string(analysis.frames.front().index);
  return input.name() + ": " +
         (analysis.frames.size() == 1 ? "frame " + first
                                      : std::to_string(analysis.sorted_ns.size()) + " frames, " + first + " to " +
                                            std::to_string(analysis.frames.back().index)) +
         ", " + lengths_text(analysis.lengths) + ", " + fixed(analysis.frames_a_second(), 1) + " a second";
}

HistogramPlot histogram_of(const CaptureInput& input, const Analysis& analysis) {
  HistogramPlot plot = make_histogram(analysis.sorted_ns);
  plot.title = title_of(input, analysis);
  plot.bound_ns = analysis.bound_ns;
  return plot;
}

// The time of each frame, and how many took how long.
std::string plots_text(const CaptureInput& input, const Analysis& analysis, size_t width) {
  CostPlot plot;
  plot.first_frame = analysis.frames.front().index;
  plot.last_frame = analysis.frames.back().index;
  CostPanel panel;
  panel.name = "time of each frame";
  for (const flamelet_frame_info& frame : analysis.frames) {
    if (!has_length(frame)) continue;
    const double took_ns = static_cast<double>(duration(frame));
    panel.points.push_back({frame.index, frame.index, took_ns, took_ns, took_ns});
  }
  plot.panels.push_back(std::move(panel));
  HistogramPlot histogram = histogram_of(input, analysis);
  histogram.title = "how many frames took how long (a bar reaches to where the next one begins)";
  return draw_on_terminal(plot, width) + "\n" + draw_on_terminal(histogram, width);
}

std::string frames_text(const FramesOptions& options, const CaptureInput& input, const Analysis& analysis,
                        const Window& window, const Table& slow, size_t width) {
  Table percentiles;
  percentiles.rows.emplace_back();
  for (const auto& percentile : kPercentiles) {
    percentiles.columns.push_back({percentile.key, percentile.title, ColumnKind::kNs, percentile.rank});
    percentiles.rows[0].push_back(analysis.percentile(percentile.percent));
  }
  std::string text = title_of(input, analysis) + "\n";
  if (window.start_ns != 0) text += start_text(window) + "\n";
  if (const std::string older = older_frames_text(input.get()); !older.empty()) text += older + "\n";
  if (analysis.lengths.unknown != 0) text += unknown_text(analysis.lengths) + "\n";
  text += "\n" + percentiles.text(width);
  if (analysis.has_bound) text += "\n" + above_text(analysis);
  if (!slow.rows.empty()) text += "\n" + slow.text(width);
  return options.no_plots ? text : text + "\n" + plots_text(input, analysis, options.report.width());
}

std::string frames_json(const CaptureInput& input, const Analysis& analysis, const Window& window, const Table& slow) {
  JsonWriter json;
  json.text("file", input.name());
  json.count("frames", analysis.sorted_ns.size());
  if (analysis.lengths.unknown != 0) json.count("clock_jumped", analysis.lengths.unknown);
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(input.get(), &stats);
  if (stats.frames_dropped != 0) json.count("older_frames_dropped", stats.frames_dropped);
  json.count("first", analysis.frames.front().index);
  json.count("last", analysis.frames.back().index);
  if (window.start_ns != 0) json.integer("before_first_mark_ns", window.start_ns);
  json.number("mean_ns", analysis.lengths.mean_ns);
  for (const auto& percentile : kPercentiles) json.integer(percentile.key, analysis.percentile(percentile.percent));
  if (analysis.has_bound) {
    json.number("bound_ns", analysis.bound_ns);
    json.count("above", analysis.above);
  }
  slow.json(&json, "slowest");
  json.objects("histogram", make_histogram(analysis.sorted_ns).bars, [&](const HistogramBar& bar) {
    json.number("low_ns", bar.low_ns);
    json.number("high_ns", bar.high_ns);  // null: no upper end
    json.count("count", bar.count);
  });
  return json.take();
}

int run(const FramesOptions& options) {
  const std::string problem = check_plot_file(options.report.output);
  if (!problem.empty()) throw CommandError(kExitUsage, problem);
  const CaptureInput input(options.input);
  const Window window = window_of(input, options.window);
  const Analysis analysis = analyse(options, input, window);
  if (is_plot_file(options.report.output)) {
    put_plot_file(options.report.output, draw_as_svg(histogram_of(input, analysis)));
  } else {
    const Table slow = slow_table(input, analysis);
    put_report(
        options.report, [&] { return slow.csv(); }, [&] { return frames_json(input, analysis, window, slow); },
        [&](size_t width) { return frames_text(options, input, analysis, window, slow, width); });
  }
  if (!analysis.has_bound) return kExitDone;
  return (analysis.above == 0) == (options.within_ms >= 0) ? kExitDone : kExitNothing;
}

}  // namespace

void add_frames_command(Command* program) {
  const auto options = std::make_shared<FramesOptions>();
  Command frames = program->add_command("frames", "The slowest frames, percentiles, a histogram of frame times");
  frames.footer(
      "Each slow frame has the first cause that \"flamelet why\" gives for it, and how much that added to the usual\n"
      "length of the frames before; none where the frame is as long as usual there.\n"
      "--within lists the same frames as --above, as a check for a build: exit code 0 says that there are frames and\n"
      "none took longer. --csv has the listed frames; --top 0 lists all. Frame 0, the time before\n"
      "the first mark, is left out, unless --frames names it.\n\n"
      "Examples:\n"
      "  flamelet frames game.flamelet --above 16.7\n"
      "  flamelet frames game.flamelet --within 33 || exit 1\n"
      "  flamelet frames game.flamelet -o frames.svg      the histogram as a picture\n"
      "  flamelet frames game.flamelet --top 0 --csv > frames.csv");
  add_input_options(&frames, &options->input);
  add_window_options(&frames, &options->window);
  frames.number("-n,--top,--worst", "N", &options->top, 0, SIZE_MAX, "List the N slowest; 0 = all").shows_default();
  const Option above = frames.number("--above", "MS", &options->above_ms, 0, 1e9,
                                     "Only frames that took longer than this, and how many there are");
  frames
      .number("--within", "MS", &options->within_ms, 0, 1e9,
              "The same, and exit with 1 if there are any: a check for a build")
      .excludes(above);
  frames.flag("--no-plots", &options->no_plots, "Only figures, no plots");
  add_report_options(&frames, &options->report, ".svg or .png for the histogram, ", is_plot_file);
  frames.run([options] { return run(*options); });
}

}  // namespace flamelet::tools
