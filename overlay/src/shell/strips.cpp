// SPDX-License-Identifier: MIT
//
// strips.cpp: the toolbar at the top, and the two strips at the bottom: the selected scope, and what the overlay costs and lost.
#include "shell/overlay_state.h"

#include <algorithm>

#include "counters/counter_lanes.h"
#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "input/input_compat.h"
#include "lanes/lanes_page.h"
#include "lanes/thread_states.h"
#include "pages/table/table_page.h"

namespace flamelet::ui {

namespace {

constexpr const char* kNarrowFrame = "#00,000  00.00 ms";
constexpr const char* kWidestFrame = "#000,000  000.00 ms";

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
  canvas.text(x, y, verdict_color(frame_verdict(mean_of(duration_ns, frames), settings.budget_ns), color::kText),
              value.view());
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
  } else if (frames == 1 && content.gpu.waits_for(shown.first)) {
    const std::string_view text = content.unknown_gpu_time();
    if (x + canvas.width("GPU ") + canvas.width(text) > right) return;
    x += canvas.text(x, y, color::kTextMid, "GPU") + space;
    x += canvas.text(x, y, color::kTextDim, text) + 2 * space;
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

// None in the shown frames: where the others are, if nothing new comes.
void show_matches_elsewhere(PageContext& o, Canvas& canvas, float right, float y) {
  MatchSearch& search = o.search;
  if (o.timeline.paused()) {
    const CaptureTime time(o.numbers);
    search.step(o.capture, &o.styles, &o.statistics.scratch(), MatchSearch::kZonesPerFrame);
  }
  FixedText<64> text, tooltip;
  const FrameRange frames = o.statistics.row_frames();
  if (!o.timeline.paused() || search.reading() || search.found_none()) {
    if (o.timeline.paused() && search.found_none())
      text.add("no scope matches");
    else if (frames.valid && frames.first == frames.last)
      text.add("no match in #").add_grouped(frames.first);
    else
      text.add("no match here");
    canvas.text_right(right, y, color::kFrameOver, text.view());
    return;
  }
  text.add_grouped(search.count()).add("x elsewhere");
  tooltip.add("none here; go to the longest");
  flamelet_frame_info frame;
  if (flamelet_capture_frame(o.capture, flamelet_capture_frame_at(o.capture, search.longest().begin_ns), &frame))
    tooltip.add(", in #").add_grouped(frame.index);
  const float width = text_width(o.metrics, text.view()) + scaled(o, 14);
  ImGui::SetCursorScreenPos(ImVec2(right - width, y - scaled(o, 3)));
  if (!tool_button(o, "##elsewhere", Icon::kNone, text.view(), false, width, tooltip.c_str())) return;
  const flamelet_span& span = search.longest();
  go_to_span(o, o, search.lane(), {span.begin_ns, span.end_ns}, span.name);
}

// The filter's sums in the shown frames, before its box: that of the threads, and that of the GPU queues. They are no sum.
// Only where scopes are filtered: Messages and Compare show what they filter, and the other pages filter nothing. Returns
// where they begin.
float show_filter_sums(PageContext& o, Canvas& canvas, float right, float y) {
  if (!o.filter.active()) return right;
  const Pages& pages = o.pages;
  if (pages.shows("messages") || pages.shows("compare")) return right;
  if (!pages.shows("lanes") && !pages.shows("flame") && !pages.shows("tree") && !pages.shows("table")) {
    constexpr std::string_view kElsewhere = "does not filter this page";
    canvas.text_right(right, y, color::kTextDim, kElsewhere);
    return right - canvas.width(kElsewhere);
  }
  // Otherwise the page does, once it has looked up what is under the mouse.
  if (o.filter.stale) update_spans(o);
  update_statistics(o, o);
  const FilterSum &sum = o.statistics.filter_sum(), &gpu = o.statistics.gpu_filter_sum();
  if (sum.count + gpu.count == 0 && !o.statistics.reading() && !o.statistics_refresh.stale && !o.filter.stale) {
    uint32_t counters = 0;  // whose lanes are no scopes
    for (uint32_t i = 0; i < counter_count(o); ++i) counters += matches(o.points.counters()[i].text, o.filter.text);
    if (counters == 0) {
      show_matches_elsewhere(o, canvas, right, y);
      return right;
    }
    FixedText<32> text;
    text.add_unsigned(counters).add(counters == 1 ? " counter" : " counters");
    canvas.text_right(right, y, color::kTextDim, text.view());
    return right - canvas.width(text.view());
  }
  const FrameRange frames = o.statistics.row_frames();
  if (frames.valid && frames.last != o.timeline.shown().last) {  // a long one is still being read
    FixedText<64> text;
    text.add("in #").add_grouped(frames.first);
    if (frames.first != frames.last) text.add(" - #").add_grouped(frames.last);
    canvas.text_right(right, y, color::kTextDim, text.view());
    right -= canvas.width(text.view()) + canvas.font().of(' ');
  }
  if (gpu.count != 0) right = draw_filter_sum(canvas, right, y, gpu, " GPU");
  return sum.count != 0 || gpu.count == 0 ? draw_filter_sum(canvas, right, y, sum, {}) : right;
}

// Where the buttons stand. The right side is laid out from the right edge; without room for what is shown, the button at
// the left has no text. Where there is no room for the pages' names, those that are not shown have their keys; where there
// is none for these, the pages get rows of their own.
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

ImVec2 page_place(const PageContext& o, const ToolbarLayout& layout, uint32_t page) {
  ImVec2 place(layout.pages_x, layout.pages_top);
  for (uint32_t i = 0;; ++i) {
    const float width = page_width(o, i, layout.digits);
    if (i != 0 && place.x + width > layout.right) place = ImVec2(layout.left, place.y + layout.height + scaled(o, 1));
    if (i == page) return place;
    place.x += width + scaled(o, 1);
  }
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
  const float buttons_width = (two_rows ? 0 : layout.pages_width) + others_width;
  layout.wide = buttons_width + pause_width + text_width(o.metrics, kWidestFrame) <= o.content_width;
  layout.pause_width = layout.wide ? pause_width : layout.height;
  const float space = scaled(o, 1);
  layout.settings_x = layout.right - layout.height;
  layout.help_x = layout.settings_x - space - layout.height;
  layout.file_x = layout.help_x - space - layout.file_width;
  layout.pages_x = two_rows ? layout.left : layout.file_x - scaled(o, 7) - layout.pages_width;
  layout.bottom = page_place(o, layout, kPageCount - 1).y + layout.height + scaled(o, 4);
  return layout;
}

void show_pause_button(PageContext& o, CaptureFiles& files, const ToolbarLayout& layout) {
  const bool paused = o.timeline.paused();
  const auto text = [&](const char* label) { return layout.wide ? label : ""; };
  if (!o.has_game()) {
    ImGui::Dummy(ImVec2(0, layout.height));
  } else if (o.standing) {
    if (tool_button(o, "##live", Icon::kPlay, text("Live"), false, layout.pause_width, "back to the live game"))
      show_live(o, files);
  } else if (tool_button(o, "##pause", paused ? Icon::kPlay : Icon::kPause, text(paused ? "Resume" : "Pause"), paused,
                         layout.pause_width, paused ? "resume: Space" : "pause: Space")) {
    toggle_pause(o, o);
  }
}

void show_page_buttons(PageContext& o, const ToolbarLayout& layout) {
  for (uint32_t i = 0; i < kPageCount; ++i) {
    ImGui::SetCursorScreenPos(page_place(o, layout, i));
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
  if (filter.typing || filter.waiting != 0) filter.early.pass(filter.typing);
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
  show_filter_sums(o, canvas, layout.right - scaled(o, 4), y + scaled(o, 3));
  return layout.height + scaled(o, 4);
}

// And for the mouse a button, which opens that row. Returns where it begins.
float show_filter_button(PageContext& o, const ToolbarLayout& layout, float left, float right) {
  for (const char* const text : {"filter  /", "/"}) {
    const float x = right - text_width(o.metrics, text) - scaled(o, 14);
    if (x < left + text_width(o.metrics, kWidestFrame) + scaled(o, 14)) continue;
    ImGui::SetCursorScreenPos(ImVec2(x, layout.top));
    if (tool_button(o, "##filter_button", Icon::kNone, text, false, 0, nullptr)) o.filter.focus = true;
    return x - scaled(o, 8);
  }
  return right;
}

// The two strips at the bottom: the selected scope, and the truth line.

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
  const std::string_view kind = kind_of(o, o.selection.scope.key);
  if (!kind.empty()) place.add("  ").add(kind);
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
  // A fiber's scope is whole on the fiber's lane; the statistics have the time that it ran.
  const bool whole = o.selection.span.valid && o.selection.span.lane_kind == FLAMELET_LANE_FIBER;
  if (o.selection.span.valid) {
    complete_span(o, o.selection.span);
    const flamelet_span& span = o.selection.span.span;
    const int64_t duration_ns = span.end_ns - span.begin_ns;
    const TimeWindow shown = o.timeline.shown_window();
    const FrameRange frames = o.timeline.shown();
    const int64_t inside_ns = o.timeline.shown_ns({span.begin_ns, span.end_ns});
    FixedText<48> which;
    const bool piece = is_piece(span.flags);
    which.add(piece ? "this part" : "this one");
    if (inside_ns <= 0) {
      flamelet_frame_info frame;
      if (flamelet_capture_frame(o.capture, flamelet_capture_frame_at(o.capture, span.begin_ns), &frame))
        which.add(", in #").add_grouped(frame.index);
    }
    line.add_time(which.view(), duration_ns);
    if (whole) line.add_time("ran", o.selection.span.ran_ns);
    line.add_time("self", span.self_ns);
    if (knows_states(o.selection.span.states))
      for (const uint32_t state : kStatesInOrder)
        if (o.selection.span.states.ns[state] != 0) line.add_time(state_name(state), o.selection.span.states.ns[state]);
    if (inside_ns > 0) {
      FixedText<32> share;
      share.add_percent(static_cast<double>(inside_ns) / static_cast<double>(o.timeline.shown_ns(shown)));
      line.add(!frames.valid                 ? (o.standing ? "of the capture" : "of the newest time")
               : frames.first != frames.last ? "of frames"
                                             : "of frame",
               share.view(), color::kText, canvas.width("00.0%"));
    }
    if (!piece && row != nullptr && row->duration.median_ns > 0 && row->count > 1) {
      FixedText<32> times;
      const double ratio = static_cast<double>(whole ? o.selection.span.ran_ns : duration_ns) /
                           static_cast<double>(row->duration.median_ns);
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
    count.add_grouped(row->count).add('x');
  const FrameRange frames = o.statistics.row_frames();
  FixedText<32> which;
  if (frames.valid && frames.first == frames.last)
    which.add("in #").add_grouped(frames.first);
  else
    which.add(measured       ? "in measured time"
              : frames.valid ? "in shown frames"
              : o.standing   ? "in the capture"
                             : "in the newest time");
  line.add(which.view(), count.view());
  line.add_time(measured || frames.valid ? "total of the whole calls" : "total", row->total_ns);
  line.add_time("self", row->self_ns);
  if (row->sample_count < 2) return;  // there are only pieces of calls, or the total is one call
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
  const float sum_width =
      std::max(text_width(o.metrics, "000.00 ms 00,000x"), text_width(o.metrics, "no match in #00,000")) + gap;
  if (right - filter_width - sum_width > left + text_width(o.metrics, kWidestFrame) + scaled(o, 14)) {
    right -= filter_width;
    show_filter(o, right, layout.top, filter_width);
    right -= gap * 2;
    right = std::min(right - sum_width, show_filter_sums(o, canvas, right, text_y));
  } else {
    row_height = show_filter_row(o, canvas, layout, filter_width, sum_width);
    if (row_height == 0) right = show_filter_button(o, layout, left, right);
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
  const ImVec2 place = page_place(o, layout, page);
  *x = place.x + page_width(o, page, layout.digits) * 0.5f;
  *y = place.y + layout.height * 0.5f;
}

float details_height(const Settings& settings, const Frame& frame) {
  return settings.show_details ? 2 * (frame.metrics.size + scaled(frame, 3)) + scaled(frame, 7) : 0;
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
  add_switched_off(content, &text);
  if (!text.view().empty()) line.add("not recorded", text.view(), color::kFrameOver);
  text.clear();
  line.add_time("overlay", stats.draw_ns, color::kTextMid);
  line.add_time("capture", stats.capture_ns, color::kTextMid);
  if (!content.standing || content.numbers.dropped != 0) {
    text.add_grouped(content.numbers.dropped);
    line.add("dropped", text.view(), content.numbers.dropped != 0 ? color::kFrameOver : color::kTextMid);
    text.clear();
  }
  const bool some = content.numbers.lacks_some;
  some ? text.add("some") : text.add_grouped(content.numbers.lost);
  line.add("lost", text.view(), some || content.numbers.lost != 0 ? color::kFrameOver : color::kTextMid);
  if (content.numbers.unread != 0 && !content.standing) {
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
    text.add_grouped(stats.zones_in_view);
    if (stats.zones_merged != 0)
      text.add(" = ").add_grouped(stats.zones_drawn).add(" + ").add_grouped(stats.zones_merged).add(" merged");
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
  ImGui::Dummy(ImVec2(width, row_height(frame)));
}

}  // namespace flamelet::ui
