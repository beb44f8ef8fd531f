// SPDX-License-Identifier: MIT
//
// canvas.h: the few shapes that the overlay draws, straight into an ImGui draw list. Rectangles go through PrimReserve
// and PrimRect on whole pixels, so nothing is anti-aliased or clipped by a draw command; texts are unformatted and are
// made to fit before they come here.
#ifndef FLAMELET_OVERLAY_SRC_CANVAS_H
#define FLAMELET_OVERLAY_SRC_CANVAS_H

#include <stdint.h>
#include <algorithm>
#include <string_view>

#include "draw/text.h"
#include "draw/theme.h"
#include "imgui.h"

namespace flamelet::ui {

// Pixels without their fraction.
template <typename Pixels>
float whole(Pixels pixels) {
  return static_cast<float>(static_cast<int>(pixels));
}

inline ImU32 pack(Rgb rgb, uint32_t alpha = 255) {
  return IM_COL32(rgb >> 16 & 0xFF, rgb >> 8 & 0xFF, rgb & 0xFF, alpha);
}

// Fills the table of widths for the current font and size. Costs nothing while they stay the same.
void update_metrics(FontMetrics* metrics);

// Blocks on a page that are narrower than this, at a scale of 1, are merged with their neighbours ...
constexpr float kMergeLimitPx = 3;
// ... and with twice the limit each time, until the blocks have room.
constexpr int kMostAttempts = 4;
// Characters on a page, four vertices each: with the blocks, one draw list stays below 65,536 vertices.
constexpr uint32_t kMostCharacters = 6000;

// A block's left and right edge, in whole pixels.
struct Edges {
  float left, right;
};
// With a gap of one on the right where there is room for it.
inline Edges edges(float x, float x0, float x1) {
  const float left = x + whole(x0);
  const float right = x + whole(x1);
  return {left, right - left >= 3 ? right - 1 : std::max(right, left + 1)};
}

// A name as it is shown: with a sign for each control character, and in quotes if it is blank. It may be in `room`.
using SeenText = FixedText<1024>;
std::string_view seen_text(std::string_view text, TextWriter* room);

class Canvas {
 public:
  Canvas(ImDrawList* list, const FontMetrics& font) : list_(list), font_(font) {}

  void rect(float x0, float y0, float x1, float y1, Rgb fill, uint32_t alpha = 255) {
    list_->PrimReserve(6, 4);
    reserved_rect(x0, y0, x1, y1, pack(fill, alpha));
  }
  // For many at once: reserve() once, then exactly so many of reserved_rect().
  void reserve(uint32_t rects) { list_->PrimReserve(static_cast<int>(rects * 6), static_cast<int>(rects * 4)); }
  // Gives back reserved ones that were not needed.
  void unreserve(uint32_t rects) { list_->PrimUnreserve(static_cast<int>(rects * 6), static_cast<int>(rects * 4)); }
  void reserved_rect(float x0, float y0, float x1, float y1, ImU32 fill) {
    list_->PrimRect(ImVec2(x0, y0), ImVec2(x1, y1), fill);
  }
  // A frame inside these edges.
  void outline(float x0, float y0, float x1, float y1, Rgb color, float thickness = 1);
  void triangle(float x0, float y0, float x1, float y1, float x2, float y2, Rgb fill);
  void line(float x0, float y0, float x1, float y1, Rgb color, float thickness, uint32_t alpha = 255);

  // All of it, which must be known to fit. Returns its width.
  float text(float x, float y, Rgb color, std::string_view text);
  void text_right(float right, float y, Rgb color, std::string_view text);
  void text_center(float x0, float x1, float y, Rgb color, std::string_view text);
  // As much as fits, with an ellipsis, or nothing. Returns the width drawn.
  float text_fit(float x, float y, float max_width, Rgb color, std::string_view text);
  void draw_fit(float x, float y, Rgb color, std::string_view text, const TextFit& fit);

  float width(std::string_view text) const { return text_width(font_, text); }
  const FontMetrics& font() const { return font_; }
  ImDrawList* list() const { return list_; }

 private:
  ImDrawList* list_;
  const FontMetrics& font_;
};

// What is valid while one frame is drawn.

// Notes: what was drawn where in the newest frame. It is written to the state (overlay_write_state), so that tests find what
// they click on; nothing else depends on it.

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

// Row cursor: rows and buttons of a page, reached by keys. The first list of a page (scrolling_rows) and the buttons
// above it (ButtonLine) take part without doing anything for it; a page asks row_chosen() and row_opened() instead of the
// mouse.

struct RowCursor {
  // What the keys of this frame ask for.
  int step = 0;
  bool open = false;
  bool next_column = false;
  bool press = false;

  uint32_t row = UINT32_MAX;  // of the first list
  uint32_t button = UINT32_MAX;
  uint32_t buttons = 0;  // of the page, so far in this frame
  uint32_t buttons_before = 0;

  // The list that has just been drawn was asked for its row by a key.
  bool chosen = false;
  bool opened = false;

  int list_frame = -2;  // ImGui's number of the frame with the last list
  uint32_t page = 0;    // that they are of

  bool here() const { return list_frame + 1 >= ImGui::GetFrameCount(); }
  void begin_frame(uint32_t shown_page) {
    step = 0;
    open = next_column = press = chosen = opened = false;
    buttons_before = buttons;
    buttons = 0;
    if (page != shown_page) row = button = UINT32_MAX;
    page = shown_page;
  }
  // True if the list that begins now is the first of this frame; then `row` is the one to be shown. The keys go on from the
  // row that is marked: the first for which is_marked(row), unless the one of the last key is. Without either they begin
  // with the row `first`.
  template <typename IsMarked>
  bool begin_list(uint32_t count, const IsMarked& is_marked, uint32_t first) {
    chosen = opened = false;
    if (list_frame == ImGui::GetFrameCount() || count == 0) return false;
    list_frame = ImGui::GetFrameCount();
    if (step == 0 && !open) return false;
    if (row >= count || !is_marked(row)) {
      uint32_t marked = 0;
      while (marked < count && !is_marked(marked)) ++marked;
      if (marked < count) row = marked;
    }
    if (row >= count)
      row = first < count ? first : 0;
    else
      row = static_cast<uint32_t>(std::min<int64_t>(std::max<int64_t>(int64_t{row} + step, 0), int64_t{count} - 1));
    chosen = step != 0;
    opened = open;
    return true;
  }
  void mark_next() { button = buttons_before != 0 ? (button + 1) % buttons_before : UINT32_MAX; }
  // Whether a key presses the button that comes now; `marked`: whether it would.
  bool pressed(bool* marked) {
    *marked = buttons++ == button;
    return *marked && press;
  }
};

// The open menu, which arrows and Enter are about (begin_menu(), menu_item()).
struct MenuCursor {
  uint32_t row = UINT32_MAX;
  uint32_t items = 0;  // in this frame
  uint32_t items_before = 0;
  bool accept = false;
  int frame = -2;  // ImGui's number of the last frame with a menu in it

  bool open() const { return frame + 1 >= ImGui::GetFrameCount(); }
};

// What gives way to the page where there is little height, each with those before it.
enum class Folded { kNothing, kBars, kTruth, kTitle };

struct Frame {
  Folded folded = Folded::kNothing;
  FontMetrics metrics;
  float unit = 1;  // pixels per pixel of a 13 px font
  Theme theme = {};
  float content_x = 0, content_y = 0, content_width = 0;  // of the overlay, on the screen
  bool takes_input = true;                                // false in a read-only overlay
  bool tooltips = true;                                   // false where something lies over the page
  RowCursor rows;
  MenuCursor menu;
  Notes notes;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_CANVAS_H
