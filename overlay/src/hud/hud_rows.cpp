// SPDX-License-Identifier: MIT
#include "hud/hud_rows.h"

#include <algorithm>

#include "counters/counter_lanes.h"
#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

namespace {

// The HUD has few vertices.
constexpr float kNamePx = 80;
constexpr float kBottleneckPx = 150;
constexpr uint32_t kGraphPoints = 12;

// True when the row was clicked, where clicks are the HUD's.
bool is_clicked(Overlay& o, const HudRow& row, int id) {
  if (!o.settings.hud_clicks) return false;
  ImGui::SetCursorScreenPos(ImVec2(row.x, row.y));
  ImGui::PushID(id);
  ImGui::InvisibleButton("##row", ImVec2(std::max(row.right - row.x, 1.0f), std::max(row.line, 1.0f)));
  ImGui::PopID();
  if (ImGui::IsItemHovered())
    row.canvas.rect(row.x - scaled(o, 4), row.y - 1, row.right + scaled(o, 4), row.y + row.line - 1,
                    color::kControlHot);
  return ImGui::IsItemClicked();
}

void open_page(Shell& shell, const char* page) {
  set_mode(shell, OverlayMode::kActive);
  shell.pages.open(page);
}

// The scope's time in the newest frames as a filled line, with the budget across it.
void draw_graph(Shell& shell, Canvas& canvas, float x, float y, float width, float height, uint32_t pin) {
  const PinTimes& pins = shell.hud.pins;
  const uint32_t count = std::min(pins.frame_count(), PinTimes::kFrames);
  if (count < 2 || width < 4) return;
  const PinRow& row = shell.hud.rows[pin];
  // A point shows the longest of its frames.
  int64_t points[kGraphPoints] = {};
  int64_t most = std::max<int64_t>(row.budget_ns + row.budget_ns / 4, 1);
  for (uint32_t back = 0; back < count; ++back) {
    int64_t& point = points[kGraphPoints - 1 - back * kGraphPoints / PinTimes::kFrames];
    point = std::max(point, pins.time_ns(pin, back));
    most = std::max(most, point);
  }
  const ImU32 fill = pack(color::kFrameGood);
  const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
  ImDrawList* list = canvas.list();
  list->PrimReserve(6 * (kGraphPoints - 1), 2 * kGraphPoints);
  const unsigned first = list->_VtxCurrentIdx;
  for (unsigned i = 0; i + 1 < kGraphPoints; ++i)
    for (const unsigned corner : {0u, 1u, 2u, 1u, 3u, 2u})
      list->PrimWriteIdx(static_cast<ImDrawIdx>(first + 2 * i + corner));
  for (uint32_t i = 0; i < kGraphPoints; ++i) {
    const float at = x + width * static_cast<float>(i) / static_cast<float>(kGraphPoints - 1);
    const float share = static_cast<float>(static_cast<double>(points[i]) / static_cast<double>(most));
    list->PrimWriteVtx(ImVec2(at, y + height * (1 - share)), uv, fill);
    list->PrimWriteVtx(ImVec2(at, y + height), uv, fill);
  }
  if (row.budget_ns == 0) return;
  const float share = static_cast<float>(static_cast<double>(row.budget_ns) / static_cast<double>(most));
  const float line = static_cast<float>(static_cast<int>(y + height * (1 - share)));
  canvas.rect(x, line, x + width, line + 1, color::kBudget);
}

// "CPU-bound in Main"; nothing while it is not known.
void add_bottleneck(const Overlay& o, TextWriter* text) {
  flamelet_lane_info lane;
  switch (o.hud.bottleneck.found()) {
    case Bottleneck::kUnknown:
      return;
    case Bottleneck::kCpu:
      text->add("CPU-bound");
      if (flamelet_capture_lane(o.capture, o.hud.bottleneck.lane(), &lane)) text->add(" in ").add(view_of(lane.name));
      return;
    case Bottleneck::kGpu:
      text->add("GPU-bound");
      return;
    case Bottleneck::kVsync:
      text->add("waits for vsync");
      return;
    case Bottleneck::kBalanced:
      text->add("balanced");
      return;
    case Bottleneck::kWaits:
      text->add("the CPU waits");
      return;
  }
}

}  // namespace

Rgb time_ink(const Choice& choice, int64_t ns) {
  switch (frame_verdict(ns, choice.settings.budget_ns)) {
    case FrameVerdict::kGood:
      return color::kText;
    case FrameVerdict::kOver:
      return color::kFrameOver;
    case FrameVerdict::kFarOver:
      return color::kFrameFar;
  }
  return color::kText;
}

void show_bottleneck_row(Overlay& o, HudRow& row) {
  if (is_clicked(o, row, 0)) open_page(o, "lanes");
  const size_t kept = o.hitches.flight != nullptr ? flamelet_flight_count(o.hitches.flight) : 0;
  float right = row.right;
  if (kept != 0) {
    FixedText<16> count;
    count.add_unsigned(kept);
    const float width = row.canvas.width(count.view());
    row.canvas.text(right - width, row.y, color::kTextMid, count.view());
    right -= width + scaled(o, 10);
    draw_flag(o, row.canvas, right, row.y + scaled(o, 3), color::kAccent);
  }
  FixedText<96> text;
  add_bottleneck(o, &text);
  row.canvas.text_fit(row.x, row.y, std::min(right - row.x - scaled(o, 8), scaled(o, kBottleneckPx)), color::kText,
                      text.view());
  row.y += row.line;
}

void show_worst_row(Overlay& o, HudRow& row) {
  if (is_clicked(o, row, 1) && o.hud.has_worst) {
    open_page(o, "lanes");
    show_frames(o, o.hud.worst.index, o.hud.worst.index);
  }
  row.canvas.text(row.x, row.y, color::kTextDim, "worst of 5 s");
  if (o.hud.has_worst) {
    FixedText<32> time, index;
    const int64_t ns = o.hud.worst.end_ns - o.hud.worst.begin_ns;
    const float x = row.x + row.canvas.width("worst of 5 s  ");
    row.canvas.text(x, row.y, time_ink(o, ns), time.add_time(ns).view());
    row.canvas.text_right(row.right, row.y, color::kTextDim, index.add('#').add_unsigned(o.hud.worst.index).view());
  }
  row.y += row.line;
}

void show_pin_row(Overlay& o, HudRow& row, uint32_t pin) {
  const WatchedScope& scope = o.watched.pinned(pin);
  const PinRow& numbers = o.hud.rows[pin];
  if (is_clicked(o, row, 16 + static_cast<int>(pin))) {
    ScopeKey key;
    open_page(o, "scope");
    if (o.hud.pins.scope(pin, &key)) o.selection.select_scope({key, 0, scope.on_gpu});
  }
  Canvas& canvas = row.canvas;
  FixedText<48> text;
  text.add_ms(numbers.time_ns);
  if (numbers.budget_ns != 0)
    text.add('/').add_ms(numbers.budget_ns);
  else
    text.add(" ms");
  // Over the budget: also a mark.
  if (numbers.over) {
    const float size = scaled(o, 8), mark = row.right - size, top = row.y + scaled(o, 3);
    canvas.triangle(mark, top + size, mark + size, top + size, mark + size * 0.5f, top, color::kFrameOver);
  }
  const float value_right = row.right - scaled(o, 12);
  canvas.text_right(value_right, row.y, numbers.over ? color::kFrameOver : color::kText, text.view());
  const float name = scaled(o, kNamePx);
  canvas.text_fit(row.x, row.y, name, scope.on_gpu ? Rgb{color::kGpu} : Rgb{color::kTextMid}, scope.name);
  const float x = row.x + name + scaled(o, 6);
  const float width = value_right - canvas.width("00.00/00.00 ") - x;
  if (o.settings.hud_graphs) draw_graph(o, canvas, x, row.y + 1, width, row.line - scaled(o, 3), pin);
  row.y += row.line;
}

void show_over_row(Overlay& o, HudRow& row, const flamelet_flight_over& over) {
  if (is_clicked(o, row, 32 + static_cast<int>(row.y))) {
    open_page(o, "lanes");
    if (show_frames(o, over.frame, over.frame)) select_by_name(o, over.scope);
  }
  FixedText<64> text;
  text.add_time(over.took_ns).add(" of ");
  text.add_time(over.budget_ns);
  row.canvas.text_right(row.right, row.y, color::kFrameOver, text.view());
  row.canvas.text_fit(row.x, row.y, scaled(o, kNamePx), color::kText, over.scope);
  row.y += row.line;
}

void show_counter_row(Overlay& o, HudRow& row, uint32_t line) {
  CounterReading reading;
  if (is_clicked(o, row, 64 + static_cast<int>(line))) open_page(o, "lanes");
  const HudNumbers::Counter& counter = o.hud.counters[line];
  if (read_counter(o, counter.number, &reading)) {
    FixedText<32> text;
    add_counter_value(&text, counter.value, reading.unit);
    row.canvas.text_right(row.right, row.y, color::kText, text.view());
    const float room = row.right - row.x - row.canvas.width(text.view()) - scaled(o, 8);
    row.canvas.text_fit(row.x, row.y, std::min(room, scaled(o, kBottleneckPx)), color::kTextMid,
                        name_without_unit(reading.name, reading.unit));
  }
  row.y += row.line;
}

}  // namespace flamelet::ui
