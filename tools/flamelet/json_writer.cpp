// SPDX-License-Identifier: MIT
#include "json_writer.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "display_text.h"

namespace flamelet::tools {

using Json = nlohmann::ordered_json;

struct JsonWriter::State {
  Json document;
  std::vector<Json*> open;  // nothing is added to a container while one inside it is open, so they stay where they are

  void put(const char* key, Json value) { (*open.back())[key] = std::move(value); }
  void begin(const char* key, Json value) {
    Json& added = (*open.back())[key] = std::move(value);
    open.push_back(&added);
  }
};

JsonWriter::JsonWriter() : state_(std::make_unique<State>()) {
  state_->document = Json::object();
  state_->open.push_back(&state_->document);
}
JsonWriter::~JsonWriter() = default;

void JsonWriter::begin_object() {
  state_->open.back()->push_back(Json::object());
  state_->open.push_back(&state_->open.back()->back());
}

void JsonWriter::end_object() {
  state_->open.pop_back();
}

void JsonWriter::begin_array(const char* key) {
  state_->begin(key, Json::array());
}

void JsonWriter::end_array() {
  state_->open.pop_back();
}

void JsonWriter::begin_object(const char* key) {
  state_->begin(key, Json::object());
}

void JsonWriter::text(const char* key, std::string_view value) {
  state_->put(key, without_controls(value));
}

void JsonWriter::count(const char* key, uint64_t value) {
  state_->put(key, value);
}

void JsonWriter::integer(const char* key, int64_t value) {
  state_->put(key, value);
}

void JsonWriter::number(const char* key, double value) {
  state_->put(key, value);
}

void JsonWriter::boolean(const char* key, bool value) {
  state_->put(key, value);
}

void JsonWriter::nothing(const char* key) {
  state_->put(key, nullptr);
}

std::string JsonWriter::take() const {
  return json_printable(state_->document.dump()) + "\n";
}

}  // namespace flamelet::tools
