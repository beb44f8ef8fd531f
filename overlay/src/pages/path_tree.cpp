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

}  // namespace flamelet::ui
