// SPDX-License-Identifier: MIT
//
// touch_gestures.h: what fingers mean, as steps of a mouse. A tap is a click, a long press a click of the right button. One
// finger that moves drags: over the pan area with the right button, which pans, elsewhere with the left one. Two fingers
// pinch. Positions are pixels, times seconds; nothing here knows ImGui.
#ifndef FLAMELET_OVERLAY_SRC_TOUCH_GESTURES_H
#define FLAMELET_OVERLAY_SRC_TOUCH_GESTURES_H

#include <stdint.h>

namespace flamelet::ui {

struct TouchArea {
  float x = 0, y = 0, width = 0, height = 0;

  bool contains(float at_x, float at_y) const {
    return at_x >= x && at_x < x + width && at_y >= y && at_y < y + height;
  }
};

// Where the mouse is, and what its buttons do.
struct TouchMouse {
  bool present = false;  // false: the mouse is nowhere
  float x = 0, y = 0;
  bool down[2] = {};  // left, right
};

// What two fingers did since it was taken.
struct Pinch {
  bool any = false;
  float x = 0, y = 0;  // the middle between them, now
  float moved_x = 0;   // by so much since then
  double factor = 1;   // < 1: the fingers went apart
};

class TouchGestures {
 public:
  static constexpr double kLongPressSeconds = 0.5;
  static constexpr float kSlopPx = 8;  // at font scale 1: a finger that moved no further taps

  enum class Phase : uint32_t { kBegan, kMoved, kEnded, kCancelled };

  void set_scale(float unit, const TouchArea& pan_area) {
    slop_px_ = kSlopPx * unit;
    pan_area_ = pan_area;
  }
  void touch(uint64_t finger, Phase phase, float x, float y, double now_s);
  // Once a frame. At most one button changes at a time, so that each change is seen. False: fingers say nothing about the
  // mouse.
  bool next_frame(double now_s, TouchMouse* mouse);
  Pinch take_pinch();

 private:
  enum class State : uint32_t { kIdle, kPressed, kDrag, kPinch, kDone };
  static constexpr uint32_t kMostSteps = 16;
  static constexpr uint32_t kMostFingers = 2;

  struct Finger {
    uint64_t id = 0;
    bool down = false;
    float x = 0, y = 0;
  };

  void add(const TouchMouse& mouse);
  void click(int button, float x, float y);
  void end_drag();
  void measure_pinch(bool begins);
  uint32_t fingers_down() const { return uint32_t{fingers_[0].down} + uint32_t{fingers_[1].down}; }

  Finger fingers_[kMostFingers];
  State state_ = State::kIdle;
  float begin_x_ = 0, begin_y_ = 0;
  double begin_s_ = 0;
  int drag_button_ = 0;
  float distance_ = 0, middle_x_ = 0;
  Pinch pinch_;
  TouchMouse steps_[kMostSteps];
  uint32_t first_ = 0, count_ = 0;
  TouchMouse now_;
  float slop_px_ = kSlopPx;
  TouchArea pan_area_;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_TOUCH_GESTURES_H
