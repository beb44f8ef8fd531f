// SPDX-License-Identifier: MIT
//
// value_line.h: a line of numbers, each with what it is.
#ifndef FLAMELET_OVERLAY_SRC_VALUE_LINE_H
#define FLAMELET_OVERLAY_SRC_VALUE_LINE_H

#include "draw/text_buffer.h"
#include "draw/widgets.h"

namespace flamelet::ui {

// Pairs of a dim label and a value, from left to right; a pair without room is left out.
class ValueLine {
 public:
  ValueLine(const Frame& frame, Canvas& canvas, float x, float y, float right)
      : canvas_(canvas), x_(x), y_(y), right_(right), space_(frame.metrics.of(' ')) {}

  void add(std::string_view label, std::string_view value, Rgb value_color = color::kText, float least_width = 0) {
    const float label_width = label.empty() ? 0 : canvas_.width(label) + space_;
    const float value_width = canvas_.width(value);
    const float width = label_width + (value_width > least_width ? value_width : least_width);
    if (x_ + width > right_) return;
    if (!label.empty()) canvas_.text(x_, y_, color::kTextDim, label);
    canvas_.text(x_ + label_width, y_, value_color, value);
    x_ += width + 2 * space_;
  }
  void add_time(std::string_view label, int64_t ns, Rgb value_color = color::kText) {
    FixedText<32> text;
    text.add_time(ns);
    add(label, text.view(), value_color, canvas_.width("00.00 ms"));
  }
  void gap() { x_ += 2 * space_; }

 private:
  Canvas& canvas_;
  float x_, y_, right_, space_;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_VALUE_LINE_H
