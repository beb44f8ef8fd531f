// SPDX-License-Identifier: MIT
//
// Thin lines between the pieces of a fiber's scope.
#include <algorithm>

#include "draw/canvas.h"
#include "lanes/lane_parts.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

void draw_fiber_joins(Overlay& o, LanesPage& page, Canvas& canvas, float y) {
  page.fibers.lay_out(o.store, o.timeline.view(), page.canvas.width, row_height(o));
  const float thickness = std::max(1.0f, o.unit);
  for (const FiberJoin& join : page.fibers.joins())
    canvas.line(page.canvas.x + join.x0, y + join.y0, page.canvas.x + join.x1, y + join.y1, color::kLaneFiber,
                thickness);
}

}  // namespace flamelet::ui
