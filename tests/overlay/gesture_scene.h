// SPDX-License-Identifier: MIT
//
// gesture_scene.h: an overlay over a recorded game, ready for one gesture; and its state before it.
#pragma once

#include <string>

#include "overlay/hands.h"
#include "overlay/played_game.h"
#include "shell/overlay_state.h"

namespace flamelet_tests {

// The whole state at one time.
class State {
 public:
  explicit State(const OverlayPlayer& player)
      : text_(flamelet::overlay_write_state(player.overlay, nullptr, 0) + 1, '\0'),
        popup(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) {
    flamelet::overlay_write_state(player.overlay, text_.data(), text_.size());
  }
  std::string at(const std::string& field) const {
    const size_t name = text_.find("\"" + field + "\": ");
    if (name == std::string::npos) return "(no such field)";
    const size_t begin = name + field.size() + 4;
    return text_.substr(begin, text_.find_first_of(",\n}", begin) - begin);
  }
  double number(const std::string& field) const { return atof(at(field).c_str()); }

 private:
  std::string text_;

 public:
  const bool popup;
};

class Scene {
 public:
  Scene() : played(30) { played.player.move(played.x(0.5), played.row(14)); }
  ~Scene() {
    played.player.overlay->hitches.flight = nullptr;
    flamelet_flight_destroy(flight_);
    flamelet_capture_destroy(watched_);
  }

  OverlayPlayer& player() { return played.player; }
  flamelet::Overlay& overlay() { return *played.player.overlay; }

  void over(double share, int row) { player().move(played.x(share), played.row(row)); }
  // The scope of that row of the main thread, a quarter into the frame. The mouse is elsewhere then.
  void select(int row, double share = 0.25) {
    over(share, row);
    player().click();
    player().settle();
    player().move(played.x(0.5), 5);
  }
  double selected_ns() { return player().number("selected_end_ns") - player().number("selected_begin_ns"); }
  void step_back(int frames) {
    for (int i = 0; i < frames; ++i) press_chord(&player(), {Key::kLeft});
  }
  void show_frames(uint64_t first, uint64_t last) {
    flamelet::overlay_select_frames(player().overlay, first, last);
    player().frames(2);
  }
  void touch(flamelet::TouchPhase phase, float x, float y, uint64_t finger = 1) {
    flamelet::overlay_touch(player().overlay, finger, phase, x, y);
  }
  void touch_frames(int count) {
    for (int i = 0; i < count; ++i) {
      flamelet::overlay_apply_touch(player().overlay);
      player().frames();
    }
  }
  void tap(float x, float y) {
    touch(flamelet::TouchPhase::kBegan, x, y);
    touch_frames(2);
    touch(flamelet::TouchPhase::kEnded, x, y);
    touch_frames(5);
  }
  void swipe(float x0, float y0, float x1, float y1) {
    touch(flamelet::TouchPhase::kBegan, x0, y0);
    touch_frames(2);
    touch(flamelet::TouchPhase::kMoved, (x0 + x1) / 2, (y0 + y1) / 2);
    touch_frames(4);
    touch(flamelet::TouchPhase::kMoved, x1, y1);
    touch_frames(3);
    touch(flamelet::TouchPhase::kEnded, x1, y1);
    touch_frames(5);
  }
  // More than the bars hold.
  void many_frames() {
    overlay().settings.bar_px = 16;
    played.game.frames(60);
    player().frames(10);
  }
  void play_slow_frame() {
    played.game.frame(4);
    played.game.frames(10);
    player().frames(20);
  }
  // Too low for its lanes.
  void low_window() {
    ImGui::GetIO().DisplaySize = ImVec2(1280, 330);
    player().frames(4);
    player().move(played.x(0.5), static_cast<float>(player().number("canvas_top_px")) + 20);
  }
  void open_scope_page() {
    select(4);
    player().open_page("scope");
    for (int i = 0; i < 1000 && (i < 30 || player().state("scope_reading") == "true"); ++i) player().frames();
  }
  // A place in one of the page Scope's pictures.
  float in_picture(const char* picture, char axis, double share) {
    const std::string name = std::string("scope_") + picture;
    return floorf(static_cast<float>(player().number(name + "_" + axis + "_px") +
                                     share * player().number(name + (axis == 'x' ? "_width_px" : "_height_px"))));
  }
  void open_settings() {
    overlay().panel.open = true;
    player().frames(2);
  }
  void save_nowhere() {
    flamelet::ui::TextWriter(overlay().files.folder, sizeof overlay().files.folder).add("/nowhere/at/all");
  }
  void wait_for_notice() {
    for (int i = 0; i < 100000 && overlay().status.text().empty(); ++i) player().frames();
  }
  void peek_with_home() {
    flamelet::overlay_set_mode(player().overlay, flamelet::OverlayMode::kOff);
#if IMGUI_VERSION_NUM < 18700
    overlay().settings.peek_key = ImGui::GetKeyIndex(ImGuiKey_Home);
#else
    overlay().settings.peek_key = ImGuiKey_Home;
#endif
  }
  // A flight recorder of the scene's own keeps them.
  void keep_two_hitches() {
    const flamelet_capture_config capture = flamelet_capture_config_default();
    flamelet_capture_create(&capture, &watched_);
    flamelet_flight_config config = flamelet_flight_config_default();
    config.median_factor = 0;
    config.frame_budget_ns = 25000000;
    config.frames_before = 2;
    config.frames_after = 2;
    config.dead_time_ms = 0;
    config.store_bytes = size_t{16} << 20;
    if (flamelet_flight_create(&config, watched_, &flight_) != FLAMELET_OK) abort();
    overlay().hitches.flight = flight_;
    for (int i = 0; i < 10; ++i) play(1);
    for (size_t slow = 1; slow <= 2; ++slow) {
      play(9);
      for (int i = 0; kept() < slow && i < 500; ++i) play(1);
    }
    player().move(played.x(0.5), played.row(14));
  }
  void to_first_hitch() {
    for (int i = 0; i < 2; ++i) press_chord(&player(), {Key::kLeft, flamelet::ui::kShift});
  }
  void click_first_flag() {
    player().move(static_cast<float>(player().number("hitch_x_px")),
                  static_cast<float>(player().number("bars_top_px")) + 30);
    player().click();
  }

  Played played;

 private:
  size_t kept() const {
    flamelet_flight_stats stats;
    flamelet_flight_get_stats(flight_, &stats);
    return stats.kept;
  }
  void play(double slowdown) {
    played.game.frame(slowdown);
    flamelet_capture_update(watched_);
    flamelet_flight_update(flight_);
    player().frames();
  }

  flamelet_capture* watched_ = nullptr;
  flamelet_flight* flight_ = nullptr;
};

}  // namespace flamelet_tests
