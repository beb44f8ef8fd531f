// SPDX-License-Identifier: MIT
//
// messages_page.h: the page Messages: the instants of the capture with their texts, one a row. While live it follows the
// newest, unless the user scrolled away from them. While paused it begins at the frames that are shown.
#ifndef FLAMELET_OVERLAY_SRC_MESSAGES_PAGE_H
#define FLAMELET_OVERLAY_SRC_MESSAGES_PAGE_H

#include "pages/pages.h"

namespace flamelet::ui {

struct MessagesPage : Page {
  void reset(PageContext&) override { *this = MessagesPage(); }
  void draw(PageContext& o, float height) override;
  void write_state(const PageContext& o, JsonObject* json) const override;

  bool follows = true;
  bool gone = false;             // the row that was clicked last is not in the capture any more
  char filter[128] = {};         // of the rows
  int64_t begin_ns = INT64_MIN;  // of the frames that it was scrolled to
  uint32_t first_row = 0;        // of these frames
  int live_frame = -2;           // ImGui's number of the last frame in which it was live
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_MESSAGES_PAGE_H
