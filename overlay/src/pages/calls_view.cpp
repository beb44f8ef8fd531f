// SPDX-License-Identifier: MIT
#include "pages/calls_view.h"

#include <string.h>
#include <algorithm>

#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/compare/compare_page.h"
#include "pages/pages.h"
#include "pages/table/table_parts.h"

namespace flamelet::ui {

namespace {

// True when there are new paths.
bool read_user_tree(Content& content, CallsView& v, double now_s) {
  if (!v.refresh.stale && (content.timeline.paused() || !Refresh::is_over(v.refresh.next_s, now_s))) return false;
  v.refresh.begin(0, now_s);
  v.tree.read(v.shown_user()->calls, nullptr);
  return true;
}

bool read_capture(const Content& content, const Choice& choice, CallsView& v, double now_s) {
  const TimeWindow range = wanted_range(content, choice, v.whole_history);
  const TimeWindow have = v.range.range();
  const uint64_t version = flamelet_capture_version(content.capture);
  if (v.refresh.due(range != have, version, content.timeline.paused(), v.range.reading(), now_s)) {
    // The whole history is read once; then only what is new. What is evicted meanwhile stays in.
    const bool grows = v.whole_history && !v.refresh.stale && have.end_ns > have.begin_ns;
    if (grows)
      v.range.extend(range.end_ns);
    else
      v.range.begin(content.capture, range,
                    FLAMELET_LANE_BIT(v.source == kSourceGpu ? FLAMELET_LANE_GPU : FLAMELET_LANE_THREAD),
                    v.keep_recursion);
    v.refresh.begin(version, now_s);
  }
  if (!v.range.step(Refresh::kZonesPerFrame)) return false;
  v.tree.read(v.range.calls(), v.range.scopes());
  return true;
}

void find_neighbours(CallsView& v, uint32_t id) {
  v.neighbours_of = id;
  v.callers.clear();
  v.callees.clear();
  v.callers_found = v.callees_found = 0;
  v.selected = {};
  if (id == 0) return;
  flamelet_call_tree* calls = v.shown_user() != nullptr ? v.shown_user()->calls : v.range.calls();
  v.selected = flamelet_call_tree_sequence(calls, &id, 1);
  v.callers_found =
      flamelet_call_tree_incoming(calls, &id, 1, FLAMELET_CALL_ORDER_OVERALL, v.callers.data, v.callers.capacity);
  v.callees_found =
      flamelet_call_tree_outgoing(calls, &id, 1, FLAMELET_CALL_ORDER_OVERALL, v.callees.data, v.callees.capacity);
  v.callers.count = static_cast<uint32_t>(std::min<size_t>(v.callers_found, v.callers.capacity));
  v.callees.count = static_cast<uint32_t>(std::min<size_t>(v.callees_found, v.callees.capacity));
}

}  // namespace

void CallsView::carve(Carver* carver, const OverlayConfig& config) {
  range.carve(carver, config.max_paths, config.max_scopes, config.max_lanes);
  tree.carve(carver, config.max_paths);
  carver->take(&callers, kMostNeighbours);
  carver->take(&callees, kMostNeighbours);
  carver->take(&blocks, kMostBlocks);
  carver->take(&edges, config.max_paths);
}

void CallsView::forget_paths() {
  tree.clear();
  callers.clear();
  callees.clear();
  callers_found = callees_found = 0;
  selected = {};
  neighbours_of = 0;
  blocks.clear();
  refresh.stale = true;
}

void CallsView::reset() {
  forget_paths();
  selected_id = 0;
  zoom_key = 0;
  flame = FlameLayout();
}

void CallsView::show_source(uint32_t wanted) {
  if (source == wanted) return;
  source = wanted;
  reset();
}

CallsView& calls_of(PageContext& o) {
  return o.pages.get<TreePage>().calls;
}
const CallsView& calls_of(const PageContext& o) {
  return o.pages.get<TreePage>().calls;
}

void fold_recursion(PageContext& o) {
  CallsView& v = calls_of(o);
  // A tree of the program's own folds or does not: its owner said so when it was made.
  if (v.shown_user() != nullptr) return;
  v.keep_recursion = !v.keep_recursion;
  v.refresh.stale = true;
}

void update_calls(PageContext& o, CallsView& v) {
  if (o.pages.get<ComparePage>().paths.reading()) return;  // with this view's reader
  const CaptureTime time(o.numbers);
  const double now_s = ImGui::GetTime();
  const bool fresh = v.shown_user() != nullptr ? read_user_tree(o, v, now_s) : read_capture(o, o, v, now_s);
  const uint32_t id = v.shown_user() != nullptr ? v.selected_id
                      : o.selection.scope.valid ? flamelet_span_tree_find(v.range.scopes(), o.selection.scope.key.site,
                                                                          o.selection.scope.key.name)
                                                : 0;
  if (fresh || id != v.neighbours_of) find_neighbours(v, id);
}

PathLook path_look(Content& content, const Choice& choice, const char* text, ScopeKey scope) {
  if (text != nullptr) {
    const Rgb fill = content.styles.colors().of(text);
    return {text, fill, ink_on(fill), matches(text, choice.filter.text)};
  }
  const ScopeStyle& style = content.styles.of(scope);
  return {style.name, style.fill, style.ink, style.matches};
}

PathLook path_look(Content& content, const Choice& choice, const CallsView& v, uint32_t id) {
  if (id == FLAMELET_CALL_ROOT) return {"(nothing: outermost)", color::kWait, ink_on(color::kWait), true};
  if (const UserTree* user = v.shown_user())
    return path_look(content, choice, flamelet_call_tree_name(user->calls, id), {});
  ScopeKey scope;
  flamelet_span_tree_scope(v.range.scopes(), id, &scope.site, &scope.name);
  return path_look(content, choice, nullptr, scope);
}

bool is_selected(const Choice& choice, const CallsView& v, const PathNode& node) {
  return node.text != nullptr ? node.id == v.selected_id : choice.selection.scope.is(node.scope);
}

void select_block(Choice& choice, CallsView& v, uint32_t id) {
  if (id == FLAMELET_CALL_ROOT) return;
  if (v.shown_user() != nullptr) {
    v.selected_id = id;
    return;
  }
  ScopeKey scope;
  if (flamelet_span_tree_scope(v.range.scopes(), id, &scope.site, &scope.name))
    choice.selection.select_scope({scope, 0, v.source == kSourceGpu});
}

int64_t samples_ns(const CallsView& v, uint64_t samples) {
  const UserTree* user = v.shown_user();
  const double ns = user != nullptr && user->samples_per_second > 0
                        ? static_cast<double>(samples) * 1e9 / user->samples_per_second
                        : static_cast<double>(samples);
  return ns < 9e18 ? static_cast<int64_t>(ns) : INT64_MAX;
}

void add_samples(const CallsView& v, uint64_t samples, TextWriter* text) {
  const UserTree* user = v.shown_user();
  if (user != nullptr && !(user->samples_per_second > 0))
    text->add_grouped(samples);
  else
    text->add_time(samples_ns(v, samples));
}

bool set_user_tree(PageContext& o, std::string_view name, flamelet_call_tree* calls, double samples_per_second) {
  CallsView& v = calls_of(o);
  name = name.substr(0, sizeof v.user[0].name - 1);
  uint32_t place = 0;
  while (place < v.user_count && name != v.user[place].name) ++place;
  if (calls == nullptr) {
    if (place == v.user_count) return false;
    // What is shown stays what it was, or is the CPU's if that is the tree that goes.
    if (v.source == kFirstUser + place) {
      v.show_source(kSourceCpu);
    } else if (v.source > kFirstUser + place) {
      --v.source;
    }
    --v.user_count;
    for (uint32_t i = place; i < v.user_count; ++i) v.user[i] = v.user[i + 1];
    return true;
  }
  if (place == kOverlayMaxTrees) return false;
  UserTree& tree = v.user[place];
  if (place == v.user_count) {
    ++v.user_count;
    tree = UserTree();
    memcpy(tree.name, name.data(), name.size());
  }
  if (tree.calls != calls && v.source == kFirstUser + place) v.reset();
  tree.calls = calls;
  tree.samples_per_second = samples_per_second;
  return true;
}

// The line above the pages Tree and Flame: which calls are shown, and how.

namespace {

void show_sources(CallsView& v, ButtonLine& bar) {
  if (bar.button("##cpu", "CPU", v.source == kSourceCpu, "calls on the threads")) v.show_source(kSourceCpu);
  if (bar.button("##gpu", "GPU", v.source == kSourceGpu, "passes on the GPU queues")) v.show_source(kSourceGpu);
  for (uint32_t i = 0; i < v.user_count; ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (bar.button("##user", v.user[i].name, v.source == kFirstUser + i, "a call tree of the program's own"))
      v.show_source(kFirstUser + i);
    ImGui::PopID();
  }
}

}  // namespace

float calls_bar_height(const Frame& frame) {
  return control_height(frame) + scaled(frame, 5);
}

void show_calls_bar(PageContext& o, CallsView& v, bool tree) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ButtonLine bar(o);
  show_sources(v, bar);
  bar.gap();
  if (v.shown_user() == nullptr) {
    if (bar.button("##range", v.whole_history ? "whole history" : "shown frames", v.whole_history,
                   "the frames that are shown, or all that is kept and what comes after")) {
      v.whole_history = !v.whole_history;
      v.refresh.stale = true;
    }
    if (bar.button("##fold", "fold recursion", !v.keep_recursion, "a > b > a > b as a > b: R")) fold_recursion(o);
    bar.gap();
  }
  if (tree) {
    if (bar.button("##heat", v.heat_by_self ? "heat: self" : "heat: total", false, "which column has the colours"))
      v.heat_by_self = !v.heat_by_self;
    if (bar.button("##open", "open all", false, nullptr)) v.tree.open_to(UINT32_MAX);
    if (bar.button("##close", "close all", false, nullptr)) v.tree.open_to(0);
    bar.gap();
  }
  FixedText<96> text;
  text.add_grouped(v.tree.nodes().count).add(v.tree.nodes().count == 1 ? " path, " : " paths, ");
  add_samples(v, v.tree.total(), &text);
  bar.text(color::kTextDim, text.view());
  if (!v.tree.complete()) bar.text(color::kFrameOver, "more than the memory holds");
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + calls_bar_height(o)));
}

// The selected block of a program's call tree, on all of its paths.
bool draw_calls_details(DrawContext& o, CallsView& v, float x, float y, float right, float line_height) {
  const UserTree* tree = v.shown_user();
  if (tree == nullptr || v.selected_id == 0) return false;
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  const PathLook look = path_look(o, o, v, v.selected_id);
  float at = x + draw_swatch(o, canvas, x, y, look.fill) + scaled(o, 7);
  at += canvas.text_fit(at, y, (right - x) * 0.6f, color::kText, look.name) + 2 * o.metrics.of(' ');
  canvas.text_fit(at, y, right - at, color::kTextDim, tree->name);

  ValueLine line(o, canvas, x, y + line_height, right);
  const auto add = [&](const char* label, uint64_t samples) {
    FixedText<32> text;
    add_samples(v, samples, &text);
    line.add(label, text.view(), color::kText, canvas.width("00.00 ms"));
  };
  add("total", v.selected.overall_samples);
  add("self", v.selected.self_samples);
  FixedText<32> calls;
  line.add("calls", calls.add_grouped(v.selected.calls).view());
  return true;
}

}  // namespace flamelet::ui
