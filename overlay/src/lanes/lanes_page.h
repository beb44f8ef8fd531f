// SPDX-License-Identifier: MIT
//
// lanes_page.h: the page Lanes: the ruler, and below it a scrolling canvas of the threads, GPU queues and fibers.
#ifndef FLAMELET_OVERLAY_SRC_LANES_PAGE_H
#define FLAMELET_OVERLAY_SRC_LANES_PAGE_H

#include "shell/pages.h"

namespace flamelet::ui {

void draw_lanes_page(Overlay& o, float height);
void write_lanes_state(const Overlay& o, JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LANES_PAGE_H
