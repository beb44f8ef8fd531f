// SPDX-License-Identifier: MIT
//
// json_writer.h: an object in JSON, piece by piece, in the order in which it was given. Text is made printable, so that
// it is always UTF-8. The library behind it is nlohmann/json, which only json_writer.cpp includes: it takes seconds to
// compile.
#ifndef FLAMELET_TOOLS_JSON_WRITER_H
#define FLAMELET_TOOLS_JSON_WRITER_H

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace flamelet::tools {

class JsonWriter {
 public:
  JsonWriter();
  ~JsonWriter();

  // An element of the array that is open.
  void begin_object();
  void end_object();
  void begin_array(const char* key);
  void end_array();
  void begin_object(const char* key);
  // An array with an object for each of `items`, which `write` fills.
  template <class Items, class Write>
  void objects(const char* key, const Items& items, Write write) {
    begin_array(key);
    for (const auto& item : items) {
      begin_object();
      write(item);
      end_object();
    }
    end_array();
  }

  void text(const char* key, std::string_view value);
  void count(const char* key, uint64_t value);
  void integer(const char* key, int64_t value);
  void number(const char* key, double value);  // what is not finite is null
  void boolean(const char* key, bool value);
  void nothing(const char* key);

  // One line.
  std::string take() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_JSON_WRITER_H
