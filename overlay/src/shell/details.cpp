// SPDX-License-Identifier: MIT
//
// The two strips at the bottom: the selected scope, and the truth line.
#include <algorithm>

#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "input/input_compat.h"
#include "lanes/lane_parts.h"
#include "lanes/thread_states.h"
#include "pages/table/table_parts.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

namespace {

void draw_selected(DrawContext& o, Canvas& canvas, float x, float y, float right, float line_height) {
  const ScopeStyle& style = o.styles.of(o.selection.scope.key);
  flamelet_site_info site;
  flamelet_capture_site(o.capture, o.selection.scope.key.site, &site);

  // Where: name, object, file and line, lane.
  float at = x + draw_swatch(o, canvas, x, y, style.fill) + scaled(o, 7);
  const float space = o.metrics.of(' ');
  at += canvas.text_fit(at, y, (right - x) * 0.4f, color::kText, style.name) + 2 * space;
  if (o.selection.span.valid && o.selection.span.span.object != 0) {
    FixedText<128> object;
    object.add('[').add(view_of(flamelet_capture_string(o.capture, o.selection.span.span.object))).add(']');
    at += canvas.text_fit(at, y, (right - x) * 0.2f, color::kTextMid, object.view()) + 2 * space;
  }
  FixedText<256> place;
  if (site.file.size != 0) place.add(view_of(site.file)).add_line(site.line);
  if (o.selection.span.valid) {
    const Lane* lane = nullptr;
    for (const Lane& candidate : o.store.lanes())
      if (candidate.kind == o.selection.span.lane_kind && candidate.id == o.selection.span.lane_id) lane = &candidate;
    if (lane != nullptr) {
      if (site.file.size != 0) place.add("  on ");
      place.add(lane->name);
    }
  }
  canvas.text_fit(at, y, right - at, color::kTextDim, place.view());

  // How long: this one, and all of the scope in the shown frames.
  ValueLine line(o, canvas, x, y + line_height, right);
  if (const flamelet_interval* interval = selected_interval(o, o)) return add_interval_values(o, *interval, &line);
  const flamelet_scope_statistics* row = o.statistics.find(o.selection.scope.part());
  // A fiber's scope is whole on the fiber's lane; the statistics have its pieces on the threads.
  const bool whole = o.selection.span.valid && o.selection.span.lane_kind == FLAMELET_LANE_FIBER;
  if (o.selection.span.valid) {
    complete_selected_span(o, o);
    const flamelet_span& span = o.selection.span.span;
    const int64_t duration_ns = span.end_ns - span.begin_ns;
    const TimeWindow shown = o.timeline.shown_window();
    const FrameRange frames = o.timeline.shown();
    const int64_t inside_ns = o.timeline.shown_ns({span.begin_ns, span.end_ns});
    FixedText<48> which;
    which.add("this one");
    if (inside_ns <= 0) {
      flamelet_frame_info frame;
      if (flamelet_capture_frame(o.capture, flamelet_capture_frame_at(o.capture, span.begin_ns), &frame))
        which.add(", in #").add_grouped(frame.index);
    }
    line.add_time(which.view(), duration_ns);
    line.add_time("self", span.self_ns);
    if (knows_states(o.selection.span.states))
      for (const uint32_t kind : kStatesInOrder)
        if (o.selection.span.states.ns[kind] != 0) line.add_time(state_name(kind), o.selection.span.states.ns[kind]);
    if (inside_ns > 0) {
      FixedText<32> share;
      share.add_percent(static_cast<double>(inside_ns) / static_cast<double>(o.timeline.shown_ns(shown)));
      line.add(!frames.valid                 ? (o.standing ? "of the capture" : "of the newest time")
               : frames.first != frames.last ? "of frames"
                                             : "of frame",
               share.view(), color::kText, canvas.width("00.0%"));
    }
    if (row != nullptr && row->duration.median_ns > 0 && row->count > 1 && !whole) {
      FixedText<32> times;
      const double ratio = static_cast<double>(duration_ns) / static_cast<double>(row->duration.median_ns);
      times.add_fixed(ratio, 1).add("x median");
      line.add({}, times.view(), ratio > 2 ? color::kFrameOver : color::kTextMid);
    }
    line.gap();
  }
  const bool measured = o.selection.measures();
  if (row == nullptr) {
    line.add(measured                   ? "the scope is not in the measured time"
             : o.timeline.shown().valid ? "the scope is not in the shown frames"
             : o.standing               ? "the scope is not in the capture"
                                        : "the scope is not in the newest time",
             {});
    return;
  }
  FixedText<32> count;
  if (row->count == 0)
    count.add("began before");
  else
    count.add_grouped(row->count).add(whole ? " pieces" : "x");
  const TimeWindow range = o.statistics.range();
  const FrameRange shown = o.timeline.shown();
  const bool one = shown.valid && shown.first == shown.last && range == o.timeline.shown_window();
  line.add(measured      ? "in measured time"
           : one         ? "in the shown frame"
           : shown.valid ? "in shown frames"
           : o.standing  ? "in the capture"
                         : "in the newest time",
           count.view());
  line.add_time("total", row->total_ns);
  line.add_time("self", row->self_ns);
  if (row->sample_count == 0) return;  // there are only pieces of calls
  line.add_time("min", row->duration.min_ns, color::kTextMid);
  line.add_time("median", row->duration.median_ns, color::kTextMid);
  line.add_time("p95", row->duration.p95_ns, color::kTextMid);
  line.add_time("max", row->duration.max_ns, color::kTextMid);
}

// What recording costs the game: each kind of scope at its own price.
void add_recording_cost(Content& content, Canvas& canvas, ValueLine& line) {
  static constexpr const char* kKinds[FLAMELET_SCOPE_KINDS] = {"", " with text", " by call", " by call with text"};
  const OverlayStats& stats = content.numbers.told;
  FixedText<192> text;
  for (uint32_t kind = 0; kind < FLAMELET_SCOPE_KINDS; ++kind) {
    if (stats.scopes[kind] == 0) continue;
    if (!text.view().empty()) text.add(" + ");
    text.add_grouped(stats.scopes[kind]).add(kKinds[kind]).add(" x ").add_fixed(stats.scope_ns[kind], 1).add(" ns");
  }
  if (text.view().empty()) text.add('0');
  text.add(" = ").add_time(static_cast<int64_t>(stats.recording_ns));
  line.add("scopes", text.view(), color::kTextMid, canvas.width("00,000 x 00.0 ns = 000.0 us"));
}

}  // namespace

float details_height(const Settings& settings, const Frame& frame) {
  return settings.show_details ? 2 * (frame.metrics.size + scaled(frame, 3)) + scaled(frame, 7) : 0;
}

float truth_line_height(const Frame& frame) {
  return frame.metrics.size + scaled(frame, 4);
}

void show_details(PageContext& o, const WindowState& window) {
  if (!o.settings.show_details) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = details_height(o.settings, o);
  const float line = o.metrics.size + scaled(o, 3);
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  const float top = at.y + scaled(o, 2);
  canvas.rect(at.x, top, at.x + width, at.y + height, color::kPanel);
  const float x = at.x + scaled(o, 8);
  const float y = top + scaled(o, 3);
  const float right = at.x + width - scaled(o, 8);
  if (o.pages.shown().draw_details(o, x, y, right, line)) {
    // The page has something to say of what is selected there.
  } else if (o.selection.scope.valid) {
    draw_selected(o, canvas, x, y, right, line);
  } else {
    const bool key = o.settings.toggle_key >= 0, takes = o.takes_input;
    FixedText<96> none, read_only;
    none.add("No scope selected.");
    read_only.add("Mouse and keys stay with the game.");
    if (key && window.active()) none.add(' ').add(mode_key_name(o.settings.toggle_key)).add(" goes back to the game.");
    if (key && !takes) read_only.add(' ').add(mode_key_name(o.settings.toggle_key)).add(" takes them.");
    canvas.text_fit(x, y, right - x, color::kTextMid, none.view());
    canvas.text_fit(x, y + line, right - x, color::kTextDim, takes ? o.pages.row().hint : read_only.view());
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
}

void show_truth_line(PageContext& content, const CaptureFiles& files) {
  const Frame& frame = content;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
  const float y = at.y + scaled(frame, 3);
  const float right = at.x + width - scaled(frame, 8);
  ValueLine line(frame, canvas, at.x + scaled(frame, 8), y, right);
  const OverlayStats& stats = content.numbers.tell(ImGui::GetTime());
  FixedText<96> text;

  if (!frame.takes_input) line.add({}, "read-only", color::kAccent);
  line.add_time("overlay", stats.draw_ns, color::kTextMid);
  line.add_time("capture", stats.capture_ns, color::kTextMid);
  if (!content.standing || content.numbers.dropped != 0) {
    text.add_grouped(content.numbers.dropped);
    line.add("dropped", text.view(), content.numbers.dropped != 0 ? color::kFrameOver : color::kTextMid);
    text.clear();
  }
  text.add_grouped(content.numbers.lost);
  line.add("lost", text.view(), content.numbers.lost != 0 ? color::kFrameOver : color::kTextMid);
  if (content.numbers.unread != 0) {
    text.clear();
    line.add("overwritten while off or paused", text.add_grouped(content.numbers.unread).view(), color::kTextMid);
  }
  if (!content.standing) add_recording_cost(content, canvas, line);
  text.clear();
  text.add_bytes(stats.memory_bytes + files.opened_bytes);
  line.add("memory", text.view(), color::kTextMid);
  line.add_time("oldest", content.numbers.oldest_ns, color::kTextMid);
  text.clear();
  if (content.pages.shows("lanes")) {
    text.add_grouped(stats.zones_in_view).add(" = ").add_grouped(stats.zones_drawn).add(" + ");
    text.add_grouped(stats.zones_merged).add(" merged");
    line.add("in view", text.view(), color::kTextMid);
  }
  if (stats.zones_left_out != 0) {
    text.clear();
    text.add_grouped(stats.zones_left_out).add(" not read, zoom in");
    line.add({}, text.view(), color::kFrameOver);
  }
  if (content.store.lanes_left_out() != 0) {
    text.clear();
    text.add_grouped(content.store.lanes_left_out()).add(" lanes not shown");
    line.add({}, text.view(), color::kFrameOver);
  }
  if (content.points.counters().left_out()) {
    text.clear();
    text.add("more than ").add_grouped(content.points.counters().count()).add(" counters");
    line.add({}, text.view(), color::kFrameOver);
  }
  // The last part, and the only one that ends with an item: ImGui wants to know how far the content reaches.
  ImGui::Dummy(ImVec2(width, truth_line_height(frame)));
}

}  // namespace flamelet::ui
