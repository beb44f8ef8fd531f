// SPDX-License-Identifier: MIT
//
// frame.h: what is valid while one frame is drawn.
#ifndef FLAMELET_OVERLAY_SRC_FRAME_H
#define FLAMELET_OVERLAY_SRC_FRAME_H

#include <stdint.h>
#include <algorithm>

#include "draw/text.h"
#include "draw/theme.h"
#include "imgui.h"

namespace flamelet::ui {

// Notes: what was drawn where in the newest frame. It is written to the state (overlay_write_state), so that tests find what
// they click on; nothing else depends on it.

// Names are string literals. A note without room is left out.
class Notes {
 public:
  struct Note {
    const char* name;
    bool is_count;  // else a place
    uint64_t count;
    float x, y, width, height;
  };

  // What was noted in another frame (ImGui's number) is forgotten.
  void begin_frame(int frame) {
    if (frame_ != frame) count_ = 0;
    frame_ = frame;
  }
  // On the screen: a point, or a rectangle. As NAME_x_px, NAME_y_px, NAME_width_px and NAME_height_px.
  void note_place(const char* name, float x, float y, float width = 0, float height = 0) {
    if (count_ != kMost) notes_[count_++] = {name, false, 0, x, y, width, height};
  }
  void note_count(const char* name, uint64_t count) {
    if (count_ != kMost) notes_[count_++] = {name, true, count, 0, 0, 0, 0};
  }

  const Note* begin() const { return notes_; }
  const Note* end() const { return notes_ + count_; }

 private:
  static constexpr uint32_t kMost = 32;

  Note notes_[kMost];
  uint32_t count_ = 0;
  int frame_ = -1;
};

// Row cursor: rows and buttons of a page, reached by keys. The first list of a page (scrolling_rows) and the buttons
// above it (ButtonLine) take part without doing anything for it; a page asks row_chosen() and row_opened() instead of the
// mouse.

struct RowCursor {
  // What the keys of this frame ask for.
  int step = 0;
  bool open = false;
  bool next_column = false;
  bool press = false;

  uint32_t row = UINT32_MAX;  // of the first list
  uint32_t button = UINT32_MAX;
  uint32_t buttons = 0;  // of the page, so far in this frame
  uint32_t buttons_before = 0;

  // The list that has just been drawn was asked for its row by a key.
  bool chosen = false;
  bool opened = false;

  int list_frame = -2;  // ImGui's number of the frame with the last list
  uint32_t page = 0;    // that they are of

  bool here() const { return list_frame + 1 >= ImGui::GetFrameCount(); }
  void begin_frame(uint32_t shown_page) {
    step = 0;
    open = next_column = press = chosen = opened = false;
    buttons_before = buttons;
    buttons = 0;
    if (page != shown_page) row = button = UINT32_MAX;
    page = shown_page;
  }
  // True if the list that begins now is the first of this frame; then `row` is the one to be shown.
  bool begin_list(uint32_t count) {
    chosen = opened = false;
    if (list_frame == ImGui::GetFrameCount() || count == 0) return false;
    list_frame = ImGui::GetFrameCount();
    if (step == 0 && !open) return false;
    if (row >= count)
      row = 0;
    else
      row = static_cast<uint32_t>(std::min<int64_t>(std::max<int64_t>(int64_t{row} + step, 0), int64_t{count} - 1));
    chosen = step != 0;
    opened = open;
    return true;
  }
  void mark_next() { button = buttons_before != 0 ? (button + 1) % buttons_before : UINT32_MAX; }
  // Whether a key presses the button that comes now; `marked`: whether it would.
  bool pressed(bool* marked) {
    *marked = buttons++ == button;
    return *marked && press;
  }
};

// The open menu, which arrows and Enter are about (begin_menu(), menu_item()).
struct MenuCursor {
  uint32_t row = UINT32_MAX;
  uint32_t items = 0;  // in this frame
  uint32_t items_before = 0;
  bool accept = false;
  int frame = -2;  // ImGui's number of the last frame with a menu in it

  bool open() const { return frame + 1 >= ImGui::GetFrameCount(); }
};

// What gives way to the page where there is little height, each with those before it.
enum class Folded { kNothing, kBars, kTruth, kTitle };

struct Frame {
  Folded folded = Folded::kNothing;
  FontMetrics metrics;
  float unit = 1;  // pixels per pixel of a 13 px font
  Theme theme = {};
  float content_x = 0, content_y = 0, content_width = 0;  // of the overlay, on the screen
  bool takes_input = true;                                // false in a read-only overlay
  bool tooltips = true;                                   // false where something lies over the page
  RowCursor rows;
  MenuCursor menu;
  Notes notes;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FRAME_H
