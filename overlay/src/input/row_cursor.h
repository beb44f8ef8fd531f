// SPDX-License-Identifier: MIT
//
// row_cursor.h: rows and buttons of a page, reached by keys. The first list of a page (scrolling_rows) and the buttons
// above it (ButtonLine) take part without doing anything for it; a page asks row_chosen() and row_opened() instead of the
// mouse.
#ifndef FLAMELET_OVERLAY_SRC_ROW_CURSOR_H
#define FLAMELET_OVERLAY_SRC_ROW_CURSOR_H

#include <stdint.h>

#include <algorithm>

#include "imgui.h"

namespace flamelet::ui {

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

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_ROW_CURSOR_H
