// SPDX-License-Identifier: MIT
//
// tree_page.h: the page Tree: every call path is a row below its caller's.
#ifndef FLAMELET_OVERLAY_SRC_TREE_PAGE_H
#define FLAMELET_OVERLAY_SRC_TREE_PAGE_H

#include "shell/pages.h"

namespace flamelet::ui {

void draw_tree_page(Overlay& o, float height);
void write_tree_state(const Overlay& o, JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_TREE_PAGE_H
