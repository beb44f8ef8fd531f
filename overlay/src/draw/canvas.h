// SPDX-License-Identifier: MIT
//
// canvas.h: the few shapes that the overlay draws, straight into an ImGui draw list. Rectangles go through PrimReserve
// and PrimRect on whole pixels, so nothing is anti-aliased or clipped by a draw command; texts are unformatted and are
// made to fit before they come here.
#ifndef FLAMELET_OVERLAY_SRC_CANVAS_H
#define FLAMELET_OVERLAY_SRC_CANVAS_H

#include <string_view>

#include "draw/text.h"
#include "draw/theme.h"
#include "imgui.h"

namespace flamelet::ui {

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

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_CANVAS_H
