// SPDX-License-Identifier: MIT
#include <algorithm>

#include "imgui.h"
#include "ui/actions.h"
#include "ui/ui.h"
#include "ui/update.h"
#include "ui/widgets.h"
#include "view/text_buffer.h"

namespace flamelet::ui {

namespace {

constexpr float kHeight = 52;
constexpr float kAxisWidth = 34;      // at the right: what the two lines stand for
constexpr float kSpikeShare = 0.25f;  // of the width, that kept frames take at most

// What the full height stands for, in budgets. The first shows the line at twice the budget well inside; the others are
// for games that miss their budget by far, so that their bars still differ.
constexpr double kRanges[] = {2.35, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
constexpr double kMedianShare = 0.62;  // of the height, that the median frame may take

double range_budgets(const Overlay& o) {
  const double median =
      static_cast<double>(o.numbers.frame_times.median_ns) / static_cast<double>(o.settings.budget_ns);
  for (const double range : kRanges)
    if (median <= range * kMedianShare) return range;
  return kRanges[sizeof kRanges / sizeof kRanges[0] - 1];
}

Rgb bar_color(FrameVerdict verdict) {
  return verdict == FrameVerdict::kGood   ? color::kFrameGood
         : verdict == FrameVerdict::kOver ? color::kFrameOver
                                          : color::kFrameFar;
}

// Copies the headers of the frames that the bars can show. The bars hold still while the mouse is over them.
void collect_frames(Overlay& o, float width, float bar_px) {
  o.history.frames.clear();
  const size_t count = flamelet_capture_frame_count(o.capture);
  if (count == 0) return;
  size_t end = count;
  if (o.history.hovered || o.history.dragging) {
    const size_t held = flamelet_capture_find_frame(o.capture, o.history.newest);
    if (held != SIZE_MAX) end = held + 1;
  }
  flamelet_frame_info newest;
  if (flamelet_capture_frame(o.capture, end - 1, &newest)) o.history.newest = newest.index;
  const uint32_t fit = std::min(frames_that_fit(width, bar_px, 1), o.history.frames.capacity);
  const size_t most_scroll = end > fit ? end - fit : 0;
  o.history.scroll = static_cast<uint32_t>(std::min<size_t>(o.history.scroll, most_scroll));
  end -= o.history.scroll;
  for (size_t i = end > fit ? end - fit : 0; i < end; ++i) {
    flamelet_frame_info frame;
    if (flamelet_capture_frame(o.capture, i, &frame)) o.history.frames.push(frame);
  }
}

void draw_bars(Overlay& o, Canvas& canvas, float x, float y, float height, double range) {
  const FrameRange shown = o.timeline.shown();
  const FrameRange selected = o.timeline.selected();
  const float bottom = y + height;
  const float scale = height / static_cast<float>(range * static_cast<double>(o.settings.budget_ns));
  canvas.reserve(o.history.bars.count);
  for (const Bar& bar : o.history.bars) {
    const flamelet_frame_info& frame = o.history.frames[bar.frame];
    const bool lit = shown.contains(frame.index) || selected.contains(frame.index);
    const Rgb fill = bar_color(bar.verdict);
    canvas.reserved_rect(x + bar.x0, bottom - bar.height, x + bar.x1, bottom,
                         pack(lit ? mix(fill, color::kSelect, 0.55f) : fill));
  }
  // The break mark: a gap below the top, so that the bar is seen to go on.
  for (const Bar& bar : o.history.bars) {
    if (!bar.broken) continue;
    canvas.rect(x + bar.x0, y + scaled(o, 4), x + bar.x1, y + scaled(o, 6), color::kCanvas);
  }
  // The GPU's time as a tick at its height: an outline around the bar would hide the bar next to it.
  if (!o.gpu.any_queue()) return;
  for (const Bar& bar : o.history.bars) {
    GpuFrame gpu;
    if (!o.gpu.find(o.history.frames[bar.frame].index, &gpu)) continue;
    const float top = std::max(bottom - static_cast<float>(gpu.busy_ns) * scale, y);
    canvas.rect(x + bar.x0, static_cast<float>(static_cast<int>(top)), x + bar.x1,
                static_cast<float>(static_cast<int>(top)) + 1, color::kGpu);
  }
}

// The line at `times` budgets, dashed unless it is the budget itself, with what it stands for at the right.
void draw_budget_line(Overlay& o, Canvas& canvas, float x0, float x1, float y, float height, double range, int times) {
  const float line_y = static_cast<float>(static_cast<int>(y + height - height * static_cast<float>(times / range)));
  if (times == 1) {
    canvas.rect(x0, line_y, x1, line_y + 1, color::kBudget);
  } else {
    const float dash = scaled(o, 4);
    const uint32_t dashes = static_cast<uint32_t>((x1 - x0) / (2 * dash));
    canvas.reserve(dashes);
    for (uint32_t i = 0; i < dashes; ++i) {
      const float at = x0 + static_cast<float>(i) * 2 * dash;
      canvas.reserved_rect(at, line_y, at + dash, line_y + 1, pack(color::kBudget, 150));
    }
  }
  FixedText<32> text;
  text.add_fixed(static_cast<double>(o.settings.budget_ns) * times * 1e-6, 1);
  const float middle = line_y - static_cast<float>(static_cast<int>(o.metrics.size * 0.5f));
  canvas.text(x1 + scaled(o, 4), std::min(middle, y + height - o.metrics.size),
              times == 1 ? color::kBudget : color::kTextDim, text.view());
}

void draw_budget_lines(Overlay& o, Canvas& canvas, float x0, float x1, float y, float height, double range) {
  draw_budget_line(o, canvas, x0, x1, y, height, range, 1);
  if (range < 4) return draw_budget_line(o, canvas, x0, x1, y, height, range, 2);
  // Twice the budget would stand too close to it: the top is named instead.
  FixedText<32> text;
  text.add_fixed(static_cast<double>(o.settings.budget_ns) * range * 1e-6, 0);
  canvas.text(x1 + scaled(o, 4), y, color::kTextDim, text.view());
}

// Median, 99th percentile and maximum of the newest frames, in the gutter.
void draw_numbers(Overlay& o, Canvas& canvas, float x, float y, float right, float height) {
  const struct {
    const char* label;
    int64_t ns;
  } rows[] = {{"median", o.numbers.frame_times.median_ns},
              {"p99", o.numbers.frame_times.p99_ns},
              {"max", o.numbers.frame_times.max_ns}};
  const float line = o.metrics.size + scaled(o, 2);
  y += static_cast<float>(static_cast<int>((height - 3 * line) * 0.5f)) + scaled(o, 1);
  for (const auto& row : rows) {
    canvas.text(x, y, color::kTextDim, row.label);
    FixedText<32> value;
    value.add_time(row.ns);
    const FrameVerdict verdict = frame_verdict(row.ns, o.settings.budget_ns);
    canvas.text_right(right, y, verdict == FrameVerdict::kGood ? color::kTextMid : bar_color(verdict), value.view());
    y += line;
  }
}

void show_bar_tooltip(Overlay& o, const Bar& bar) {
  const flamelet_frame_info& frame = o.history.frames[bar.frame];
  const float column = text_width(o.metrics, "longest of  ") + scaled(o, 8);
  if (!begin_tooltip(o)) return;
  FixedText<64> text;
  text.add('#').add_grouped(frame.index);
  tooltip_row("frame", text.view(), column);
  text.clear();
  text.add_time(frame.end_ns - frame.begin_ns);
  tooltip_row("duration", text.view(), column);
  GpuFrame gpu;
  if (o.gpu.find(frame.index, &gpu)) {
    text.clear();
    text.add_time(gpu.busy_ns).add("  lag ").add_unsigned(gpu.lag);
    tooltip_row("GPU", text.view(), column);
  }
  if (bar.count > 1) {
    text.clear();
    text.add_unsigned(bar.count).add(" frames");
    tooltip_row("longest of", text.view(), column);
  }
  if ((frame.flags & FLAMELET_FRAME_LOSSY) != 0) tooltip_row("events", "lost in this frame", column);
  if ((frame.flags & FLAMELET_FRAME_PARTIAL) != 0) tooltip_row("recording", "switched in this frame", column);
  ImGui::EndTooltip();
}

// A click shows one frame, a drag several, Shift and a click all from the shown one to this one.
void handle_mouse(Overlay& o, float x, bool hovered, bool active) {
  const ImGuiIO& io = ImGui::GetIO();
  o.timeline.end_preview();
  o.history.hovered = hovered || active;
  if (!hovered && !active) {
    o.history.dragging = false;
    return;
  }
  if (hovered && io.MouseWheel != 0) {
    if (io.KeyShift)
      scroll_bars(o, static_cast<int64_t>(io.MouseWheel * 10));
    else
      widen_bars(o, io.MouseWheel > 0 ? 1 : -1);
  }
  uint32_t index = find_bar(o.history.bars, io.MousePos.x - x);
  if (index == o.history.bars.count && o.history.dragging && !o.history.bars.empty())
    index = io.MousePos.x < x + o.history.bars[0].x0 ? 0 : o.history.bars.count - 1;
  if (index == o.history.bars.count) return;
  const Bar& bar = o.history.bars[index];
  const uint64_t frame = o.history.frames[bar.frame].index;
  if (ImGui::IsMouseClicked(0) && hovered) {
    o.history.dragging = true;
    const FrameRange selected = o.timeline.selected();
    o.history.anchor = io.KeyShift && selected.valid ? selected.first : frame;
  }
  if (o.history.dragging) {
    const FrameRange selected = o.timeline.selected();
    const FrameRange wanted = {std::min(o.history.anchor, frame), std::max(o.history.anchor, frame), true};
    if (!(selected == wanted) || !o.timeline.paused()) {
      show_frames(o, wanted.first, wanted.last);
    }
    if (!active) o.history.dragging = false;
  } else if (hovered && !(o.timeline.paused() && o.timeline.selected().contains(frame))) {
    // What was just chosen stays in sight although the mouse is still over it.
    o.timeline.preview(frame);
  }
  if (hovered) show_bar_tooltip(o, bar);
}

}  // namespace

float page_top(const Overlay& o) {
  return o.history.y + o.history.height + scaled(o, 4);
}

void show_frame_bars(Overlay& o) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float full_width = ImGui::GetContentRegionAvail().x;
  const float height = scaled(o, kHeight);
  const float gutter = gutter_width(o);
  if (full_width - gutter - scaled(o, kAxisWidth) < scaled(o, 40)) return;
  const double range = range_budgets(o);
  const int64_t range_ns = static_cast<int64_t>(range * static_cast<double>(o.settings.budget_ns));
  const float strip = show_spike_strip(o, at.x + gutter, at.y, full_width * kSpikeShare, height);
  const float width = full_width - gutter - strip - scaled(o, kAxisWidth);
  const float x = at.x + gutter + strip;
  o.history.x = x;
  o.history.y = at.y;
  o.history.width = width;
  o.history.height = height;
  const float bar_px = std::max(1.0f, scaled(o, o.settings.bar_px));

  collect_frames(o, width, bar_px);
  FrameBarsInput input;
  input.frames = o.history.frames.data;
  input.frame_count = o.history.frames.count;
  input.width_px = static_cast<float>(static_cast<int>(width));
  input.height_px = height;
  input.bar_px = bar_px;
  input.budget_ns = o.settings.budget_ns;
  input.range_ns = range_ns;
  layout_frame_bars(input, &o.history.bars);

  ImGui::SetCursorScreenPos(ImVec2(x, at.y));
  ImGui::InvisibleButton("##bars", ImVec2(width, height));
  handle_mouse(o, x, ImGui::IsItemHovered(), ImGui::IsItemActive());

  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(x, at.y, x + width, at.y + height, color::kCanvas);
  draw_bars(o, canvas, x, at.y, height, range);
  draw_budget_lines(o, canvas, x, x + width, at.y, height, range);
  draw_spike_flags(o, x, at.y);
  draw_numbers(o, canvas, at.x, at.y, at.x + gutter - scaled(o, 10), height);
  ImGui::SetCursorScreenPos(ImVec2(at.x, page_top(o)));
}

}  // namespace flamelet::ui
