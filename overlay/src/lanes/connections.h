// SPDX-License-Identifier: MIT
//
// connections.h: lines from lane to lane: flows, fibers that go on elsewhere, the critical path.
#ifndef FLAMELET_OVERLAY_SRC_CONNECTIONS_H
#define FLAMELET_OVERLAY_SRC_CONNECTIONS_H

#include "flamelet/explain.h"
#include "lanes/span_store.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

// Flow arrows: the flows that begin or end in one scope, as arrows over the lanes. It makes no ImGui call.
//
// A flow whose other end is not known is an arrow without one: it was never ended, or it was begun before the window that
// was read, or never.

// Pixels from the left edge of the lanes and the top of their content; x lies in [0, width].
struct FlowLine {
  float x0, y0, x1, y1;
  bool has_begin, has_end;  // that end is known, and in view
  bool open;                // the other end is not known
};

// How many flows one scope has.
struct FlowCounts {
  uint32_t begun = 0, ended = 0;
  uint32_t open = 0;            // never ended
  uint32_t begun_again = 0;     // of those: begun a second time instead
  uint32_t missing_begins = 0;  // ended, but not begun in the window
  bool complete = true;         // false: one id has more ends in the window than are read at a time
};

class FlowArrows {
 public:
  static constexpr uint32_t kMostArrows = 64;

  void carve(Carver* carver);
  void clear();  // no scope

  // Those of the scope with these times on this lane of the capture, in flows of the window. Reads only after a change; `generation` stands for what is in the capture.
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
  static constexpr uint32_t kFlowsAPiece = 4096;
  struct End {
    bool known;
    uint32_t lane;  // of the capture
    int64_t time_ns;
  };
  struct Arrow {
    End begin, end;
  };
  struct Target {
    uint64_t generation = 0;
    TimeWindow window;
    uint32_t capture_lane = UINT32_MAX;
    TimeWindow scope;
  };

  bool inside(const flamelet_flow& flow) const;
  void add(const flamelet_flow* begin, const flamelet_flow* end);  // NULL: it is not known
  void add_piece(const flamelet_flow* flows, size_t count);

  Target target_;
  Array<flamelet_flow> piece_;
  Array<Arrow> arrows_;
  Array<FlowLine> lines_;
  FlowCounts counts_;
  uint32_t left_out_ = 0;
};

// Fiber joins: where a scope of a fiber goes on after the fiber was switched away from its thread: from the end of one
// piece to the begin of the next one, which may stand on another thread's lane. It makes no ImGui call.

// Pixels from the left edge of the lanes and the top of their content.
struct FiberJoin {
  float x0, y0, x1, y1;
  uint32_t to;  // the piece in which it goes on, of the store's; from the one before
};

class FiberJoins {
 public:
  static constexpr uint32_t kMostJoins = 256;  // in view; more would be a wall of lines, and none is drawn

  void carve(Carver* carver) { carver->take(&joins_, kMostJoins); }

  // The joins that touch the view, of the store's pieces: of scopes inside each other that are cut together, the outermost
  // are joined.
  void lay_out(const SpanStore& store, View view, float width_px, float row_px);

  const Array<FiberJoin>& joins() const { return joins_; }
  // The one within this distance of a point; NULL if there is none.
  const FiberJoin* find(float x, float y, float slack_px) const;

 private:
  Array<FiberJoin> joins_;
};

// Critical line: the critical path of a frame as a line over the lanes: along the bottom of each scope that the frame
// waited for, with a step where it goes on in another lane or at another depth. It makes no ImGui call.

struct LineRect {
  float x0, y0, x1, y1;
};

struct CriticalLineInput {
  const flamelet_piece* pieces = nullptr;  // by time, without a gap
  size_t piece_count = 0;
  View view;
  float width_px = 0;
  float row_px = 0;
  float thickness_px = 0;
  float least_px = 0;  // of a run of shorter pieces, one is drawn: the longest
};

// Fills `rects` with the line, from the lanes' left edge and the top of their content on. Pieces on lanes that are not
// shown are left out, and so is the step to them. False if
// there is no room for all of it: then least_px has to be larger.
// Cost: proportional to the pieces in view, and for each run a search in each row of its lane.
bool lay_out_critical_line(const CriticalLineInput& input, const Array<Lane>& lanes, Array<LineRect>* rects);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_CONNECTIONS_H
