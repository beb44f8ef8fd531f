// SPDX-License-Identifier: MIT
//
// The small display in the corner. It shares the capture with the overlay, takes no input, and is one draw command.
#include <algorithm>

#include "imgui.h"
#include "ui/canvas.h"
#include "ui/ui.h"
#include "ui/update.h"
#include "ui/widgets.h"
#include "view/text_buffer.h"

namespace flamelet::ui {

namespace {

constexpr float kWidth = 312;
constexpr float kMargin = 10;
constexpr float kBarsWidth = 120;

Rgb time_ink(const Overlay& o, int64_t ns) {
  switch (frame_verdict(ns, o.settings.budget_ns)) {
    case FrameVerdict::kGood:
      return color::kText;
    case FrameVerdict::kOver:
      return color::kFrameOver;
    case FrameVerdict::kFarOver:
      return color::kFrameFar;
  }
  return color::kText;
}

void draw_bars(Overlay& o, Canvas& canvas, float x, float y, float width, float height) {
  const size_t count = flamelet_capture_frame_count(o.capture);
  const float pitch = std::max(3.0f, scaled(o, 3));
  const uint32_t fit = frames_that_fit(width, pitch, 1);
  const double range = 2.2 * static_cast<double>(o.settings.budget_ns);
  float right = x + width;
  for (uint32_t i = 0; i < fit && i < count; ++i, right -= pitch) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(o.capture, count - 1 - i, &frame)) break;
    const int64_t ns = frame.end_ns - frame.begin_ns;
    const FrameVerdict verdict = frame_verdict(ns, o.settings.budget_ns);
    const float share = static_cast<float>(std::min(static_cast<double>(ns) / range, 1.0));
    const float bar = std::max(1.0f, static_cast<float>(static_cast<int>(share * height)));
    canvas.rect(right - pitch, y + height - bar, right - 1, y + height,
                verdict == FrameVerdict::kGood   ? color::kFrameGood
                : verdict == FrameVerdict::kOver ? color::kFrameOver
                                                 : color::kFrameFar);
  }
  const float line = y + height - static_cast<float>(static_cast<int>(height / 2.2f));
  canvas.rect(x, line, x + width, line + 1, color::kBudget, 180);
}

}  // namespace

void show_hud(Overlay& o) {
  const float pad = scaled(o, 8);
  const float line = o.metrics.size + scaled(o, 3);
  const float width = scaled(o, kWidth);
  flamelet_flight_over over[kOverRows];
  const size_t over_count = scopes_over_budget(o, over);
  const float height = static_cast<float>(3 + over_count) * line + 2 * pad - scaled(o, 3);
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float x0 = viewport->WorkPos.x + viewport->WorkSize.x - width - scaled(o, kMargin);
  const float y0 = viewport->WorkPos.y + scaled(o, kMargin);
  ImGui::SetNextWindowPos(ImVec2(static_cast<float>(static_cast<int>(x0)), static_cast<float>(static_cast<int>(y0))));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::SetNextWindowBgAlpha(0.85f);
  const bool visible = ImGui::Begin("##flamelet_hud", nullptr,
                                    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  if (visible) {
    const ImVec2 at = ImGui::GetWindowPos();
    Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
    const float x = at.x + pad;
    const float right = at.x + width - pad;
    float y = at.y + pad;
    FixedText<64> text;

    // Frame: now, frames a second, 99th percentile.
    const float column = canvas.width("frame ");
    const float value_right = x + column + canvas.width("000.00 ms");
    canvas.text(x, y, color::kTextDim, "frame");
    text.add_time(o.numbers.hud_frame_ns);
    canvas.text_right(value_right, y, time_ink(o, o.numbers.hud_frame_ns), text.view());
    if (o.numbers.hud_frame_ns > 0) {
      text.clear();
      text.add_fixed(1e9 / static_cast<double>(o.numbers.hud_frame_ns), 0).add(" fps");
      canvas.text(value_right + canvas.width("  "), y, color::kTextMid, text.view());
    }
    y += line;
    canvas.text(x, y, color::kTextDim, "p99");
    text.clear();
    text.add_time(o.numbers.frame_times.p99_ns);
    canvas.text_right(value_right, y, time_ink(o, o.numbers.frame_times.p99_ns), text.view());
    y += line;
    GpuFrame gpu;
    const FrameRange shown = o.timeline.selected();
    if (shown.valid && o.gpu.find(shown.first, &gpu)) {
      canvas.text(x, y, color::kTextDim, "GPU");
      text.clear();
      text.add_time(gpu.busy_ns);
      canvas.text_right(value_right, y, time_ink(o, gpu.busy_ns), text.view());
      text.clear();
      text.add("lag ").add_unsigned(gpu.lag);
      // "paused" stands in the same place.
      if (!o.timeline.paused()) canvas.text(value_right + canvas.width("  "), y, color::kTextDim, text.view());
    } else {
      canvas.text(x, y, color::kTextDim, "max");
      text.clear();
      text.add_time(o.numbers.frame_times.max_ns);
      canvas.text_right(value_right, y, time_ink(o, o.numbers.frame_times.max_ns), text.view());
    }
    const float bars = scaled(o, kBarsWidth);
    const float bars_height =
        o.numbers.dropped + o.numbers.lost != 0 ? 2 * line - scaled(o, 3) : 3 * line - scaled(o, 3);
    draw_bars(o, canvas, right - bars, at.y + pad, bars, bars_height);
    if (o.numbers.dropped + o.numbers.lost != 0) {
      text.clear();
      text.add_grouped(o.numbers.dropped + o.numbers.lost).add(" lost");
      canvas.text_right(right, y, color::kFrameOver, text.view());
    }
    for (size_t i = 0; i < over_count; ++i) {
      const float row = at.y + pad + static_cast<float>(3 + i) * line;
      text.clear();
      text.add_time(static_cast<int64_t>(over[i].took_ms * 1e6)).add(" of ");
      text.add_time(static_cast<int64_t>(over[i].budget_ms * 1e6));
      canvas.text_right(right, row, color::kFrameOver, text.view());
      const float room = width - 2 * pad - canvas.width(text.view()) - scaled(o, 8);
      canvas.text_fit(x, row, room, color::kText, over[i].scope);
    }
    if (o.timeline.paused()) canvas.text_right(right - bars - scaled(o, 8), y, color::kFrameOver, "paused");
  }
  ImGui::End();
}

}  // namespace flamelet::ui
