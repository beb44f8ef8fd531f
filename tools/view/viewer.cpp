// SPDX-License-Identifier: MIT
#include "viewer.h"

#include <imgui.h>
#include <algorithm>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "display_text.h"

namespace flamelet::tools {
namespace {

bool is_pressed(ImGuiKey key) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(key, false);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false);
#endif
}

// Without the folders.
std::string short_name(const std::string& path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

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

// What the program does, and what is done here.
OverlayHost Viewer::own_host() {
  OverlayHost host;
  host.user = this;
  if (host_.choose_capture != nullptr)
    host.choose_capture = [](void* self) { of(self).host_.choose_capture(of(self).host_.user); };
  host.frames_of = [](void* self, const char* name) { of(self).frames_of_ = name; };
  host.open_capture = [](void* self, const char* path) { of(self).typed_path_ = path; };
  if (host_.capture_saved != nullptr)
    host.capture_saved = [](void* self, const char* path) { of(self).host_.capture_saved(of(self).host_.user, path); };
  if (host_.copy_link != nullptr)
    host.copy_link = [](void* self, const char* link) { of(self).host_.copy_link(of(self).host_.user, link); };
  host.needs_characters = [](void* self, const char* text, size_t size) {
    of(self).imgui_.need_characters({text, size});
  };
  return host;
}

void Viewer::show(std::unique_ptr<CaptureInput> input) {
  if (overlay_ == nullptr) {
    OverlayConfig config;
    config.capture = input->get();
    config.toggle_key = -1;  // there is nothing behind it
    config.mode = OverlayMode::kActive;
    config.host = own_host();
    const flamelet_result result = overlay_create(config, &overlay_);
    if (result != FLAMELET_OK) throw CommandError(kExitInput, flamelet_result_message(result));
    look_is_old_ = true;
  }
  Tab tab;
  tab.number = ++last_number_;
  tab.title = input->name();
  if (!input->damage().empty()) tab.title += " is damaged (" + input->damage() + "); the rest of it is shown";
  const std::string losses = input->losses().substr(0, input->losses().find(". "));  // without the advice
  for (const std::string& text : {losses, input->notice()})
    if (!text.empty()) tab.title += (tab.title == input->name() ? ": " : "; ") + text;
  imgui_.need_characters(tab.title);
  tab.input = std::move(input);
  tabs_.push_back(std::move(tab));
  activate(tabs_.size() - 1);
  problem_.clear();
}

void Viewer::activate(size_t tab) {
  if (shown_ < tabs_.size() && shown_ != tab) {
    std::string& link = tabs_[shown_].link;
    link.assign(overlay_write_link(overlay_, nullptr, 0) + 1, '\0');
    overlay_write_link(overlay_, link.data(), link.size());
  }
  shown_ = tab;
  bring_tab_ = true;
  const Tab& chosen = tabs_[tab];
  show_capture(chosen);
  if (!chosen.link.empty()) {
    // What a link does not name stays, and that is the other tab's.
    overlay_set_filter(overlay_, nullptr);
    set("critical_path=0");
    overlay_open_link(overlay_, chosen.link.c_str());
  }
  file_ = chosen.input->name();
  title_ = file_ + " - Flamelet";
}

void Viewer::show_capture(const Tab& tab) {
  const std::string& of = tab.input->frames_of();
  const std::string title = tab.title + (of.empty() ? "" : "; frames: calls of " + printable(of));
  overlay_show_capture(overlay_, tab.input->get(), title.c_str());
}

void Viewer::take_frames(const std::string& name) {
  Tab& tab = tabs_[shown_];
  try {
    std::unique_ptr<CaptureInput> before;  // until another one is shown
    if (name.empty() && !tab.input->frames_of().empty()) {
      // The marks are in the file.
      InputOptions options;
      options.file = tab.input->name();
      before = std::exchange(tab.input, std::make_unique<CaptureInput>(options));
    }
    if (!name.empty()) tab.input->take_frames(name);
    keep_frames_of(name);
    show_capture(tab);
  } catch (const CommandError& error) {
    problem_title_ = "No frames";
    problem_ = error.what();
  }
}

// The last one stays.
void Viewer::close(size_t tab) {
  if (tabs_.size() < 2) return;
  if (tab == shown_) activate(tab + 1 < tabs_.size() ? tab + 1 : tab - 1);
  tabs_.erase(tabs_.begin() + static_cast<std::ptrdiff_t>(tab));
  if (shown_ > tab) --shown_;
}

bool Viewer::open(const std::string& path) {
  try {
    InputOptions options;
    options.file = path;
    // As a shell would.
    const char* const home = path.substr(0, 2) == "~/" ? std::getenv("HOME") : nullptr;
    if (home != nullptr) options.file = home + path.substr(1);
    auto input = std::make_unique<CaptureInput>(options);
    if (!last_frames_of_.empty() && flamelet_capture_frame_count(input->get()) == 0) {
      try {
        input->take_frames(last_frames_of_);
      } catch (const CommandError&) {
        // It has nothing of that name, and is shown without frames.
      }
    }
    show(std::move(input));
    return true;
  } catch (const CommandError& error) {
    problem_title_ = "Not opened";
    problem_ = error.what();
  } catch (const std::bad_alloc&) {
    problem_title_ = "Not opened";
    problem_ = "there is not enough memory";
  }
  std::fprintf(stderr, "flamelet: %s\n", printable_lines(problem_).c_str());
  return false;
}

bool Viewer::touch(uint64_t finger, TouchPhase phase, float x, float y) {
  overlay_touch(overlay_, finger, phase, x, y);
  return overlay_ != nullptr;
}

std::string Viewer::set(std::string settings) {
  std::replace(settings.begin(), settings.end(), ',', '\n');
  char why[1024];
  look_is_old_ = true;
  return overlay_load_settings(overlay_, settings.data(), settings.size(), why, sizeof why) ? "" : why;
}

void Viewer::go_to(const std::string& link) {
  char why[1024];
  if (overlay_open_link(overlay_, link.c_str(), why, sizeof why)) return;
  problem_title_ = "Not found";
  problem_ = std::string(why) + ". The rest of the link is shown.";
  std::fprintf(stderr, "flamelet: %s\n", printable_lines(problem_).c_str());
}

// What stands around the overlay looks like it: dark, light, high contrast, with text as large.
void Viewer::take_look() {
  if (!std::exchange(look_is_old_, false)) return;
  std::string settings(overlay_save_settings(overlay_, nullptr, 0) + 1, '\0');
  overlay_save_settings(overlay_, settings.data(), settings.size());
  const auto setting = [&settings](const std::string& name, int otherwise) {
    const size_t at = settings.find("\n" + name + "=");
    return at != std::string::npos ? std::atoi(settings.c_str() + at + name.size() + 2) : otherwise;
  };
  text_scale_ = static_cast<float>(setting("text_percent", 100)) / 100;
  const int theme = setting("theme", 0);
  theme == 1 ? ImGui::StyleColorsLight() : ImGui::StyleColorsDark();
  ImVec4* const colors = ImGui::GetStyle().Colors;
  colors[ImGuiCol_WindowBg] = theme == 1   ? ImVec4(0.93f, 0.95f, 0.96f, 1)
                              : theme == 2 ? ImVec4(0, 0, 0, 1)
                                           : ImVec4(0.08f, 0.09f, 0.11f, 1);
  // The chosen tab stands out from the others, whether the keys go to it or to the overlay.
  colors[ImGuiCol_Tab] = colors[ImGuiCol_TabUnfocused] = colors[ImGuiCol_FrameBg];
  colors[ImGuiCol_TabUnfocusedActive] = colors[ImGuiCol_TabActive];
}

void Viewer::build() {
  if (!typed_path_.empty()) open(std::exchange(typed_path_, {}));
  if (frames_of_) take_frames(*std::exchange(frames_of_, {}));
  take_look();
  imgui_.begin_frame();
  overlay_apply_touch(overlay_);
  ImGui::NewFrame();
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(viewport->WorkSize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  const bool visible =
      ImGui::Begin("##viewer", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
  ImGui::SetWindowFontScale(text_scale_);
  if (visible) draw_tabs();
  if (visible) draw_lacking_letters();
  ImGui::SetWindowFontScale(1);
  if (visible && overlay_ != nullptr) overlay_content(overlay_);
  ImGui::PopStyleVar();
  if (visible && overlay_ == nullptr) {
    draw_welcome();
    if (host_.choose_capture != nullptr && problem_.empty() && ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0))
      host_.choose_capture(host_.user);
  }
  ImGui::End();
  draw_problem();
  ImGui::Render();
  if (overlay_settings_changed(overlay_)) settings_changed_ = look_is_old_ = true;
}

void Viewer::draw_tabs() {
  if (tabs_.size() < 2) return;
  // The overlay paints its surface over half of the space above it: the tabs stand where this is.
  const ImGuiStyle& style = ImGui::GetStyle();
  ImGui::SetCursorPosY(style.WindowPadding.y / 2);
  if (!ImGui::BeginTabBar("##captures", ImGuiTabBarFlags_FittingPolicyScroll | ImGuiTabBarFlags_Reorderable)) return;
  size_t chosen = shown_, closed = tabs_.size();
  std::vector<std::pair<float, size_t>> places;  // a drag moves tabs, and nothing else tells where they are
  for (size_t i = 0; i < tabs_.size(); ++i) {
    const std::string label = short_name(tabs_[i].input->name()) + "###tab" + std::to_string(tabs_[i].number);
    bool open = true;
    const bool bring = bring_tab_ && i == shown_;
    if (ImGui::BeginTabItem(label.c_str(), &open, bring ? ImGuiTabItemFlags_SetSelected : 0)) {
      if (!bring_tab_) chosen = i;
      ImGui::EndTabItem();
    }
    places.emplace_back(ImGui::GetItemRectMin().x, i);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", tabs_[i].title.c_str());
    if (!open) closed = i;
  }
  ImGui::EndTabBar();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + style.WindowPadding.y - style.ItemSpacing.y);
  bring_tab_ = false;
  const bool next = ImGui::GetIO().KeyCtrl && is_pressed(ImGuiKey_Tab);
  if (next) {
    std::sort(places.begin(), places.end());
    size_t at = 0;
    while (places[at].second != shown_) ++at;
    chosen = places[(at + 1) % places.size()].second;
  }
  if (chosen != shown_) {
    activate(chosen);
    bring_tab_ = next;
  }
  if (closed != tabs_.size()) close(closed);
}

void Viewer::draw_lacking_letters() {
  const std::string lacking = imgui_.lacking_text();
  if (lacking.empty() || knows_letters_lack_) return;
  const ImGuiStyle& style = ImGui::GetStyle();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - style.WindowPadding.y / 2);  // as the tabs
  if (ImGui::SmallButton("x")) knows_letters_lack_ = true;
  ImGui::SameLine();
  ImGui::TextWrapped("%s", lacking.c_str());
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + style.WindowPadding.y - style.ItemSpacing.y);
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
  const bool is_new = ImGui::IsWindowAppearing();  // it was Enter that opened the file
  if (ImGui::Button("OK") || (!is_new && (is_pressed(ImGuiKey_Enter) || is_pressed(ImGuiKey_Escape)))) problem_.clear();
  if (problem_.empty()) ImGui::CloseCurrentPopup();  // also when another file was opened meanwhile
  ImGui::EndPopup();
}

std::string Viewer::state() const {
  std::string text(overlay_write_state(overlay_, nullptr, 0) + 1, '\0');
  overlay_write_state(overlay_, text.data(), text.size());
  text.pop_back();  // the closing 0
  const size_t end = text.rfind('}');
  if (end != std::string::npos) text.insert(end, ",\n  \"tab\": " + std::to_string(shown_) + "\n");
  return text;
}

}  // namespace flamelet::tools
