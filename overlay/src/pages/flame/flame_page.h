// SPDX-License-Identifier: MIT
//
// flame_page.h: the page Flame: the paths of the Tree, each as wide as its total.
#ifndef FLAMELET_OVERLAY_SRC_FLAME_PAGE_H
#define FLAMELET_OVERLAY_SRC_FLAME_PAGE_H

#include "shell/pages.h"

namespace flamelet::ui {

void draw_flame_page(Overlay& o, float height);
void write_flame_state(const Overlay& o, JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FLAME_PAGE_H
