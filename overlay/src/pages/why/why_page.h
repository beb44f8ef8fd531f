// SPDX-License-Identifier: MIT
//
// why_page.h: the page Why: the selected frame explained, its causes, and its critical path piece by piece.
#ifndef FLAMELET_OVERLAY_SRC_WHY_PAGE_H
#define FLAMELET_OVERLAY_SRC_WHY_PAGE_H

#include "pages/why/why.h"
#include "shell/pages.h"

namespace flamelet::ui {

struct WhyPage : Page {
  void carve(Carver* carver, const OverlayConfig& config) override { why.carve(carver, config.max_spans); }
  void reset(Overlay&) override { why.reset(); }
  // Chooses the selected frame, and explains it if the row, the page or the lanes want that.
  void update(Overlay& o) override;
  bool reading(const Overlay& o) const override { return wants_why(o) && why.chosen() && !why.known(); }
  void draw(Overlay& o, float height) override;
  void write_state(const Overlay& o, JsonObject* json) const override;

  Why why;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_WHY_PAGE_H
