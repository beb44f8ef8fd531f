// SPDX-License-Identifier: MIT
//
// viewer.h: what `flamelet view` shows, in whatever window: the overlay over a capture instead of a game. The window
// around it is a desktop's (view_command.cpp) or a page's (web/view_page.cpp).
#pragma once

#include <flamelet/overlay.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture_input.h"
#include "desktop/gl_window.h"
#include "desktop/imgui_host.h"

namespace flamelet::tools {

class Viewer {
 public:
  // GLFW callbacks that are set before this are called after ImGui's own. `host`: what the window does for the menu
  // "File". Before the first capture the window says how to open one.
  Viewer(const desktop::GlWindow& window, float scale, const OverlayHost& host);
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  // Shows a capture in a tab of its own, and keeps it. Each tab keeps its page, frames, view and filter; the sides of
  // Compare (B) may be of different tabs.
  void show(std::unique_ptr<CaptureInput> input);
  // Opens a file and shows it. False: the window says why, and shows what it did before.
  bool open(const std::string& path);
  // As --frames-of of the command: what is opened later gets such frames, too, if it has no marks.
  void keep_frames_of(const std::string& name) { last_frames_of_ = name; }
  // A finger on the window, in its pixels (overlay_touch). False before the first capture: there is nothing to touch.
  bool touch(uint64_t finger, TouchPhase phase, float x, float y);
  // A link of the overlay's (overlay_write_link). What it names and the capture lacks is said in the window.
  void go_to(const std::string& link);
  // Settings of the overlay, as "name=value,name=value". Those that it does not know change nothing; returns what is wrong with
  // the first of them, or "".
  std::string set(std::string settings);
  // For a picture: where the mouse happens to be changes nothing.
  void ignore_mouse() { imgui_.ignore_mouse(); }

  // One picture: what is to be drawn, and then the drawing, into the window's framebuffer.
  void build();
  void draw(int width, int height);

  // The next picture is another one, also if nothing happens until then.
  bool goes_on() const { return overlay_reading(overlay_) || imgui_.has_late_input(); }

  // True once after the user changed settings of the overlay.
  bool settings_changed() { return std::exchange(settings_changed_, false); }

  // "game.flamelet - Flamelet"
  const std::string& title() const { return title_; }
  // The file that is shown; empty if there is none.
  const std::string& file() const { return file_; }
  // Whose calls are its frames; "" = those that were marked.
  const std::string& frames_of() const { return tabs_[shown_].input->frames_of(); }
  const std::string& problem() const { return problem_; }  // what the window says
  Overlay* overlay() const { return overlay_; }            // NULL before the first capture
  // What is shown, as JSON (overlay_write_state).
  std::string state() const;

 private:
  struct Tab {
    std::unique_ptr<CaptureInput> input;
    std::string title;  // with what is wrong with the file
    size_t number = 0;  // tells it from the others, also from one of the same name
    std::string link;   // where the user was when another tab was chosen
  };

  static Viewer& of(void* self) { return *static_cast<Viewer*>(self); }
  OverlayHost own_host();
  void take_look();
  void draw_problem();
  void draw_tabs();
  void draw_lacking_letters();
  void activate(size_t tab);
  void take_frames(const std::string& name);
  void show_capture(const Tab& tab);
  void close(size_t tab);

  const desktop::GlWindow& window_;
  desktop::ImGuiHost imgui_;
  OverlayHost host_;
  std::vector<Tab> tabs_;
  size_t shown_ = 0;  // of tabs_
  size_t last_number_ = 0;
  bool settings_changed_ = false;
  bool look_is_old_ = true;
  float text_scale_ = 1;        // the overlay's setting
  bool bring_tab_ = false;      // in the next picture: it was not chosen by a click on it
  Overlay* overlay_ = nullptr;  // made with the first capture
  std::string title_ = "Flamelet";
  std::string file_;
  std::string typed_path_;                // to be opened before the next picture
  std::optional<std::string> frames_of_;  // whose calls are to be the frames from the next picture on
  std::string last_frames_of_;       // whose calls were made frames: those of files without marks that come after, too
  bool knows_letters_lack_ = false;  // and has closed the line that says so
  std::string problem_title_;
  std::string problem_;
};

// Draws while something happens, and a little longer, because tooltips and popups take more than one picture.
class Redraw {
 public:
  void something_happened() { left_ = kPicturesToSettle; }
  bool draws() const { return left_ > 0; }
  void drawn() { left_ -= left_ > 0; }

 private:
  static constexpr int kPicturesToSettle = 4;
  int left_ = kPicturesToSettle;
};

}  // namespace flamelet::tools
