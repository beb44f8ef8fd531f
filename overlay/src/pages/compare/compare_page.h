// SPDX-License-Identifier: MIT
//
// compare_page.h: the page Compare: a table of call paths, a differential flame graph, and histograms.
#ifndef FLAMELET_OVERLAY_SRC_COMPARE_PAGE_H
#define FLAMELET_OVERLAY_SRC_COMPARE_PAGE_H

#include "shell/pages.h"

namespace flamelet::ui {

void draw_compare_page(Overlay& o, float height);
bool draw_compare_details(Overlay& o, float x, float y, float right, float line_height);
void write_compare_state(const Overlay& o, JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_COMPARE_PAGE_H
