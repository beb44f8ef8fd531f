// SPDX-License-Identifier: MIT
//
// locks_page.h: the page Locks: for which locks threads waited in the shown frames, who held them, and convoys.
#ifndef FLAMELET_OVERLAY_SRC_LOCKS_PAGE_H
#define FLAMELET_OVERLAY_SRC_LOCKS_PAGE_H

#include "content/range_statistics.h"
#include "flamelet/waits.h"
#include "lanes/lane_rows.h"
#include "pages/pages.h"
#include "pages/table/table_page.h"

namespace flamelet::ui {

struct LocksPage : Page {
  void carve(Carver* carver, const OverlayConfig& config) override;
  void reset(PageContext& o) override;
  bool reading(const PageContext& o) const override;
  void draw(PageContext& o, float height) override;
  void write_state(const PageContext& o, JsonObject* json) const override;

  void read(Content& content, const Choice& choice);
  void show_rows(const Content& content);  // of what was read
  void sort_rows(const flamelet_capture* capture);
  const flamelet_lock_waits& row(uint32_t i) const { return rows[order[i]]; }

  flamelet_waits* waits = nullptr;
  Array<flamelet_lock_waits> rows;  // of the reading before the one that is under way
  Array<uint32_t> order;
  TableSort sort = {FLAMELET_WAITS_TOTAL, true};
  flamelet_waits_summary summary = {};
  TimeWindow range;  // of the newest reading
  Refresh refresh;
  bool is_reading = false;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LOCKS_PAGE_H
