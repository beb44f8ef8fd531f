// SPDX-License-Identifier: MIT
//
// flame_page.h: the page Flame: the paths of the Tree, each as wide as its total.
#ifndef FLAMELET_OVERLAY_SRC_FLAME_PAGE_H
#define FLAMELET_OVERLAY_SRC_FLAME_PAGE_H

#include "pages/calls_view.h"
#include "shell/pages.h"

namespace flamelet::ui {

struct FlamePage : Page {
  void draw(Overlay& o, float height) override;
  bool draw_details(Overlay& o, float x, float y, float right, float line_height) override;
  void write_state(const Overlay& o, JsonObject* json) const override;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FLAME_PAGE_H
