// SPDX-License-Identifier: MIT
#include "input/touch_gestures.h"

#include <math.h>

#include <algorithm>

namespace flamelet::ui {

namespace {

bool same_buttons(const TouchMouse& a, const TouchMouse& b) {
  return a.down[0] == b.down[0] && a.down[1] == b.down[1] && a.present == b.present;
}

}  // namespace

// A move replaces the move before it: only where the finger is counts. Buttons are never lost: where there is no room for
// another step, there are moves to replace, or the finger did more than a frame can show.
void TouchGestures::add(const TouchMouse& mouse) {
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

void TouchGestures::click(int button, float x, float y) {
  TouchMouse mouse = {true, x, y, {false, false}};
  add(mouse);
  mouse.down[button] = true;
  add(mouse);
  mouse.down[button] = false;
  add(mouse);
}

void TouchGestures::end_drag() {
  if (state_ == State::kDrag) add({true, fingers_[0].x, fingers_[0].y, {false, false}});
}

void TouchGestures::measure_pinch(bool begins) {
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

void TouchGestures::touch(uint64_t finger, Phase phase, float x, float y, double now_s) {
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

bool TouchGestures::next_frame(double now_s, TouchMouse* mouse) {
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

Pinch TouchGestures::take_pinch() {
  const Pinch taken = pinch_;
  pinch_ = Pinch();
  return taken;
}

}  // namespace flamelet::ui
