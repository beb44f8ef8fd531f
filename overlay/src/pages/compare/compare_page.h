// SPDX-License-Identifier: MIT
//
// compare_page.h: the page Compare: a table of call paths, a differential flame graph, and histograms.
#ifndef FLAMELET_OVERLAY_SRC_COMPARE_PAGE_H
#define FLAMELET_OVERLAY_SRC_COMPARE_PAGE_H

#include "draw/theme.h"
#include "pages/pages.h"
#include "pages/path_tree.h"

namespace flamelet::ui {

struct ComparePage : Page {
  void carve(Carver* carver, const OverlayConfig& config) override {
    paths.carve(carver, config.max_paths, config.max_scopes);
  }
  void reset(PageContext& o) override {
    if (paths.reading()) o.status.take_back(Speaker::kCompare);  // it says that A is set
    paths.stop_reading();
  }
  // Goes on reading.
  void update(PageContext& o) override;
  bool reading(const PageContext&) const override { return paths.reading(); }
  void draw(PageContext& o, float height) override;
  bool draw_details(PageContext& o, float x, float y, float right, float line_height) override;
  void write_state(const PageContext& o, JsonObject* json) const override;
  // Forgets both sides.
  void clear() {
    paths.clear();
    selected = ComparedPaths::kNone;
  }

  ComparedPaths paths;
  uint32_t selected = ComparedPaths::kNone;
  bool prefer_flame = false;  // where there is no room for both it and the table
  uint32_t flame_rows = 0;    // in the last frame that showed it
};

// The shown frames, or the measured time, become A, and the next time B; then the page opens.
void set_compared_side(PageContext& o);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_COMPARE_PAGE_H
