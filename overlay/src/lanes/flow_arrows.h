// SPDX-License-Identifier: MIT
//
// flow_arrows.h: the flows that begin or end in one scope, as arrows over the lanes. It makes no ImGui call.
//
// A flow whose other end is not known is an arrow without one: it was never ended, or it was begun before the window that
// was read, or never.
#ifndef FLAMELET_OVERLAY_SRC_FLOW_ARROWS_H
#define FLAMELET_OVERLAY_SRC_FLOW_ARROWS_H

#include "lanes/span_store.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

// Pixels from the left edge of the lanes and the top of their content; x lies in [0, width].
struct FlowLine {
  float x0, y0, x1, y1;
  bool has_begin, has_end;  // that end is known, and in view
  bool open;                // the other end is not known
};

// Of the flows in one scope.
struct FlowCounts {
  uint32_t begun = 0, ended = 0;
  uint32_t open = 0;            // never ended
  uint32_t begun_again = 0;     // of those: begun a second time instead
  uint32_t missing_begins = 0;  // ended, but not begun in the window
};

class FlowArrows {
 public:
  static constexpr uint32_t kMostArrows = 64;

  void carve(Carver* carver);
  void clear();  // no scope

  // Those of the scope with these times on this lane of the capture, in flows of the window. Reads and searches only
  // after a change; `generation` stands for what is in the capture.
  void choose(const flamelet_capture* capture, TimeWindow window, uint64_t generation, uint32_t capture_lane,
              TimeWindow scope);

  const FlowCounts& counts() const { return counts_; }
  uint32_t arrow_count() const { return arrows_.count; }
  uint32_t left_out() const { return left_out_; }  // arrows beyond kMostArrows

  // From the edge of one scope's row to the edge of the other's, so that the labels of both stay free. Arrows to lanes that
  // are not shown, and those that do not touch the view, are left out.
  void lay_out(View view, float width_px, float row_px, const Array<Lane>& lanes);
  const Array<FlowLine>& lines() const { return lines_; }

 private:
  // Indices into flows_; the one that is not known is kUnknown.
  struct Arrow {
    uint32_t begin, end;
  };
  struct Target {
    uint64_t generation = 0;
    TimeWindow window;
    uint32_t capture_lane = UINT32_MAX;
    TimeWindow scope;
  };
  static constexpr uint32_t kUnknown = UINT32_MAX;
  static constexpr uint32_t kMostFlows = 16384;

  bool inside(const flamelet_flow& flow) const;
  void add(uint32_t begin, uint32_t end);
  void find();

  Target target_;
  Array<flamelet_flow> flows_;
  Array<Arrow> arrows_;
  Array<FlowLine> lines_;
  FlowCounts counts_;
  uint32_t left_out_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FLOW_ARROWS_H
