// SPDX-License-Identifier: MIT
//
// tree_page.h: the page Tree: every call path is a row below its caller's.
#ifndef FLAMELET_OVERLAY_SRC_TREE_PAGE_H
#define FLAMELET_OVERLAY_SRC_TREE_PAGE_H

#include "pages/calls_view.h"
#include "shell/pages.h"

namespace flamelet::ui {

struct TreePage : Page {
  void carve(Carver* carver, const OverlayConfig& config) override { calls.carve(carver, config); }
  void reset(Overlay&) override {
    calls.range.reset();
    calls.reset();
  }
  bool reading(const Overlay& o) const override;
  void draw(Overlay& o, float height) override;
  bool draw_details(Overlay& o, float x, float y, float right, float line_height) override;
  void write_state(const Overlay& o, JsonObject* json) const override;

  CallsView calls;  // which the page Flame shows, too
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_TREE_PAGE_H
