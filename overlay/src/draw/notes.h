// SPDX-License-Identifier: MIT
//
// notes.h: what was drawn where in the newest frame. It is written to the state (overlay_write_state), so that tests find what
// they click on; nothing else depends on it.
#ifndef FLAMELET_OVERLAY_SRC_NOTES_H
#define FLAMELET_OVERLAY_SRC_NOTES_H

#include <stdint.h>

namespace flamelet::ui {

// Names are string literals. A note without room is left out.
class Notes {
 public:
  struct Note {
    const char* name;
    bool is_count;  // else a place
    uint64_t count;
    float x, y, width, height;
  };

  // What was noted in another frame (ImGui's number) is forgotten.
  void begin_frame(int frame) {
    if (frame_ != frame) count_ = 0;
    frame_ = frame;
  }
  // On the screen: a point, or a rectangle. As NAME_x_px, NAME_y_px, NAME_width_px and NAME_height_px.
  void note_place(const char* name, float x, float y, float width = 0, float height = 0) {
    if (count_ != kMost) notes_[count_++] = {name, false, 0, x, y, width, height};
  }
  void note_count(const char* name, uint64_t count) {
    if (count_ != kMost) notes_[count_++] = {name, true, count, 0, 0, 0, 0};
  }

  const Note* begin() const { return notes_; }
  const Note* end() const { return notes_ + count_; }

 private:
  static constexpr uint32_t kMost = 32;

  Note notes_[kMost];
  uint32_t count_ = 0;
  int frame_ = -1;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_NOTES_H
