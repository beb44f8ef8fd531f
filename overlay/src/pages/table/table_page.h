// SPDX-License-Identifier: MIT
//
// table_page.h: the page Table: the statistics, a row for each scope.
#ifndef FLAMELET_OVERLAY_SRC_TABLE_PAGE_H
#define FLAMELET_OVERLAY_SRC_TABLE_PAGE_H

#include "shell/pages.h"

namespace flamelet::ui {

void draw_table_page(Overlay& o, float height);
void write_table_state(const Overlay& o, JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_TABLE_PAGE_H
