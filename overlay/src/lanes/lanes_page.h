// SPDX-License-Identifier: MIT
//
// lanes_page.h: the page Lanes: the ruler, and below it a scrolling canvas of the threads, GPU queues and fibers.
#ifndef FLAMELET_OVERLAY_SRC_LANES_PAGE_H
#define FLAMELET_OVERLAY_SRC_LANES_PAGE_H

#include "counters/counter_lanes.h"
#include "draw/canvas.h"
#include "lanes/connections.h"
#include "lanes/lane_input.h"
#include "lanes/thread_states.h"
#include "pages/pages.h"

// Lane places: where each lane stands: one below the other, or several of one name in one row; lanes that have been
// silent for long fold into one line at the end.

namespace flamelet::ui {

struct LanesPage;

class JsonObject;

// The line of lanes that have nothing in view, and had nothing for kQuietNs before it.
struct QuietLanes {
  static constexpr int64_t kQuietNs = 1000000000;
  static constexpr uint32_t kLeast = 4;  // fewer stay where they are

  uint32_t count = 0;     // 0: there is no such line
  bool unfolded = false;  // by the user
  float y = 0;            // from the top of the canvas's content
};

// Takes in where the lanes' window and its content stand now. Lanes that stay at the top go along, so that what was drawn
// last is found where it is.
void move_canvas(Content& content, LanesPage& page, float top, float bottom, float content_y);
// After the layout of each lane's blocks.
void place_lanes(DrawContext& o, LanesPage& page);
void draw_quiet_line(Frame& frame, LanesPage& page, Canvas& canvas, float x, float y);
// True if this is behind lanes that stay at the top, `y` from the top of the canvas's content.
bool is_covered(const LanesPage& page, float y);
// True if this is on the line of quiet lanes, `y` from the top of the canvas's content.
bool on_quiet_line(const Frame& frame, const LanesPage& page, float y);
void write_places_state(const Content& content, const LanesPage& page, JsonObject* json);

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
  float scroll_rows = 0;  // keys or a stick scroll the lanes by so many rows in this frame
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

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LANES_PAGE_H
