// SPDX-License-Identifier: MIT
#include <algorithm>

#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "shell/overlay_state.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

constexpr float kFlagBarPx = 8;
constexpr float kFlagPx = 6;  // its height
constexpr float kWrapPx = 460;

void show_tooltip(Overlay& o, const flamelet_flight_info& info) {
  const std::string_view sentence = hitch_sentence(o, info);
  if (!begin_tooltip(o)) return;
  const float column = text_width(o.metrics, "kept for ") + scaled(o, 8);
  FixedText<192> text;
  text.add('#').add_grouped(info.frame.index).add("  ").add_time(info.frame.end_ns - info.frame.begin_ns);
  tooltip_row("frame", text.view(), column);
  text.clear();
  text.add(flamelet_flight_cause_name(info.cause));
  if (info.text[0] != 0) text.add(", ").add(std::string_view(info.text));
  if (info.limit_ns > 0) text.add(", ").add_fixed(static_cast<double>(info.limit_ns) * 1e-6, 1).add(" ms");
  tooltip_row("kept for", text.view(), column);
  text.clear();
  const bool worst = (info.flags & FLAMELET_FLIGHT_WORST) != 0, latest = (info.flags & FLAMELET_FLIGHT_LATEST) != 0;
  text.add(worst && latest ? "the longest, the newest" : worst ? "the longest" : "the newest");
  if ((info.flags & FLAMELET_FLIGHT_WRITTEN) != 0) text.add("; in a file");
  if ((info.flags & FLAMELET_FLIGHT_FILE_REMOVED) != 0) text.add("; its file was removed");
  if ((info.flags & FLAMELET_FLIGHT_MISSED) != 0) text.add("; with gaps");
  tooltip_row("one of", text.view(), column);
  flamelet_flight_stats stats;
  flamelet_flight_get_stats(o.hitches.flight, &stats);
  if (stats.files_removed != 0) {
    text.clear();
    text.add_grouped(stats.files_written).add(" written, ").add_grouped(stats.files_removed).add(" removed: too many");
    tooltip_row("files", text.view(), column);
  }
  if (o.hitches.reason.id() == info.id) tooltip_row("why", "being found", column);
  const float screen = ImGui::GetMainViewport()->Size.x - 4 * ImGui::GetStyle().WindowPadding.x;
  if (!sentence.empty()) show_lines(o, sentence, std::min(scaled(o, kWrapPx), screen));
  ImGui::EndTooltip();
}

}  // namespace

void draw_flag(const Frame& frame, Canvas& canvas, float x, float y, Rgb fill) {
  const float size = scaled(frame, kFlagPx);
  canvas.rect(x, y, x + 1, y + size, fill);
  canvas.triangle(x + 1, y, x + size, y + size * 0.35f, x + 1, y + size * 0.7f, fill);
}

float show_hitch_strip(Overlay& o, float x, float y, float most_width, float height) {
  Hitches& hitches = o.hitches;
  hitches.hovered = 0;
  HitchStripInput input;
  input.hitches = hitches.list.data;
  input.hitch_count = hitches.list.count;
  input.most_width_px = most_width;
  input.height_px = height - scaled(o, kFlagPx + 2);
  input.bar_px = scaled(o, kFlagBarPx);
  hitches.width = layout_hitch_strip(input, &hitches.bars);
  hitches.x = x;
  hitches.y = y;
  // A further flag would move all bars, also under a mouse that is over the frame bars.
  hitches.hold = o.history.hovered;
  if (hitches.bars.empty()) return 0;
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::InvisibleButton("##hitches", ImVec2(hitches.width, height));
  const bool hovered = ImGui::IsItemHovered();
  hitches.hold = hitches.hold || hovered;
  const bool clicked = ImGui::IsItemClicked();
  const uint32_t under_mouse = hovered ? find_hitch(hitches.bars, ImGui::GetIO().MousePos.x - x) : hitches.bars.count;

  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(x, y, x + hitches.width, y + height, color::kCanvas);
  for (uint32_t i = 0; i < hitches.bars.count; ++i) {
    const HitchBar& bar = hitches.bars[i];
    const flamelet_flight_info& info = hitches.list[bar.position];
    const bool lit = i == under_mouse || (info.id == hitches.shown && o.timeline.shown().contains(info.frame.index));
    const FrameVerdict verdict = frame_verdict(info.frame.end_ns - info.frame.begin_ns, o.settings.budget_ns);
    const Rgb fill = verdict == FrameVerdict::kGood   ? color::kFrameGood
                     : verdict == FrameVerdict::kOver ? color::kFrameOver
                                                      : color::kFrameFar;
    canvas.rect(x + bar.x0, y + height - bar.height, x + bar.x1, y + height,
                lit ? mix(fill, color::kSelect, 0.55f) : fill);
    draw_flag(o, canvas, x + bar.x0, y + 1, lit ? color::kSelect : color::kAccent);
  }
  if (under_mouse < hitches.bars.count) {
    const flamelet_flight_info info = hitches.list[hitches.bars[under_mouse].position];
    hitches.hovered = info.id;
    if (clicked) {
      show_hitch(o, info);
      hitches.clicked = info.id;
    }
    // Then the frame is to be looked at, and the Why line says what the tooltip said.
    if (hitches.clicked != info.id) show_tooltip(o, info);
  }
  if (hitches.clicked != hitches.hovered) hitches.clicked = 0;
  return hitches.width + scaled(o, 4);
}

void draw_hitch_flags(Overlay& o, float x, float y) {
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  for (const flamelet_flight_info& info : o.hitches.list) {
    // Frames of another recording may have the same numbers, and other times.
    flamelet_frame_info held;
    const size_t position = flamelet_capture_find_frame(o.capture, info.frame.index);
    if (!flamelet_capture_frame(o.capture, position, &held) || held.begin_ns != info.frame.begin_ns) continue;
    const uint32_t bar = find_sum(o.history.sums, info.frame.index);
    if (bar != o.history.bars.count) draw_flag(o, canvas, x + o.history.bars[bar].x0, y + 1, color::kAccent);
  }
}

}  // namespace flamelet::ui
