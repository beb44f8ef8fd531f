// SPDX-License-Identifier: MIT
//
// flame_layout.h: the flame graph of a path tree, as plain geometry. A path is as wide as its total, and stands below its
// caller from the left in the order of the tree, which is that of the first calls and so does not jump. Neighbours that
// are narrower than the merge limit become one block together, with everything that they called, and that block says
// how many paths it stands for.
//
// Invariant: the sum of `paths` over the blocks is the number of paths that are shown, at every width, as long as the
// blocks have room.
#ifndef FLAMELET_OVERLAY_SRC_FLAME_LAYOUT_H
#define FLAMELET_OVERLAY_SRC_FLAME_LAYOUT_H

#include "pages/path_tree.h"

namespace flamelet::ui {

struct FlameBlock {
  float x0, x1;    // pixels, within [0, width]
  uint32_t first;  // node; of a merged block, the first of several
  uint32_t paths;  // that this block stands for; 1 = the node alone
  uint32_t depth;
  bool narrow;  // below the merge limit: its callees are in it

  bool merged() const { return paths != 1; }
};

struct FlameLayout {
  uint32_t rows = 0;
  uint32_t paths_drawn = 0;
  uint32_t paths_merged = 0;
  bool complete = true;  // false: `blocks` was full
};

// The node of this key; the count of nodes if there is none.
uint32_t find_path(const Array<PathNode>& nodes, uint64_t key);

// `zoom` is the node that fills the width, with its callers above it as wide; UINT32_MAX = all of the tree, whose total
// is `total`. `edges` is scratch, as large as the tree is deep. The blocks stand in the order of the tree.
FlameLayout layout_flame(const Array<PathNode>& nodes, uint64_t total, uint32_t zoom, float width_px,
                         float merge_limit_px, Array<uint64_t>* edges, Array<FlameBlock>* blocks);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FLAME_LAYOUT_H
