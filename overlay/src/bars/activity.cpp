// SPDX-License-Identifier: MIT
#include "bars/activity.h"

#include <algorithm>

#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "pages/pages.h"

namespace flamelet::ui {

namespace {

constexpr int64_t kCountNs = 300000;  // of a frame of the overlay

void count_scopes(Content& content) {
  Activity& activity = content.activity;
  const CaptureTime time(content.numbers);
  if (activity.slices.empty()) activity.window = content.timeline.shown_window();
  const size_t lanes = flamelet_capture_lane_count(content.capture);
  for (const int64_t end_ns = steady_ns() + kCountNs; !activity.slices.full() && steady_ns() < end_ns;) {
    const TimeWindow slice = activity.slice(activity.slices.count);
    if (activity.lane < lanes) {
      activity.count += flamelet_capture_count_spans(content.capture, activity.lane++, slice.begin_ns, slice.end_ns);
      continue;
    }
    activity.slices.push(activity.count);
    activity.most = std::max(activity.most, activity.count);
    activity.count = activity.lane = 0;
  }
}

void show_slice_tooltip(const Content& content, const Frame& frame, uint32_t slice) {
  if (slice >= content.activity.slices.count || !begin_tooltip(frame)) return;
  FixedText<64> text;
  const float column = text_width(frame.metrics, "scopes") + scaled(frame, 8);
  text.add_time(content.activity.slice(slice).begin_ns - content.activity.window.begin_ns);
  tooltip_row("at", text.view(), column);
  text.clear();
  tooltip_row("scopes", text.add_grouped(content.activity.slices[slice]).view(), column);
  ImGui::EndTooltip();
}

}  // namespace

TimeWindow Activity::slice(uint32_t i) const {
  const int64_t length_ns = window.end_ns - window.begin_ns;
  const auto at = [&](int64_t n) { return length_ns / kSlices * n + length_ns % kSlices * n / kSlices; };
  return {window.begin_ns + at(i), window.begin_ns + std::max(at(int64_t{i} + 1), at(i) + 1)};
}

bool lacks_frames(const Content& content) {
  return content.standing && flamelet_capture_frame_count(content.capture) == 0;
}

bool is_counting(const Content& content) {
  return lacks_frames(content) && !content.activity.slices.full();
}

void show_activity(DrawContext& o, Canvas& canvas, float x, float y, float width, float height) {
  Activity& activity = o.activity;
  if (is_counting(o)) count_scopes(o);
  const View all = view_of(activity.window);
  o.notes.note_place("activity", x, y, width, height);
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::InvisibleButton("##activity", ImVec2(width, height));
  const double share = static_cast<double>(std::min(std::max(ImGui::GetIO().MousePos.x - x, 0.0f), width) / width);
  if (ImGui::IsItemActive()) {
    const double middle = all.begin_ns + share * all.duration_ns(), half = o.timeline.view().duration_ns() / 2;
    o.timeline.set_view({middle - half, middle + half}, ImGui::IsItemActivated());
  }
  if (ImGui::IsItemHovered()) show_slice_tooltip(o, o, static_cast<uint32_t>(share * Activity::kSlices));

  canvas.rect(x, y, x + width, y + height, color::kCanvas);
  const auto edge = [&](uint32_t i) {
    return x + static_cast<float>(static_cast<int>(width * static_cast<float>(i) / Activity::kSlices));
  };
  for (uint32_t i = 0; i < activity.slices.count; ++i) {
    if (activity.slices[i] == 0 || edge(i + 1) <= edge(i)) continue;
    const float length = height * static_cast<float>(activity.slices[i]) / static_cast<float>(activity.most);
    canvas.rect(edge(i), y + height - std::max(static_cast<float>(static_cast<int>(length)), 2.0f), edge(i + 1),
                y + height, color::kFrameGood);
  }
  const View view = o.timeline.view();
  const auto place = [&](double ns) {
    const double at = x_at(all, ns, static_cast<double>(width));
    return x + static_cast<float>(static_cast<int>(std::min(std::max(at, 0.0), static_cast<double>(width))));
  };
  mark_part(canvas, x, place(view.begin_ns), place(view.end_ns), x + width, y, y + height);
}

}  // namespace flamelet::ui
