// SPDX-License-Identifier: MIT
//
// lane_input.h: what mouse and keys do over the lanes.
#ifndef FLAMELET_OVERLAY_SRC_LANE_INPUT_H
#define FLAMELET_OVERLAY_SRC_LANE_INPUT_H

#include "content/gpu_frames.h"
#include "imgui.h"
#include "lanes/viewport.h"
#include "pages/pages.h"

namespace flamelet::ui {

// Lane mouse: what the mouse is doing over the lanes.

// What is under the mouse in this frame.
struct Hover {
  uint32_t lane = UINT32_MAX;     // index in SpanStore::lanes(); UINT32_MAX = none
  uint32_t block = UINT32_MAX;    // index in Canvas::blocks; UINT32_MAX = none
  uint32_t instant = UINT32_MAX;  // index among the lane's instants; UINT32_MAX = none
  bool canvas = false;            // the mouse is over the lanes
  bool above = false;             // in the gap above the lane
  int64_t time_ns = 0;

  void leave_lanes() {
    lane = block = instant = UINT32_MAX;
    above = false;
  }
};

// How often a scope ran on a lane in the shown frames, and how long in all: counted when the mouse comes to it, and not
// in every frame that it stays.
struct HoverCount {
  uint64_t generation = 0;  // of the spans
  uint32_t lane = UINT32_MAX;
  ScopeKey scope;
  TimeWindow shown;
  uint64_t count = 0;
  int64_t total_ns = 0;

  bool is_about(uint64_t of_generation, uint32_t of_lane, ScopeKey of_scope, TimeWindow of_shown) const {
    return generation == of_generation && lane == of_lane && scope == of_scope && shown == of_shown;
  }
};

// What a held button does.
enum class DragKind : uint32_t { kNone, kPressed, kMeasure, kPan, kMoveLane };

struct Drag {
  DragKind kind = DragKind::kNone;
  int button = 0;
  float x = 0, y = 0;  // where the button went down
  bool moved = false;  // far enough not to be a click
  View view;           // when it went down
  float scroll = 0;
  flamelet_lane_kind lane_kind = FLAMELET_LANE_THREAD;  // of the lane whose label it is
  uint32_t lane_id = 0;

  bool active() const { return kind != DragKind::kNone; }
  void stop() { kind = DragKind::kNone; }
};

// What the context menus are about.
struct LaneMenu {
  bool open = false;           // in this frame
  bool open_measured = false;  // the same for the menu of the measured stretch
  bool close_measured = false;
  int measured_frame = -2;  // ImGui's number of the last frame with that menu
  bool by_key = false;      // then it opens at (x, y), and not at the mouse
  float x = 0, y = 0;
  SelectedSpan span;
  flamelet_lane_kind lane_kind = FLAMELET_LANE_THREAD;
  uint32_t lane_id = 0;

  bool shows_measured() const { return measured_frame + 1 >= ImGui::GetFrameCount(); }
};

// The CPU scope that submitted the GPU span under the mouse.
struct Submitter {
  flamelet_id id = 0;  // of the GPU span; 0 = none
  bool found = false;
  ScopePlace place;
};

struct LaneMouse {
  Hover hover;
  HoverCount counted;
  Drag drag;
  LaneMenu menu;
  Submitter submitter;
};

// Lane keys: scopes and lanes without a mouse: from the selected one to its neighbours, and what can be done with it.

enum class Neighbor { kParent, kChild, kPrevious, kNext };

// Beyond an outermost scope lies the lane above, beyond an innermost one the lane below. Without a selection: the longest
// scope in view.
void select_neighbor(PageContext& o, Neighbor direction);
// The longest scope in view; if one is selected, zooms to it.
void select_or_zoom(Content& content, Choice& choice);
// The selected scope's time becomes the measured one; again: no more.
void measure_selection(Content& content, Choice& choice);
// The menu of the selected scope and its lane, on the page Lanes.
void open_selection_menu(PageContext& o);

// The lane of the selection, or else the one under the mouse, or the first; NULL if there is none.
Lane* lane_of_keys(PageContext& o);
void fold_selected_lane(PageContext& o);
// Up (-1) or down (+1), past the next shown one.
void move_lane(PageContext& o, const Lane& lane, int by);
void move_selected_lane(PageContext& o, int by);
void show_hidden_lanes(Content& content, Choice& choice);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LANE_INPUT_H
