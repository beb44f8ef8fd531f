// SPDX-License-Identifier: MIT
//
// text.h: texts with numbers, and how much of a text fits into a width.
#ifndef FLAMELET_OVERLAY_SRC_TEXT_H
#define FLAMELET_OVERLAY_SRC_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string_view>

namespace flamelet::ui {

// What stands for a scope or a counter whose name is empty.
constexpr const char* kNoName = "(no name)";

// Text buffer: short texts with numbers in them, written without printf: a frame of the overlay has hundreds of them,
// and a scope's name is never a format string.
//
// Times keep three or four digits and a unit of two letters, so that columns line up: "16.42 ms", "812.0 us", "640 ns".

// Appends to memory that somebody else owns. What does not fit is dropped, but counted in wanted(). Always ends with 0.
class TextWriter {
 public:
  TextWriter(char* data, size_t capacity) : data_(data), capacity_(capacity) { clear(); }

  __attribute__((noinline)) TextWriter& add(std::string_view text);
  TextWriter& add(char c) { return add(std::string_view(&c, 1)); }
  __attribute__((noinline)) TextWriter& add_unsigned(uint64_t value);
  __attribute__((noinline)) TextWriter& add_signed(int64_t value);
  TextWriter& add_grouped(uint64_t value);             // 12,345,678
  TextWriter& add_fixed(double value, int decimals);   // rounded; 0 to 6 decimals; "-" if it is not finite
  TextWriter& add_time(int64_t ns);                    // the unit that suits it
  TextWriter& add_time(int64_t ns, int64_t apart_ns);  // with digits that tell it from a time that far away
  TextWriter& add_long_time(int64_t ns);
  TextWriter& add_ms(int64_t ns);         // 16.42, without the unit
  TextWriter& add_bytes(uint64_t bytes);  // 12.3 MiB
  TextWriter& add_percent(double share);  // 0.197 -> 19.7%
  TextWriter& add_line(uint32_t line);    // ":12" behind a file; nothing for 0

  void clear() {
    size_ = 0;
    wanted_ = 0;
    if (capacity_ != 0) data_[0] = 0;
  }
  std::string_view view() const { return std::string_view(data_, size_); }
  const char* c_str() const { return data_; }
  size_t wanted() const { return wanted_; }

 private:
  char* data_;
  size_t capacity_;
  size_t size_ = 0;
  size_t wanted_ = 0;
};

template <size_t N>
class FixedText : public TextWriter {
 public:
  FixedText() : TextWriter(storage_, N) {}
  FixedText(const FixedText&) = delete;
  FixedText& operator=(const FixedText&) = delete;

 private:
  char storage_[N];
};

// Text fit: how much of a text fits into a width. Labels are never cut in half: they fit, or end in an ellipsis, or
// are left out.
//
// Names may hold any bytes. A text ends at the first control character, which ImGui would take for a line break or for
// the end of the text, with an ellipsis in its place: see seen_text().

// The widths of a font at one size. ASCII comes from a table, because nearly every name is ASCII and asking ImGui
// for each character takes longer than drawing it.
struct FontMetrics {
  float size = 0;  // line height in pixels
  float advance[128] = {};
  char ellipsis[4] = {'.', '.', '.', 0};
  float ellipsis_width = 0;
  // The width of one other character, UTF-8 in [begin, end).
  float (*measure)(void* user, const char* begin, const char* end) = nullptr;
  void* user = nullptr;
  const void* font = nullptr;  // whose widths these are

  float of(char ascii) const { return advance[static_cast<unsigned char>(ascii) & 127]; }
};

struct TextFit {
  uint32_t bytes = 0;   // draw these
  bool elided = false;  // and then the ellipsis
  float width = 0;      // of both
};

// bytes == 0 and not elided: there is nothing to draw. An elided text keeps at least two characters.
TextFit fit_text(const FontMetrics& font, std::string_view text, float max_width);

// How many bytes of a text stand on its first line: up to the last space where it fits, and all of them where it fits as it
// is or no space helps. ImGui's own wrapping also breaks a line behind a point, in the middle of a number.
size_t fit_words(const FontMetrics& font, std::string_view text, float max_width);

float text_width(const FontMetrics& font, std::string_view text);

// The state as JSON. Written by hand: it is an object with few lists in it, and the overlay has no other use for
// JSON. Texts are written as the explainer writes them: always valid JSON, whatever the name.

class JsonList;

// close() ends it.
class JsonObject {
 public:
  // `between` stands before each field; what is only space is left out before the first one.
  JsonObject(TextWriter* text, std::string_view between) : text_(text), between_(between) { text_->add('{'); }
  void close() { text_->add('}'); }

  __attribute__((noinline)) void add(std::string_view name, std::string_view value);
  void add(std::string_view name, const char* value) { add(name, std::string_view(value)); }
  __attribute__((noinline)) void add(std::string_view name, int64_t value);
  __attribute__((noinline)) void add(std::string_view name, uint64_t value);
  void add(std::string_view name, uint32_t value) { add(name, uint64_t{value}); }
  __attribute__((noinline)) void add(std::string_view name, bool value);
  __attribute__((noinline)) void add_number(std::string_view name, double value);
  void add_null(std::string_view name);
  template <typename Value>
  void add_if(bool known, std::string_view name, Value value) {
    known ? add(name, value) : add_null(name);
  }
  // Nothing may be added here until the list is closed.
  JsonList add_list(std::string_view name);

 private:
  __attribute__((noinline)) void key(std::string_view name);

  TextWriter* text_;
  std::string_view between_;
  bool first_ = true;
};

class JsonList {
 public:
  explicit JsonList(TextWriter* text) : text_(text) { text_->add('['); }
  void close() { text_->add("\n  ]"); }
  JsonObject add_object();

 private:
  TextWriter* text_;
  bool first_ = true;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_TEXT_H
