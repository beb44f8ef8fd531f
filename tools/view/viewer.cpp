// SPDX-License-Identifier: MIT
#include "viewer.h"

#include <imgui.h>

#include <cstdio>
#include <utility>

namespace flamelet::tools {
namespace {

void draw_welcome() {
  const char* const text =
      "Drop a capture here, or choose one with a click: a .flamelet file, or a Chrome or Perfetto trace";
  const ImVec2 size = ImGui::CalcTextSize(text, nullptr, false, ImGui::GetContentRegionAvail().x);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  ImGui::SetCursorPos(ImVec2((room.x - size.x) / 2, (room.y - size.y) / 2));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
}

}  // namespace

Viewer::Viewer(const desktop::GlWindow& window, float scale, const OverlayHost& host)
    : window_(window), imgui_(window, scale), host_(host) {}

Viewer::~Viewer() {
  overlay_destroy(overlay_);
}

void Viewer::show(std::unique_ptr<CaptureInput> input) {
  if (overlay_ == nullptr) {
    OverlayConfig config;
    config.capture = input->get();
    config.toggle_key = -1;  // there is nothing behind it
    config.mode = OverlayMode::kActive;
    config.host = host_;
    const flamelet_result result = overlay_create(config, &overlay_);
    if (result != FLAMELET_OK) throw CommandError(kExitInput, flamelet_result_message(result));
  }
  std::swap(input_, input);  // the one before lives until the overlay shows another
  std::string shown = input_->name();
  if (!input_->damage().empty()) shown += " is damaged (" + input_->damage() + "); the rest of it is shown";
  overlay_show_capture(overlay_, input_->get(), shown.c_str());
  file_ = input_->name();
  title_ = file_ + " - Flamelet";
  problem_.clear();
}

bool Viewer::open(const std::string& path) {
  try {
    InputOptions options;
    options.file = path;
    show(std::make_unique<CaptureInput>(options));
    return true;
  } catch (const CommandError& error) {
    problem_title_ = "Not opened";
    problem_ = error.what();
  } catch (const std::bad_alloc&) {
    problem_title_ = "Not opened";
    problem_ = "there is not enough memory";
  }
  std::fprintf(stderr, "flamelet: %s\n", problem_.c_str());
  return false;
}

bool Viewer::touch(uint64_t finger, TouchPhase phase, float x, float y) {
  overlay_touch(overlay_, finger, phase, x, y);
  return overlay_ != nullptr;
}

void Viewer::go_to(const std::string& link) {
  if (overlay_open_link(overlay_, link.c_str())) return;
  problem_title_ = "Not found";
  problem_ = "The link names something that is not in " + file_ + ". The rest of it is shown.";
}

void Viewer::build() {
  imgui_.begin_frame();
  overlay_apply_touch(overlay_);
  ImGui::NewFrame();
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(viewport->WorkSize);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(0.08f, 0.09f, 0.11f, 1));
  const bool visible =
      ImGui::Begin("##viewer", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleColor();
  if (visible && overlay_ != nullptr) overlay_content(overlay_);
  if (visible && overlay_ == nullptr) {
    draw_welcome();
    if (host_.choose_capture != nullptr && problem_.empty() && ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0))
      host_.choose_capture(host_.user);
  }
  ImGui::End();
  draw_problem();
  ImGui::Render();
}

void Viewer::draw(int width, int height) {
  window_.clear(width, height);
  imgui_.draw();
}

void Viewer::draw_problem() {
  const std::string popup = problem_title_ + "###problem";
  if (!problem_.empty()) ImGui::OpenPopup(popup.c_str());
  if (!ImGui::BeginPopupModal(popup.c_str(), nullptr, ImGuiWindowFlags_AlwaysAutoResize)) return;
  ImGui::PushTextWrapPos(ImGui::GetMainViewport()->WorkSize.x * 0.8f);
  ImGui::TextUnformatted(problem_.c_str());
  ImGui::PopTextWrapPos();
  if (ImGui::Button("OK")) problem_.clear();
  if (problem_.empty()) ImGui::CloseCurrentPopup();  // also when another file was opened meanwhile
  ImGui::EndPopup();
}

std::string Viewer::state() const {
  std::string text(overlay_write_state(overlay_, nullptr, 0) + 1, '\0');
  overlay_write_state(overlay_, text.data(), text.size());
  text.pop_back();  // the closing 0
  return text;
}

}  // namespace flamelet::tools
