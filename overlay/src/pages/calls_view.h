// SPDX-License-Identifier: MIT
//
// calls_view.h: what the pages Tree and Flame show: the calls of the capture's threads or GPU queues in the shown frames,
// or a call tree of the program's own (overlay_show_tree). Both pages look at the same paths.
#ifndef FLAMELET_OVERLAY_SRC_CALLS_VIEW_H
#define FLAMELET_OVERLAY_SRC_CALLS_VIEW_H

#include <string_view>

#include "content/range_statistics.h"
#include "draw/text.h"
#include "draw/theme.h"
#include "draw/widgets.h"
#include "flamelet/overlay.h"
#include "pages/pages.h"
#include "pages/path_tree.h"

namespace flamelet::ui {

struct UserTree {
  char name[32] = {};
  flamelet_call_tree* calls = nullptr;
  double samples_per_second = 0;  // 0: samples are no times
};

// Where the paths come from: the capture, or from kFirstUser on the program's trees.
constexpr uint32_t kSourceCpu = 0;
constexpr uint32_t kSourceGpu = 1;
constexpr uint32_t kFirstUser = 2;

constexpr uint32_t kMostExaminedPaths = 4096;  // of a merged block, whether one matches

struct CallsView {
  static constexpr uint32_t kMostNeighbours = 64;
  static constexpr uint32_t kMostBlocks = 9000;  // as in the lanes

  RangePaths range;
  PathTree tree;
  UserTree user[kOverlayMaxTrees];
  uint32_t user_count = 0;

  uint32_t source = kSourceCpu;
  bool whole_history = false;   // instead of the shown frames
  bool keep_recursion = false;  // every path as it was called
  bool heat_by_self = true;
  Refresh refresh;

  // The selected block of a program's tree. For the capture it is Choice::selection.
  uint32_t selected_id = 0;
  uint32_t neighbours_of = 0;  // the id that the two lists are about; 0 = none
  Array<flamelet_call_totals> callers;
  Array<flamelet_call_totals> callees;
  size_t callers_found = 0, callees_found = 0;  // those without room included
  flamelet_call_totals selected = {};

  // The flame graph.
  uint64_t zoom_key = 0;  // the path that fills it; 0 = all of them
  FlameLayout flame;      // of the last frame that showed it
  Array<FlameBlock> blocks;
  Array<uint64_t> edges;  // scratch

  void carve(Carver* carver, const OverlayConfig& config);
  // Forgets what was read, and reads it anew.
  void forget_paths();
  // The same for another capture or another source: what was chosen is forgotten, too.
  void reset();
  void show_source(uint32_t wanted);
  const UserTree* shown_user() const { return source >= kFirstUser ? &user[source - kFirstUser] : nullptr; }
};

// The pages'.
CallsView& calls_of(PageContext& o);
const CallsView& calls_of(const PageContext& o);

// How a block looks, on both pages. `text` is NULL for a scope of the capture.
struct PathLook {
  std::string_view name;
  Rgb fill, ink;
  bool matches;  // the filter
};
PathLook path_look(Content& content, const Choice& choice, const char* text, ScopeKey scope);
inline PathLook path_look(Content& content, const Choice& choice, const PathNode& node) {
  return path_look(content, choice, node.text, node.scope);
}
// The same by its id in the tree that is shown.
PathLook path_look(Content& content, const Choice& choice, const CallsView& v, uint32_t id);

bool is_selected(const Choice& choice, const CallsView& v, const PathNode& node);
void select_block(Choice& choice, CallsView& v, uint32_t id);

void fold_recursion(PageContext& o);

// What the figures of the callers have too much.
void no_room_text(ButtonLine& bar, uint64_t calls);

// Takes it up, puts it in place of one of the same name, or away (NULL).
bool set_user_tree(PageContext& o, std::string_view name, flamelet_call_tree* calls, double samples_per_second);

// The page Flame: the paths of the Tree, each as wide as its total.

struct FlamePage : Page {
  void draw(PageContext& o, float height) override;
  float head_height(const Frame& frame) const override { return bar_height(frame); }
  bool draw_details(PageContext& o, float x, float y, float right, float line_height) override;
  void write_state(const PageContext& o, JsonObject* json) const override;
};

// The page Tree: every call path is a row below its caller's.

struct TreePage : Page {
  void carve(Carver* carver, const OverlayConfig& config) override { calls.carve(carver, config); }
  void reset(PageContext&) override {
    calls.range.reset();
    calls.reset();
  }
  bool reading(const PageContext& o) const override;
  void draw(PageContext& o, float height) override;
  float head_height(const Frame& frame) const override { return bar_height(frame); }
  bool draw_details(PageContext& o, float x, float y, float right, float line_height) override;
  void write_state(const PageContext& o, JsonObject* json) const override;

  CallsView calls;  // which the page Flame shows, too
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_CALLS_VIEW_H
