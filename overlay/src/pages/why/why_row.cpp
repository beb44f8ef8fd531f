// SPDX-License-Identifier: MIT
//
// The line below the details that says what made the selected frame slow. A click on it opens the Why page.
#include <algorithm>

#include "draw/canvas.h"
#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "pages/why/why.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

float why_row_height(const Overlay& o) {
  const Why& why = why_of(o);
  if (o.pages.shows("why")) return 0;  // the page says the same, and more
  const bool over = why.chosen() && why.frame_ns() > o.settings.budget_ns;
  return over || o.settings.why_always ? o.metrics.size + scaled(o, 5) : 0;
}

void show_why_row(Overlay& o) {
  const Why& why = why_of(o);
  const float height = why_row_height(o);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (!(height > 0)) return;
  o.notes.note_place("why_row", at.x, at.y);
  const float width = ImGui::GetContentRegionAvail().x;
  if (ImGui::InvisibleButton("##why_row", ImVec2(width, height - 1))) o.pages.open("why");
  const bool hot = ImGui::IsItemHovered();
  if (hot && begin_tooltip(o)) {
    ImGui::TextUnformatted("the whole answer: the page Why");
    ImGui::EndTooltip();
  }
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(at.x, at.y + 1, at.x + width, at.y + height, hot ? color::kControl : color::kPanel);
  const float right = at.x + width - scaled(o, 8), y = at.y + scaled(o, 3);
  float x = at.x + scaled(o, 8);
  x += canvas.text_fit(x, y, right - x, color::kAccent, "why slow:") + o.metrics.of(' ');
  FixedText<64> text;
  if (why.known()) {
    std::string_view said = why.sentence();
    // Without room for all of it, what follows the frame and its time, which the toolbar has.
    if (canvas.width(said) > right - x) {
      const size_t frame = said.find("Frame ");
      const size_t end = frame != std::string_view::npos ? said.find(". ", frame) : frame;
      if (end != std::string_view::npos) said.remove_prefix(end + 2);
    }
    canvas.text_fit(x, y, right - x, why.doubtful() ? color::kFrameOver : color::kText, said);
  } else if (why.chosen()) {
    text.add("reading ").add_unsigned(why.frames_left()).add(" frames");
    canvas.text_fit(x, y, right - x, color::kTextDim, text.view());
  } else {
    canvas.text_fit(x, y, right - x, color::kTextDim,
                    o.timeline.paused() ? "no frame is shown" : "pause, and the shown frame is explained");
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
}

}  // namespace flamelet::ui
