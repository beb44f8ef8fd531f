// SPDX-License-Identifier: MIT
#include "draw/canvas.h"

#include <algorithm>

#include <float.h>

namespace flamelet::ui {

namespace {

float measure_with(void* user, const char* begin, const char* end) {
  const FontMetrics& metrics = *static_cast<const FontMetrics*>(user);
  return ImGui::GetFont()->CalcTextSizeA(metrics.size, FLT_MAX, 0, begin, end).x;
}

// Writes a code point of the basic plane as UTF-8.
void encode(ImWchar c, char* text) {
  const unsigned code = static_cast<unsigned>(c);
  char* at = text;
  if (code < 0x80) {
    *at++ = static_cast<char>(code);
  } else if (code < 0x800) {
    *at++ = static_cast<char>(0xC0 | code >> 6);
    *at++ = static_cast<char>(0x80 | (code & 0x3F));
  } else {
    *at++ = static_cast<char>(0xE0 | (code >> 12 & 0x0F));
    *at++ = static_cast<char>(0x80 | (code >> 6 & 0x3F));
    *at++ = static_cast<char>(0x80 | (code & 0x3F));
  }
  *at = 0;
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

}  // namespace

void update_metrics(FontMetrics* metrics) {
  ImFont* font = ImGui::GetFont();
  const float size = ImGui::GetFontSize();
  // The font may have been rebuilt at the same address and size: one width is asked anew each time.
  const char probe = 'm';
  const float probe_width = font->CalcTextSizeA(size, FLT_MAX, 0, &probe, &probe + 1).x;
  if (metrics->size == size && metrics->font == font && metrics->of('m') == probe_width) return;
  metrics->size = size;
  metrics->font = font;
  metrics->measure = measure_with;
  metrics->user = metrics;
  for (int c = 0x20; c < 0x7F; ++c) {
    const char text = static_cast<char>(c);
    metrics->advance[c] = font->CalcTextSizeA(size, FLT_MAX, 0, &text, &text + 1).x;
  }
  // Fonts without a character for it name the full stop, or nothing.
  const ImWchar ellipsis = font->EllipsisChar;
  if (ellipsis > '.' && ellipsis < 0xFFFF) {
    encode(ellipsis, metrics->ellipsis);
  } else {
    for (int i = 0; i < 3; ++i) metrics->ellipsis[i] = '.';
    metrics->ellipsis[3] = 0;
  }
  metrics->ellipsis_width = font->CalcTextSizeA(size, FLT_MAX, 0, metrics->ellipsis).x;
}

void Canvas::outline(float x0, float y0, float x1, float y1, Rgb color, float thickness) {
  const ImU32 fill = pack(color);
  reserve(4);
  reserved_rect(x0, y0, x1, y0 + thickness, fill);
  reserved_rect(x0, y1 - thickness, x1, y1, fill);
  reserved_rect(x0, y0 + thickness, x0 + thickness, y1 - thickness, fill);
  reserved_rect(x1 - thickness, y0 + thickness, x1, y1 - thickness, fill);
}

void Canvas::triangle(float x0, float y0, float x1, float y1, float x2, float y2, Rgb fill) {
  list_->AddTriangleFilled(ImVec2(x0, y0), ImVec2(x1, y1), ImVec2(x2, y2), pack(fill));
}

void Canvas::line(float x0, float y0, float x1, float y1, Rgb color, float thickness, uint32_t alpha) {
  list_->AddLine(ImVec2(x0, y0), ImVec2(x1, y1), pack(color, alpha), thickness);
}

float Canvas::text(float x, float y, Rgb color, std::string_view text) {
  if (text.empty()) return 0;  // ImGui would look for the end of a text without one
  list_->AddText(ImGui::GetFont(), font_.size, ImVec2(x, y), pack(color), text.data(), text.data() + text.size());
  return text_width(font_, text);
}

void Canvas::text_right(float right, float y, Rgb color, std::string_view text) {
  this->text(right - text_width(font_, text), y, color, text);
}

void Canvas::text_center(float x0, float x1, float y, Rgb color, std::string_view text) {
  this->text(whole((x0 + x1 - text_width(font_, text)) * 0.5f), y, color, text);
}

std::string_view seen_text(std::string_view text, TextWriter* room) {
  const bool blank = !text.empty() && text.find_first_not_of(' ') == std::string_view::npos;
  if (!blank && std::none_of(text.begin(), text.end(), is_control)) return text;
  room->clear();
  if (blank) room->add('"');
  for (const char c : text.substr(0, 256)) {
    if (is_control(c))
      room->add("\xEF\xBF\xBD");
    else
      room->add(c);
  }
  if (text.size() > 256) room->add("...");
  if (blank) room->add('"');
  return room->view();
}

float Canvas::text_fit(float x, float y, float max_width, Rgb color, std::string_view text) {
  SeenText seen;
  text = seen_text(text, &seen);
  const TextFit fit = ui::fit_text(font_, text, max_width);
  draw_fit(x, y, color, text, fit);
  return fit.width;
}

void Canvas::draw_fit(float x, float y, Rgb color, std::string_view text, const TextFit& fit) {
  if (fit.bytes == 0) return;
  this->text(x, y, color, text.substr(0, fit.bytes));
  if (fit.elided) this->text(x + fit.width - font_.ellipsis_width, y, color, font_.ellipsis);
}

}  // namespace flamelet::ui
