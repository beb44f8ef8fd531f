// SPDX-License-Identifier: MIT
#include "pages/flame/flame_layout.h"

#include <algorithm>

namespace flamelet::ui {

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
