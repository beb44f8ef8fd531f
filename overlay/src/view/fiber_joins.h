// SPDX-License-Identifier: MIT
//
// fiber_joins.h: where a scope of a fiber goes on after the fiber was switched away from its thread: from the end of one
// piece to the begin of the next one, which may stand on another thread's lane. It makes no ImGui call.
#ifndef FLAMELET_OVERLAY_SRC_FIBER_JOINS_H
#define FLAMELET_OVERLAY_SRC_FIBER_JOINS_H

#include "view/span_store.h"

namespace flamelet::ui {

// Pixels from the left edge of the lanes and the top of their content.
struct FiberJoin {
  float x0, y0, x1, y1;
};

class FiberJoins {
 public:
  static constexpr uint32_t kMostPieces = 2048;
  static constexpr uint32_t kMostJoins = 512;

  void carve(Carver* carver) {
    carver->take(&pieces_, kMostPieces);
    carver->take(&joins_, kMostJoins);
  }

  // Joins the pieces among the lanes' blocks. Of scopes inside each other that are cut together, the outermost are joined.
  void find(const Array<Lane>& lanes, const Array<Block>& blocks, float row_px);

  void clear() { joins_.clear(); }

  const Array<FiberJoin>& joins() const { return joins_; }

 private:
  struct Piece {
    flamelet_id id;
    int64_t begin_ns;
    bool resumed, suspended;
    float x0, x1, y;
  };

  void add_pieces(const Lane& lane, const Array<Block>& blocks, float row_px);

  Array<Piece> pieces_;
  Array<FiberJoin> joins_;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FIBER_JOINS_H
