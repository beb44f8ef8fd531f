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
  static constexpr uint32_t kMostJoins = 256;  // in view; more would be a wall of lines, and none is drawn

  void carve(Carver* carver) { carver->take(&joins_, kMostJoins); }

  // The joins that touch the view, of the store's pieces: of scopes inside each other that are cut together, the outermost
  // are joined.
  void lay_out(const SpanStore& store, View view, float width_px, float row_px);

  const Array<FiberJoin>& joins() const { return joins_; }

 private:
  Array<FiberJoin> joins_;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FIBER_JOINS_H
