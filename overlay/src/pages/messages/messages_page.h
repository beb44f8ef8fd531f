// SPDX-License-Identifier: MIT
//
// messages_page.h: the page Messages: the instants of the capture with their texts, one a row. While live it follows the
// newest, unless the user scrolled away from them.
#ifndef FLAMELET_OVERLAY_SRC_MESSAGES_PAGE_H
#define FLAMELET_OVERLAY_SRC_MESSAGES_PAGE_H

#include "shell/pages.h"

namespace flamelet::ui {

class Canvas;

struct MessagesView {
  bool follows = true;
  bool gone = false;       // the row that was clicked last is not in the capture any more
  char filter[128] = {};   // of the rows
  float rows_y = 0;        // on the screen
  uint32_t first_row = 0;  // in sight
};

void draw_messages_page(Overlay& o, float height);
void write_messages_state(const Overlay& o, JsonObject* json);
// Over the lanes: when the selected message was. `y` is where the lanes' content begins.
void draw_selected_message(Overlay& o, Canvas& canvas, float y, float clip_top, float clip_bottom);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_MESSAGES_PAGE_H
