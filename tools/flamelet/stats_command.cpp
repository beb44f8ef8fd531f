// SPDX-License-Identifier: MIT
//
// stats_command.cpp: `flamelet stats`: how often each scope ran, and how long, over all its calls or frame by frame.
#include <flamelet/statistics.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command.h"
#include "display_text.h"
#include "report_options.h"
#include "scope_frames.h"
#include "span_batches.h"
#include "table.h"

namespace flamelet::tools {
namespace {

struct StatsOptions {
  InputOptions input;
  WindowOptions window;
  LaneOptions lanes;
  ReportOptions report;
  std::string filter;
  std::string sort = "total";
  size_t top = 0;
  bool per_frame = false;
};

struct Scope {
  std::string name;
  std::string place;  // "physics.cpp:120"; "" if it is not known
};

Scope scope_of(const flamelet_capture* capture, uint32_t site, uint32_t name) {
  Scope scope = {std::string(view_of(flamelet_capture_string(capture, name))), ""};
  flamelet_site_info info;
  if (flamelet_capture_site(capture, site, &info) && info.file.size != 0) {
    const std::string_view file = view_of(info.file);
    scope.place = std::string(file.substr(file.find_last_of("/\\") + 1)) + ":" + std::to_string(info.line);
  }
  return scope;
}

Table scope_table(const StatsOptions& options, const CaptureInput& input, const Window& window,
                  const std::vector<size_t>& lanes) {
  Table table;
  table.columns = {{"scope", "scope", ColumnKind::kName},
                   {"place", "", ColumnKind::kText},
                   {"count", "count", ColumnKind::kCount},
                   {"incomplete", "", ColumnKind::kCount},
                   {"total_ns", "total", ColumnKind::kNs},
                   {"self_ns", "self", ColumnKind::kNs, 1},
                   {"min_ns", "min", ColumnKind::kNs, 5},
                   {"mean_ns", "mean", ColumnKind::kNs, 2},
                   {"median_ns", "median", ColumnKind::kNs, 4},
                   {"p95_ns", "p95", ColumnKind::kNs, 3},
                   {"p99_ns", "", ColumnKind::kNs},
                   {"max_ns", "max", ColumnKind::kNs}};
  const size_t span_count = count_spans(input.get(), lanes, window.begin_ns, window.end_ns);
  Progress progress("adding up " + input.name(), span_count, Progress::Unit::kSpans);
  for (const uint32_t max_scopes : {1u << 14, FLAMELET_STATISTICS_MAX_SCOPES}) {
    std::vector<char> memory(flamelet_statistics_memory_required(max_scopes, span_count));
    flamelet_statistics* statistics = nullptr;
    if (flamelet_statistics_create(max_scopes, memory.data(), memory.size(), &statistics) != FLAMELET_OK)
      throw CommandError(kExitInput, input.name() + " holds too many spans");
    for (const size_t lane : lanes)
      read_span_batches(input.get(), lane, window.begin_ns, window.end_ns,
                        [&](const flamelet_span* spans, size_t count) {
                          flamelet_statistics_add(statistics, spans, count);
                          progress.add(count);
                        });
    const flamelet_statistics_summary summary = flamelet_statistics_finish(statistics);
    if (summary.left_out_count != 0 && max_scopes != FLAMELET_STATISTICS_MAX_SCOPES) continue;
    for (size_t i = 0; i < summary.row_count; ++i) {
      const flamelet_scope_statistics& row = summary.rows[i];
      Scope scope = scope_of(input.get(), row.site, row.name);
      if (!contains(scope.name, options.filter)) continue;
      const flamelet_distribution& d = row.duration;
      table.rows.push_back({std::move(scope.name), std::move(scope.place), row.count, row.incomplete_count,
                            row.total_ns, row.self_ns, d.min_ns, d.mean_ns, d.median_ns, d.p95_ns, d.p99_ns, d.max_ns});
    }
    break;
  }
  return table;
}

Table frame_table(const StatsOptions& options, const CaptureInput& input, const Window& window,
                  const std::vector<size_t>& lanes) {
  Table table;
  table.columns = {{"scope", "scope", ColumnKind::kName},
                   {"place", "", ColumnKind::kText},
                   {"frames", "frames", ColumnKind::kCount, 5},
                   {"count", "", ColumnKind::kCount},
                   {"calls_per_frame", "calls/frame", ColumnKind::kNumber, 6},
                   {"total_ns", "", ColumnKind::kNs},
                   {"mean_ns", "mean", ColumnKind::kNs},
                   {"median_ns", "median", ColumnKind::kNs, 2},
                   {"p95_ns", "p95", ColumnKind::kNs, 1},
                   {"max_ns", "max", ColumnKind::kNs},
                   {"worst_frame", "in frame", ColumnKind::kCount}};
  const double frame_count = static_cast<double>(window.end_frame - window.first_frame);
  for (ScopeFrames& frames : scope_frames(input, lanes, window)) {
    Scope scope = scope_of(input.get(), frames.site, frames.name);
    if (!contains(scope.name, options.filter)) continue;
    std::vector<int64_t>& costs = frames.total_ns;
    const auto worst = std::max_element(costs.begin(), costs.end());
    flamelet_frame_info worst_frame;
    flamelet_capture_frame(input.get(), window.first_frame + static_cast<size_t>(worst - costs.begin()), &worst_frame);
    const uint64_t ran_in =
        static_cast<uint64_t>(std::count_if(costs.begin(), costs.end(), [](int64_t cost) { return cost != 0; }));
    const int64_t total_ns = std::accumulate(costs.begin(), costs.end(), int64_t{0});
    const flamelet_distribution d = flamelet_summarize_durations(costs.data(), costs.size());
    table.rows.push_back({std::move(scope.name), std::move(scope.place), ran_in, frames.calls,
                          static_cast<double>(frames.calls) / frame_count, total_ns, d.mean_ns, d.median_ns, d.p95_ns,
                          d.max_ns, worst_frame.index});
  }
  return table;
}

// The two tables do not have the same columns.
size_t column_of(const StatsOptions& options, const Table& table) {
  const std::string& sort = options.sort;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& key = table.columns[i].key;
    if (key == sort || key == sort + "_ns" || (sort == "name" && i == 0)) return i;
  }
  throw CommandError(kExitUsage,
                     "there is a column " + sort + " only with" + (options.per_frame ? "out" : "") + " --per-frame");
}

// Names rise, numbers fall; rows that are equal there stand by name.
void sort_rows(Table* table, size_t column) {
  std::sort(table->rows.begin(), table->rows.end(), [column](const auto& a, const auto& b) {
    if (column != 0 && a[column].number != b[column].number) return a[column].number > b[column].number;
    return std::tie(a[0].text, a[1].text) < std::tie(b[0].text, b[1].text);
  });
}

// Scopes of the same name are told apart by their places. Only as text: elsewhere they have a column.
void add_places(Table* table) {
  std::map<std::string, size_t> count;
  for (const auto& row : table->rows) ++count[row[0].text];
  for (auto& row : table->rows)
    if (count[row[0].text] > 1 && !row[1].text.empty()) row[0].text += " (" + row[1].text + ")";
}

std::string stats_text(const StatsOptions& options, Table table, size_t lane_count, size_t frame_count, size_t left_out,
                       size_t width) {
  add_places(&table);
  std::string text = table.text(width);
  const std::string frames = std::to_string(frame_count) + (frame_count == 1 ? " frame" : " frames");
  const std::string lanes = lanes_text(lane_count, options.lanes), sum = lane_count == 1 ? "" : "the sum of ";
  text += options.per_frame
              ? "\nof " + sum + lanes + " in each of " + frames + ", those in which a scope did not run included\n"
              : "\ncount, total, self: of " + sum + lanes + "; the others: of one call\n";
  if (left_out != 0)
    text += "\n" + std::to_string(left_out) + (left_out == 1 ? " scope is" : " scopes are") +
            " not shown (--top 0 shows all)\n";
  return text;
}

std::string stats_json(const CaptureInput& input, const Table& table, size_t frame_count) {
  JsonWriter json;
  json.begin_object();
  json.text("file", input.name());
  json.count("frames", frame_count);
  table.json(&json, "scopes");
  json.end_object();
  return json.take();
}

int run(const StatsOptions& options) {
  const CaptureInput input(options.input);
  const Window window = window_of(input, options.window);
  const std::vector<size_t> lanes = lanes_of(input, options.lanes);
  const size_t frame_count = window.end_frame - window.first_frame;
  if (options.per_frame && frame_count == 0)
    throw CommandError(kExitNothing, "there is no complete frame: leave --per-frame out");
  Table table =
      options.per_frame ? frame_table(options, input, window, lanes) : scope_table(options, input, window, lanes);
  if (table.rows.empty())
    throw CommandError(kExitNothing,
                       options.filter.empty() ? "no scope ran there" : "no name holds " + printable(options.filter));
  sort_rows(&table, column_of(options, table));
  size_t left_out = 0;
  if (options.top != 0 && table.rows.size() > options.top) {
    left_out = table.rows.size() - options.top;
    table.rows.erase(table.rows.begin() + static_cast<std::ptrdiff_t>(options.top), table.rows.end());
  }
  put_report(
      options.report, [&] { return table.csv(); }, [&] { return stats_json(input, table, frame_count); },
      [&](size_t width) { return stats_text(options, std::move(table), lanes.size(), frame_count, left_out, width); });
  return kExitDone;
}

}  // namespace

void add_stats_command(Command* program) {
  const auto options = std::make_shared<StatsOptions>();
  Command stats = program->add_command("stats", "A table of the scopes: calls, time, percentiles; also per frame");
  stats.footer(
      "A span that reaches out of the window counts with its whole duration. In the total, the time of a recursive "
      "scope\n"
      "counts once. With --per-frame the figures are about frames: a scope's time in a frame is the sum of its spans'\n"
      "parts in that frame. Percentiles are times that occurred (nearest rank).\n\n"
      "Examples:\n"
      "  flamelet stats game.flamelet --sort self --top 20\n"
      "  flamelet stats game.flamelet --per-frame --thread Main      which scope makes which frame slow\n"
      "  flamelet stats game.flamelet --filter physics --csv > physics.csv");
  add_input_options(&stats, &options->input);
  add_window_options(&stats, &options->window);
  add_lane_options(&stats, &options->lanes);
  stats.flag("--per-frame", &options->per_frame, "Figures of frames instead of calls");
  stats.choice("--sort", "COLUMN", &options->sort,
               {"name", "count", "frames", "total", "self", "min", "mean", "median", "p95", "p99", "max"},
               "Sort by this column");
  stats.text("--filter", "TEXT", &options->filter, "Only scopes whose name contains this text");
  stats.number("--top", "N", &options->top, 0, SIZE_MAX, "The first N rows; 0 = all").shows_default();
  add_report_options(&stats, &options->report);
  stats.run([options] { return run(*options); });
}

}  // namespace flamelet::tools
