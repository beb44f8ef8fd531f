// SPDX-License-Identifier: MIT
//
// json_writer.h: JSON, piece by piece, in the order in which it was given. Text is made printable, so that it is always
// UTF-8.
#ifndef FLAMELET_TOOLS_JSON_WRITER_H
#define FLAMELET_TOOLS_JSON_WRITER_H

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "display_text.h"

namespace flamelet::tools {

class JsonWriter {
 public:
  // The whole document, or an element of the array that is open.
  void begin_object() { open(Json::object()); }
  void end_object() { close(); }
  void begin_array(const char* key) { open(key, Json::array()); }
  void end_array() { close(); }
  void begin_object(const char* key) { open(key, Json::object()); }

  void text(const char* key, std::string_view value) { put(key, printable(value)); }
  void count(const char* key, uint64_t value) { put(key, value); }
  void integer(const char* key, int64_t value) { put(key, value); }
  // What is not finite is null.
  void number(const char* key, double value) { put(key, value); }
  void boolean(const char* key, bool value) { put(key, value); }
  void nothing(const char* key) { put(key, nullptr); }

  // One line.
  std::string take() { return std::exchange(document_, Json()).dump() + "\n"; }

 private:
  using Json = nlohmann::ordered_json;

  void put(const char* key, Json value) { (*open_.back())[key] = std::move(value); }
  void open(const char* key, Json value) { open_.push_back(&((*open_.back())[key] = std::move(value))); }
  void open(Json value) {
    if (open_.empty()) {
      document_ = std::move(value);
      open_.push_back(&document_);
    } else {
      open_.back()->push_back(std::move(value));
      open_.push_back(&open_.back()->back());
    }
  }
  void close() { open_.pop_back(); }

  Json document_;
  std::vector<Json*> open_;  // nothing is added to a container while one inside it is open, so they stay where they are
};

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_JSON_WRITER_H
