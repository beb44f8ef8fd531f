// SPDX-License-Identifier: MIT
#include "shell/overlay_state.h"

#include <algorithm>

#include "counters/counter_lanes.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"

namespace flamelet::ui {

namespace {

constexpr const char* kNarrowFrame = "#00,000  00.00 ms";
constexpr const char* kWidestFrame = "#000,000  000.00 ms";

Rgb verdict_color(FrameVerdict verdict) {
  return verdict == FrameVerdict::kGood   ? color::kText
         : verdict == FrameVerdict::kOver ? color::kFrameOver
                                          : color::kFrameFar;
}

// "#18,234  21.42 ms  GPU 14.20 ms  lag 2": what is shown, from left to right as far as there is room.
void draw_shown_frame(const Content& content, const Settings& settings, Canvas& canvas, float x, float y, float right) {
  const FrameRange shown = content.timeline.shown();
  const TimeWindow window = content.timeline.shown_window();
  FixedText<64> number, value;
  if (!shown.valid) {
    canvas.text_fit(x, y, right - x, color::kTextDim,
                    content.standing ? "no frames here" : "no frame marks yet: flamelet_frame() makes them");
    return;
  }
  number.add('#').add_grouped(shown.first);
  if (shown.last != shown.first) number.add(" - ").add_grouped(shown.last);
  const float space = canvas.font().of(' ');
  const float number_width = std::max(canvas.width(number.view()), canvas.width("#000,000"));
  if (x + number_width > right) return;
  canvas.text(x, y, color::kTextMid, number.view());
  x += number_width + 2 * space;

  const uint64_t frames = shown.last - shown.first + 1;
  const int64_t duration_ns = content.timeline.shown_ns(window);
  value.add_time(duration_ns);
  if (frames > 1) value.add(" in ").add_unsigned(frames).add(" frames");
  const float value_width = std::max(canvas.width(value.view()), canvas.width("000.00 ms"));
  if (x + value_width > right) return;
  canvas.text(x, y, verdict_color(frame_verdict(mean_of(duration_ns, frames), settings.budget_ns)), value.view());
  x += value_width + 2 * space;

  GpuFrame gpu;
  if (frames == 1 && content.gpu.find(shown.first, &gpu)) {
    FixedText<64> text;
    text.add("GPU ").add_time(gpu.busy_ns);
    FixedText<32> lag;
    lag.add("lag ").add_unsigned(gpu.lag);
    if (x + canvas.width(text.view()) + space + canvas.width(lag.view()) > right) return;
    x += canvas.text(x, y, color::kTextMid, text.view()) + space;
    x += canvas.text(x, y, color::kTextDim, lag.view()) + 2 * space;
  }
  flamelet_frame_info frame;
  if (frames == 1 &&
      flamelet_capture_frame(content.capture, flamelet_capture_find_frame(content.capture, shown.first), &frame) &&
      frame.flags != 0) {
    const bool lossy = (frame.flags & FLAMELET_FRAME_LOSSY) != 0;
    const std::string_view flag = lossy              ? "events lost in this frame"
                                  : frame.index == 0 ? "the first frame: from the start to the first mark"
                                                     : "recording was switched in this frame";
    const std::string_view short_flag = lossy ? "lost" : "cut";
    if (x + canvas.width(flag) <= right)
      canvas.text(x, y, color::kFrameOver, flag);
    else if (x + canvas.width(short_flag) <= right)
      canvas.text(x, y, color::kFrameOver, short_flag);
  }
}

// "3.10 ms  412x", right-aligned. Returns where it begins.
float draw_filter_sum(Canvas& canvas, float right, float y, const FilterSum& sum, std::string_view where) {
  FixedText<64> count, time;
  count.add_grouped(sum.count).add('x').add(where);
  canvas.text_right(right, y, color::kTextDim, count.view());
  right -= canvas.width(count.view()) + canvas.font().of(' ');
  canvas.text_right(right, y, color::kAccent, time.add_time(sum.total_ns).view());
  return right - canvas.width(time.view()) - 2 * canvas.font().of(' ');
}

// The filter's sums in the shown frames, before its box: that of the threads, and that of the GPU queues. They are no sum.
// Only where scopes are filtered: Messages counts what it filters, and the other pages filter nothing.
void draw_filter_sums(const Content& content, const Choice& choice, const Pages& pages, Canvas& canvas, float right,
                      float y) {
  if (!choice.filter.active()) return;
  if (!pages.shows("lanes") && !pages.shows("flame") && !pages.shows("tree") && !pages.shows("table")) return;
  const FilterSum &sum = content.statistics.filter_sum(), &gpu = content.statistics.gpu_filter_sum();
  if (sum.count + gpu.count == 0 && !content.statistics.reading() && !content.statistics_refresh.stale &&
      !choice.filter.stale) {
    uint32_t counters = 0;  // whose lanes are no scopes
    for (uint32_t i = 0; i < counter_count(content); ++i)
      counters += matches(content.points.counters()[i].text, choice.filter.text);
    FixedText<32> text;
    if (counters != 0) text.add_unsigned(counters).add(counters == 1 ? " counter" : " counters");
    canvas.text_right(right, y, counters != 0 ? color::kTextDim : color::kFrameOver,
                      counters != 0 ? text.view() : "no match");
    return;
  }
  if (gpu.count != 0) right = draw_filter_sum(canvas, right, y, gpu, " GPU");
  if (sum.count != 0 || gpu.count == 0) draw_filter_sum(canvas, right, y, sum, {});
}

// Where the buttons stand. The right side is laid out from the right edge; without room for what is shown, the button at
// the left has no text. Where there is no room for the pages' names, those that are not shown have their keys; where there
// is none for these, the pages get a row of their own.
struct ToolbarLayout {
  float left, top, right, height;
  float pages_top, bottom;
  bool wide, digits;
  float pause_width, pages_width, file_width;
  float settings_x, help_x, file_x, pages_x;
};

std::string_view page_label(const Pages& pages, uint32_t page, bool digits) {
  return digits && pages.index() != page ? std::string_view(&kPages[page].key, 1) : kPages[page].label;
}

float page_width(const PageContext& o, uint32_t page, bool digits) {
  return text_width(o.metrics, page_label(o.pages, page, digits)) + scaled(o, 14);
}

float pages_width(const PageContext& o, bool digits) {
  float width = 0;
  for (uint32_t i = 0; i < kPageCount; ++i) width += page_width(o, i, digits) + scaled(o, 1);
  return width;
}

ToolbarLayout layout_toolbar(const PageContext& o) {
  ToolbarLayout layout = {};
  layout.left = o.content_x;
  layout.top = o.content_y;
  layout.right = layout.left + o.content_width;
  layout.height = control_height(o);
  layout.file_width = text_width(o.metrics, "File") + scaled(o, 14);
  const float pause_width = text_width(o.metrics, "Resume") + scaled(o, 30);
  const float others_width = layout.file_width + 4 * layout.height + scaled(o, 32);
  // What is shown comes before the pages' names.
  const float beside = others_width + layout.height + text_width(o.metrics, kNarrowFrame);
  const bool two_rows = pages_width(o, true) + beside > o.content_width;
  layout.digits = pages_width(o, false) + (two_rows ? 0 : beside) > o.content_width;
  layout.pages_width = pages_width(o, layout.digits);
  layout.pages_top = layout.top + (two_rows ? layout.height + scaled(o, 4) : 0);
  layout.bottom = layout.pages_top + layout.height + scaled(o, 4);
  const float buttons_width = (two_rows ? 0 : layout.pages_width) + others_width;
  layout.wide = buttons_width + pause_width + text_width(o.metrics, kWidestFrame) <= o.content_width;
  layout.pause_width = layout.wide ? pause_width : layout.height;
  const float space = scaled(o, 1);
  layout.settings_x = layout.right - layout.height;
  layout.help_x = layout.settings_x - space - layout.height;
  layout.file_x = layout.help_x - space - layout.file_width;
  layout.pages_x = two_rows ? layout.left : layout.file_x - scaled(o, 7) - layout.pages_width;
  return layout;
}

void show_pause_button(PageContext& o, CaptureFiles& files, const ToolbarLayout& layout) {
  const bool paused = o.timeline.paused();
  const auto text = [&](const char* label) { return layout.wide ? label : ""; };
  if (o.standing && o.own == nullptr) {
    ImGui::Dummy(ImVec2(0, layout.height));
  } else if (o.standing) {
    if (tool_button(o, "##live", Icon::kPlay, text("Live"), false, layout.pause_width, "back to the live game"))
      show_live(o, files);
  } else if (tool_button(o, "##pause", paused ? Icon::kPlay : Icon::kPause, text(paused ? "Resume" : "Pause"), paused,
                         layout.pause_width, paused ? "resume: Space" : "pause: Space")) {
    toggle_pause(o, o);
  }
}

float page_x(const PageContext& o, const ToolbarLayout& layout, uint32_t page) {
  float x = layout.pages_x;
  for (uint32_t i = 0; i < page; ++i) x += page_width(o, i, layout.digits) + scaled(o, 1);
  return x;
}

void show_page_buttons(PageContext& o, const ToolbarLayout& layout) {
  for (uint32_t i = 0; i < kPageCount; ++i) {
    ImGui::SetCursorScreenPos(ImVec2(page_x(o, layout, i), layout.pages_top));
    ImGui::PushID(static_cast<int>(i));
    const std::string_view label = page_label(o.pages, i, layout.digits);
    if (tool_button(o, "##page", Icon::kNone, label, o.pages.index() == i, page_width(o, i, layout.digits),
                    layout.digits ? kPages[i].label : kPages[i].tooltip))
      o.pages.open(i);
    ImGui::PopID();
  }
}

// The buttons with a menu each. The menus open below their buttons.
void show_menu_buttons(Overlay& o, const ToolbarLayout& layout) {
  ImGui::SetCursorScreenPos(ImVec2(layout.settings_x, layout.top));
  if (tool_button(o, "##settings_button", Icon::kSettings, {}, o.panel.open, layout.height, "settings: O"))
    toggle_settings_panel(o.panel);
  ImGui::SetCursorScreenPos(ImVec2(layout.help_x, layout.top));
  if (tool_button(o, "##help_button", Icon::kNone, "?", o.window.help_open, layout.height, "keys and mouse: ?"))
    o.window.help_open = !o.window.help_open;
  ImGui::SetCursorScreenPos(ImVec2(layout.file_x, layout.top));
  if (tool_button(o, "##file_button", Icon::kNone, "File", false, layout.file_width, "save or open a capture: E") ||
      o.window.open_file_menu)
    ImGui::OpenPopup("##file");
  o.window.open_file_menu = false;
  show_file_menu(o, o.files);
}

void show_filter(Choice& choice, float x, float y, float width) {
  constexpr int kFramesToFocus = 3;
  Filter& filter = choice.filter;
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::SetNextItemWidth(width);
  if (filter.focus) {
    ImGui::SetWindowFocus();  // ImGui 1.90.1 and 1.90.2 do not leave a child window by the call below
    ImGui::SetKeyboardFocusHere();
    filter.waiting = kFramesToFocus;
  }
  filter.focus = false;
  if (ImGui::InputTextWithHint("##filter", "filter  /", filter.text, sizeof filter.text)) filter.stale = true;
  filter.typing = ImGui::IsItemActive();
  filter.waiting = filter.typing ? 0 : std::max(filter.waiting - 1, 0);
}

// A toolbar without room for the filter gets a row below it for one that is active or is to be typed. Returns its height.
float show_filter_row(PageContext& o, Canvas& canvas, const ToolbarLayout& layout, float filter_width,
                      float sum_width) {
  if (!o.filter.active() && !o.filter.wants_keys()) return 0;
  const float y = layout.bottom;
  const float width = layout.right - layout.left;
  show_filter(o, layout.left, y, std::min(filter_width, std::max(width - sum_width, width * 0.5f)));
  draw_filter_sums(o, o, o.pages, canvas, layout.right - scaled(o, 4), y + scaled(o, 3));
  return layout.height + scaled(o, 4);
}

}  // namespace

void show_toolbar(Overlay& o) {
  const ToolbarLayout layout = layout_toolbar(o);
  const float text_y = layout.top + scaled(o, 3);
  const float gap = scaled(o, 4);
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);

  show_pause_button(o, o.files, layout);
  ImGui::SameLine(0, gap);
  if (tool_button(o, "##previous", Icon::kLeft, {}, false, layout.height, "previous frame: left arrow"))
    step_frame(o, o, -1);
  ImGui::SameLine(0, scaled(o, 1));
  if (tool_button(o, "##next", Icon::kRight, {}, false, layout.height, "next frame: right arrow")) step_frame(o, o, 1);
  ImGui::SameLine(0, 0);
  const float left = ImGui::GetCursorScreenPos().x + scaled(o, 10);
  show_menu_buttons(o, layout);
  show_page_buttons(o, layout);

  // Between them the filter, if there is room, and what is shown.
  const bool two_rows = layout.pages_top > layout.top;
  float right = (two_rows ? layout.file_x : layout.pages_x) - gap * 2, row_height = 0;
  const float filter_width = scaled(o, 150);
  const float sum_width = text_width(o.metrics, "000.00 ms 00,000x") + gap;
  if (right - filter_width - sum_width > left + text_width(o.metrics, kWidestFrame) + scaled(o, 14)) {
    right -= filter_width;
    show_filter(o, right, layout.top, filter_width);
    right -= gap * 2;
    draw_filter_sums(o, o, o.pages, canvas, right, text_y);
    right -= sum_width;
  } else {
    row_height = show_filter_row(o, canvas, layout, filter_width, sum_width);
  }
  draw_shown_frame(o, o.settings, canvas, left, text_y, right - gap);
  ImGui::SetCursorScreenPos(ImVec2(layout.left, layout.bottom + row_height));
}

void file_button_place(const PageContext& o, float* x, float* y) {
  const ToolbarLayout layout = layout_toolbar(o);
  *x = layout.file_x + layout.file_width * 0.5f;
  *y = layout.top + layout.height * 0.5f;
}

void page_button_place(const PageContext& o, uint32_t page, float* x, float* y) {
  const ToolbarLayout layout = layout_toolbar(o);
  *x = page_x(o, layout, page) + page_width(o, page, layout.digits) * 0.5f;
  *y = layout.pages_top + layout.height * 0.5f;
}

}  // namespace flamelet::ui
