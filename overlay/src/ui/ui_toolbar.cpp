// SPDX-License-Identifier: MIT
#include <string.h>

#include <algorithm>

#include "imgui.h"
#include "ui/actions.h"
#include "ui/input_compat.h"
#include "ui/ui.h"
#include "ui/update.h"
#include "ui/widgets.h"
#include "view/text_buffer.h"

namespace flamelet::ui {

namespace {

#if IMGUI_VERSION_NUM >= 19100
constexpr ImGuiSelectableFlags kKeepPopup = ImGuiSelectableFlags_NoAutoClosePopups;
#else
constexpr ImGuiSelectableFlags kKeepPopup = ImGuiSelectableFlags_DontClosePopups;
#endif

Rgb verdict_color(FrameVerdict verdict) {
  return verdict == FrameVerdict::kGood   ? color::kText
         : verdict == FrameVerdict::kOver ? color::kFrameOver
                                          : color::kFrameFar;
}

// "#18,234  21.42 ms  GPU 14.20 ms  lag 2": what is shown, from left to right as far as there is room.
void draw_shown_frame(Overlay& o, Canvas& canvas, float x, float y, float right) {
  const FrameRange shown = o.timeline.shown();
  const TimeWindow window = o.timeline.shown_window();
  FixedText<64> number, value;
  if (!shown.valid) {
    canvas.text_fit(x, y, right - x, color::kTextDim, "no frame marks yet: flamelet_frame() makes them");
    return;
  }
  number.add('#').add_grouped(shown.first);
  if (shown.last != shown.first) number.add(" - ").add_grouped(shown.last);
  const float space = canvas.font().of(' ');
  const float number_width = std::max(canvas.width(number.view()), canvas.width("#000,000"));
  if (x + number_width > right) return;
  canvas.text(x, y, color::kTextMid, number.view());
  x += number_width + 2 * space;

  const int64_t frames = static_cast<int64_t>(shown.last - shown.first) + 1;
  const int64_t duration_ns = window.end_ns - window.begin_ns;
  value.add_time(duration_ns);
  if (frames > 1) value.add(" in ").add_signed(frames).add(" frames");
  const float value_width = std::max(canvas.width(value.view()), canvas.width("000.00 ms"));
  if (x + value_width > right) return;
  canvas.text(x, y, verdict_color(frame_verdict(duration_ns / frames, o.settings.budget_ns)), value.view());
  x += value_width + 2 * space;

  GpuFrame gpu;
  if (frames == 1 && o.gpu.find(shown.first, &gpu)) {
    FixedText<64> text;
    text.add("GPU ").add_time(gpu.busy_ns);
    FixedText<32> lag;
    lag.add("lag ").add_unsigned(gpu.lag);
    if (x + canvas.width(text.view()) + space + canvas.width(lag.view()) > right) return;
    x += canvas.text(x, y, color::kTextMid, text.view()) + space;
    x += canvas.text(x, y, color::kTextDim, lag.view()) + 2 * space;
  }
  flamelet_frame_info frame;
  if (frames == 1 && flamelet_capture_frame(o.capture, flamelet_capture_find_frame(o.capture, shown.first), &frame) &&
      frame.flags != 0) {
    const bool lossy = (frame.flags & FLAMELET_FRAME_LOSSY) != 0;
    const std::string_view flag = lossy ? "events lost in this frame" : "recording was switched in this frame";
    const std::string_view short_flag = lossy ? "lost" : "cut";
    if (x + canvas.width(flag) <= right)
      canvas.text(x, y, color::kFrameOver, flag);
    else if (x + canvas.width(short_flag) <= right)
      canvas.text(x, y, color::kFrameOver, short_flag);
  }
}

void show_settings(Overlay& o) {
  if (!begin_menu(o, "##settings", MenuPlace::kBelowItem)) {
    o.choosing_key = false;
    return;
  }
  static constexpr struct {
    const char* label;
    int64_t ns;
  } kBudgets[] = {{"120 Hz,  8.33 ms", 8333333},
                  {" 90 Hz, 11.11 ms", 11111111},
                  {" 60 Hz, 16.67 ms", 16666667},
                  {" 30 Hz, 33.33 ms", 33333333}};
  ImGui::TextDisabled("frame budget");
  for (const auto& budget : kBudgets) {
    if (!ImGui::MenuItem(budget.label, nullptr, o.settings.budget_ns / 100000 == budget.ns / 100000)) continue;
    o.settings.budget_ns = budget.ns;
    o.settings_changed = true;
  }
  ImGui::Separator();
  if (ImGui::MenuItem("hide empty lanes", "V", o.settings.hide_empty)) {
    o.settings.hide_empty = !o.settings.hide_empty;
    o.settings_changed = true;
  }
  if (ImGui::MenuItem("details below the lanes", nullptr, o.settings.show_details)) {
    o.settings.show_details = !o.settings.show_details;
    o.settings_changed = true;
  }
  if (ImGui::MenuItem("show hidden lanes again"))
    for (Lane& lane : o.store.lanes()) lane.hidden = false;
  ImGui::Separator();
  FixedText<64> label;
  if (o.choosing_key)
    label.add("press a key ...");
  else
    label.add("mode key: ").add(mode_key_name(o.settings.toggle_key));
  label.add("###mode_key");
  if (ImGui::Selectable(label.c_str(), o.choosing_key, kKeepPopup)) o.choosing_key = !o.choosing_key;
  if (o.choosing_key) {
    const int key = find_pressed_key();
    if (key != 0) {
      if (!key_pressed(Key::kEscape)) {
        o.settings.toggle_key = key;
        o.settings_changed = true;
      }
      o.choosing_key = false;
    }
  }
  ImGui::EndPopup();
}

// The filter's sum in the shown frames, right-aligned before its box: "3.10 ms  412x".
void draw_filter_sum(Overlay& o, Canvas& canvas, float right, float y) {
  if (o.filter[0] == 0) return;
  const FilterSum& sum = o.statistics.filter_sum();
  if (sum.count == 0 && !o.statistics.reading() && !o.statistics_stale && !o.filter_stale) {
    canvas.text_right(right, y, color::kFrameOver, "no match");
    return;
  }
  FixedText<64> count;
  count.add_grouped(sum.count).add('x');
  canvas.text_right(right, y, color::kTextDim, count.view());
  right -= canvas.width(count.view()) + canvas.font().of(' ');
  FixedText<64> time;
  time.add_time(sum.total_ns);
  canvas.text_right(right, y, color::kAccent, time.view());
}

}  // namespace

void show_toolbar(Overlay& o) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float full_width = ImGui::GetContentRegionAvail().x;
  const float height = control_height(o);
  const float text_y = at.y + scaled(o, 3);
  const float gap = scaled(o, 4);
  const bool paused = o.timeline.paused();
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);

  const float tab_width = text_width(o.metrics, "Lanes") + scaled(o, 16);
  const float file_width = text_width(o.metrics, "File") + scaled(o, 14);
  const float shown_width = text_width(o.metrics, "#000,000  000.00 ms");
  // Without room for what is shown, the button has no text.
  const float buttons_width = 4 * tab_width + file_width + 4 * height + scaled(o, 32);
  const bool wide = buttons_width + text_width(o.metrics, "Resume") + scaled(o, 30) + shown_width <= full_width;
  const float pause_width = wide ? text_width(o.metrics, "Resume") + scaled(o, 30) : height;
  if (o.files.standing && o.files.own == nullptr) {
    ImGui::Dummy(ImVec2(0, height));
  } else if (o.files.standing) {
    if (tool_button(o, "##live", Icon::kPlay, wide ? "Live" : "", false, pause_width, "back to the live game"))
      show_live(o);
  } else if (tool_button(o, "##pause", paused ? Icon::kPlay : Icon::kPause,
                         !wide    ? ""
                         : paused ? "Resume"
                                  : "Pause",
                         paused, pause_width, paused ? "resume: Space" : "pause: Space"))
    toggle_pause(o);
  ImGui::SameLine(0, gap);
  if (tool_button(o, "##previous", Icon::kLeft, {}, false, height, "previous frame: left arrow")) step_frame(o, -1);
  ImGui::SameLine(0, scaled(o, 1));
  if (tool_button(o, "##next", Icon::kRight, {}, false, height, "next frame: right arrow")) step_frame(o, 1);
  ImGui::SameLine(0, 0);
  const float left = ImGui::GetCursorScreenPos().x + scaled(o, 10);

  // The right side, laid out from the right edge. Without room for it the filter goes first.
  const float filter_width = scaled(o, 150);
  const float sum_width = text_width(o.metrics, "000.00 ms 00,000x") + gap;
  float right = at.x + full_width;
  const auto place = [&](float width, float space) {
    right -= width;
    ImGui::SetCursorScreenPos(ImVec2(right, at.y));
    right -= space;
  };
  place(height, scaled(o, 1));
  if (tool_button(o, "##settings_button", Icon::kSettings, {}, false, height, "settings"))
    ImGui::OpenPopup("##settings");
  show_settings(o);
  place(height, scaled(o, 1));
  if (tool_button(o, "##help_button", Icon::kNone, "?", o.help_open, height, "keys and mouse: ?"))
    o.help_open = !o.help_open;
  place(file_width, gap * 2);
  o.files.button_x = ImGui::GetCursorScreenPos().x + file_width * 0.5f;
  o.files.button_y = at.y + height * 0.5f;
  if (tool_button(o, "##file_button", Icon::kNone, "File", false, file_width, "save or open a capture"))
    ImGui::OpenPopup("##file");
  show_file_menu(o);
  place(tab_width, scaled(o, 1));
  if (tool_button(o, "##table", Icon::kNone, "Table", o.tab == Tab::kTable, tab_width, nullptr)) o.tab = Tab::kTable;
  place(tab_width, scaled(o, 1));
  if (tool_button(o, "##tree", Icon::kNone, "Tree", o.tab == Tab::kTree, tab_width,
                  "every call path, with callers and callees"))
    o.tab = Tab::kTree;
  place(tab_width, scaled(o, 1));
  if (tool_button(o, "##flame", Icon::kNone, "Flame", o.tab == Tab::kFlame, tab_width,
                  "call paths, each as wide as its total"))
    o.tab = Tab::kFlame;
  place(tab_width, gap * 2);
  if (tool_button(o, "##lanes", Icon::kNone, "Lanes", o.tab == Tab::kLanes, tab_width, nullptr)) o.tab = Tab::kLanes;
  if (right - filter_width - sum_width > left + shown_width + scaled(o, 14)) {
    place(filter_width, gap * 2);
    ImGui::SetNextItemWidth(filter_width);
    if (o.focus_filter) {
      ImGui::SetWindowFocus();  // ImGui 1.90.1 and 1.90.2 do not leave a child window by the call below
      ImGui::SetKeyboardFocusHere();
    }
    o.focus_filter = false;
    if (ImGui::InputTextWithHint("##filter", "filter  /", o.filter, sizeof o.filter)) o.filter_stale = true;
    draw_filter_sum(o, canvas, right, text_y);
    right -= sum_width;
  }
  draw_shown_frame(o, canvas, left, text_y, right - gap);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height + scaled(o, 4)));
}

}  // namespace flamelet::ui
