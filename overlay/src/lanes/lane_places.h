// SPDX-License-Identifier: MIT
//
// lane_places.h: where each lane stands: one below the other, or several of one name in one row; lanes that have been
// silent for long fold into one line at the end.
#ifndef FLAMELET_OVERLAY_SRC_LANE_PLACES_H
#define FLAMELET_OVERLAY_SRC_LANE_PLACES_H

#include "draw/canvas.h"

namespace flamelet {
struct Overlay;
}

namespace flamelet::ui {

struct Content;
struct Frame;
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
void place_lanes(Overlay& o, LanesPage& page);
void draw_quiet_line(Frame& frame, LanesPage& page, Canvas& canvas, float x, float y);
// True if this is behind lanes that stay at the top, `y` from the top of the canvas's content.
bool is_covered(const LanesPage& page, float y);
// True if this is on the line of quiet lanes, `y` from the top of the canvas's content.
bool on_quiet_line(const Frame& frame, const LanesPage& page, float y);
void write_places_state(const Content& content, const LanesPage& page, JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LANE_PLACES_H
