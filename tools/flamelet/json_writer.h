// SPDX-License-Identifier: MIT
//
// json_writer.h: JSON, piece by piece. Text is made printable, so that it is always UTF-8.
#ifndef FLAMELET_TOOLS_JSON_WRITER_H
#define FLAMELET_TOOLS_JSON_WRITER_H

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "display_text.h"

namespace flamelet::tools {

class JsonWriter {
 public:
  void begin_object() { writer_.StartObject(); }
  void end_object() { writer_.EndObject(); }
  void begin_array(const char* key) {
    writer_.Key(key);
    writer_.StartArray();
  }
  void end_array() { writer_.EndArray(); }
  void begin_object(const char* key) {
    writer_.Key(key);
    writer_.StartObject();
  }

  void text(const char* key, std::string_view value) {
    writer_.Key(key);
    const std::string shown = printable(value);
    writer_.String(shown.data(), static_cast<rapidjson::SizeType>(shown.size()));
  }
  void count(const char* key, uint64_t value) {
    writer_.Key(key);
    writer_.Uint64(value);
  }
  void integer(const char* key, int64_t value) {
    writer_.Key(key);
    writer_.Int64(value);
  }
  // What is not finite is null.
  void number(const char* key, double value) {
    writer_.Key(key);
    if (std::isfinite(value))
      writer_.Double(value);
    else
      writer_.Null();
  }
  void boolean(const char* key, bool value) {
    writer_.Key(key);
    writer_.Bool(value);
  }
  void nothing(const char* key) {
    writer_.Key(key);
    writer_.Null();
  }

  // One line.
  std::string take() { return std::string(buffer_.GetString(), buffer_.GetSize()) + "\n"; }

 private:
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_{buffer_};
};

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_JSON_WRITER_H
