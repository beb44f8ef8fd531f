// SPDX-License-Identifier: MIT
//
// saved_settings.h: the overlay's settings of this user, from run to run: a text file, as docs/overlay-program.md shows it.
// Main thread.
#pragma once

#include <flamelet/overlay.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include "desktop/gl_window.h"
#include "desktop/platform/system.h"

namespace flamelet::desktop {

class SavedSettings {
 public:
  // Loads the file flamelet/NAME.settings of the user's folder, if it is there. `overlay` outlives this.
  SavedSettings(Overlay* overlay, const std::string& name) : overlay_(overlay) {
    const std::string folder = user_folder();
    if (folder.empty()) return;
    path_ = folder + "/flamelet/" + name + ".settings";
    std::ifstream file(std::filesystem::u8path(path_), std::ios::binary);
    std::ostringstream read;
    read << file.rdbuf();  // of what cannot be read, a folder of that name, say, nothing
    const std::string text = read.str();
    overlay_load_settings(overlay_, text.data(), text.size());
  }
  ~SavedSettings() {
    changed_ = overlay_settings_changed(overlay_) || changed_;
    if (changed_) save();
  }
  SavedSettings(const SavedSettings&) = delete;
  SavedSettings& operator=(const SavedSettings&) = delete;

  // Once a frame: saves what the user changed, at most once in two seconds, because a drag changes it with every frame.
  // `known`: somebody else asked the overlay, and it has changed.
  void update(bool known = false) {
    using Clock = std::chrono::steady_clock;
    changed_ = overlay_settings_changed(overlay_) || changed_ || known;
    if (!changed_ || Clock::now() - saved_at_ < std::chrono::seconds(2)) return;
    saved_at_ = Clock::now();
    save();
  }

 private:
  void save() {
    changed_ = false;
    if (path_.empty()) return;
    std::string text(overlay_save_settings(overlay_, nullptr, 0) + 1, '\0');
    overlay_save_settings(overlay_, text.data(), text.size());
    text.pop_back();  // the closing 0
    try {
      std::error_code ignored;  // writing says what is wrong
      std::filesystem::create_directories(std::filesystem::u8path(path_).parent_path(), ignored);
      write_file(path_, text);
    } catch (const std::runtime_error& error) {
      std::fprintf(stderr, "The overlay's settings are not kept: %s\n", error.what());
      path_.clear();
    }
  }

  Overlay* overlay_;
  std::string path_;  // empty: nothing is kept
  bool changed_ = false;
  std::chrono::steady_clock::time_point saved_at_;
};

}  // namespace flamelet::desktop
