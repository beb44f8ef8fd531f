// SPDX-License-Identifier: MIT
#include "tree_report.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "command.h"
#include "command_line.h"
#include "display_text.h"
#include "span_pieces.h"
#include "table.h"

namespace flamelet::tools {

// ---- call paths

namespace {

constexpr uint32_t kMostNodes = 1u << 22;

[[noreturn]] void fail(flamelet_result result) {
  throw CommandError(kExitInput, std::string("cannot make a call tree: ") + flamelet_result_message(result));
}

// A span tree with its memory.
class SpanTree {
 public:
  explicit SpanTree(const flamelet_span_tree_config& config) {
    const size_t bytes = flamelet_span_tree_memory_required(&config);
    memory_.reset(new unsigned char[bytes]);
    const flamelet_result result = flamelet_span_tree_create(&config, memory_.get(), bytes, &tree_);
    if (result != FLAMELET_OK) fail(result);
  }
  flamelet_span_tree* get() const { return tree_; }

 private:
  std::unique_ptr<unsigned char[]> memory_;
  flamelet_span_tree* tree_ = nullptr;
};

}  // namespace

CallTree::CallTree(const flamelet_call_tree_config& config) {
  const size_t bytes = flamelet_call_tree_memory_required(&config);
  memory_.reset(new unsigned char[bytes]);
  const flamelet_result result = flamelet_call_tree_create(&config, memory_.get(), bytes, &tree_);
  if (result != FLAMELET_OK) fail(result);
}

CallTree call_tree_of(const CaptureInput& input, const std::vector<size_t>& lanes, const Window& window,
                      bool keep_recursion) {
  const flamelet_capture* const capture = input.get();
  const size_t span_count = count_spans(capture, lanes, window.begin_ns, window.end_ns);
  flamelet_span_tree_config config = flamelet_span_tree_config_default();
  config.max_spans = FLAMELET_CURSOR_LEAST;
  config.keep_recursion = keep_recursion;
  SpanPieces pieces(capture);
  for (;;) {
    const SpanTree spans(config);
    const auto bind_and_name = [&] { flamelet_span_tree_add_window(spans.get(), capture, 0, 0); };
    bind_and_name();
    flamelet_call_tree_config merged_config = flamelet_call_tree_config_default();
    merged_config.max_nodes = config.max_nodes;
    merged_config.max_blocks = config.max_scopes;
    merged_config.max_threads = 0;
    merged_config.keep_recursion = keep_recursion;
    CallTree merged(merged_config);
    bool scopes_fit = true;
    Progress progress("adding up " + input.name(), span_count, Progress::Unit::kSpans);
    for (const size_t lane : lanes) {
      flamelet_lane_info info;
      flamelet_capture_lane(capture, lane, &info);
      flamelet_span_tree_select(spans.get(), FLAMELET_LANE_BIT(info.kind), info.id, keep_recursion);
      pieces.read(lane, window.begin_ns, window.end_ns, [&](const flamelet_span* piece, size_t count) {
        flamelet_span_tree_add_spans(spans.get(), piece, count, window.begin_ns, window.end_ns);
        progress.add(count);
      });
      bind_and_name();
      flamelet_call_tree_merge(merged.get(), flamelet_span_tree_calls(spans.get()));
      flamelet_span_tree_stats stats;
      flamelet_span_tree_get_stats(spans.get(), &stats);
      scopes_fit = scopes_fit && stats.calls_of_no_scope == 0;
    }
    flamelet_call_tree_stats stats;
    flamelet_call_tree_get_stats(merged.get(), &stats);
    if ((scopes_fit && stats.charged_no_room == 0) || config.max_nodes >= kMostNodes) return merged;
    config.max_nodes *= 4;
    config.max_scopes *= 4;
  }
}

std::vector<CallPath> paths_of(flamelet_call_tree* tree) {
  struct Walk {
    std::vector<CallPath> paths;
    std::vector<uint32_t> ids;   // by path; a visitor must not ask the tree for names
    std::vector<uint32_t> open;  // the path at each depth
  } walk;
  flamelet_call_tree_query(
      tree, 0,
      [](void* user, const flamelet_call_path* path) {
        Walk& self = *static_cast<Walk*>(user);
        self.open.resize(path->depth);
        const uint32_t parent = path->depth == 0 ? 0 : self.open.back();
        self.open.push_back(static_cast<uint32_t>(self.paths.size()));
        self.ids.push_back(path->depth == 0 ? FLAMELET_CALL_ROOT : path->ids[path->depth - 1]);
        self.paths.push_back({parent, path->depth, "", path->calls, path->self_samples, path->total_samples});
        return true;
      },
      &walk);
  for (size_t i = 0; i < walk.paths.size(); ++i) walk.paths[i].name = flamelet_call_tree_name(tree, walk.ids[i]);
  return std::move(walk.paths);
}

namespace {

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
      below[i] = below[paths_[i].parent] || contains(paths_[i].name, text);
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

std::string amount(const TreeReport& report, uint64_t samples) {
  const double number = static_cast<double>(samples);
  return report.unit == "ns" ? short_duration_text(number) : short_count_text(number);
}

class TreeDrawing {
 public:
  // The name keeps some of the width, so numbers go where there is no room for all.
  TreeDrawing(const TreeReport& report, size_t columns) : report_(report) {
    const char* const calls = report.calls_are_samples ? "samples" : "calls";
    has_calls_ = columns >= kLeastName + 2 * kAmountWidth + kCallsWidth + kShareWidth + kGap;
    has_self_ = columns >= kLeastName + 2 * kAmountWidth + kShareWidth + kGap;
    const size_t numbers = kAmountWidth + (has_self_ ? kAmountWidth : 0) + (has_calls_ ? kCallsWidth : 0) + kShareWidth;
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
              is_root ? tree.name : printable(path.name));
        },
        [&](uint32_t index) {
          const CutTree::More& more = shown.more(index);
          if (more.paths == 0) return;
          last_.resize(tree.paths[index].depth + 1);
          last_.back() = true;
          row(more.total, "", std::to_string(more.calls),
              "… " + std::to_string(more.paths) + (more.paths == 1 ? " more path" : " more paths"));
        });
  }

  std::string take() { return text_ + left_out_; }

 private:
  static constexpr size_t kAmountWidth = 10, kCallsWidth = 10, kShareWidth = 9, kGap = 2, kLeastName = 20;

  std::string numbers_of(const std::string& total, const std::string& self, const std::string& calls,
                         const std::string& share) const {
    return right(total, kAmountWidth) + (has_self_ ? right(self, kAmountWidth) : "") +
           (has_calls_ ? right(calls, kCallsWidth) : "") + right(share, kShareWidth);
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
  bool has_self_, has_calls_;
  size_t room_;  // of the name and the guides before it
  std::string text_, left_out_;
  std::vector<bool> last_;  // by depth: no sibling follows
  uint64_t all_ = 0;
};

}  // namespace

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
  std::string text = "tree,id,parent,depth,name,calls,total" + unit + ",self" + unit + "\n";
  for (const ReportedTree& tree : report.trees) {
    const std::string name = csv_field(tree.name);
    CutTree(tree.paths, cut)
        .walk(
            [&](uint32_t index, bool) {
              const CallPath& path = tree.paths[index];
              text += name + "," + std::to_string(index) + "," + (index == 0 ? "" : std::to_string(path.parent)) + "," +
                      std::to_string(path.depth) + "," + csv_field(path.name) + "," + std::to_string(path.calls) + "," +
                      std::to_string(path.total) + "," + std::to_string(path.self) + "\n";
            },
            [](uint32_t) {});
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
    CutTree(tree.paths, cut)
        .walk(
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
              json.end_object();
            },
            [](uint32_t) {});
    json.end_array();
  });
  return json.take();
}

}  // namespace flamelet::tools
