// SPDX-License-Identifier: MIT
//
// lanes_page.h: the page Lanes: the ruler, and below it a scrolling canvas of the threads, GPU queues and fibers.
#ifndef FLAMELET_OVERLAY_SRC_LANES_PAGE_H
#define FLAMELET_OVERLAY_SRC_LANES_PAGE_H

#include "content/gpu_frames.h"
#include "counters/counter_lanes.h"
#include "draw/canvas.h"
#include "draw/widgets.h"
#include "flamelet/capture.h"
#include "imgui.h"
#include "lanes/connections.h"
#include "lanes/span_store.h"
#include "lanes/thread_states.h"
#include "lanes/viewport.h"
#include "pages/pages.h"

// What mouse and keys do over the lanes.

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
void fold_selected_lane(PageContext& o);
// Up (-1) or down (+1), past the next shown one.
void move_selected_lane(PageContext& o, int by);
void show_hidden_lanes(Content& content, Choice& choice);

// Lane places: where each lane stands: one below the other, or several of one name in one row; lanes that have been
// silent for long fold into one line at the end.

struct LanesPage;

// The line of lanes that have nothing in view, and had nothing for kQuietNs before it, or, of a file, for 1 / kPart of its
// time: one that is short may have many threads that live for one frame.
struct QuietLanes {
  static constexpr int64_t kQuietNs = 1000000000;
  static constexpr int64_t kPart = 16;
  static constexpr uint32_t kLeast = 4;  // fewer stay where they are

  uint32_t count = 0;     // 0: there is no such line
  bool unfolded = false;  // by the user
  float y = 0;            // from the top of the canvas's content
};

// After the layout of each lane's blocks.
void draw_quiet_line(Frame& frame, LanesPage& page, Canvas& canvas, float x, float y);

// What the lanes' blocks were laid out for.
struct LayoutKey {
  uint64_t spans = UINT64_MAX;  // SpanStore::generation()
  uint64_t lanes = 0;           // a hash of which are shown, and how
  TimeWindow window;
  float width_px = 0, merge_limit_px = 0;

  bool operator==(const LayoutKey& other) const {
    return spans == other.spans && lanes == other.lanes && window == other.window && width_px == other.width_px &&
           merge_limit_px == other.merge_limit_px;
  }
};

// The lanes' geometry, of the frame being drawn.
struct LaneCanvas {
  float scrolled() const { return top - y; }

  Array<Block> blocks;
  LayoutKey laid_out;
  Array<LineRect> critical_line;
  float x = 0, y = 0, width = 0;  // where the time axis lies on the screen; y is that of the content, which scrolls
  float height = 0;               // of all lanes together
  float top = 0, bottom = 0;      // of the window in which they scroll, on the screen
  float covered = 0;              // of that window, by lanes that stay while the others scroll
  uint32_t intervals_drawn = 0;   // drawn + merged = in view
  uint32_t intervals_merged = 0;
  QuietLanes quiet;
  uint64_t revealed = 0;                          // of the selected scope that was last brought into sight
  uint32_t reveal_counter = CounterTable::kNone;  // whose lane is to be brought into sight
  float scroll_rows = 0;                          // keys or a stick scroll the lanes by so many rows in this frame
};

struct LanesPage : Page {
  void carve(Carver* carver, const OverlayConfig& config) override;
  void reset(PageContext& o) override;
  void draw(PageContext& o, float height) override;
  void write_state(const PageContext& o, JsonObject* json) const override;

  LaneCanvas canvas;
  CounterCanvas counters;
  StateBlocks states;
  LaneMouse mouse;
  FlowArrows flows;
  FiberJoins fibers;
};

LanesPage& lanes_of(PageContext& o);
const LanesPage& lanes_of(const PageContext& o);

// The parts of the page Lanes. (x, y) is where the content begins, which scrolls.

class Why;

inline float lane_gap(const Frame& frame) {
  return scaled(frame, 6);
}

// A colour that the user chose: LaneChoice::color.
inline Rgb lane_color(uint8_t chosen) {
  return theme().scopes[(chosen - 1u) * (kScopeColorCount / LaneChoices::kColors)];
}

// Only what lies between clip_top and clip_bottom.
void draw_lanes(DrawContext& o, const Why& why, LanesPage& page, float x, float y, float clip_top, float clip_bottom);
// The triangle before a lane's label. (x, top) is the label's row.
void draw_fold_arrow(const Frame& frame, Canvas& canvas, const Lane& lane, float x, float top);
// When the selected message was.
void draw_ruler(const Content& content, Frame& frame, LanesPage& page, float x, float y, float height);
void show_lane_tooltip(Content& content, Frame& frame, LanesPage& page);

// What is said of an interval: in its tooltip, in the details below the page, in the state.

// NULL if none is selected.
const flamelet_interval* selected_interval(const Content& content, const Choice& choice);
void add_interval_values(const Content& content, const flamelet_interval& interval, ValueLine* line);
void write_intervals_state(const Content& content, const Choice& choice, const LanesPage& page, JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LANES_PAGE_H
