// SPDX-License-Identifier: MIT
//
// drawn_text.h: what a reader sees of the text that ImGui drew. It paints the draw lists into a picture of its own, in
// their order, and looks at each character: its contrast with what lies behind it, whether another text was drawn over
// it, and whether an edge cuts it.
#pragma once

#include <math.h>

#include <algorithm>
#include <string>
#include <vector>

#include "draw/theme.h"
#include "overlay/headless_imgui.h"
#if IMGUI_VERSION_NUM >= 19200
#include "imgui_internal.h"  // the glyphs of every size
#endif

namespace flamelet_tests {

// Characters of one text, in the order in which they were drawn.
struct DrawnText {
  std::string text;  // '?' for what is not ASCII
  std::string window;
  float x0, y0, x1, y1;
  float contrast;  // of the character that reads worst
  flamelet::ui::Rgb ink, behind;
  bool overlaps, cut;
  std::string over;  // what it overlaps
  bool even = true;  // one colour is behind all of it
  flamelet::ui::Rgb first_behind = 0;
  bool has_behind = false;
};

class DrawnTexts {
 public:
  // The lists of the last frame, over a game that fills the window with this colour. Lines must not be textured:
  // ImGui::GetStyle().AntiAliasedLinesUseTex = false.
  explicit DrawnTexts(flamelet::ui::Rgb game) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    width_ = static_cast<int>(size.x);
    height_ = static_cast<int>(size.y);
    const size_t pixels = static_cast<size_t>(width_) * static_cast<size_t>(height_);
    picture_.assign(pixels, game);
    owner_.assign(pixels, -1);
    HeadlessImGui::for_each_list([this](const ImDrawList& list) { paint(list); });
  }

  const std::vector<DrawnText>& texts() const { return texts_; }
  flamelet::ui::Rgb pixel(int x, int y) const { return picture_[at(x, y)]; }

 private:
  struct Box {
    float x0, y0, x1, y1;
  };

  size_t at(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
  }

  static flamelet::ui::Rgb blend(flamelet::ui::Rgb below, ImU32 color, float alpha) {
    const flamelet::ui::Rgb rgb = (color & 0xFF) << 16 | (color & 0xFF00) | (color >> 16 & 0xFF);
    return flamelet::ui::mix(below, rgb, alpha);
  }

  template <typename Visit>
  void for_each_pixel(const Box& box, const ImVec4& clip, Visit visit) {
    const int x0 = static_cast<int>(ceilf(std::max({box.x0, clip.x, 0.0f}) - 0.5f));
    const int y0 = static_cast<int>(ceilf(std::max({box.y0, clip.y, 0.0f}) - 0.5f));
    const float right = std::min({box.x1, clip.z, static_cast<float>(width_)});
    const float bottom = std::min({box.y1, clip.w, static_cast<float>(height_)});
    for (int y = y0; static_cast<float>(y) + 0.5f < bottom; ++y)
      for (int x = x0; static_cast<float>(x) + 0.5f < right; ++x) visit(x, y);
  }

  static Box box_of(const ImDrawVert* const (&v)[3]) {
    return {std::min({v[0]->pos.x, v[1]->pos.x, v[2]->pos.x}), std::min({v[0]->pos.y, v[1]->pos.y, v[2]->pos.y}),
            std::max({v[0]->pos.x, v[1]->pos.x, v[2]->pos.x}), std::max({v[0]->pos.y, v[1]->pos.y, v[2]->pos.y})};
  }

  void fill(const ImDrawVert* const (&v)[3], const ImVec4& clip) {
    const auto edge = [](const ImVec2& a, const ImVec2& b, float x, float y) {
      return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
    };
    const float alpha = (static_cast<float>(v[0]->col >> 24) + static_cast<float>(v[1]->col >> 24) +
                         static_cast<float>(v[2]->col >> 24)) /
                        (3 * 255);
    if (!(alpha > 0)) return;
    for_each_pixel(box_of(v), clip, [&](int x, int y) {
      const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
      const float a = edge(v[0]->pos, v[1]->pos, px, py), b = edge(v[1]->pos, v[2]->pos, px, py),
                  c = edge(v[2]->pos, v[0]->pos, px, py);
      if (!((a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0))) return;
      flamelet::ui::Rgb& pixel = picture_[at(x, y)];
      pixel = blend(pixel, v[0]->col, alpha);
      if (alpha > 0.5f) owner_[at(x, y)] = -1;
    });
  }

  // A character, whose first triangle this is: its box is the box of the whole.
  void character(const ImDrawVert* const (&v)[3], const ImVec4& clip, const char* window) {
    const Box box = box_of(v);
    const bool seen = box.x1 > clip.x && box.x0 < clip.z && box.y1 > clip.y && box.y0 < clip.w;
    if (!seen || v[0]->col >> 24 == 0) return;
    DrawnText* text = continued(box, v[0]->col, window);
    if (text == nullptr) {
      texts_.push_back({"", window, box.x0, box.y0, box.x1, box.y1, 21, blend(0, v[0]->col, 1), 0, false, false, "",
                        true, 0, false});
      text = &texts_.back();
    }
    text->text += letter(*v[0]);
    text->x0 = std::min(text->x0, box.x0);
    text->y0 = std::min(text->y0, box.y0);
    text->x1 = std::max(text->x1, box.x1);
    text->y1 = std::max(text->y1, box.y1);
    // A list that scrolls cuts its last row; nothing may be cut at its sides.
    text->cut = text->cut || box.x0 < clip.x - 1 || box.x1 > clip.z + 1;
    const int index = static_cast<int>(text - texts_.data());
    const float alpha = static_cast<float>(v[0]->col >> 24) / 255;
    for_each_pixel(box, clip, [&](int x, int y) {
      const flamelet::ui::Rgb behind = picture_[at(x, y)];
      if (behind != last_behind_ || v[0]->col != last_ink_) {
        last_behind_ = behind;
        last_ink_ = v[0]->col;
        last_contrast_ = flamelet::ui::contrast(blend(behind, v[0]->col, alpha), behind);
      }
      if (last_contrast_ < text->contrast) {
        text->contrast = last_contrast_;
        text->behind = behind;
      }
      if (!text->has_behind) text->first_behind = behind;
      text->has_behind = true;
      text->even = text->even && behind == text->first_behind;
      int& owner = owner_[at(x, y)];
      if (owner >= 0 && owner != index) {
        text->overlaps = true;
        text->over = texts_[static_cast<size_t>(owner)].text;
      }
      owner = index;
    });
  }

  // The newest text, if the character goes on with it.
  DrawnText* continued(const Box& box, ImU32 color, const char* window) {
    if (texts_.empty()) return nullptr;
    DrawnText& last = texts_.back();
    const float height = std::max(last.y1 - last.y0, box.y1 - box.y0);
    const bool same_line = box.y0 < last.y1 + height && box.y1 > last.y0 - height;
    const bool next = box.x0 > last.x1 - 2 && box.x0 < last.x1 + 2 * height + 4;
    return last.window == window && last.ink == blend(0, color, 1) && same_line && next ? &last : nullptr;
  }

  static char letter(const ImDrawVert& first) {
    const auto found_in = [&first](const ImVector<ImFontGlyph>& glyphs) {
      for (const ImFontGlyph& glyph : glyphs)
        if (glyph.U0 == first.uv.x && glyph.V0 == first.uv.y && glyph.Codepoint < 127)
          return static_cast<char>(glyph.Codepoint);
      return '?';
    };
#if IMGUI_VERSION_NUM >= 19200  // glyphs of each size that was drawn
    ImFontAtlasBuilder& built = *ImGui::GetIO().Fonts->Builder;
    for (int i = 0; i < built.BakedPool.Size; ++i) {
      const char found = found_in(built.BakedPool[i].Glyphs);
      if (found != '?') return found;
    }
    return '?';
#else
    return found_in(ImGui::GetFont()->Glyphs);
#endif
  }

  void paint(const ImDrawList& list) {
    const char* window = list._OwnerName != nullptr ? list._OwnerName : "";
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback != nullptr) continue;
      for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
        const ImDrawVert* v[3];
        for (unsigned k = 0; k < 3; ++k)
          v[k] = &list.VtxBuffer[static_cast<int>(list.IdxBuffer[static_cast<int>(command.IdxOffset + i + k)] +
                                                  command.VtxOffset)];
        const auto same = [](const ImVec2& a, const ImVec2& b) { return a.x == b.x && a.y == b.y; };
        if (same(v[0]->uv, v[1]->uv) && same(v[0]->uv, v[2]->uv)) {
          fill(v, command.ClipRect);
          continue;
        }
        character(v, command.ClipRect, window);
        i += 3;  // its second triangle
      }
    }
  }

  int width_ = 0, height_ = 0;
  std::vector<flamelet::ui::Rgb> picture_;
  std::vector<int> owner_;  // the text of each pixel, by its place in texts_
  std::vector<DrawnText> texts_;
  flamelet::ui::Rgb last_behind_ = 0;
  ImU32 last_ink_ = 0;
  float last_contrast_ = 1;
};

// All texts of the last frame, without spaces.
inline std::string all_drawn_text() {
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  std::string all;
  const DrawnTexts drawn(0x000000);
  for (const DrawnText& text : drawn.texts()) all += text.text + "\n";
  return all;
}
// One of them has this in it, which has no spaces.
inline bool is_drawn(const std::string& text) {
  return all_drawn_text().find(text) != std::string::npos;
}

}  // namespace flamelet_tests
