// SPDX-License-Identifier: MIT
//
// why_page.h: the page Why: the selected frame explained, its causes, and its critical path piece by piece.
#ifndef FLAMELET_OVERLAY_SRC_WHY_PAGE_H
#define FLAMELET_OVERLAY_SRC_WHY_PAGE_H

#include "shell/pages.h"

namespace flamelet::ui {

void draw_why_page(Overlay& o, float height);
void write_why_state(const Overlay& o, JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_WHY_PAGE_H
