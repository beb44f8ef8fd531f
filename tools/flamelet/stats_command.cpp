// SPDX-License-Identifier: MIT
//
// stats_command.cpp: `flamelet stats`: how often each scope ran, and how long, over all its calls or frame by frame.
#include <flamelet/statistics.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command_line.h"
#include "display_text.h"
#include "flamelet/detail/sums.h"
#include "table.h"

namespace flamelet::tools {
namespace {

// A distribution of durations as columns of a table.
void add_distribution_columns(Table* table) {
  table->columns.insert(table->columns.end(), {{"min_ns", "min", ColumnKind::kNs, 5},
                                               {"mean_ns", "mean", ColumnKind::kNs, 2},
                                               {"median_ns", "median", ColumnKind::kNs, 4},
                                               {"p95_ns", "p95", ColumnKind::kNs, 3},
                                               {"p99_ns", "", ColumnKind::kNs},
                                               {"max_ns", "max", ColumnKind::kNs}});
}

// Of so many.
void add_distribution_cells(const flamelet_distribution& of, uint64_t count, std::vector<Cell>* row) {
  if (count == 0)
    row->insert(row->end(), 6, Cell::none());
  else
    row->insert(row->end(), {of.min_ns, of.mean_ns, of.median_ns, of.p95_ns, of.p99_ns, of.max_ns});
}

// A row for each.
Table interval_table(std::vector<IntervalSums> sums) {
  Table table;
  table.columns = {{"interval", "interval", ColumnKind::kName},
                   {"count", "count", ColumnKind::kCount},
                   {"incomplete", "", ColumnKind::kCount},
                   {"total_ns", "total", ColumnKind::kNs}};
  add_distribution_columns(&table);
  for (IntervalSums& of : sums) {
    table.rows.push_back({std::move(of.name), of.count, of.incomplete, of.total_ns});
    add_distribution_cells(flamelet_summarize_durations(of.durations_ns.data(), of.durations_ns.size()),
                           of.durations_ns.size(), &table.rows.back());
  }
  return table;
}

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
  std::string category;
};

Scope scope_of(const flamelet_capture* capture, uint32_t site, uint32_t name) {
  Scope scope = {std::string(view_of(flamelet_capture_string(capture, name))), "", ""};
  flamelet_site_info info;
  if (!flamelet_capture_site(capture, site, &info)) return scope;
  scope.category = view_of(info.category);
  if (info.file.size != 0) {
    const std::string_view file = view_of(info.file);
    scope.place = std::string(file.substr(file.find_last_of("/\\") + 1)) + ":" + std::to_string(info.line);
  }
  return scope;
}

// What the threads did in the spans of each scope, where their states are recorded. As in the total, of a recursion only the
// outermost spans count.
class ScopeStates {
 public:
  explicit ScopeStates(const flamelet_capture* capture) : capture_(capture) {
    flamelet_capture_stats stats;
    flamelet_capture_get_stats(capture, &stats);
    is_known_ = stats.switches_held != 0;
  }
  bool is_known() const { return is_known_; }

  void add(size_t lane, const flamelet_span* spans, size_t count) {
    for (size_t i = 0; is_known_ && i < count; ++i) {
      if ((spans[i].flags & FLAMELET_SPAN_AGAIN) != 0 || is_inner(spans, i)) continue;
      flamelet_state_times times;
      if (!flamelet_capture_state_times(capture_, lane, spans[i].begin_ns, spans[i].end_ns, &times)) continue;
      flamelet_state_times& sum = sums_[{spans[i].site, spans[i].name}];
      for (size_t kind = 0; kind < FLAMELET_STATE_COUNT; ++kind) sum.ns[kind] += times.ns[kind];
    }
  }
  void add_columns(Table* table) const {
    if (!is_known_) return;
    for (const auto& column : kColumns) table->columns.push_back(column);
  }
  void add_cells(uint32_t site, uint32_t name, std::vector<Cell>* cells) const {
    if (!is_known_) return;
    const auto found = sums_.find({site, name});
    for (const flamelet_state_kind kind : {FLAMELET_STATE_RUNNING, FLAMELET_STATE_TAKEN_OFF, FLAMELET_STATE_ASLEEP})
      cells->push_back(found == sums_.end() ? Cell::none() : Cell(found->second.ns[kind]));
  }

 private:
  static bool is_inner(const flamelet_span* spans, size_t i) {
    for (uint32_t at = spans[i].parent; at != FLAMELET_NO_PARENT; at = spans[at].parent)
      if (spans[at].site == spans[i].site && spans[at].name == spans[i].name) return true;
    return false;
  }

  static inline const std::vector<Column> kColumns = {{"running_ns", "running", ColumnKind::kNs},
                                                      {"taken_off_ns", "taken off", ColumnKind::kNs},
                                                      {"asleep_ns", "asleep", ColumnKind::kNs}};
  const flamelet_capture* capture_;
  bool is_known_ = false;
  std::map<std::pair<uint32_t, uint32_t>, flamelet_state_times> sums_;  // by site and name
};

// By site and name.
using CutCalls = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

// Calls that were shortened, so that they nest in another one.
void count_cut(const flamelet_span* spans, size_t count, CutCalls* cut) {
  for (size_t i = 0; i < count; ++i)
    if ((spans[i].flags & (FLAMELET_SPAN_CUT | FLAMELET_SPAN_AGAIN)) == FLAMELET_SPAN_CUT)
      ++(*cut)[{spans[i].site, spans[i].name}];
}

// Calls whose ends are among lost events. What only lacks an end of its own ends together with a call around it.
uint64_t count_lost(const flamelet_span* spans, size_t count) {
  uint64_t lost = 0;
  for (size_t i = 0; i < count; ++i) {
    if ((spans[i].flags & (FLAMELET_SPAN_MISSING_END | FLAMELET_SPAN_AGAIN)) != FLAMELET_SPAN_MISSING_END) continue;
    uint32_t around = spans[i].parent;
    while (around != FLAMELET_NO_PARENT && spans[around].end_ns == spans[i].end_ns &&
           (spans[around].flags & FLAMELET_SPAN_MISSING_END) != 0)
      around = spans[around].parent;
    lost += around == FLAMELET_NO_PARENT || spans[around].end_ns != spans[i].end_ns;
  }
  return lost;
}

// When the clock has jumped back, each time counts as the newest one before it: from then on, nobody knows how long a call
// without a length took.
int64_t jumped_back_ns(const flamelet_capture* capture) {
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  flamelet_frame_info frame;
  for (size_t i = 0; stats.times_clamped != 0 && flamelet_capture_frame(capture, i, &frame); ++i)
    if (!has_length(frame)) return frame.begin_ns;
  return INT64_MAX;
}

struct CallCounts {
  uint64_t open = 0, cut = 0, lost = 0;
};

Table scope_table(const StatsOptions& options, const CaptureInput& input, const Window& window,
                  const std::vector<size_t>& lanes, CallCounts* counts) {
  Table table;
  table.columns = {{"scope", "scope", ColumnKind::kName},  {"place", "", ColumnKind::kText},
                   {"count", "count", ColumnKind::kCount}, {"incomplete", "", ColumnKind::kCount},
                   {"total_ns", "total", ColumnKind::kNs}, {"self_ns", "self", ColumnKind::kNs, 1}};
  add_distribution_columns(&table);
  const int64_t no_length_from_ns = jumped_back_ns(input.get());
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(input.get(), &stats);
  ScopeStates states(input.get());
  CutCalls cut;
  states.add_columns(&table);
  table.columns.insert(table.columns.end(), {{"category", "", ColumnKind::kText}, {"cut", "", ColumnKind::kCount}});
  const size_t span_count = count_spans(input.get(), lanes, window.begin_ns, window.end_ns);
  Progress progress("adding up " + input.name(), span_count, Progress::Unit::kSpans);
  constexpr uint32_t kFewScopes = 1u << 14;
  constexpr size_t kPieceOfCall = 4;  // so much room does a piece take
  uint32_t max_scopes = kFewScopes;
  for (size_t room = span_count;;) {
    std::vector<char> memory(flamelet_statistics_memory_required(max_scopes, room));
    flamelet_statistics* statistics = nullptr;
    if (flamelet_statistics_create(max_scopes, memory.data(), memory.size(), &statistics) != FLAMELET_OK)
      throw CommandError(kExitInput, input.name() + " holds too many spans");
    SpanPieces pieces(input.get());
    std::vector<flamelet_span> marked;
    for (const size_t lane : lanes)
      pieces.read_calls(lane, window.stretches, [&](const flamelet_span* spans, size_t count) {
        const flamelet_span* known = spans;
        if (no_length_from_ns != INT64_MAX) {
          marked.assign(spans, spans + count);
          for (flamelet_span& span : marked)
            if (span.begin_ns >= no_length_from_ns && span.begin_ns == span.end_ns) {
              span.flags |= FLAMELET_SPAN_MISSING_END;  // it is not in the figures of one call
              span.parent = FLAMELET_NO_PARENT;
            }
          known = marked.data();
        }
        flamelet_statistics_add(statistics, known, count);
        if (max_scopes == kFewScopes && room == span_count) {
          states.add(lane, spans, count);
          count_cut(spans, count, &cut);
          if (stats.events_lost != 0) counts->lost += count_lost(spans, count);
        }
        progress.add(count);
      });
    const flamelet_statistics_summary summary = flamelet_statistics_finish(statistics);
    const bool is_short = summary.sample_stride != 1 && room == span_count;
    const bool has_more = summary.left_out_count != 0 && max_scopes != FLAMELET_STATISTICS_MAX_SCOPES;
    if (is_short) room = kPieceOfCall * span_count;
    if (has_more) max_scopes = FLAMELET_STATISTICS_MAX_SCOPES;
    if (is_short || has_more) continue;
    for (size_t i = 0; i < summary.row_count; ++i) {
      const flamelet_scope_statistics& row = summary.rows[i];
      Scope scope = scope_of(input.get(), row.site, row.name);
      if (!matches(scope.name, options.filter)) continue;
      const uint64_t cut_calls = cut[{row.site, row.name}];
      counts->open += row.open_count;
      counts->cut += cut_calls;
      table.rows.push_back(
          {std::move(scope.name), std::move(scope.place), row.count, row.incomplete_count, row.total_ns, row.self_ns});
      add_distribution_cells(row.duration, row.sample_count, &table.rows.back());  // none of pieces of calls alone
      states.add_cells(row.site, row.name, &table.rows.back());
      table.rows.back().insert(table.rows.back().end(), {std::move(scope.category), cut_calls});
    }
    break;
  }
  return table;
}

Table frame_table(const StatsOptions& options, const CaptureInput& input,
                  const std::vector<flamelet_frame_info>& measured, const std::vector<size_t>& lanes) {
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
                   {"worst_frame", "in frame", ColumnKind::kCount},
                   {"category", "", ColumnKind::kText}};
  for (const ScopeFrames& frames : scope_frames(input, lanes, measured)) {
    Scope scope = scope_of(input.get(), frames.site, frames.name);
    if (!matches(scope.name, options.filter)) continue;
    std::vector<int64_t> costs = frames.of_all(measured.size());
    const auto worst = std::max_element(costs.begin(), costs.end());
    const int64_t total_ns = std::accumulate(costs.begin(), costs.end(), int64_t{0}, add_saturating);
    const flamelet_distribution d = flamelet_summarize_durations(costs.data(), costs.size());
    table.rows.push_back({std::move(scope.name), std::move(scope.place), frames.times.size(), frames.calls,
                          static_cast<double>(frames.calls) / static_cast<double>(measured.size()), total_ns, d.mean_ns,
                          d.median_ns, d.p95_ns, d.max_ns, measured[static_cast<size_t>(worst - costs.begin())].index,
                          std::move(scope.category)});
  }
  return table;
}

bool is_state(const std::string& sort) {
  return sort == "running" || sort == "taken_off" || sort == "asleep";
}

// The two tables do not have the same columns.
size_t column_of(const StatsOptions& options, const Table& table) {
  const std::string& sort = options.sort;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& key = table.columns[i].key;
    if (key == sort || key == sort + "_ns" || (sort == "name" && i == 0)) return i;
  }
  throw CommandError(
      kExitUsage, is_state(sort) && !options.per_frame
                      ? "the states of threads are not recorded: there is no column " + sort
                      : "there is a column " + sort + " only with" + (options.per_frame ? "out" : "") + " --per-frame");
}

// Names rise, numbers fall; rows that are equal there stand by name.
void sort_rows(Table* table, size_t column) {
  std::sort(table->rows.begin(), table->rows.end(), [column](const auto& a, const auto& b) {
    if (column != 0 && a[column].number != b[column].number) return a[column].number > b[column].number;
    return std::tie(a[0].text, a[1].text) < std::tie(b[0].text, b[1].text);
  });
}

// All threads together. Intervals have no self time and no states: their total counts.
Table sorted_intervals(const StatsOptions& options, const CaptureInput& input, const Window& window, uint64_t* open) {
  Table table;
  if (options.per_frame) return table;
  std::vector<IntervalSums> sums = interval_sums(input, window, options.filter);
  for (const IntervalSums& of : sums) *open += of.open;
  table = interval_table(std::move(sums));
  size_t column = 3;
  for (size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].key == options.sort || table.columns[i].key == options.sort + "_ns") column = i;
  sort_rows(&table, options.sort == "name" ? 0 : column);
  return table;
}

// Scopes that read the same are told apart by their places, and then by their categories. Only as text: elsewhere these have
// columns.
void add_places(Table* table) {
  for (size_t column = 0; column < table->columns.size(); ++column) {
    if (table->columns[column].key != "place" && table->columns[column].key != "category") continue;
    std::map<std::string, size_t> count;
    for (const auto& row : table->rows) ++count[row[0].text];
    for (auto& row : table->rows)
      if (count[row[0].text] > 1 && !row[column].text.empty()) row[0].text += " (" + row[column].text + ")";
  }
}

// For how long threads of these lanes had work and no processor, as far as the system told it.
int64_t no_processor_ns(const CaptureInput& input, const Window& window, const std::vector<size_t>& lanes) {
  int64_t sum_ns = 0;
  flamelet_thread_time time;
  for (size_t frame = window.first_frame; frame < window.end_frame; ++frame)
    for (const size_t lane : lanes)
      if (flamelet_capture_thread_time(input.get(), frame, lane, &time)) sum_ns = add_saturating(sum_ns, time.ready_ns);
  return sum_ns;
}

std::string open_text(uint64_t open, const char* one, const char* many) {
  if (open == 0) return "";
  return counted(open, one, many) + " open: not ended in the capture\n";
}

std::string stats_text(const StatsOptions& options, const CaptureInput& input, Table table, size_t lane_count,
                       size_t frame_count, const std::string& without, size_t left_out, const CallCounts& calls,
                       int64_t idle_ns, size_t width) {
  add_places(&table);
  std::string text = table.text(width);
  const std::string frames = counted(frame_count, "frame", "frames");
  const std::string lanes = lanes_text(lane_count, options.lanes), sum = lane_count == 1 ? "" : "the sum of ";
  text += options.per_frame
              ? "\nof " + sum + lanes + " in each of " + frames + ", those in which a scope did not run included\n"
              : "\ncount, total, self: of " + sum + lanes + "; the others: of one call\n";
  if (options.per_frame && !without.empty()) text += without + "\n";
  if (const std::string older = older_frames_text(input.get()); options.per_frame && !older.empty())
    text += older + "\n";
  text += other_lanes_text(input, options.lanes);
  text += open_text(calls.open, "call is", "calls are");
  if (calls.lost != 0)
    text += counted(calls.lost, "call has", "calls have") +
            " no end: lost events; they count until the last event before\n";
  if (calls.cut != 0)
    text += counted(calls.cut, "call overlaps", "calls overlap") +
            " others in part, and count only until the call around them ends\n";
  if (idle_ns != 0)
    text += "the times hold " + duration_text(static_cast<double>(idle_ns)) +
            " in which a thread had work and no processor\n";
  if (left_out != 0) text += "\n" + counted(left_out, "scope is", "scopes are") + " not shown (--top 0 shows all)\n";
  return text;
}

// Nobody knows which thread was to end an interval, so its end may be among the events that any of them lost.
std::string intervals_text(const CaptureInput& input, const Table& table, size_t left_out, uint64_t open,
                           size_t width) {
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(input.get(), &stats);
  std::string text = table.text(width);
  if (open != 0 && stats.events_lost == 0) text += "\n" + open_text(open, "interval is", "intervals are");
  if (open != 0 && stats.events_lost != 0)
    text += "\n" + counted(open, "interval is", "intervals are") + " open, or the end is among the lost events\n";
  if (left_out != 0)
    text += "\n" + counted(left_out, "interval is", "intervals are") + " not shown (--top 0 shows all)\n";
  return text;
}

std::string stats_json(const CaptureInput& input, const Table& table, const Table& intervals, size_t frame_count,
                       size_t frames_left_out) {
  JsonWriter json;
  json.text("file", input.name());
  json.count("frames", frame_count);
  json.count("frames_left_out", frames_left_out);
  table.json(&json, "scopes");
  if (!intervals.rows.empty()) intervals.json(&json, "intervals");
  return json.take();
}

int run(const StatsOptions& options) {
  const CaptureInput input(options.input);
  const Window window = window_of(input, options.window);
  const std::vector<size_t> lanes = lanes_of(input, options.lanes);
  const std::vector<flamelet_frame_info> frames = measured_frames(input.get(), window);
  const size_t all_frames = window.end_frame - window.first_frame;
  if (options.per_frame && frames.empty())
    throw CommandError(kExitNothing, no_frames_text(input, window) + "\nor leave --per-frame out");
  CallCounts counts;
  uint64_t open_intervals = 0;
  Table table = options.per_frame ? frame_table(options, input, frames, lanes)
                                  : scope_table(options, input, window, lanes, &counts);
  Table intervals = sorted_intervals(options, input, window, &open_intervals);
  if (table.rows.empty() && intervals.rows.empty())
    throw CommandError(kExitNothing,
                       options.filter.empty() ? "no scope ran there" : "no name holds " + printable(options.filter));
  sort_rows(&table, column_of(options, table));
  const size_t left_out = cut_rows(&table.rows, options.top),
               intervals_left_out = cut_rows(&intervals.rows, options.top);
  put_report(
      options.report, [&] { return table.rows.empty() ? intervals.csv() : table.csv(); },
      [&] {
        return stats_json(input, table, intervals, options.per_frame ? frames.size() : all_frames,
                          options.per_frame ? all_frames - frames.size() + (window.start_ns != 0) : 0);
      },
      [&](size_t width) {
        const std::string more = intervals.rows.empty()
                                     ? std::string()
                                     : intervals_text(input, intervals, intervals_left_out, open_intervals, width);
        if (table.rows.empty()) return more;
        return stats_text(options, input, std::move(table), lanes.size(), frames.size(),
                          left_out_text(input.get(), window, frames), left_out, counts,
                          options.filter.empty() ? no_processor_ns(input, window, lanes) : 0, width) +
               (more.empty() ? more : "\n" + more);
      });
  return kExitDone;
}

}  // namespace

void add_stats_command(Command* program) {
  const auto options = std::make_shared<StatsOptions>();
  Command stats = program->add_command("stats", "A table of the scopes: calls, time, percentiles; also per frame");
  stats.footer(
      "A span that reaches out of the window counts with its whole duration, and an open one with its time until now.\n"
      "In the total, the time of a recursive scope counts once. With --per-frame the figures are about frames: a\n"
      "scope's time in a frame is the sum of its spans' parts in that frame. Percentiles are times that occurred\n"
      "(nearest rank). Where the states of threads are recorded, it is said how much of the total they ran, could "
      "have\n"
      "run but were taken off, and slept.\n"
      "Intervals have a table of their own below; in CSV only where no scope ran.\n\n"
      "Examples:\n"
      "  flamelet stats game.flamelet --sort self --top 20\n"
      "  flamelet stats game.flamelet --per-frame --thread Main  what makes frames slow\n"
      "  flamelet stats game.flamelet --filter physics --csv > physics.csv");
  add_input_options(&stats, &options->input);
  add_window_options(&stats, &options->window);
  add_lane_options(&stats, &options->lanes);
  stats.flag("--per-frame", &options->per_frame, "Figures of frames instead of calls");
  stats.choice("--sort", "COLUMN", &options->sort,
               {"name", "count", "frames", "total", "self", "min", "mean", "median", "p95", "p99", "max", "running",
                "taken_off", "asleep"},
               "Sort by this column");
  stats.text("--filter", "TEXT", &options->filter, "Only scopes whose name contains this text");
  stats.number("--top", "N", &options->top, 0, SIZE_MAX, "The first N rows; 0 = all").shows_default();
  add_report_options(&stats, &options->report);
  stats.run([options] { return run(*options); });
}

}  // namespace flamelet::tools
