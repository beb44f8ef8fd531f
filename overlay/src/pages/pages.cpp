// SPDX-License-Identifier: MIT
#include "pages/pages.h"

#include "lanes/lanes_page.h"
#include "pages/calls_view.h"
#include "pages/compare/compare_page.h"
#include "pages/frames/frames_page.h"
#include "pages/locks/locks_page.h"
#include "pages/messages/messages_page.h"
#include "pages/scope/scope_page.h"
#include "pages/table/table_page.h"
#include "pages/why/why_page.h"

namespace flamelet::ui {

const PageRow kPages[] = {
    {"lanes", "Lanes", nullptr,
     "Click selects, double-click zooms to a scope, wheel zooms, right drag pans, left drag measures. "
     "? lists everything.",
     '1', create_page<LanesPage>},
    {"flame", "Flame", "call paths, each as wide as its total",
     "Click selects, double-click goes into a path and out again, right click filters. ? lists everything.",  //
     '2', create_page<FlamePage>},
    {"tree", "Tree", "every call path, with callers and callees",
     "Click selects, the arrow or a double-click opens a row, right click filters. ? lists everything.",  //
     '3', create_page<TreePage>},
    {"table", "Table", nullptr,
     "Click selects, double-click shows the longest instance in the lanes, right click filters. ? lists all.",  //
     '4', create_page<TablePage>},
    {"why", "Why", "why the shown frame was slow",
     "Click selects a scope, double-click shows it in the lanes. ? lists everything.",  //
     '5', create_page<WhyPage>},
    {"compare", "Compare", "two ranges of frames, path by path",
     "Click selects a path, double-click shows its scope in the lanes. ? lists everything.",  //
     '6', create_page<ComparePage>},
    {"scope", "Scope", "all about the selected scope",
     "Drag over the histogram to choose calls, click a frame to go there. ? lists everything.",  //
     '7', create_page<ScopePage>},
    {"messages", "Messages", "instants with their texts",
     "Click shows the frame of a message in the lanes, right click filters. ? lists everything.",  //
     '8', create_page<MessagesPage>},
    {"locks", "Locks", "which locks threads waited for, and who held them",
     "Click shows the longest wait for a lock in the lanes. ? lists everything.",  //
     '9', create_page<LocksPage>},
    {"frames", "Frames", "the slowest frames",
     "Click shows a frame, double-click opens it in the lanes. ? lists everything.",  //
     'Q', create_page<FramesPage>},
};
const uint32_t kPageCount = sizeof kPages / sizeof kPages[0];
static_assert(kPageCount <= Pages::kMost, "a Pages has room for all");

Pages::~Pages() {
  for (Page* page : pages_)
    if (page != nullptr) page->~Page();
}

void Pages::create(Carver* carver, const OverlayConfig& config) {
  for (uint32_t i = 0; i < kPageCount; ++i) pages_[i] = kPages[i].create(carver, config);
}

void Pages::reset(PageContext& o) {
  for (uint32_t i = 0; i < kPageCount; ++i) pages_[i]->reset(o);
}

void Pages::update(PageContext& o) {
  for (uint32_t i = 0; i < kPageCount; ++i) pages_[i]->update(o);
}

bool Pages::reading(const PageContext& o) const {
  for (uint32_t i = 0; i < kPageCount; ++i)
    if (pages_[i]->reading(o)) return true;
  return false;
}

bool Pages::open(std::string_view name) {
  for (uint32_t i = 0; i < kPageCount; ++i) {
    if (name != kPages[i].name) continue;
    index_ = i;
    return true;
  }
  return false;
}

}  // namespace flamelet::ui
