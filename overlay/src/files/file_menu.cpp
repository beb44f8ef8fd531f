// SPDX-License-Identifier: MIT
//
// Captures and files, as the user sees them: a menu, a dialog with one path, and a line that says what is shown. There
// is no file chooser: the overlay lives in programs without a window system of their own, and a path can be pasted.
#include <algorithm>

#include "draw/canvas.h"
#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "input/input_compat.h"
#include "shell/deep_link.h"
#include "shell/menu.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

constexpr float kPathWidth = 520;

void add_frames(FrameRange frames, TextWriter* text) {
  text->add(frames.first == frames.last ? "frame " : "frames ").add_grouped(frames.first);
  if (frames.first != frames.last) text->add(" - ").add_grouped(frames.last);
}

void show_menu(Overlay& o) {
  if (!begin_menu(o, "##file", MenuPlace::kBelowItem)) return;
  CaptureFiles& files = o.files;
  const FrameRange shown = o.timeline.selected();
  const bool idle = files.job.task() == FileTask::kNone;
  FixedText<96> label;
  if (shown.valid) {
    label.add("Save ");
    add_frames(shown, &label);
    label.add(" ...###save_frames");
  } else {
    label.add("Save the shown frames ...###save_frames");
  }
  if (menu_item(o, label.c_str(), nullptr, false, idle && shown.valid)) open_file_dialog(o, FileDialog::kSaveFrames);
  TimeWindow extent;
  const bool any = flamelet_capture_extent(o.capture, &extent.begin_ns, &extent.end_ns);
  if (menu_item(o, "Save everything ...", nullptr, false, idle && any)) open_file_dialog(o, FileDialog::kSaveAll);
  ImGui::Separator();
  if (menu_item(o, "Open capture ...", nullptr, false, idle)) open_file_dialog(o, FileDialog::kOpen);
  if (files.host.copy_link != nullptr && menu_item(o, "Copy link")) copy_link(o);
  if (o.own != nullptr && menu_item(o, "Back to the live game", nullptr, false, !o.live())) show_live(o);
  ImGui::EndPopup();
}

void show_dialog_title(const Overlay& o) {
  FixedText<96> title;
  if (o.files.dialog == FileDialog::kOpen) {
    title.add("Open a capture file");
  } else if (o.files.dialog == FileDialog::kSaveAll) {
    title.add("Save everything: ").add_grouped(flamelet_capture_frame_count(o.capture)).add(" frames");
  } else {
    title.add("Save ");
    add_frames(o.files.dialog_frames, &title);
  }
  ImGui::TextUnformatted(title.c_str());
}

void show_dialog(Overlay& o) {
  CaptureFiles& files = o.files;
  const bool begins = files.begin_dialog;
  files.begin_dialog = false;
  if (begins) ImGui::OpenPopup("##file_dialog");
  if (!ImGui::BeginPopup("##file_dialog")) {
    files.dialog = FileDialog::kNone;
    return;
  }
  // The job that this dialog began is done, and well; or the game has the keyboard again.
  if (files.dialog == FileDialog::kNone || !o.takes_input) ImGui::CloseCurrentPopup();
  show_dialog_title(o);
  const bool opening = files.dialog == FileDialog::kOpen;
  const float most = ImGui::GetMainViewport()->WorkSize.x - scaled(o, 40);
  ImGui::SetNextItemWidth(std::min(scaled(o, kPathWidth), most));
  if (begins || files.focus_path) {
    ImGui::SetKeyboardFocusHere();
    files.path_gets_focus = true;
  }
  files.focus_path = false;
  bool entered = ImGui::InputTextWithHint("##path", "path of a .flamelet file", files.path, sizeof files.path,
                                          ImGuiInputTextFlags_EnterReturnsTrue);
  // From ImGui 1.92.5 on, the text field does not see Enter in its first frames. The Enter that chose the menu's entry
  // may be the one of the dialog's first frame.
  if (!begins && (files.path_gets_focus || ImGui::IsItemActive()) && key_pressed(Key::kEnter)) entered = true;
  if (ImGui::IsItemActive()) files.path_gets_focus = false;
  if (ImGui::IsItemEdited() && !opening) look_for_file(&files);
  const bool escape = key_pressed(Key::kEscape) && !ImGui::IsItemActive() && !ImGui::IsItemDeactivated();
  const bool busy = files.job.task() != FileTask::kNone;
  if (busy) {
    ImGui::TextUnformatted(opening ? "opening ..." : "saving ...");
  } else {
    const bool pressed = ImGui::Button(opening ? "Open" : "Save");
    ImGui::SameLine();
    if (ImGui::Button("Cancel") || escape) ImGui::CloseCurrentPopup();
    if (entered || pressed) start_file_job(o);
    if (files.path_is_taken) {
      ImGui::SameLine();
      ImGui::TextDisabled("replaces the file of this name");
    }
  }
  if (o.status.is_of(Speaker::kFiles) && o.status.is_bad()) {
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kFrameFar));
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + std::min(scaled(o, kPathWidth), most));
    ImGui::TextUnformatted(o.status.text().data());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
  }
  ImGui::EndPopup();
}

}  // namespace

void show_file_menu(Overlay& o) {
  show_menu(o);
  show_dialog(o);
}

}  // namespace flamelet::ui
