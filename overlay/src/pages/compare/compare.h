// SPDX-License-Identifier: MIT
//
// compare.h: what the page Compare shows.
#ifndef FLAMELET_OVERLAY_SRC_COMPARE_H
#define FLAMELET_OVERLAY_SRC_COMPARE_H

#include "draw/palette.h"
#include "pages/compare/compared_paths.h"

namespace flamelet {
struct Overlay;
}

namespace flamelet::ui {

class Canvas;

struct CompareView {
  ComparedPaths paths;
  uint32_t selected = ComparedPaths::kNone;
  bool prefer_flame = false;  // where there is no room for both it and the table
  float rows_y = 0;           // on the screen, in the last frame that showed them
  uint32_t flame_blocks = 0;  // likewise
  uint32_t flame_rows = 0;
  uint32_t histogram_bins = 0;
};

// The shown frames, or the measured time, become A, and the next time B; then the page opens.
void set_compared_side(Overlay& o);
void clear_compared(Overlay& o);
// Goes on reading.
void update_compare(Overlay& o);

// The colour of a change, as a share of the largest one from -1 to 1.
Rgb change_fill(double share);
// "+1.20 ms", or calls where these are compared.
void add_change(const Overlay& o, double change, TextWriter* text);

// The differential flame graph in this rectangle, as wide as B's paths. A click selects.
void show_compared_flame(Overlay& o, float x, float y, float width, float height);
// How long the selected scope's calls took on both sides.
void draw_compared_histogram(Overlay& o, Canvas& canvas, float x, float y, float width, float height);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_COMPARE_H
