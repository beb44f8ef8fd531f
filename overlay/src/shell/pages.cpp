// SPDX-License-Identifier: MIT
#include "shell/pages.h"

#include "lanes/lanes_page.h"
#include "pages/calls_view.h"
#include "pages/compare/compare_page.h"
#include "pages/flame/flame_page.h"
#include "pages/messages/messages_page.h"
#include "pages/scope/scope_page.h"
#include "pages/table/table_page.h"
#include "pages/tree/tree_page.h"
#include "pages/why/why_page.h"

namespace flamelet::ui {

const Page kPages[] = {
    {"lanes", "Lanes", nullptr,
     "Click selects, double-click zooms to a scope, wheel zooms, right drag pans, left drag measures. "
     "? lists everything.",
     '1', draw_lanes_page, nullptr, write_lanes_state},
    {"flame", "Flame", "call paths, each as wide as its total",
     "Click selects, double-click goes into a path and out again, right click filters. ? lists everything.",  //
     '2', draw_flame_page, draw_calls_details, write_flame_state},
    {"tree", "Tree", "every call path, with callers and callees",
     "Click selects, the arrow or a double-click opens a row, right click filters. ? lists everything.",  //
     '3', draw_tree_page, draw_calls_details, write_tree_state},
    {"table", "Table", nullptr,
     "Click selects, double-click shows the longest instance in the lanes, right click filters. ? lists all.",  //
     '4', draw_table_page, nullptr, write_table_state},
    {"why", "Why", "why the shown frame was slow",
     "Click selects a scope, double-click shows it in the lanes. ? lists everything.",  //
     '5', draw_why_page, nullptr, write_why_state},
    {"compare", "Compare", "two ranges of frames, path by path",
     "Click selects a path, double-click shows its scope in the lanes. ? lists everything.",  //
     '6', draw_compare_page, draw_compare_details, write_compare_state},
    {"scope", "Scope", "all about the selected scope",
     "Drag over the histogram to choose calls, click a frame to go there. ? lists everything.",  //
     '7', draw_scope_page, nullptr, write_scope_state},
    {"messages", "Messages", "instants with their texts",
     "Click shows the frame of a message in the lanes, right click filters. ? lists everything.",  //
     '8', draw_messages_page, nullptr, write_messages_state},
};
const uint32_t kPageCount = sizeof kPages / sizeof kPages[0];

bool ShownPage::open(std::string_view name) {
  for (uint32_t i = 0; i < kPageCount; ++i) {
    if (name != kPages[i].name) continue;
    index_ = i;
    return true;
  }
  return false;
}

}  // namespace flamelet::ui
