// SPDX-License-Identifier: MIT
//
// state_text.h: the state as JSON. Written by hand: it is an object with few lists in it, and the overlay has no other use for
// JSON. Texts are written as the explainer writes them: always valid JSON, whatever the name.
#ifndef FLAMELET_OVERLAY_SRC_STATE_TEXT_H
#define FLAMELET_OVERLAY_SRC_STATE_TEXT_H

#include "draw/text.h"

namespace flamelet::ui {

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

#endif  // FLAMELET_OVERLAY_SRC_STATE_TEXT_H
