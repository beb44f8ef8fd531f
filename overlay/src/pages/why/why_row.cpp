// SPDX-License-Identifier: MIT
//
// The line below the details that says what made the selected frame slow. A click on it opens the Why page.
#include <algorithm>

#include "draw/canvas.h"
#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

// From left to right, as far as there is room.
struct Line {
  Canvas canvas;
  float x, y, right, space;

  bool add(Rgb ink, std::string_view text) {
    const float width = canvas.width(text);
    if (x + width > right) return false;
    canvas.text(x, y, ink, text);
    x += width + space;
    return true;
  }
};

// "+31.02 ms Job/Plan all paths (new)". The verdict, then the callers go where the room is short. False: no room at all.
bool add_cause(Overlay& o, Line& line, const flamelet_cause& cause) {
  FixedText<32> surplus;
  surplus.add(cause.surplus_ns >= 0 ? "+" : "").add_time(cause.surplus_ns);
  FixedText<256> path, name;
  add_why_place(o, cause, 3, &path);
  add_why_place(o, cause, 1, &name);
  FixedText<48> verdict;
  add_why_verdict(cause, &verdict);
  const float left = line.x + line.canvas.width(surplus.view()) + line.space;
  const float room = line.right - left;
  const bool whole = line.canvas.width(path.view()) + line.space + line.canvas.width(verdict.view()) <= room;
  const std::string_view shown = whole ? path.view() : name.view();
  if (std::min(line.canvas.width(shown), scaled(o, 60)) > room) return false;
  line.add(color::kFrameOver, surplus.view());
  line.x += line.canvas.text_fit(line.x, line.y, room, color::kText, shown) + line.space;
  line.add(color::kTextDim, verdict.view());
  line.x += line.space;
  return true;
}

void add_answer(Overlay& o, Line& line) {
  const flamelet_explanation& why = o.why.answer();
  FixedText<96> text;
  if ((why.flags & FLAMELET_EXPLAIN_NO_MAIN_THREAD) != 0) {
    line.add(color::kFrameOver, "no thread has a scope in this frame");
    return;
  }
  if ((why.flags & FLAMELET_EXPLAIN_LOSSY) != 0) line.add(color::kFrameOver, "events lost;");
  if ((why.flags & FLAMELET_EXPLAIN_PARTIAL) != 0) line.add(color::kFrameOver, "cut frame;");
  if (why.baseline_frames == 0) {
    line.add(color::kTextMid, "there is no frame to compare with");
    return;
  }
  if (!o.why.unusual()) {
    text.add("not unusual: ")
        .add_time(why.usual_ns)
        .add(" ± ")
        .add_time(why.spread_ns)
        .add(", ")
        .add_unsigned(why.baseline_frames)
        .add(" frames");
    line.add(color::kTextMid, text.view());
    return;
  }
  text.add("vs ").add_unsigned(why.baseline_frames).add(why.baseline_frames == 1 ? " frame" : " frames");
  const float width = line.canvas.width(text.view());
  if (line.x + scaled(o, 300) + width < line.right) {
    const bool little = (why.flags & FLAMELET_EXPLAIN_LITTLE_BASELINE) != 0;
    line.canvas.text_right(line.right, line.y, little ? color::kFrameOver : color::kTextDim, text.view());
    line.right -= width + 2 * line.space;
  }
  for (size_t i = 0; i < why.cause_count; ++i)
    if (!add_cause(o, line, why.causes[i])) return;
  if (why.unexplained_ns * 20 < why.surplus_ns || why.unexplained_ns <= 0) return;
  text.clear();
  text.add('+').add_time(why.unexplained_ns).add(" unexplained");
  line.add(color::kTextMid, text.view());
}

}  // namespace

float why_row_height(const Overlay& o) {
  if (o.page.shows("why")) return 0;  // the page says the same, and more
  const bool over = o.why.chosen() && o.why.frame_ns() > o.settings.budget_ns;
  return over || o.settings.why_always ? o.metrics.size + scaled(o, 5) : 0;
}

void show_why_row(Overlay& o) {
  const float height = why_row_height(o);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  o.why.row_y = height > 0 ? at.y : 0;
  if (!(height > 0)) return;
  const float width = ImGui::GetContentRegionAvail().x;
  if (ImGui::InvisibleButton("##why_row", ImVec2(width, height - 1))) o.page.open("why");
  const bool hot = ImGui::IsItemHovered();
  if (hot && begin_tooltip(o)) {
    ImGui::TextUnformatted("the whole answer: the page Why");
    ImGui::EndTooltip();
  }
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(at.x, at.y + 1, at.x + width, at.y + height, hot ? color::kControl : color::kPanel);
  Line line = {canvas, at.x + scaled(o, 8), at.y + scaled(o, 3), at.x + width - scaled(o, 8), o.metrics.of(' ')};
  line.add(color::kAccent, "why slow:");
  FixedText<64> text;
  if (!o.why.chosen()) {
    line.add(color::kTextDim, o.timeline.paused() ? "no frame is shown" : "pause, and the shown frame is explained");
  } else if (!o.why.known()) {
    text.add("reading ").add_unsigned(o.why.frames_left()).add(" frames before it");
    line.add(color::kTextDim, text.view());
  } else {
    add_answer(o, line);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
}

}  // namespace flamelet::ui
