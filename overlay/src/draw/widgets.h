// SPDX-License-Identifier: MIT
//
// widgets.h: distances, and the few controls that the overlay draws itself.
#ifndef FLAMELET_OVERLAY_SRC_WIDGETS_H
#define FLAMELET_OVERLAY_SRC_WIDGETS_H

#include <string_view>
#include <utility>

#include "draw/canvas.h"
#include "draw/text.h"
#include "imgui.h"

namespace flamelet::ui {

struct DrawContext;

// Whole pixels for a distance at font scale 1.
inline float scaled(const Frame& frame, float px) {
  return whole(px * frame.unit + 0.5f);
}

// The height of a row of a lane or of the flame graph. Inline: it is asked for each block.
inline float row_height(const Frame& frame) {
  return frame.metrics.size + scaled(frame, 4);
}

inline float control_height(const Frame& frame) {
  return frame.metrics.size + scaled(frame, 6);
}

// Of the line of choices above a page.
inline float bar_height(const Frame& frame) {
  return control_height(frame) + scaled(frame, 5);
}

enum class Icon { kNone, kPause, kPlay, kLeft, kRight, kClose, kSettings };

// A button of the toolbar at the cursor, in the current window. `width` 0 = as wide as its text. True when pressed.
bool tool_button(const Frame& frame, const char* id, Icon icon, std::string_view text, bool on, float width,
                 const char* tooltip);

// The left column: labels of the lanes, numbers of the frame bars.
inline float gutter_width(const Frame& frame) {
  return scaled(frame, 132);
}

// The flags of a page's child window: no window of its own, and no input while the overlay is read-only.
ImGuiWindowFlags page_child_flags(const Frame& frame);
// Such a window, without padding.
void begin_bare_child(const Frame& frame, const char* id, ImVec2 size, ImGuiWindowFlags flags = 0);

// Of a text in a tooltip: a name of a kilobyte must not fill the screen.
float most_name_px();
// A name in a tooltip, with its colour.
void name_line(const Frame& frame, std::string_view name, Rgb fill);

// Of a strip from x0 to x1, the part from `left` to `right` is what is in sight.
void mark_part(Canvas& canvas, float x0, float left, float right, float x1, float top, float bottom);

// ImGui::BeginTooltip(), but not where it would cover the help page. If true, EndTooltip() follows.
bool begin_tooltip(const Frame& frame);

// A text of several lines, which break at spaces: not behind the point in a number, as ImGui would. A word that is too long
// for a line is broken by ImGui.
void show_lines(const Frame& frame, std::string_view text, float width);

void colored_text(Rgb rgb, std::string_view text);

// Before what can be opened: downwards, or to the right.
void draw_arrow(const Frame& frame, Canvas& canvas, float x, float middle, bool open);

// The file and the line of a site, in a tooltip; nothing if they are not known.
void site_line(const flamelet_capture* capture, const Frame& frame, uint32_t site_id);

// One line of a tooltip: the label on the left, the value in a column of its own. A writer is clear then.
void tooltip_row(const char* label, std::string_view value, float column_x);
void tooltip_row(const char* label, TextWriter& value, float column_x);
// A name that fits, or ends with an ellipsis.
void tooltip_name_row(const Frame& frame, const char* label, std::string_view name, float column_x);

inline ImVec4 to_vec4(Rgb rgb, float alpha = 1) {
  return ImVec4(static_cast<float>(rgb >> 16 & 0xFF) / 255, static_cast<float>(rgb >> 8 & 0xFF) / 255,
                static_cast<float>(rgb & 0xFF) / 255, alpha);
}

// Number field: a number that can be typed. ImGui's own field reads and writes by the C library, so where the game's locale
// has a decimal comma, "16.7" would be 16.

// "-12", "0.85": up to nine digits behind a point. False: it is none, and *value is as before.
bool read_number(std::string_view text, double* value);

// At the cursor, as wide as ImGui::SetNextItemWidth() says. Buttons for less and more by `step`, with Ctrl by ten times that;
// 0 = no buttons. True in each frame in which it changes; then, and for IsItemActive() and the like, it is one item.
bool number_field(const char* id, double* value, double step, int decimals);

// Button line: a line of buttons and texts above a page.

// Buttons from left to right; one without room is left out, and so are all after it.
class ButtonLine {
 public:
  explicit ButtonLine(Frame& frame) : frame_(frame), at_(ImGui::GetCursorScreenPos()) {
    right_ = at_.x + ImGui::GetContentRegionAvail().x;
    at_.x += scaled(frame, 2);
    at_.y += scaled(frame, 2);
  }
  __attribute__((noinline)) bool button(const char* id, std::string_view text, bool on, const char* tooltip) {
    const float width = text_width(frame_.metrics, text) + scaled(frame_, 14);
    if (at_.x + width > right_) {
      right_ = at_.x;
      return false;
    }
    ImGui::SetCursorScreenPos(at_);
    bool marked = false;
    const bool by_key = frame_.rows.pressed(&marked);
    const bool pressed = tool_button(frame_, id, Icon::kNone, text, on, width, tooltip) || by_key;
    if (marked)
      Canvas(ImGui::GetWindowDrawList(), frame_.metrics)
          .outline(at_.x, at_.y, at_.x + width, at_.y + control_height(frame_), color::kAccent);
    at_.x += width + scaled(frame_, 1);
    return pressed;
  }
  // A number that can be typed, behind its label. True once it was changed; `focus` puts the cursor there.
  bool number(const char* id, std::string_view label, double* value, int decimals, const char* tooltip, bool focus) {
    const float width = text_width(frame_.metrics, "00000.00") + scaled(frame_, 14);
    const float label_width = text_width(frame_.metrics, label) + frame_.metrics.of(' ');
    if (at_.x + label_width + width > right_) {
      right_ = at_.x;
      return false;
    }
    Canvas(ImGui::GetWindowDrawList(), frame_.metrics).text(at_.x, at_.y + scaled(frame_, 3), color::kTextDim, label);
    at_.x += label_width;
    ImGui::SetCursorScreenPos(at_);
    ImGui::SetNextItemWidth(width);
    if (focus) ImGui::SetKeyboardFocusHere();
    number_field(id, value, 0, decimals);
    const bool changed = ImGui::IsItemDeactivatedAfterEdit();
    if (ImGui::IsItemHovered() && begin_tooltip(frame_)) {
      ImGui::TextUnformatted(tooltip);
      ImGui::EndTooltip();
    }
    at_.x += width + scaled(frame_, 1);
    return changed;
  }
  // What the calls are of: both choices, or without room for them the one in force alone, which is lit. True: the other
  // is chosen.
  bool history(bool on, bool measured, bool frames, const char* tooltip) {
    const bool both = frame_.content_width >= scaled(frame_, 800);
    const char* const shown = measured ? "measured time" : frames ? "shown frames" : "shown time";
    const bool narrower = (both || !on) && button("##shown", shown, !on, tooltip);
    const bool wider = (both || on) && button("##history", "whole history", on, tooltip);
    return both ? (on ? narrower : wider) : narrower || wider;
  }
  void gap() { at_.x += scaled(frame_, 9); }
  void text(Rgb rgb, std::string_view text) {
    Canvas canvas(ImGui::GetWindowDrawList(), frame_.metrics);
    at_.x += canvas.text_fit(at_.x, at_.y + scaled(frame_, 3), right_ - at_.x, rgb, text) + frame_.metrics.of(' ') * 2;
  }

 private:
  Frame& frame_;
  ImVec2 at_;
  float right_;
};

// Value line: a line of numbers, each with what it is.

// Pairs of a dim label and a value, from left to right; an ellipsis stands for one without room, and for all behind it up to
// the next gap: what those mean may hang on it.
class ValueLine {
 public:
  ValueLine(const Frame& frame, Canvas& canvas, float x, float y, float right)
      : canvas_(canvas), x_(x), y_(y), right_(right), space_(frame.metrics.of(' ')) {}

  __attribute__((noinline)) void add(std::string_view label, std::string_view value, Rgb value_color = color::kText,
                                     float least_width = 0) {
    const float label_width = label.empty() ? 0 : canvas_.width(label) + space_;
    const float value_width = canvas_.width(value);
    const float width = label_width + (value_width > least_width ? value_width : least_width);
    if (left_out_ || x_ + width > right_) return leave_out();
    if (!label.empty()) canvas_.text(x_, y_, color::kTextDim, label);
    canvas_.text(x_ + label_width, y_, value_color, value);
    x_ += width + 2 * space_;
  }
  __attribute__((noinline)) void add_time(std::string_view label, int64_t ns, Rgb value_color = color::kText) {
    FixedText<32> text;
    text.add_time(ns);
    add(label, text.view(), value_color, canvas_.width("00.00 ms"));
  }
  void gap() {
    x_ += 2 * space_;
    left_out_ = false;
  }

 private:
  void leave_out() {
    const FontMetrics& font = canvas_.font();
    if (std::exchange(left_out_, true) || x_ + font.ellipsis_width > right_ + 3 * space_) return;
    canvas_.text(x_ - space_, y_, color::kTextDim, font.ellipsis);
    x_ += font.ellipsis_width + space_;
  }

  Canvas& canvas_;
  float x_, y_, right_, space_;
  bool left_out_ = false;  // a pair, since the last gap
};

// The overlay's look, from here to the end of the scope: its theme, its text size, and its colours and
// distances on ImGui's own widgets.

// The current font at a share of its size, for all windows that begin inside the scope and for the one around it.
class TextScale {
 public:
  explicit TextScale(int percent);
  ~TextScale();
  TextScale(const TextScale&) = delete;
  TextScale& operator=(const TextScale&) = delete;

 private:
  float font_scale_;
};

constexpr float kBaseFontPx = 13;  // where a unit is a pixel

// Also measures the font, so that scaled() gives this look's distances.
class LookScope {
 public:
  // `percent`: of the size that the settings say.
  explicit LookScope(DrawContext& o, int percent = 100);
  ~LookScope();
  LookScope(const LookScope&) = delete;
  LookScope& operator=(const LookScope&) = delete;

 private:
  TextScale text_;
  int colors_ = 0;
  int vars_ = 0;
};

// Menus that also keys and a gamepad reach.

// Arrows, Enter and Escape, or the gamepad's, for menus and lists.
struct ListKeys {
  int vertical = 0, horizontal = 0;
  bool accept = false, close = false;
};
ListKeys read_list_keys();

// ImGui::BeginPopup() for a menu: Escape closes it, and nothing else while it is open; so does the overlay's giving the
// input back to the game. Popups of ImGui close at Escape only where the program has keyboard navigation on.
// It opens at the mouse, or below the item before it, in line with its right edge.
enum class MenuPlace { kMouse, kBelowItem };
bool begin_menu(Frame& frame, const char* id, MenuPlace place);
// ImGui::MenuItem() in such a menu: arrows and Enter, or a gamepad, reach it, too.
bool menu_item(Frame& frame, const char* label, const char* shortcut = nullptr, bool selected = false,
               bool enabled = true);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_WIDGETS_H
