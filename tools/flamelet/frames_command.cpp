// SPDX-License-Identifier: MIT
//
// frames_command.cpp: `flamelet frames`: which frames were slow, by how much, and what was unusual in them.
#include <flamelet/statistics.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command_line.h"
#include "display_text.h"
#include "flamelet/detail/site.h"
#include "plot.h"
#include "table.h"
#include "window_sums.h"

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

  double frames_a_second() const { return lengths.mean_ns > 0 ? 1e9 / lengths.mean_ns : 0; }
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
  if (analysis.frames.empty()) throw CommandError(kExitNothing, no_frames_text(input.get(), input.name()));
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

// What is unusual in a frame: the scope whose self time was furthest above its own median over the frames.
struct Cause {
  uint32_t site = 0;
  uint32_t name = 0;
  int64_t excess_ns = 0;  // of all threads together; 0: there is none
  int64_t self_ns = 0;    // all of it
  bool waits = false;
};

// When one thread is late, all the others wait for it, and longer in sum. So a scope that waits is the cause only where
// no other one accounts for half of what the frame took beyond the median frame.
class Causes {
 public:
  Causes(const CaptureInput& input, const Window& window) : pieces_(input.get()) {
    flamelet_lane_info info;
    for (size_t lane = 0; flamelet_capture_lane(input.get(), lane, &info); ++lane)
      if (info.kind == FLAMELET_LANE_THREAD) lanes_.push_back(lane);
    for (ScopeFrames& frames : scope_frames(input, lanes_, window)) {
      flamelet_site_info site;
      flamelet_capture_site(input.get(), frames.site, &site);
      std::vector<int64_t> sorted = frames.self_ns;
      const int64_t median_ns = flamelet_summarize_durations(sorted.data(), sorted.size()).median_ns;
      scopes_.push_back({std::move(frames), median_ns, is_wait(site)});
    }
  }

  Cause of(size_t position, int64_t surplus_ns) const {
    const Cause work = most(position, false), wait = most(position, true);
    return wait.excess_ns > work.excess_ns && 2 * work.excess_ns < surplus_ns ? wait : work;
  }

  // How much later the cause can have made the frame: threads work at the same time, so of what it took too long, the share
  // of the thread that had most of it.
  double late_ns(const Cause& cause, const flamelet_frame_info& frame) {
    int64_t most_ns = 0;
    for (const size_t lane : lanes_) most_ns = std::max(most_ns, self_on(lane, cause, frame));
    return static_cast<double>(cause.excess_ns) * static_cast<double>(most_ns) /
           static_cast<double>(std::max<int64_t>(cause.self_ns, 1));
  }

 private:
  struct Usual {
    ScopeFrames frames;
    int64_t median_ns;
    bool waits;
  };

  Cause most(size_t position, bool waits) const {
    Cause cause;
    for (const Usual& scope : scopes_) {
      const int64_t excess_ns = scope.frames.self_ns[position] - scope.median_ns;
      if (scope.waits == waits && excess_ns > cause.excess_ns)
        cause = {scope.frames.site, scope.frames.name, excess_ns, scope.frames.self_ns[position], waits};
    }
    return cause;
  }

  // The self time of the scope on one lane, inside of the frame.
  int64_t self_on(size_t lane, const Cause& scope, const flamelet_frame_info& frame) {
    int64_t self_ns = 0;
    pieces_.read(lane, frame.begin_ns, frame.end_ns, [&](const flamelet_span* spans, size_t count) {
      const auto is_it = [&](const flamelet_span& span) { return span.site == scope.site && span.name == scope.name; };
      for (size_t i = 0; i < count; ++i) {
        if ((spans[i].flags & FLAMELET_SPAN_AGAIN) != 0) continue;
        const int64_t inside_ns = std::min(spans[i].end_ns, frame.end_ns) - std::max(spans[i].begin_ns, frame.begin_ns);
        if (is_it(spans[i])) self_ns += inside_ns;
        if (spans[i].parent != FLAMELET_NO_PARENT && is_it(spans[spans[i].parent])) self_ns -= inside_ns;
      }
    });
    return self_ns;
  }

  SpanPieces pieces_;
  std::vector<size_t> lanes_;
  std::vector<Usual> scopes_;
};

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

// The frames that are listed, each with what is unusual in it, and how much of the frame's surplus over the median frame
// that explains.
Table slow_table(const CaptureInput& input, const Window& window, const Analysis& analysis) {
  Table table;
  table.columns = {{"frame", "frame", ColumnKind::kCount},
                   {"begin_ns", "at", ColumnKind::kNs, 3},
                   {"duration_ns", "took", ColumnKind::kNs},
                   {"flags", "", ColumnKind::kText},
                   {"more_ns", "above median", ColumnKind::kNs, 2},
                   {"share", "explains", ColumnKind::kShare, 2},
                   {"scope", "in self time of", ColumnKind::kName, 1}};
  Causes causes(input, window);
  const int64_t median_ns = analysis.percentile(50);
  for (const size_t position : analysis.chosen) {
    const flamelet_frame_info& frame = analysis.frames[position];
    const int64_t surplus_ns = duration(frame) - median_ns;
    const Cause cause = causes.of(position, surplus_ns);
    std::vector<Cell> row = {frame.index, frame.begin_ns, duration(frame), flags_text(frame)};
    if (!row.back().text.empty()) table.columns[3].title = "flags";
    if (cause.excess_ns > 0) {
      const std::string name(view_of(flamelet_capture_string(input.get(), cause.name)));
      const double share = causes.late_ns(cause, frame) / static_cast<double>(std::max<int64_t>(surplus_ns, 1));
      row.insert(row.end(), {Cell(cause.excess_ns), surplus_ns > 0 ? Cell(std::min(share, 1.0)) : Cell::none(),
                             Cell((cause.waits ? "waits: " : "") + name)});
    } else {
      row.insert(row.end(), {Cell::none(), Cell::none(), Cell::none()});
    }
    table.rows.push_back(std::move(row));
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
    return kExitDone;
  }
  const Table slow = slow_table(input, window, analysis);
  put_report(
      options.report, [&] { return slow.csv(); }, [&] { return frames_json(input, analysis, window, slow); },
      [&](size_t width) { return frames_text(options, input, analysis, window, slow, width); });
  if (!analysis.has_bound) return kExitDone;
  return (analysis.above == 0) == (options.within_ms >= 0) ? kExitDone : kExitNothing;
}

}  // namespace

void add_frames_command(Command* program) {
  const auto options = std::make_shared<FramesOptions>();
  Command frames = program->add_command("frames", "The slowest frames, percentiles, a histogram of frame times");
  frames.footer(
      "Each slow frame has the scope whose self time, summed over the threads, was furthest above its median:\n"
      "the first place to look. \"explains\" is its share of the frame's surplus over the median frame, on the thread\n"
      "that had most of it, because threads work at the same time. \"waits: X\"\n"
      "means that no work explains half of the surplus, and that the threads mostly waited in X.\n"
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
