// SPDX-License-Identifier: MIT
//
// Thin lines between the pieces of a fiber's scope.
#include <algorithm>

#include "draw/canvas.h"
#include "lanes/lane_parts.h"

namespace flamelet::ui {

void draw_fiber_joins(Overlay& o, Canvas& canvas, float y) {
  o.fibers.read(o.store.lanes(), o.store.generation());
  o.fibers.lay_out(o.store.lanes(), o.timeline.view(), o.canvas.width, row_height(o));
  const float thickness = std::max(1.0f, o.unit);
  for (const FiberJoin& join : o.fibers.joins())
    canvas.line(o.canvas.x + join.x0, y + join.y0, o.canvas.x + join.x1, y + join.y1, color::kLaneFiber, thickness);
}

}  // namespace flamelet::ui
