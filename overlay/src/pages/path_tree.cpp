// SPDX-License-Identifier: MIT
#include "pages/path_tree.h"

#include <algorithm>

#include "flamelet/detail/hash.h"

namespace flamelet::ui {

namespace {

uint64_t value_of(const PathNode& node, PathColumn column) {
  return column == PathColumn::kTotal ? node.total : column == PathColumn::kSelf ? node.self : node.calls;
}

// What add() needs beside the tree.
struct ReadingOfTree {
  PathTree* tree;
  flamelet_call_tree* calls;
  const flamelet_span_tree* scopes;
};

}  // namespace

void PathTree::carve(Carver* carver, uint32_t max_paths) {
  carver->take(&nodes_, max_paths);
  carver->take(&rows_, max_paths);
  carver->take(&stack_, max_paths);
  toggled_.carve(carver, kToggled);
}

void PathTree::clear() {
  nodes_.clear();
  rows_.clear();
  total_ = most_total_ = most_self_ = 0;
  complete_ = true;
}

bool PathTree::add(void* user, const flamelet_call_path* path) {
  const ReadingOfTree& reading = *static_cast<ReadingOfTree*>(user);
  PathTree& tree = *reading.tree;
  if (path->depth == 0) {
    tree.total_ = path->total_samples;
    return true;
  }
  PathNode node = {};
  node.depth = path->depth - 1;
  node.id = path->ids[node.depth];
  node.calls = path->calls;
  node.self = path->self_samples;
  node.total = path->total_samples;
  uint64_t identity = node.id;
  if (reading.scopes == nullptr) {
    node.text = flamelet_call_tree_name(reading.calls, node.id);
  } else {
    flamelet_span_tree_scope(reading.scopes, node.id, &node.scope.site, &node.scope.name);
    identity = node.scope.bits();
  }
  const uint64_t above = node.depth != 0 ? tree.nodes_[tree.stack_[node.depth - 1]].key : 0;
  node.key = spread_key(above + identity + 1);
  node.key ^= node.key >> 29;
  if (node.key == 0) node.key = 1;
  const uint32_t index = tree.nodes_.count;
  if (!tree.nodes_.push(node)) return tree.complete_ = false;
  // Whatever was open at this depth or below ends here.
  for (uint32_t i = node.depth; i < tree.stack_.count; ++i) tree.nodes_[tree.stack_[i]].subtree_end = index;
  tree.stack_.count = node.depth;
  tree.stack_.push(index);
  tree.most_total_ = std::max(tree.most_total_, node.total);
  tree.most_self_ = std::max(tree.most_self_, node.self);
  return true;
}

void PathTree::read(flamelet_call_tree* calls, const flamelet_span_tree* scopes) {
  clear();
  stack_.clear();
  ReadingOfTree reading = {this, calls, scopes};
  flamelet_call_tree_query(calls, 0, &add, &reading);
  for (const uint32_t node : stack_) nodes_[node].subtree_end = nodes_.count;
  list();
}

void PathTree::sort_by(PathColumn column, bool descending) {
  column_ = column;
  descending_ = descending;
  list();
}

bool PathTree::is_open(const PathNode& node) const {
  return (node.depth < open_depth_) != (toggled_.find(node.key) != nullptr);
}

void PathTree::toggle(const PathNode& node) {
  if (toggled_.find(node.key) != nullptr)
    toggled_.erase(node.key);
  else
    toggled_.insert(node.key);
  list();
}

void PathTree::open_to(uint32_t depth) {
  open_depth_ = depth;
  toggled_.clear();
  list();
}

void PathTree::list() {
  rows_.clear();
  stack_.clear();
  // The children go onto the stack with the first one on top.
  const auto push_children = [this](uint32_t begin, uint32_t end) {
    const uint32_t first = stack_.count;
    for (uint32_t i = begin; i < end; i = nodes_[i].subtree_end) stack_.push(i);
    const auto listed_later = [this](uint32_t a, uint32_t b) {
      if (column_ == PathColumn::kPath) return descending_ ? a < b : a > b;
      const uint64_t value_a = value_of(nodes_[a], column_);
      const uint64_t value_b = value_of(nodes_[b], column_);
      if (value_a != value_b) return descending_ ? value_a < value_b : value_a > value_b;
      return a > b;
    };
    std::sort(stack_.begin() + first, stack_.end(), listed_later);
  };
  push_children(0, nodes_.count);
  while (!stack_.empty()) {
    const uint32_t node = stack_[--stack_.count];
    rows_.push(node);
    if (is_open(nodes_[node])) push_children(node + 1, nodes_[node].subtree_end);
  }
}

// ---- range paths

namespace {

constexpr uint32_t kSpansAtOnce = 4096;
constexpr int64_t kFirstSliceNs = 1000000;
constexpr int64_t kLeastSliceNs = 1000;
constexpr int64_t kMostSliceNs = 10000000000;

flamelet_call_tree_config shown_config(uint32_t max_paths, uint32_t max_scopes) {
  flamelet_call_tree_config config = flamelet_call_tree_config_default();
  config.max_nodes = max_paths + 1;  // and the root
  config.max_blocks = max_scopes;
  config.max_threads = 0;
  config.max_jumps = 0;
  config.keep_recursion = true;
  return config;
}

}  // namespace

flamelet_span_tree_config RangePaths::config() const {
  flamelet_span_tree_config config = flamelet_span_tree_config_default();
  config.max_nodes = max_paths_ + 1;
  config.max_scopes = max_scopes_;
  config.max_lanes = max_lanes_;
  config.max_spans = kSpansAtOnce;
  return config;
}

void RangePaths::carve(Carver* carver, uint32_t max_paths, uint32_t max_scopes, uint32_t max_lanes) {
  max_paths_ = max_paths;
  max_scopes_ = max_scopes;
  max_lanes_ = max_lanes;
  const flamelet_span_tree_config reader = config();
  const flamelet_call_tree_config shown = shown_config(max_paths, max_scopes);
  carver->take(&reader_memory_, flamelet_span_tree_memory_required(&reader));
  carver->take(&shown_memory_, flamelet_call_tree_memory_required(&shown));
  if (reader_memory_.data != nullptr) reset();
}

void RangePaths::reset() {
  const flamelet_span_tree_config reader = config();
  const flamelet_call_tree_config shown = shown_config(max_paths_, max_scopes_);
  flamelet_span_tree_create(&reader, reader_memory_.data, reader_memory_.capacity, &reader_);
  flamelet_call_tree_create(&shown, shown_memory_.data, shown_memory_.capacity, &shown_);
  range_ = {};
  reading_ = false;
}

void RangePaths::begin(const flamelet_capture* capture, TimeWindow range, uint32_t lane_kinds, bool keep_recursion) {
  flamelet_span_tree_select(reader_, lane_kinds, 0, keep_recursion);
  capture_ = capture;
  range_ = range;
  read_until_ns_ = range.begin_ns;
  slice_ns_ = kFirstSliceNs;
  reading_ = true;
}

void RangePaths::extend(int64_t end_ns) {
  if (capture_ == nullptr || end_ns <= range_.end_ns) return;
  range_.end_ns = end_ns;
  reading_ = true;
}

bool RangePaths::step(uint32_t max_zones) {
  if (!reading_) return false;
  const uint32_t share = std::max(max_zones / 8, 1u);
  for (size_t zones = 0; read_until_ns_ < range_.end_ns;) {
    if (zones >= max_zones) return false;
    const int64_t slice_ns = std::min(slice_ns_, range_.end_ns - read_until_ns_);
    const size_t looked = flamelet_span_tree_add_window(reader_, capture_, read_until_ns_, read_until_ns_ + slice_ns);
    read_until_ns_ += slice_ns;
    if (looked > share) slice_ns_ = std::max(slice_ns_ / 2, kLeastSliceNs);
    if (looked < share / 4) slice_ns_ = std::min(slice_ns_ * 2, kMostSliceNs);
    zones += looked + 1;  // so that stretches without a span end, too
  }
  flamelet_call_tree_clear(shown_);
  flamelet_call_tree_merge(shown_, flamelet_span_tree_calls(reader_));
  reading_ = false;
  return true;
}

// ---- The flame graph's layout -------------------------------------------------------------------------------------

uint32_t find_path(const Array<PathNode>& nodes, uint64_t key) {
  const auto is = [key](const PathNode& node) { return node.key == key; };
  return static_cast<uint32_t>(std::find_if(nodes.begin(), nodes.end(), is) - nodes.begin());
}

FlameLayout layout_flame(const Array<PathNode>& nodes, uint64_t total, uint32_t zoom, float width_px,
                         float merge_limit_px, Array<uint64_t>* edges, Array<FlameBlock>* blocks) {
  FlameLayout layout;
  blocks->clear();
  const bool zoomed = zoom < nodes.count;
  if (zoomed) total = nodes[zoom].total;
  if (total == 0 || !(width_px > 0)) return layout;
  const double px_per_sample = static_cast<double>(width_px) / static_cast<double>(total);
  const auto x = [&](uint64_t samples) {
    return std::min(static_cast<float>(static_cast<double>(samples) * px_per_sample), width_px);
  };
  const auto push = [&](const FlameBlock& block) {
    layout.rows = std::max(layout.rows, block.depth + 1);
    return blocks->push(block);
  };
  // The callers of the zoomed path: those whose subtree holds it.
  uint32_t begin = 0, end = nodes.count;
  if (zoomed) {
    begin = zoom;
    end = nodes[zoom].subtree_end;
    for (uint32_t i = 0; i < zoom;) {
      const bool above = nodes[i].subtree_end > zoom;
      if (above && !push({0, width_px, i, 1, nodes[i].depth, false})) layout.complete = false;
      i = above ? i + 1 : nodes[i].subtree_end;
    }
  }
  // edges[d]: where the next path of depth d begins, in samples from the left.
  edges->count = edges->capacity;
  if (begin < end) (*edges)[nodes[begin].depth] = 0;
  for (uint32_t i = begin; i < end;) {
    const PathNode& node = nodes[i];
    const uint64_t left = (*edges)[node.depth];
    const uint64_t right = left + node.total;
    (*edges)[node.depth] = right;
    const float x0 = x(left), x1 = x(right);
    if (x1 - x0 >= merge_limit_px) {
      if (!push({x0, x1, i, 1, node.depth, false})) layout.complete = false;
      if (node.subtree_end > i + 1) (*edges)[node.depth + 1] = left;
      ++i;
      continue;
    }
    // A path of this depth that follows directly on a narrow one has the same caller.
    FlameBlock* last = blocks->empty() ? nullptr : &blocks->data[blocks->count - 1];
    const uint32_t paths = node.subtree_end - i;
    if (last != nullptr && last->narrow && last->depth == node.depth) {
      last->x1 = x1;
      last->paths += paths;
    } else if (!push({x0, x1, i, paths, node.depth, true})) {
      layout.complete = false;
    }
    i = node.subtree_end;
  }
  for (const FlameBlock& block : *blocks) (block.merged() ? layout.paths_merged : layout.paths_drawn) += block.paths;
  return layout;
}

}  // namespace flamelet::ui
