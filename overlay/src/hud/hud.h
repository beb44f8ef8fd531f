// SPDX-License-Identifier: MIT
//
// hud.h: the rows of the HUD below its frame times. Each draws at `row` and moves it down by a line.
#ifndef FLAMELET_OVERLAY_SRC_HUD_H
#define FLAMELET_OVERLAY_SRC_HUD_H

#include "draw/canvas.h"
#include "flamelet/flight.h"

namespace flamelet {
struct Overlay;
}

namespace flamelet::ui {

struct Choice;
struct HudRow {
  Canvas& canvas;
  float x, right;
  float y;     // of the row's text
  float line;  // from one row to the next
};

// The color says how far a frame's time is over the budget.
Rgb time_ink(const Choice& choice, int64_t ns);

// What the frames wait for, and how many frames the flight recorder keeps.
void show_bottleneck_row(Overlay& o, HudRow& row);
// The longest frame of the last 5 seconds.
void show_worst_row(Overlay& o, HudRow& row);
void show_pin_row(Overlay& o, HudRow& row, uint32_t pin);
// A scope that was over the budget that the flight recorder knows.
void show_over_row(Overlay& o, HudRow& row, const flamelet_flight_over& over);

// A counter's newest value, by its place in HudNumbers::counters.
void show_counter_row(Overlay& o, HudRow& row, uint32_t line);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_HUD_H
