// SPDX-License-Identifier: MIT
#include "shell/json.h"

namespace flamelet::ui {

namespace {

// The size of the character of UTF-8 that the text begins with, if it is one of several bytes; otherwise 0.
size_t bytes_of_character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || size > text.size()) return 0;
  for (size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // No long form of a short one, no half of a pair of UTF-16, nothing beyond Unicode.
  const bool wrong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) >= 0xA0) ||
                     (byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) >= 0x90);
  return wrong ? 0 : size;
}

void add_character(TextWriter* text, unsigned char c) {
  static constexpr char kHex[] = "0123456789abcdef";
  if (c == '"' || c == '\\') {
    text->add('\\').add(static_cast<char>(c));
  } else if (c < 0x20 || c >= 0x7F) {
    text->add("\\u00").add(kHex[c >> 4]).add(kHex[c & 15]);
  } else {
    text->add(static_cast<char>(c));
  }
}

}  // namespace

void JsonObject::key(std::string_view name) {
  if (!first_) text_->add(',');
  text_->add(first_ && between_ == " " ? std::string_view() : between_).add('"').add(name).add("\": ");
  first_ = false;
}

void JsonObject::add(std::string_view name, std::string_view value) {
  key(name);
  text_->add('"');
  while (!value.empty()) {
    const size_t size = bytes_of_character(value);
    if (size != 0)
      text_->add(value.substr(0, size));
    else
      add_character(text_, static_cast<unsigned char>(value[0]));  // a byte that is no UTF-8 becomes Latin-1
    value.remove_prefix(size != 0 ? size : 1);
  }
  text_->add('"');
}

void JsonObject::add(std::string_view name, int64_t value) {
  key(name);
  text_->add_signed(value);
}

void JsonObject::add(std::string_view name, uint64_t value) {
  key(name);
  text_->add_unsigned(value);
}

void JsonObject::add(std::string_view name, bool value) {
  key(name);
  text_->add(value ? "true" : "false");
}

void JsonObject::add_number(std::string_view name, double value) {
  key(name);
  text_->add_fixed(value, 3);
}

void JsonObject::add_null(std::string_view name) {
  key(name);
  text_->add("null");
}

JsonList JsonObject::add_list(std::string_view name) {
  key(name);
  return JsonList(text_);
}

JsonObject JsonList::add_object() {
  text_->add(first_ ? "\n    " : ",\n    ");
  first_ = false;
  return JsonObject(text_, " ");
}

}  // namespace flamelet::ui
