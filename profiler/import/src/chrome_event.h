// SPDX-License-Identifier: MIT
//
// chrome_event.h: one event of a Chrome trace as its fields, whatever their order and kind.
#ifndef FLAMELET_IMPORT_SRC_CHROME_EVENT_H
#define FLAMELET_IMPORT_SRC_CHROME_EVENT_H

#include <simdjson.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace flamelet::formats {

// A number or a string as it stands in the file, without quotes; empty if the field is missing or something else.
struct ChromeEvent {
  std::string_view phase;
  std::string_view name;
  std::string_view category;
  std::string_view pid;
  std::string_view tid;
  std::string_view id;  // also of id2
  std::string_view ts;
  std::string_view dur;

  // What our own exporter adds.
  std::string_view site;
  std::string_view track;
  std::string_view depth;
  std::string_view scope_id;
  std::string_view flags;
  std::string_view frame;
  std::string_view lane;
  std::string_view lane_id;
  std::string_view nonfinite;
  bool moved;
  bool empty;

  // Of args.
  bool has_object;
  std::string_view object;
  std::string_view arg_name;
  std::string_view file;
  std::string_view function;
  std::string_view line;
  std::string_view color;
  std::string_view sort_index;
  std::string_view first_text;                                      // that is not empty, of all args
  std::vector<std::pair<std::string_view, std::string_view>> args;  // those that are numbers or texts, 64 at most
  uint32_t arg_count;                                               // in all
};

// Which field stood behind which in the events before: most events have the same fields in the same order, so a key is
// compared with one name and not with all.
struct ChromeFieldOrder {
  static constexpr uint32_t kFields = 21;
  uint8_t next[kFields + 1] = {};  // by field; [kFields] is the one that stands first
};

// Of a key that stands twice the first one counts. False if this is no JSON object. The texts live until the next call
// with this parser, and as long as the text.
bool read_chrome_event(simdjson::ondemand::parser& parser, simdjson::padded_string_view text, ChromeEvent* event,
                       ChromeFieldOrder* order, simdjson::error_code* error);

// False if the text is no number. One that is too large is infinite, one too small is 0.
bool parse_double(std::string_view text, double* value);

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_CHROME_EVENT_H
