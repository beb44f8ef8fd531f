// SPDX-License-Identifier: MIT
//
// tree_command.cpp: `flamelet tree`: the aggregated call tree (docs/call_tree.md) of a capture or of perf's samples.
#include <flamelet/export.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command_line.h"
#include "display_text.h"
#include "perf_script.h"
#include "table.h"

namespace flamelet::tools {
namespace {

// ---- call trees as a drawing for the terminal, as CSV and as JSON

enum class TreeOrder { kTotal, kSelf, kCalls, kName };

struct TreeCut {
  uint32_t depth = UINT32_MAX;  // deeper paths are summed up
  double least_share = 0;       // of the whole tree's total, 0 to 1; so are paths below it
  std::string filter;           // only what leads to or comes from a name that holds it
  TreeOrder order = TreeOrder::kTotal;
};

struct ReportedTree {
  std::string name;  // of the lane; "" = of all that were merged
  std::vector<CallPath> paths;
};

struct TreeReport {
  std::string file;  // printable
  std::string unit;  // of the samples: "ns", or what perf counted
  bool calls_are_samples = false;
  std::vector<ReportedTree> trees;
};

// What is shown of a tree: children in order, and beside them the sum of those that are not.
class CutTree {
 public:
  struct More {
    uint64_t paths = 0;  // with all below them
    uint64_t calls = 0;  // of the topmost ones
    uint64_t total = 0;
  };

  CutTree(const std::vector<CallPath>& paths, const TreeCut& cut) : paths_(paths) {
    filter(cut.filter);
    const double least = cut.least_share * static_cast<double>(paths.empty() ? 0 : paths[0].total);
    more_.resize(paths.size());
    first_child_.assign(paths.size() + 1, 0);
    std::vector<uint32_t> cut_at(paths.size(), UINT32_MAX);  // where a path that is cut hangs on the shown tree
    for (uint32_t i = 1; i < paths.size(); ++i) {
      if (!passes_[i]) continue;
      const CallPath& path = paths[i];
      const bool small = path.depth > cut.depth || static_cast<double>(path.total) < least;
      if (cut_at[path.parent] == UINT32_MAX && !small) {
        children_.push_back(i);
        continue;
      }
      const bool topmost = cut_at[path.parent] == UINT32_MAX;
      cut_at[i] = topmost ? path.parent : cut_at[path.parent];
      More& more = more_[cut_at[i]];
      ++more.paths;
      if (!topmost) continue;
      more.calls += path.calls;
      more.total += path.total;
    }
    std::sort(children_.begin(), children_.end(), [&](uint32_t a, uint32_t b) { return before(cut.order, a, b); });
    for (const uint32_t child : children_) ++first_child_[paths[child].parent + 1];
    std::partial_sum(first_child_.begin(), first_child_.end(), first_child_.begin());
  }

  const More& more(uint32_t path) const { return more_[path]; }
  size_t shown_count() const { return children_.size(); }

  // Calls visit(index, is_last) for the root and every path that is shown, parents first, each behind those below the
  // one before; and leave(index) behind the last of those below it, unless it has none.
  template <class Visit, class Leave>
  void walk(Visit visit, Leave leave) const {
    if (paths_.empty()) return;
    struct Open {
      uint32_t path;
      uint32_t next;  // in children_
    };
    std::vector<Open> open = {{0, first_child_[0]}};
    visit(0, true);
    while (!open.empty()) {
      const uint32_t path = open.back().path;
      if (open.back().next == first_child_[path + 1]) {
        leave(path);
        open.pop_back();
        continue;
      }
      const uint32_t child = children_[open.back().next++];
      visit(child, open.back().next == first_child_[path + 1] && more_[path].paths == 0);
      open.push_back({child, first_child_[child]});
    }
  }

 private:
  // A path passes if it matches, leads to a match, or comes from one.
  void filter(const std::string& text) {
    passes_.assign(paths_.size(), text.empty());
    if (text.empty()) return;
    std::vector<bool> below(paths_.size(), false);
    for (size_t i = 1; i < paths_.size(); ++i) {
      below[i] = below[paths_[i].parent] || matches(paths_[i].name, text);
      passes_[i] = below[i];
    }
    for (size_t i = paths_.size(); i-- > 1;)
      if (passes_[i]) passes_[paths_[i].parent] = true;
  }

  bool before(TreeOrder order, uint32_t a, uint32_t b) const {
    const CallPath &left = paths_[a], &right = paths_[b];
    if (left.parent != right.parent) return left.parent < right.parent;
    if (order == TreeOrder::kSelf && left.self != right.self) return left.self > right.self;
    if (order == TreeOrder::kCalls && left.calls != right.calls) return left.calls > right.calls;
    if (order != TreeOrder::kName && left.total != right.total) return left.total > right.total;
    const int names = std::strcmp(left.name, right.name);
    return names != 0 ? names < 0 : a < b;
  }

  const std::vector<CallPath>& paths_;
  std::vector<bool> passes_;
  std::vector<More> more_;             // by path
  std::vector<uint32_t> children_;     // all that are shown, by parent, in order
  std::vector<uint32_t> first_child_;  // by path: where its children begin in children_
};

std::string more_text(uint64_t paths) {
  return "… " + counted(paths, "more path", "more paths");
}

std::string amount(const TreeReport& report, uint64_t samples) {
  const double number = static_cast<double>(samples);
  return report.unit == "ns" ? short_duration_text(number) : short_count_text(number);
}

class TreeDrawing {
 public:
  // The name keeps some of the width, so numbers go where there is no room for all.
  TreeDrawing(const TreeReport& report, size_t columns) : report_(report) {
    const char* const calls = report.calls_are_samples ? "samples" : "calls";
    for (const ReportedTree& tree : report.trees) {
      // "204400 d 12 h" is longer than "163.1 ms".
      if (report.unit == "ns" && static_cast<double>(tree.paths[0].total) >= 60e9) amount_width_ = 14;
      for (const CallPath& path : tree.paths) {
        const auto [first, is_new] = categories_.try_emplace(path.name, path.category);
        if (!is_new && first->second != path.category) shared_names_.insert(path.name);
      }
    }
    has_calls_ = columns >= kLeastName + 2 * amount_width_ + kCallsWidth + kShareWidth + kGap;
    has_self_ = columns >= kLeastName + 2 * amount_width_ + kShareWidth + kGap;
    const size_t numbers =
        amount_width_ + (has_self_ ? amount_width_ : 0) + (has_calls_ ? kCallsWidth : 0) + kShareWidth;
    room_ = std::max(columns - std::min(columns, numbers + kGap), kLeastName);
    text_ = numbers_of("total", "self", calls, "share") + "\n";
    if (!has_calls_) left_out_ = std::string("(no room for: ") + calls + (has_self_ ? ")\n" : ", self)\n");
  }

  void add(const ReportedTree& tree, const TreeCut& cut) {
    if (all_ != 0) text_ += "\n";  // an empty line between two trees
    const CutTree shown(tree.paths, cut);
    all_ = tree.paths[0].total;
    last_.clear();
    shown.walk(
        [&](uint32_t index, bool is_last) {
          const CallPath& path = tree.paths[index];
          last_.resize(path.depth);
          if (path.depth != 0) last_.back() = is_last;
          const bool is_root = path.depth == 0;
          row(path.total, amount(report_, path.self), is_root ? "" : std::to_string(path.calls),
              is_root ? printable(tree.name) : name_of(path));
        },
        [&](uint32_t index) {
          const CutTree::More& more = shown.more(index);
          if (more.paths == 0) return;
          last_.resize(tree.paths[index].depth + 1);
          last_.back() = true;
          row(more.total, "", std::to_string(more.calls), more_text(more.paths));
        });
  }

  std::string take() { return text_ + left_out_; }

 private:
  static constexpr size_t kCallsWidth = 10, kShareWidth = 9, kGap = 2, kLeastName = 20;

  std::string numbers_of(const std::string& total, const std::string& self, const std::string& calls,
                         const std::string& share) const {
    return right(total, amount_width_) + (has_self_ ? right(self, amount_width_) : "") +
           (has_calls_ ? right(calls, kCallsWidth) : "") + right(share, kShareWidth);
  }

  // Names of several categories are told apart by these.
  std::string name_of(const CallPath& path) const {
    const bool is_shared = !path.category.empty() && shared_names_.count(path.name) != 0;
    return printable(path.name) + (is_shared ? " (" + printable(path.category) + ")" : "");
  }

  void row(uint64_t total, const std::string& self, const std::string& calls, const std::string& name) {
    text_ += numbers_of(amount(report_, total), self, calls, share_text(total, all_)) + "  ";
    // Names keep half of the room; deeper guides are cut where the tree begins.
    const size_t levels = std::min(last_.size(), room_ / 4);
    size_t used = 2 * levels;
    if (levels < last_.size()) {
      const std::string mark = "+" + std::to_string(last_.size() - levels) + " ";
      text_ += mark;
      used += column_count(mark);
    }
    for (size_t i = last_.size() - levels; i < last_.size(); ++i) {
      const bool innermost = i + 1 == last_.size();
      text_ += innermost ? (last_[i] ? "└╴" : "├╴") : (last_[i] ? "  " : "│ ");
    }
    text_ += cut_to(name, room_ - used) + "\n";
  }

  const TreeReport& report_;
  std::map<std::string_view, std::string_view> categories_;  // the first of each name
  std::set<std::string_view> shared_names_;
  size_t amount_width_ = 10;
  bool has_self_, has_calls_;
  size_t room_;  // of the name and the guides before it
  std::string text_, left_out_;
  std::vector<bool> last_;  // by depth: no sibling follows
  uint64_t all_ = 0;
};

// Whether any path is left after the filter.
bool filter_finds(const TreeReport& report, const TreeCut& cut) {
  TreeCut filter_only;
  filter_only.filter = cut.filter;
  return std::any_of(report.trees.begin(), report.trees.end(),
                     [&](const ReportedTree& tree) { return CutTree(tree.paths, filter_only).shown_count() != 0; });
}

std::string tree_text(const TreeReport& report, const TreeCut& cut, size_t columns) {
  TreeDrawing drawing(report, columns);
  for (const ReportedTree& tree : report.trees) drawing.add(tree, cut);
  return drawing.take();
}

std::string tree_csv(const TreeReport& report, const TreeCut& cut) {
  const std::string unit = report.unit == "ns" ? "_ns" : "";
  std::string text = "tree,id,parent,depth,name,calls,total" + unit + ",self" + unit +
                     (report.calls_are_samples ? "\n" : ",category\n");
  for (const ReportedTree& tree : report.trees) {
    const std::string name = csv_field(tree.name);
    const CutTree shown(tree.paths, cut);
    shown.walk(
        [&](uint32_t index, bool) {
          const CallPath& path = tree.paths[index];
          text += name + "," + std::to_string(index) + "," + (index == 0 ? "" : std::to_string(path.parent)) + "," +
                  std::to_string(path.depth) + "," + csv_field(path.name) + "," + std::to_string(path.calls) + "," +
                  std::to_string(path.total) + "," + std::to_string(path.self) +
                  (report.calls_are_samples ? "" : "," + csv_field(path.category)) + "\n";
        },
        [&](uint32_t index) {
          const CutTree::More& more = shown.more(index);
          if (more.paths == 0) return;
          text += name + ",," + std::to_string(index) + "," + std::to_string(tree.paths[index].depth + 1) + "," +
                  more_text(more.paths) + "," + std::to_string(more.calls) + "," + std::to_string(more.total) +
                  (report.calls_are_samples ? ",\n" : ",,\n");
        });
  }
  return text;
}

std::string tree_json(const TreeReport& report, const TreeCut& cut) {
  JsonWriter json;
  json.text("file", report.file);
  json.text("unit", report.unit);
  json.objects("trees", report.trees, [&](const ReportedTree& tree) {
    json.text("name", tree.name);
    json.begin_array("paths");
    const CutTree shown(tree.paths, cut);
    shown.walk(
        [&](uint32_t index, bool) {
          const CallPath& path = tree.paths[index];
          json.begin_object();
          json.count("id", index);
          if (index != 0) json.count("parent", path.parent);
          json.count("depth", path.depth);
          json.text("name", path.name);
          json.count("calls", path.calls);
          json.count("total", path.total);
          json.count("self", path.self);
          if (!report.calls_are_samples) json.text("category", path.category);
          json.end_object();
        },
        [&](uint32_t index) {
          const CutTree::More& more = shown.more(index);
          if (more.paths == 0) return;
          json.begin_object();
          json.count("parent", index);
          json.count("depth", tree.paths[index].depth + 1);
          json.count("more_paths", more.paths);
          json.count("calls", more.calls);
          json.count("total", more.total);
          json.end_object();
        });
    json.end_array();
  });
  return json.take();
}

// ---- the command

struct TreeOptions {
  InputOptions input;
  WindowOptions window;
  LaneOptions lanes;
  ReportOptions report;
  TreeCut cut;
  double least_percent = -1;  // -1: as the format wants it
  size_t depth = UINT32_MAX;
  std::string by = "merged";
  std::string sort = "total";
  bool keep_recursion = false;
  bool fold = false;  // as without it
  bool merge_lanes = false;
  std::string event;
};

bool is_export_name(const std::string& path, flamelet_export_format* format) {
  bool gzip = false;
  return flamelet_export_format_of_path(path.c_str(), format, &gzip) &&
         (*format == FLAMELET_EXPORT_PPROF || (*format == FLAMELET_EXPORT_COLLAPSED && !gzip));
}

// What is shown. A tree takes a megabyte and more, and there may be thousands of lanes: only their paths are kept.
struct Trees {
  TreeReport report;
  std::unique_ptr<CallTree> first;                                // what a file for pprof is made of
  std::string sample_type = "time", sample_unit = "nanoseconds";  // there

  void add(std::string name, CallTree tree) {
    report.trees.push_back({std::move(name), paths_of(tree)});
    if (!first) first = std::make_unique<CallTree>(std::move(tree));
  }
};

void add_capture(const TreeOptions& options, const CaptureInput& input, Trees* trees) {
  if (options.merge_lanes && options.by != "thread")
    throw CommandError(kExitUsage, "--merge-lanes is nothing without --by thread");
  const Window window = window_of(input, options.window);
  const std::vector<size_t> lanes = lanes_of(input, options.lanes);
  trees->report.unit = "ns";
  if (options.by == "thread" || lanes.size() == 1) {
    for (const NamedLanes& named : named_lanes(input, lanes, options.merge_lanes)) {
      CallTree tree = call_tree_of(input, named.lanes, window.stretches, options.keep_recursion);
      const bool ran = flamelet_call_tree_query(
                           tree.get(), 0, [](void*, const auto*) { return true; }, nullptr) > 1;
      if (ran) trees->add(named.name, std::move(tree));
    }
  } else {
    CallTree tree = call_tree_of(input, lanes, window.stretches, options.keep_recursion);
    trees->add("sum of " + lanes_text(lanes.size(), options.lanes), std::move(tree));
  }
}

// "cycles 12, page-faults 3"
std::string other_events_text(const PerfTree& samples) {
  std::string text;
  for (const auto& [event, count] : samples.other_events())
    text += (text.empty() ? "" : ", ") + printable(event) + " " + std::to_string(count);
  return text;
}

// Samples of perf. Its reader goes with what it read, so names are kept in `names`.
void add_perf(const TreeOptions& options, InputFile* file, std::unique_ptr<PerfReader>* reader, Trees* trees) {
  if (!options.window.frames.empty() || !options.window.time.empty() || !options.input.frames_of.empty() ||
      !options.lanes.names.empty() || options.lanes.kind != LaneOptions().kind || options.by != TreeOptions().by ||
      options.merge_lanes)
    throw CommandError(kExitUsage,
                       "perf's samples have neither frames nor lanes: leave --frames, --frames-of, --time, --thread, "
                       "--lanes, --by and --merge-lanes out. The commands are the tree's first paths");
  // For a long recording of a large program: about 100 MB.
  flamelet_call_tree_config config = flamelet_call_tree_config_default();
  config.max_nodes = 1u << 20;
  config.max_blocks = 1u << 18;
  config.max_threads = 1;
  config.keep_recursion = options.keep_recursion;
  CallTree tree(config);
  const std::string name = options.input.file == "-" ? "standard input" : printable(options.input.file);
  uint64_t problems = 0;
  std::string first_problems;  // said when it is clear that this is perf's text
  std::unique_ptr<PerfTree> samples;
  *reader = std::make_unique<PerfReader>([&](const PerfSample& sample) { samples->add(sample); },
                                         [&](uint64_t line, const char* problem) {
                                           if (++problems <= 10)
                                             first_problems +=
                                                 name + ":" + std::to_string(line) + ": skipped: " + problem + "\n";
                                         });
  PerfTreeOptions perf;
  perf.event = options.event;
  perf.keep_recursion = options.keep_recursion;
  samples = std::make_unique<PerfTree>(tree.get(), (*reader)->names(), perf);
  const bool was_log = is_log(file->head());
  const CommandError no_samples = no_recording(name, file->head(), ", nor the text of perf script");
  if (is_perf_data(file->head()) || is_perf_dump(file->head())) throw no_samples;
  file->read([&](std::string_view piece) { (*reader)->feed(piece); });
  (*reader)->finish();
  if (samples->samples_added() == 0) {
    if (samples->samples_of_other_events() != 0)
      throw CommandError(kExitNothing, name + " has no samples of the event " + printable(options.event) + ", but of " +
                                           other_events_text(*samples));
    if ((*reader)->stray_frame_count() != 0 && !was_log)
      throw CommandError(kExitInput,
                         name +
                             " has stacks as perf script prints them, but no line above them tells a sample; "
                             "needed is what perf script -F comm,tid,time,period,event,ip,sym,dso prints");
    if (is_perf_header(file->head()) && problems == 0 && (*reader)->stray_frame_count() == 0)
      throw CommandError(kExitNothing, name + " has no samples: it is a header of perf script, and nothing else");
    throw no_samples;
  }
  std::fputs(first_problems.c_str(), stderr);
  if (problems > 10)
    std::fprintf(stderr, "%s: %llu lines were skipped\n", name.c_str(), static_cast<unsigned long long>(problems));
  if (options.input.strict && (problems != 0 || (*reader)->is_cut()))
    throw CommandError(kExitInput, name + " is damaged" + ((*reader)->is_cut() ? ": it ends too early" : ""));
  if ((*reader)->is_cut())
    std::fprintf(stderr,
                 "%s is damaged (it ends too early, so the last sample may lack frames); the rest of it is shown\n",
                 name.c_str());
  if (samples->samples_of_other_events() != 0)
    std::fprintf(stderr, "%s: samples of other events than %s are left out (--event chooses): %s\n", name.c_str(),
                 printable(samples->event()).c_str(), other_events_text(*samples).c_str());
  if ((*reader)->lost_count() != 0)
    std::fprintf(stderr, "%s is not complete: %llu samples or other records were lost when it was recorded\n",
                 name.c_str(), static_cast<unsigned long long>((*reader)->lost_count()));
  if (samples->is_full())
    std::fprintf(stderr, "%s: the periods sum up to more than 2^63, and are counted up to there\n", name.c_str());
  if (samples->samples_without_period() != 0)
    std::fprintf(stderr, "%s: %s without a period, and counted as the mean period\n", name.c_str(),
                 counted(samples->samples_without_period(), "sample is", "samples are").c_str());
  // The periods of perf's clocks are nanoseconds. Without periods there are samples, of whatever event.
  const std::string event = samples->event();
  const bool has_periods = !samples->counts_samples();
  const bool is_time = has_periods && (event.rfind("cpu-clock", 0) == 0 || event.rfind("task-clock", 0) == 0);
  trees->report.unit = is_time ? "ns" : has_periods ? printable(event) : "samples";
  trees->report.calls_are_samples = true;
  if (!is_time) {
    trees->sample_type = has_periods ? event : "samples";
    trees->sample_unit = "count";
  }
  samples.reset();
  trees->add(event, std::move(tree));
}

void write_export(const TreeOptions& options, const Trees& trees, flamelet_export_format format) {
  if (trees.report.trees.size() != 1)
    throw CommandError(kExitUsage, "such a file holds one tree: leave --by thread out, or name a --thread");
  std::string bytes;
  const flamelet_sink sink = {[](void* user, const void* data, size_t size) {
                                static_cast<std::string*>(user)->append(static_cast<const char*>(data), size);
                                return true;
                              },
                              &bytes};
  const flamelet_result result =
      flamelet_export_call_tree(trees.first->get(), format, trees.sample_type.c_str(), trees.sample_unit.c_str(),
                                trees.report.calls_are_samples, sink, nullptr);
  if (result != FLAMELET_OK) throw CommandError(kExitOutput, flamelet_result_message(result));
  put_report(options.report, bytes);
}

TreeOrder order_of(const std::string& column) {
  return column == "self"    ? TreeOrder::kSelf
         : column == "calls" ? TreeOrder::kCalls
         : column == "name"  ? TreeOrder::kName
                             : TreeOrder::kTotal;
}

int run(TreeOptions options) {
  options.cut.order = order_of(options.sort);
  options.cut.depth = static_cast<uint32_t>(options.depth);
  const ReportFormat report_format = options.report.format();
  flamelet_export_format format = FLAMELET_EXPORT_PPROF;
  const bool is_export = !options.report.csv && !options.report.json && is_export_name(options.report.output, &format);
  if (is_export && (options.depth != UINT32_MAX || options.least_percent >= 0 || !options.cut.filter.empty()))
    throw CommandError(kExitUsage,
                       "pprof and collapsed files hold the whole tree: leave --depth, --min and --filter out "
                       "and cut in what shows them (go tool pprof -focus, -nodefraction)");
  options.cut.least_share = (options.least_percent >= 0             ? options.least_percent
                             : report_format == ReportFormat::kText ? 0.1
                                                                    : 0) /
                            100;

  Trees trees;
  InputFile file(options.input.file);
  std::unique_ptr<CaptureInput> capture;
  std::unique_ptr<PerfReader> perf;
  if (file.head().empty() || is_recording(file.head())) {
    if (!options.event.empty()) throw CommandError(kExitUsage, "--event is for the text of perf script alone");
    capture = std::make_unique<CaptureInput>(options.input, &file);
    add_capture(options, *capture, &trees);
    trees.report.file = capture->name();
  } else {
    add_perf(options, &file, &perf, &trees);
    trees.report.file = printable(options.input.file);
  }
  if (trees.report.trees.empty() || (trees.report.trees.size() == 1 && trees.report.trees[0].paths.size() == 1))
    throw CommandError(kExitNothing, "no scope ran there");
  if (is_export) {
    write_export(options, trees, format);
    return kExitDone;
  }
  if (!filter_finds(trees.report, options.cut))
    throw CommandError(kExitNothing, "no name holds " + printable(options.cut.filter));
  put_report(
      options.report, [&] { return tree_csv(trees.report, options.cut); },
      [&] { return tree_json(trees.report, options.cut); },
      [&](size_t width) { return tree_text(trees.report, options.cut, width); });
  return kExitDone;
}

}  // namespace

void add_tree_command(Command* program) {
  const auto options = std::make_shared<TreeOptions>();
  Command tree = program->add_command("tree", "The call tree: who called whom, how often, and where the time went");
  tree.footer(
      "Every distinct call path is one line: its time with its callees (total), without them (self), and the calls "
      "that\n"
      "began in the window. Shares refer to the first line, the sum of all lanes. pprof and collapsed files have the\n"
      "whole tree; they take no --depth, --min or --filter.\n"
      "Recursion is folded, so paths stay short however deep it went; --keep shows it as it was called.\n"
      "FILE may also be the text of Linux's perf script; the calls of a path are then the samples that contain it.\n\n"
      "Examples:\n"
      "  flamelet tree game.flamelet --frames 120..130 --min 1\n"
      "  flamelet tree game.flamelet --thread Main --filter physics --depth 4\n"
      "  flamelet tree game.flamelet -o game.pb.gz && go tool pprof -http : game.pb.gz\n"
      "  perf script | flamelet tree -");
  add_input_options(&tree, &options->input,
                    "A capture, another tool's trace, or the text of perf script; - is the standard input");
  add_window_options(&tree, &options->window);
  add_lane_options(&tree, &options->lanes);
  tree.choice("--by", "HOW", &options->by, {"merged", "thread"}, "One tree of all lanes, or one for each");
  tree.flag("--merge-lanes", &options->merge_lanes, "With --by thread: lanes of the same name as one");
  const Option keep = tree.flag("--keep", &options->keep_recursion, "Keep recursion as it was called");
  tree.flag("--fold", &options->fold, "Fold recursion (default)").excludes(keep);
  tree.number("--depth", "N", &options->depth, 0, UINT32_MAX, "Sum up paths deeper than N");
  tree.number("--min", "PERCENT", &options->least_percent, 0, 100,
              "Sum up paths below this share of all (text: 0.1; else 0)");
  tree.choice("--sort", "COLUMN", &options->sort, {"total", "self", "calls", "name"}, "How siblings are sorted");
  tree.text("--filter", "TEXT", &options->cut.filter, "Only names that contain this text, their callers and callees");
  tree.text("--event", "NAME", &options->event, "perf script: samples of this event; by default the first");
  add_report_options(&tree, &options->report, ".pb.gz or .pprof for pprof, .folded, ", [](const std::string& path) {
    flamelet_export_format format;
    return is_export_name(path, &format);
  });
  tree.run([options] { return run(*options); });
}

}  // namespace flamelet::tools
