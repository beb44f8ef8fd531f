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
#include <map>
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
    const std::string text = read();
    overlay_load_settings(overlay_, text.data(), text.size());
    know();
  }
  // Also the page, which is no change of its own.
  ~SavedSettings() { save(); }
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

  // What the overlay has now is not the user's choice: a link opened it.
  void know() { known_ = lines_of(settings()); }

 private:
  // All lines of each name.
  using Lines = std::map<std::string, std::string>;

  static Lines lines_of(const std::string& text) {
    Lines lines;
    std::istringstream rest(text);
    for (std::string line; std::getline(rest, line);) lines[line.substr(0, line.find('='))] += line + "\n";
    return lines;
  }
  // Of what cannot be read, a folder of that name, say, nothing.
  std::string read() const {
    std::ifstream file(std::filesystem::u8path(path_), std::ios::binary);
    std::ostringstream read;
    read << file.rdbuf();
    return read.str();
  }
  std::string settings() const {
    std::string text(overlay_save_settings(overlay_, nullptr, 0) + 1, '\0');
    overlay_save_settings(overlay_, text.data(), text.size());
    text.pop_back();  // the closing 0
    return text;
  }

  // Of what this overlay has not changed, the file keeps what it has: another program may have written it.
  void save() {
    changed_ = false;
    Lines own = lines_of(settings());
    if (path_.empty() || own == known_) return;
    Lines lines = lines_of(read());
    if (lines.empty()) lines = own;
    for (const auto& [name, value] : known_) own[name];  // nothing is left of some
    for (const auto& [name, value] : own)
      if (value != known_[name]) lines[name] = value;
    know();
    std::string text;
    for (const auto& [name, value] : lines) text += value;
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
  Lines known_;       // as they were loaded, or saved last
  bool changed_ = false;
  std::chrono::steady_clock::time_point saved_at_;
};

}  // namespace flamelet::desktop
