// SPDX-License-Identifier: MIT
#include "chrome_trace.h"

#include <algorithm>

#include "decimal.h"
#include "flamelet/detail/text.h"

namespace flamelet::formats {
namespace {

static_assert(JsonValues::kPadding >= simdjson::SIMDJSON_PADDING, "the library reads as far behind a value");

// The number of the "\\uXXXX" at the begin of `text`; -1: there is none.
int escaped_unit(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return -1;
  int unit = 0;
  for (const char c : text.substr(2, 4)) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    unit = unit << 4 | digit;
  }
  return unit;
}

// The escape that begins here, as it may be: a lone surrogate is replaced, and a backslash that escapes nothing is one, as in
// paths of Windows that nobody escaped. Returns how many bytes it stands for.
size_t add_escape(std::string_view text, std::string* to) {
  const int unit = escaped_unit(text);
  if (unit >= 0xD800 && unit < 0xE000) {
    const int next = unit < 0xDC00 ? escaped_unit(text.substr(6)) : -1;
    const bool is_pair = next >= 0xDC00 && next < 0xE000;
    *to += is_pair ? text.substr(0, 12) : kReplacement;
    return is_pair ? 12 : 6;
  }
  if (unit >= 0) {
    *to += text.substr(0, 6);
    return 6;
  }
  const bool is_known = text.size() > 1 && std::string_view("\"\\/bfnrt").find(text[1]) != std::string_view::npos;
  *to += is_known ? text.substr(0, 2) : std::string_view("\\\\");
  return is_known ? 2 : 1;
}

// Text as JSON may have it: bytes that are not UTF-8, bare control characters and escapes that are none replaced.
std::string repaired(std::string_view text) {
  std::string to;
  to.reserve(text.size() + text.size() / 8);
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\\') {
      at += add_escape(text.substr(at), &to);
      continue;
    }
    const size_t size = utf8_sequence_bytes(text.substr(at));
    const bool control = static_cast<unsigned char>(text[at]) < 0x20;
    to += control ? std::string_view(" ") : size != 0 ? text.substr(at, size) : kReplacement;
    at += size != 0 ? size : 1;
  }
  return to;
}

// How many events another kind of list has: the lines of a text, or the objects of an array. About as many: what is longer
// than a value may be is one.
uint64_t events_in(std::string_view value, int first) {
  uint64_t count = 0;
  if (first == '"') {
    for (size_t at = 0; (at = value.find("\\n", at)) != std::string_view::npos; at += 2)
      count += value.substr(at + 2, 1) != "#" && at + 3 < value.size();
    return count;
  }
  int depth = 0;
  bool is_text = false;
  for (size_t at = 0; at < value.size(); ++at) {
    const char c = value[at];
    if (is_text && c == '\\') ++at;
    if (c == '"') is_text = !is_text;
    if (is_text) continue;
    count += c == '{' && depth == 1;
    depth += c == '{' || c == '[';
    depth -= c == '}' || c == ']';
  }
  return count;
}

// Whether the object that begins here is an event, and none around events: it has a phase. So begin the lines of a log that
// has one event each.
bool begins_with_event(std::string_view text) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '{' || text[at] == '[';
    depth -= text[at] == '}' || text[at] == ']';
    if (depth == 0) return false;
    if (text[at] != '"') continue;
    const size_t begin = at;
    while (++at < text.size() && text[at] != '"') at += text[at] == '\\';
    if (depth != 1 || at >= text.size() || text.substr(begin, at + 1 - begin) != "\"ph\"") continue;
    const size_t behind = text.find_first_not_of(" \t\r\n", at + 1);
    if (behind != std::string_view::npos && text[behind] == ':') return true;
  }
  return false;
}

}  // namespace

bool ChromeTrace::next() {
  if (place_ == Place::kBegin) begin();
  while (place_ != Place::kEnd) {
    if (place_ == Place::kFields)
      read_field();
    else if (next_event())
      return true;
  }
  return false;
}

void ChromeTrace::begin() {
  // A byte order mark is no part of the text.
  while (json_.next() == 0xEF || json_.next() == 0xBB || json_.next() == 0xBF) json_.take();
  const int first = json_.next();
  if (first != '[' && first != '{') return end(false);  // only comments
  const bool is_bracket = first == '[';
  is_array_ = found_events_ = is_bracket || begins_with_event(json_.ahead());
  place_ = is_array_ ? Place::kEvents : Place::kFields;
  if (is_bracket || !is_array_) json_.take();
}

void ChromeTrace::end(bool is_whole) {
  is_whole_ = is_whole;
  place_ = Place::kEnd;
}

// One of the object around the events, or what stands between two.
void ChromeTrace::read_field() {
  const int c = json_.next();
  if (c == '}') return end(true);
  if (c == ',') return json_.take();
  std::string_view name, value;
  if (c != '"' || json_.value(&name) != JsonValues::Found::kValue) return end(false);
  const bool is_events = name == "\"traceEvents\"", is_head = name == "\"otherData\"";
  if (json_.next() != ':') return end(false);
  json_.take();
  const int first = json_.next();  // of the value: white space may stand before it
  if (first == -1) return end(false);
  if (is_events && first == '[' && !found_events_) {
    json_.take();
    found_events_ = true;
    place_ = Place::kEvents;
    return;
  }
  const JsonValues::Found found = json_.value(&value);
  if (found == JsonValues::Found::kCutOff || value.empty()) return end(false);
  if (is_head && found == JsonValues::Found::kValue && !found_events_) read_head(value);
  if (name == "\"systemTraceEvents\"" || name == "\"samples\"") report_.events_unsupported += events_in(value, first);
}

bool ChromeTrace::next_event() {
  for (;;) {
    if (!has_events_ && !find_events()) return false;
    const ChromeEvents::Next next = events_.next(&event_);
    if (next == ChromeEvents::Next::kEvent) return true;
    has_events_ = false;
    if (next == ChromeEvents::Next::kDamaged) leave_damaged();
  }
}

// False if no more come at this place.
bool ChromeTrace::find_events() {
  for (;;) {
    const int c = json_.next();
    if (c == ',') {
      json_.take();
      continue;
    }
    // An array that stands alone need not be closed: the format says so, for programs that die.
    if (c == -1) {
      end(is_array_ && !in_.cut_off());
      return false;
    }
    if (c == ']') {
      json_.take();
      if (is_array_ && json_.next() == '[')  // another log behind it
        json_.take();
      else if (is_array_)
        end(true);
      else
        place_ = Place::kFields;
      if (place_ == Place::kEvents) continue;
      return false;
    }
    is_alone_ = alone_bytes_ != 0 || c != '{';
    const JsonValues::Found found = is_alone_ ? json_.value(&text_) : json_.objects(&text_);
    if (found == JsonValues::Found::kCutOff) {
      end(false);
      return false;
    }
    alone_bytes_ -= std::min(alone_bytes_, text_.size());
    if (found == JsonValues::Found::kValue && c == '{') {
      events_.start(text_);
      has_events_ = true;
      is_repaired_ = false;
      return true;
    }
    const bool is_too_long = found == JsonValues::Found::kTooLong;
    count_damaged(is_too_long ? "it is too long" : "it is no object", json_.found_offset());
    if (text_.empty()) json_.take();
  }
}

void ChromeTrace::count_damaged(const char* why, uint64_t offset) {
  if (report_.events_damaged++ == 0)
    snprintf(report_.first_damaged, sizeof report_.first_damaged, "at byte %llu: %s",
             static_cast<unsigned long long>(offset), why);
}

void ChromeTrace::leave_damaged() {
  const simdjson::error_code error = events_.error();
  if (!is_alone_) {
    alone_bytes_ = events_.left();
    json_.go_back(alone_bytes_);
  } else if (!is_repaired_ &&
             (error == simdjson::UTF8_ERROR || error == simdjson::UNESCAPED_CHARS || error == simdjson::STRING_ERROR)) {
    ++report_.texts_repaired;
    events_.start(repaired(text_));
    has_events_ = is_repaired_ = true;
  } else {
    count_damaged("it is not JSON");
  }
}

void ChromeTrace::read_head(std::string_view text) {
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  simdjson::ondemand::object object;
  const simdjson::padded_string_view padded(text.data(), text.size(), text.size() + JsonValues::kPadding);
  if (parser.iterate(padded).get(document) || document.get_object().get(object)) return;
  std::string_view producer, base, origin;
  for (auto field : object) {
    std::string_view key, value;
    if (field.unescaped_key().get(key) || field.value().get_string().get(value)) return;
    if (key == "producer") producer = value;
    if (key == "base_ns") base = value;
    if (key == "origin_unix_ns") origin = value;
  }
  if (producer != "flamelet" || !parse_decimal(base, 0, &head_.base_ns)) return;
  head_.is_own = true;
  head_.origin_unix_ns = parse_count(origin);
}

}  // namespace flamelet::formats
