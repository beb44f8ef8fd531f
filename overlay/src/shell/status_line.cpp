// SPDX-License-Identifier: MIT
#include "shell/status_line.h"

#include "draw/canvas.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

void show_status_line(Overlay& o) {
  const CaptureFiles& files = o.files;
  const bool busy = files.job.task() != FileTask::kNone;
  if (!o.standing && !busy && o.status.text().empty()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = control_height(o);
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(at.x, at.y, at.x + width, at.y + height, color::kPanel);
  const float y = at.y + scaled(o, 3);
  float x = at.x + scaled(o, 8);
  float right = at.x + width - scaled(o, 8);
  const float gap = 2 * o.metrics.of(' ');

  if (!o.status.text().empty()) {
    right = at.x + width - height;
    ImGui::SetCursorScreenPos(ImVec2(right, at.y));
    if (tool_button(o, "##notice", Icon::kClose, {}, false, height, nullptr)) o.status.clear();
    o.notes.note_place("close_status", right + height * 0.5f, at.y + height * 0.5f);
    right -= gap;
  }
  const std::string_view said =
      busy ? files.job.task() == FileTask::kSave ? "saving ..." : "opening ..." : o.status.text();
  if (o.standing) {
    FixedText<64> frames;
    frames.add_grouped(flamelet_capture_frame_count(o.capture)).add(" frames, ").add_time(o.numbers.oldest_ns);
    x += canvas.text(x, y, color::kAccent, "capture") + gap;
    const float most = (said.empty() ? right - x : (right - x) * 0.5f) - canvas.width(frames.view()) - gap;
    // The end of a long path tells files apart.
    std::string_view title = o.title;
    if (canvas.width(title) > most) title.remove_prefix(title.rfind('/') + 1);
    x += canvas.text_fit(x, y, most, color::kText, title) + gap;
    x += canvas.text_fit(x, y, right - x, color::kTextDim, frames.view()) + gap;
  }
  const Rgb ink = busy ? color::kAccent : o.status.is_bad() ? color::kFrameFar : color::kTextMid;
  if (!said.empty()) canvas.text_fit(x, y, right - x, ink, said);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height + scaled(o, 4)));
}

}  // namespace flamelet::ui
