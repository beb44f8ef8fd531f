// SPDX-License-Identifier: MIT
//
// diff_command.cpp: `flamelet diff`: what changed between two recordings, call path by call path.
#include <flamelet/compare.h>
#include <flamelet/scope.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command_line.h"
#include "display_text.h"
#include "table.h"

namespace flamelet::tools {
namespace {

struct DiffOptions {
  InputOptions before, after;
  WindowOptions window;
  LaneOptions lanes;
  ReportOptions report;
  std::string filter;
  std::string sort = "self";
  size_t top = SIZE_MAX;      // SIZE_MAX: as the format wants it
  double least_percent = -1;  // likewise
  bool per_frame = false;
  bool in_all = false;
  bool keep_recursion = false;
  std::string by = "path";
};

using Figures = flamelet_compare_figures;

// "Frame > Draw" of paths that name their parents.
template <class Path>
std::string full_name(const std::vector<Path>& paths, size_t path) {
  std::string text = paths[path].name;
  for (size_t at = paths[path].parent; at != 0; at = paths[at].parent)
    text = std::string(paths[at].name) + " > " + text;
  return text;
}

// The call paths of both, or their scopes, whoever called them. The memory grows until every path has room.
class JoinedPaths {
 public:
  struct Path {
    size_t parent;
    std::string name;
    Figures side[2];
  };

  JoinedPaths(bool by_scope, flamelet_call_tree* const trees[2], const double divisors[2]) {
    flamelet_compare_config config = flamelet_compare_config_default();
    config.by_scope = by_scope;
    for (;; config.max_paths *= 4, config.max_text *= 4) {
      std::vector<char> memory(flamelet_compare_memory_required(&config));
      flamelet_compare* compare = nullptr;
      if (flamelet_compare_create(&config, memory.data(), memory.size(), &compare) != FLAMELET_OK)
        throw std::bad_alloc();
      for (uint32_t side = 0; side < 2; ++side) flamelet_compare_add(compare, side, trees[side], divisors[side]);
      if (flamelet_compare_left_out(compare) != 0 && config.max_paths < kMostPaths) continue;
      flamelet_compared_path path;
      for (size_t i = 0; flamelet_compare_path(compare, i, &path); ++i)
        paths_.push_back({path.parent, path.name, {path.side[0], path.side[1]}});
      return;
    }
  }

  const std::vector<Path>& paths() const { return paths_; }

  std::string text(size_t path) const { return full_name(paths_, path); }

 private:
  static constexpr uint32_t kMostPaths = 1u << 24;

  std::vector<Path> paths_;  // the root first, parents before their children
};

// The paths, or scopes, that do nothing but wait (FLAMELET_SCOPE_WAIT), by text.
std::set<std::string> waits_of(const std::vector<CallTree>& trees, bool by_scope) {
  std::set<std::string> waits, others;
  for (const CallTree& tree : trees) {
    const std::vector<CallPath> paths = paths_of(tree);
    for (size_t i = 1; i < paths.size(); ++i)
      (paths[i].category == FLAMELET_WAIT_CATEGORY ? waits : others)
          .insert(by_scope ? std::string(paths[i].name) : full_name(paths, i));
  }
  for (const std::string& other : others) waits.erase(other);
  return waits;
}

struct Side {
  std::string name;
  FrameLengths lengths;  // of the frames
  int64_t start_ns = 0;  // of a Window
  std::string lanes;     // "4 threads"
  size_t frames_left_out;
  std::string left_out;  // left_out_text()
};

// Both sides of an interval's name.
struct IntervalPair {
  bool is_there[2] = {};
  double count[2] = {}, total[2] = {};
};

Table compared_intervals(const CaptureInput* const inputs[2], const Window windows[2], const double divisors[2],
                         bool per_frame, const std::string& filter) {
  std::map<std::string, IntervalPair> pairs;
  for (int side = 0; side < 2; ++side)
    for (const IntervalSums& sums : interval_sums(*inputs[side], windows[side], filter)) {
      IntervalPair& pair = pairs[sums.name];
      pair.is_there[side] = true;
      pair.count[side] = static_cast<double>(sums.count) / divisors[side];
      pair.total[side] = static_cast<double>(sums.total_ns) / divisors[side];
    }
  const ColumnKind counts = per_frame ? ColumnKind::kNumber : ColumnKind::kCount;
  Table table;
  table.columns = {{"interval", "interval", ColumnKind::kName},
                   {"status", "is", ColumnKind::kText},
                   {"total_a_ns", "total A", ColumnKind::kNs, 1},
                   {"total_b_ns", "total B", ColumnKind::kNs, 1},
                   {"total_change_ns", "total B-A", ColumnKind::kChangeNs},
                   {"count_a", "count A", counts, 2},
                   {"count_b", "count B", counts, 2}};
  for (const auto& [name, pair] : pairs) {
    const IntervalPair& of = pair;
    const auto cell = [&of](int side, double value) { return of.is_there[side] ? Cell(value) : Cell::none(); };
    table.rows.push_back({name,
                          std::string(!of.is_there[0]   ? "new"
                                      : !of.is_there[1] ? "gone"
                                                        : ""),
                          cell(0, of.total[0]), cell(1, of.total[1]), of.total[1] - of.total[0], cell(0, of.count[0]),
                          cell(1, of.count[1])});
  }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const auto& a, const auto& b) { return std::fabs(a[4].number) > std::fabs(b[4].number); });
  return table;
}

struct Comparison {
  bool by_scope;
  Side sides[2];
  bool per_frame;
  JoinedPaths joined;
  Table table, intervals;
  size_t found;     // that hold the filter's text
  size_t left_out;  // changed less than asked for
  size_t cut_off;   // beyond --top
};

const char* noun_of(bool by_scope) {
  return by_scope ? "scope" : "call path";
}

std::vector<Column> columns_of(bool by_scope, bool per_frame) {
  const ColumnKind calls = per_frame ? ColumnKind::kNumber : ColumnKind::kCount;
  return {
      by_scope ? Column{"scope", noun_of(true), ColumnKind::kName} : Column{"path", noun_of(false), ColumnKind::kPath},
      {"status", "", ColumnKind::kText},
      {"self_a_ns", "self A", ColumnKind::kNs, 1},
      {"self_b_ns", "self B", ColumnKind::kNs, 1},
      {"self_change_ns", "self B-A", ColumnKind::kChangeNs},
      {"total_a_ns", "total A", ColumnKind::kNs, 4},
      {"total_b_ns", "total B", ColumnKind::kNs, 4},
      {"total_change_ns", "total B-A", ColumnKind::kChangeNs, 2},
      {"calls_a", "calls A", calls, 3},
      {"calls_b", "calls B", calls, 3}};
}

// A new or gone path has no figure on one side, and the other side's whole figure as its change.
std::vector<Cell> row_of(const JoinedPaths::Path& path, std::string text) {
  const Figures &a = path.side[0], &b = path.side[1];
  const auto cell = [](const Figures& figures, double value) { return figures.is_there ? Cell(value) : Cell::none(); };
  return {std::move(text),  std::string(!a.is_there ? "new" : !b.is_there ? "gone" : ""),
          cell(a, a.self),  cell(b, b.self),
          b.self - a.self,  cell(a, a.total),
          cell(b, b.total), b.total - a.total,
          cell(a, a.calls), cell(b, b.calls)};
}

double change_of(const JoinedPaths::Path& path, const std::string& sort) {
  const Figures &a = path.side[0], &b = path.side[1];
  if (sort == "total") return b.total - a.total;
  if (sort == "calls") return b.calls - a.calls;
  return b.self - a.self;
}

Side side_of(const DiffOptions& options, const CaptureInput& input, const Window& window,
             const std::vector<flamelet_frame_info>& frames) {
  return {input.name(),
          frame_lengths(frames),
          window.start_ns,
          lanes_text(lanes_of(input, options.lanes).size(), options.lanes),
          window.end_frame - window.first_frame - frames.size() + (window.start_ns != 0),
          left_out_text(input.get(), window, frames)};
}

Comparison compare(const DiffOptions& options, ReportFormat format) {
  const CaptureInput before(options.before), after(options.after);
  const CaptureInput* const inputs[2] = {&before, &after};
  Window windows[2] = {window_of(before, options.window), window_of(after, options.window)};
  const bool have_frames =
      windows[0].end_frame != windows[0].first_frame && windows[1].end_frame != windows[1].first_frame;
  const bool per_frame = options.per_frame || (have_frames && !options.in_all);
  if (per_frame && !have_frames)
    throw CommandError(kExitNothing, "one of them has no complete frame: use --in-all, or --frames-of NAME");
  Side sides[2];
  double divisors[2];
  std::vector<CallTree> trees;
  for (int i = 0; i < 2; ++i) {
    const std::vector<flamelet_frame_info> frames = measured_frames(inputs[i]->get(), windows[i]);
    if (per_frame) {  // what is divided by frames has to lie in them
      windows[i].stretches = stretches_of(frames);
      windows[i].begin_ns = frames.front().begin_ns;
      windows[i].end_ns = frames.back().end_ns;
    }
    sides[i] = side_of(options, *inputs[i], windows[i], frames);
    divisors[i] = per_frame ? static_cast<double>(frames.size()) : 1;
    trees.push_back(
        call_tree_of(*inputs[i], lanes_of(*inputs[i], options.lanes), windows[i].stretches, options.keep_recursion));
  }
  flamelet_call_tree* const calls[2] = {trees[0].get(), trees[1].get()};
  const bool by_scope = options.by == "scope";
  Comparison result = {by_scope,  {sides[0], sides[1]},
                       per_frame, JoinedPaths(by_scope, calls, divisors),
                       {},        compared_intervals(inputs, windows, divisors, per_frame, options.filter),
                       0,         0,
                       0};

  const std::vector<JoinedPaths::Path>& paths = result.joined.paths();
  const double all_ns = std::max(paths[0].side[0].total, paths[0].side[1].total);
  const double percent = options.least_percent >= 0 ? options.least_percent : format == ReportFormat::kText ? 0.1 : 0;
  const std::set<std::string> waits = waits_of(trees, by_scope);
  const auto is_wait = [&](size_t path) { return waits.count(result.joined.text(path)) != 0; };
  std::vector<size_t> chosen;
  for (size_t i = 1; i < paths.size(); ++i) {
    if (!options.filter.empty() && !matches(result.joined.text(i), options.filter)) continue;
    ++result.found;
    const double change = std::fabs(change_of(paths[i], options.sort));
    if (format == ReportFormat::kText && change == 0) continue;
    if (options.sort != "calls" && change < all_ns * percent / 100)
      ++result.left_out;
    else
      chosen.push_back(i);
  }
  std::stable_sort(chosen.begin(), chosen.end(), [&](size_t a, size_t b) {
    return std::fabs(change_of(paths[a], options.sort)) > std::fabs(change_of(paths[b], options.sort));
  });
  if (options.sort != "calls")  // who waits longer waits for work that grew
    std::stable_partition(chosen.begin(), chosen.end(), [&](size_t path) { return !is_wait(path); });
  const size_t top = options.top != SIZE_MAX ? options.top : format == ReportFormat::kText ? 30 : 0;
  if (top != 0 && chosen.size() > top) {
    result.cut_off = chosen.size() - top;
    chosen.resize(top);
  }
  result.table.columns = columns_of(result.by_scope, result.per_frame);
  for (const size_t i : chosen) {
    result.table.rows.push_back(
        row_of(paths[i], result.joined.text(i) + (format == ReportFormat::kText && is_wait(i) ? " (wait)" : "")));
    if (!result.table.rows.back()[1].text.empty() && format == ReportFormat::kText)
      result.table.columns[1].title = "is";
  }
  return result;
}

// What the sides amount to: of their frames, and of the scopes that are compared.
std::string side_text(const Comparison& result, int index) {
  const Side& side = result.sides[index];
  std::string text = std::string(index == 0 ? "A  " : "B  ") + side.name + ": ";
  if (side.lengths.count == 0)
    text += "no frames";
  else
    text += counted(side.lengths.count, "frame", "frames") + (side.start_ns != 0 ? " without frame 0, " : ", ") +
            (side.left_out.empty() ? "" : side.left_out + ", ") + lengths_text(side.lengths);
  return text + "; scopes of " + side.lanes + " sum to " + duration_text(result.joined.paths()[0].side[index].total) +
         (result.per_frame ? " a frame" : " in all");
}

std::string diff_text(const Comparison& result, size_t width) {
  const Figures* const roots = result.joined.paths()[0].side;
  std::string text = side_text(result, 0) + "\n" + side_text(result, 1);
  if (roots[0].total > 0) text += " (" + ratio_text(roots[1].total / roots[0].total, true) + ")";
  text += "\n\n";
  text += !result.table.rows.empty() ? result.table.text(width)
          : result.found == 0        ? ""
          : result.left_out == 0     ? "nothing changed\n"
                                     : "nothing changed much\n";
  if (result.left_out != 0)
    text += "\n" + std::to_string(result.left_out) + " " + noun_of(result.by_scope) +
            (result.left_out == 1 ? " that changed less is" : "s that changed less are") +
            " not shown (--min 0 shows all that changed)\n";
  if (!result.intervals.rows.empty()) text += (result.found == 0 ? "" : "\n") + result.intervals.text(width);
  if (result.cut_off != 0) text += "\n" + std::to_string(result.cut_off) + " more changed (--top 0 shows all)\n";
  return text;
}

std::string diff_json(const Comparison& result) {
  JsonWriter json;
  for (int i = 0; i < 2; ++i) {
    json.begin_object(i == 0 ? "a" : "b");
    json.text("file", result.sides[i].name);
    json.count("frames", result.sides[i].lengths.count);
    json.count("frames_left_out", result.sides[i].frames_left_out);
    json.number("frame_mean_ns", result.sides[i].lengths.mean_ns);
    json.number("frame_median_ns", result.sides[i].lengths.median_ns);
    json.number("total_ns", result.joined.paths()[0].side[i].total);
    json.end_object();
  }
  json.boolean("per_frame", result.per_frame);
  result.table.json(&json, result.by_scope ? "scopes" : "paths");
  if (!result.intervals.rows.empty()) result.intervals.json(&json, "intervals");
  return json.take();
}

int run(const DiffOptions& options) {
  if (options.before.file == "-" && options.after.file == "-")
    throw CommandError(kExitUsage, "only one of the two can be the standard input");
  const ReportFormat format = options.report.format();
  const Comparison result = compare(options, format);
  const bool has_intervals = !result.intervals.rows.empty();
  if (result.joined.paths().size() == 1 && !has_intervals) throw CommandError(kExitNothing, "no scope ran there");
  if (result.found == 0 && !has_intervals)
    throw CommandError(kExitNothing,
                       std::string("no ") + noun_of(result.by_scope) + " holds " + printable(options.filter));
  put_report(
      options.report, [&] { return result.found == 0 ? result.intervals.csv() : result.table.csv(); },
      [&] { return diff_json(result); }, [&](size_t width) { return diff_text(result, width); });
  return kExitDone;
}

}  // namespace

void add_diff_command(Command* program) {
  const auto options = std::make_shared<DiffOptions>();
  Command diff = program->add_command("diff", "What changed between two captures, call path by call path");
  diff.footer(
      "Compares call paths by their names. If both captures have frames, times and calls are those of a mean frame,\n"
      "because two recordings are rarely equally long (without frame 0, the time before the first mark); otherwise\n"
      "those of the whole capture. A path that only one\n"
      "capture has is new or gone. Work that moved to another thread or caller has another path: one is gone, one is\n"
      "new. --by scope compares scopes by their names alone.\n\n"
      "Examples:\n"
      "  flamelet diff before.flamelet after.flamelet\n"
      "  flamelet diff before.flamelet after.flamelet --sort total --filter physics\n"
      "  flamelet diff before.flamelet after.flamelet --json | jq '.paths[0]'");
  diff.positional("A", &options->before.file, "The older capture; - is the standard input");
  diff.positional("B", &options->after.file, "The newer capture");
  diff.flag("--strict", &options->before.strict, "Exit with 3 if a file is damaged");
  add_frames_of_option(&diff, &options->before.frames_of);
  add_window_options(&diff, &options->window);
  add_lane_options(&diff, &options->lanes);
  const Option per_frame = diff.flag("--per-frame", &options->per_frame, "Times and calls of a mean frame");
  diff.flag("--in-all", &options->in_all, "Times and calls of the whole captures").excludes(per_frame);
  diff.flag("--keep", &options->keep_recursion, "Keep recursion as it was called, do not fold it");
  diff.choice("--by", "WHAT", &options->by, {"path", "scope"}, "Compare call paths, or scopes whoever called them");
  diff.choice("--sort", "COLUMN", &options->sort, {"self", "total", "calls"},
              "Sort by the change of this column, the largest first");
  diff.text("--filter", "TEXT", &options->filter, "Only call paths that contain this text");
  diff.number("--min", "PERCENT", &options->least_percent, 0, 100,
              "Leave out changes below this share of all (text: 0.1; else 0)");
  diff.number("--top", "N", &options->top, 0, SIZE_MAX, "The first N; 0 = all (text: 30; else all)");
  add_report_options(&diff, &options->report);
  diff.run([options] {
    options->after.strict = options->before.strict;
    options->after.frames_of = options->before.frames_of;
    return run(*options);
  });
}

}  // namespace flamelet::tools
