// SPDX-License-Identifier: MIT
#include "shell/json.h"

#include "flamelet/detail/text.h"

namespace flamelet::ui {

void JsonObject::key(std::string_view name) {
  if (!first_) text_->add(',');
  text_->add(first_ && between_ == " " ? std::string_view() : between_).add('"').add(name).add("\": ");
  first_ = false;
}

void JsonObject::add(std::string_view name, std::string_view value) {
  key(name);
  text_->add('"');
  add_json_text(value, [this](std::string_view part) { text_->add(part); });
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
