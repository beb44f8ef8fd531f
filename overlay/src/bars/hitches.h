// SPDX-License-Identifier: MIT
//
// hitches.h: the hitches, which are the frames that the program's flight recorder keeps (flamelet/flight.h): a strip beside
// the frame bars, the way to each of them, and why it was slow.
#ifndef FLAMELET_OVERLAY_SRC_HITCHES_H
#define FLAMELET_OVERLAY_SRC_HITCHES_H

#include <string_view>

#include "bars/hitch_reason.h"
#include "bars/hitch_strip.h"
#include "draw/canvas.h"

namespace flamelet {
struct Overlay;
}

namespace flamelet::ui {

struct Frame;
struct Hitches {
  static constexpr uint32_t kMost = 256;
  static constexpr uint32_t kSentences = 32;

  // Said once of each, and kept while there are not too many others.
  struct Sentence {
    uint64_t id = 0;
    int64_t budget_ns = 0;
    char text[HitchReason::kTextBytes] = {};
  };

  flamelet_flight* flight = nullptr;  // the program's; NULL = none
  Array<flamelet_flight_info> list;   // the longest first
  Array<HitchBar> bars;
  Array<Sentence> sentences;
  HitchReason reason;  // the next sentence
  uint32_t next_sentence = 0;
  uint64_t newest = 0;            // id of the newest that was seen
  uint64_t shown = 0;             // id of the one that was gone to
  uint64_t hovered = 0;           // id; 0 = none
  uint64_t clicked = 0;           // id, while the mouse stays on it; 0 = none
  bool hold = false;              // the mouse is over the strip, which stands still
  int frame = -2;                 // ImGui's number of the frame in which they were looked at
  float x = 0, y = 0, width = 0;  // of the strip, on the screen

  void carve(Carver* carver) {
    carver->take(&list, kMost);
    carver->take(&bars, kMost);
    carver->take(&sentences, kSentences);
  }
};

// Once a frame: what is kept now. Goes to a new one, if the settings say so.
void update_hitches(Overlay& o);
// Pauses on the frame: in the live capture while that has it, else in the hitch's own.
void show_hitch(Overlay& o, const flamelet_flight_info& info);
// To the next one in time (+1), or the previous one (-1).
void step_hitch(Overlay& o, int direction);
// Why it was slow; empty if that cannot be said, or while it is being found. The first look at one begins that.
std::string_view hitch_sentence(Overlay& o, const flamelet_flight_info& info);

// The scopes that were over their budgets in the last 60 frames, which a single frame would only let flicker: furthest over
// first. Returns how many were written. Budgets are the flight recorder's (flamelet_flight_set_budgets()).
constexpr size_t kOverRows = 4;
size_t scopes_over_budget(const Overlay& o, flamelet_flight_over (&over)[kOverRows]);

// A flag; a glyph would need a font that has it.
void draw_flag(const Frame& frame, Canvas& canvas, float x, float y, Rgb fill);
// Draws the strip, at most so wide, and handles the mouse over it. Returns its width.
float show_hitch_strip(Overlay& o, float x, float y, float most_width, float height);
// Flags on the bars of hitches.
void draw_hitch_flags(Overlay& o, float x, float y);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_HITCHES_H
