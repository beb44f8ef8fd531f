// SPDX-License-Identifier: MIT
//
// fiber_joins.h: where a scope of a fiber goes on after the fiber was switched away from its thread: from the end of one
// piece to the begin of the next one, which may stand on another thread's lane. It makes no ImGui call.
#ifndef FLAMELET_OVERLAY_SRC_FIBER_JOINS_H
#define FLAMELET_OVERLAY_SRC_FIBER_JOINS_H

#include "lanes/span_store.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

// Pixels from the left edge of the lanes and the top of their content.
struct FiberJoin {
  float x0, y0, x1, y1;
};

class FiberJoins {
 public:
  static constexpr uint32_t kMostPieces = 8192;
  static constexpr uint32_t kMostJoins = 256;  // in view; more would be a wall of lines, and none is drawn

  void carve(Carver* carver) {
    carver->take(&pieces_, kMostPieces);
    carver->take(&joins_, kMostJoins);
  }

  // Finds the pieces among the spans that were read; again only for another `generation` of them. Of scopes inside each
  // other that are cut together, the outermost are joined.
  void read(const Array<Lane>& lanes, uint64_t generation);
  // The joins that touch the view.
  void lay_out(const Array<Lane>& lanes, View view, float width_px, float row_px);

  const Array<FiberJoin>& joins() const { return joins_; }

 private:
  struct Piece {
    flamelet_id id;
    int64_t begin_ns, end_ns;
    uint32_t capture_lane;
    uint16_t depth, flags;
  };

  Array<Piece> pieces_;  // by id and begin
  Array<FiberJoin> joins_;
  uint64_t generation_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FIBER_JOINS_H
