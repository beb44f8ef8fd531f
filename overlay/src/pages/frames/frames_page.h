// SPDX-License-Identifier: MIT
//
// frames_page.h: the page Frames: the frames that the capture has, the slowest first.
#ifndef FLAMELET_OVERLAY_SRC_FRAMES_PAGE_H
#define FLAMELET_OVERLAY_SRC_FRAMES_PAGE_H

#include <algorithm>

#include "content/range_statistics.h"
#include "pages/pages.h"
#include "pages/table/table_page.h"

namespace flamelet::ui {

struct FramesPage : Page {
  struct Row {
    uint64_t index;
    int64_t duration_ns;
  };
  enum Column : uint32_t { kFrame, kTime, kAbove, kTimes };

  // A file has more frames than the overlay keeps of a game.
  void carve(Carver* carver, const OverlayConfig& config) override {
    carver->take(&rows, std::min(4 * config.max_frames, 1u << 14));
  }
  void reset(PageContext& o) override;
  void draw(PageContext& o, float height) override;
  void write_state(const PageContext& o, JsonObject* json) const override;

  void read(const Content& content);
  void sort_rows();

  Array<Row> rows;  // of the slowest frames whose length is known
  TableSort sort = {kTime, true};
  uint64_t known = 0;  // so many frames have a length
  int64_t median_ns = 0;
  int64_t longest_ns = 0;  // of the whole ones: the first lasts from the start to the first mark
  Refresh refresh;
  bool held = false;  // the mouse is over the rows, which stand still
  bool gone = false;  // the chosen frame is not recorded any more
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FRAMES_PAGE_H
