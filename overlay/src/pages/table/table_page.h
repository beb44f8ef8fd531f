// SPDX-License-Identifier: MIT
//
// table_page.h: the page Table: the statistics, a row for each scope.
#ifndef FLAMELET_OVERLAY_SRC_TABLE_PAGE_H
#define FLAMELET_OVERLAY_SRC_TABLE_PAGE_H

#include "shell/pages.h"

namespace flamelet::ui {

struct TablePage : Page {
  void draw(Overlay& o, float height) override;
  void write_state(const Overlay& o, JsonObject* json) const override;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_TABLE_PAGE_H
