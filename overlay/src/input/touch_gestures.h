// SPDX-License-Identifier: MIT
//
// touch_gestures.h: what fingers mean, as steps of a mouse. A tap is a click, a long press a click of the right button. One
// finger that moves drags: over the pan area with the right button, which pans, elsewhere with the left one. Two fingers
// pinch. Positions are pixels, times seconds; nothing here knows ImGui.
#ifndef FLAMELET_OVERLAY_SRC_TOUCH_GESTURES_H
#define FLAMELET_OVERLAY_SRC_TOUCH_GESTURES_H

#include <math.h>
#include <stdint.h>

#include <algorithm>

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

inline bool same_buttons(const TouchMouse& a, const TouchMouse& b) {
  return a.down[0] == b.down[0] && a.down[1] == b.down[1] && a.present == b.present;
}

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

// A move replaces the move before it: only where the finger is counts. Buttons are never lost: where there is no room for
// another step, there are moves to replace, or the finger did more than a frame can show.
inline void TouchGestures::add(const TouchMouse& mouse) {
  if (count_ >= 2) {
    TouchMouse& last = steps_[(first_ + count_ - 1) % kMostSteps];
    const TouchMouse& before = steps_[(first_ + count_ - 2) % kMostSteps];
    if (same_buttons(last, mouse) && same_buttons(before, last)) {
      last = mouse;
      return;
    }
  }
  if (count_ == kMostSteps) {
    first_ = (first_ + 1) % kMostSteps;
    --count_;
  }
  steps_[(first_ + count_++) % kMostSteps] = mouse;
}

inline void TouchGestures::click(int button, float x, float y) {
  TouchMouse mouse = {true, x, y, {false, false}};
  add(mouse);
  mouse.down[button] = true;
  add(mouse);
  mouse.down[button] = false;
  add(mouse);
}

inline void TouchGestures::end_drag() {
  if (state_ == State::kDrag) add({true, fingers_[0].x, fingers_[0].y, {false, false}});
}

inline void TouchGestures::measure_pinch(bool begins) {
  const float distance = std::max(hypotf(fingers_[0].x - fingers_[1].x, fingers_[0].y - fingers_[1].y), 1.0f);
  const float middle_x = (fingers_[0].x + fingers_[1].x) * 0.5f;
  if (!begins) {
    pinch_.any = true;
    pinch_.factor *= static_cast<double>(distance_) / static_cast<double>(distance);
    pinch_.moved_x += middle_x - middle_x_;
  }
  pinch_.x = middle_x;
  pinch_.y = (fingers_[0].y + fingers_[1].y) * 0.5f;
  distance_ = distance;
  middle_x_ = middle_x;
}

inline void TouchGestures::touch(uint64_t finger, Phase phase, float x, float y, double now_s) {
  if (!isfinite(x) || !isfinite(y)) return;
  Finger* known = nullptr;
  for (Finger& other : fingers_)
    if (other.down && other.id == finger) known = &other;
  if (phase == Phase::kBegan && known == nullptr) {
    if (fingers_down() == kMostFingers) return;  // a third one says nothing
    const bool first = fingers_down() == 0;
    Finger& fresh = fingers_[0].down ? fingers_[1] : fingers_[0];
    fresh = {finger, true, x, y};
    if (first) {
      state_ = State::kPressed;
      begin_x_ = x;
      begin_y_ = y;
      begin_s_ = now_s;
    } else if (state_ != State::kDone) {
      end_drag();
      state_ = State::kPinch;
      measure_pinch(true);
    }
    return;
  }
  if (known == nullptr) return;
  known->x = x;
  known->y = y;
  if (state_ == State::kPressed && phase != Phase::kCancelled && hypotf(x - begin_x_, y - begin_y_) > slop_px_) {
    state_ = State::kDrag;
    drag_button_ = pan_area_.contains(begin_x_, begin_y_) ? 1 : 0;
    TouchMouse mouse = {true, begin_x_, begin_y_, {false, false}};
    add(mouse);
    mouse.down[drag_button_] = true;
    add(mouse);
  }
  if (state_ == State::kDrag) {
    TouchMouse mouse = {true, x, y, {false, false}};
    mouse.down[drag_button_] = true;
    add(mouse);
  }
  if (state_ == State::kPinch) measure_pinch(false);
  if (phase == Phase::kMoved || phase == Phase::kBegan) return;
  if (state_ == State::kPressed && phase == Phase::kEnded) click(0, begin_x_, begin_y_);
  end_drag();
  known->down = false;
  state_ = fingers_down() == 0 ? State::kIdle : State::kDone;
  if (state_ == State::kIdle) add(TouchMouse());
}

inline bool TouchGestures::next_frame(double now_s, TouchMouse* mouse) {
  if (state_ == State::kPressed && now_s - begin_s_ >= kLongPressSeconds) {
    click(1, begin_x_, begin_y_);
    state_ = State::kDone;
  }
  if (count_ == 0 && state_ == State::kIdle) return false;
  if (count_ != 0) {
    now_ = steps_[first_];
    first_ = (first_ + 1) % kMostSteps;
    --count_;
  }
  *mouse = now_;
  return true;
}

inline Pinch TouchGestures::take_pinch() {
  const Pinch taken = pinch_;
  pinch_ = Pinch();
  return taken;
}

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_TOUCH_GESTURES_H
