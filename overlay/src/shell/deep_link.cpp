// SPDX-License-Identifier: MIT
//
// Where the user is, as the part of a web address behind its "#":
//   page=lanes&path=1&frame=12&scope=Physics%3A%3Astep&at=1234567&view=1200000-1300000&filter=ai
// `path`: the critical path is drawn. `frame` and `view` may be ranges, with - or .. in them; `at` is the begin of the selected span. Times are
// nanoseconds of the capture.
#include "shell/overlay_state.h"

#include <string.h>

#include <algorithm>

#include "draw/text.h"
#include "flamelet/overlay.h"
#include "input/actions.h"

namespace flamelet {

using namespace ui;

namespace {

constexpr size_t kMostName = 480;  // of a longer one the rest is left out

bool stands_for_itself(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c != 0 && strchr("-_.~", c));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void add_text(const char* field, std::string_view text, TextWriter* link) {
  link->add(field);
  for (const char c : text.substr(0, kMostName)) {
    const unsigned byte = static_cast<unsigned char>(c);
    if (stands_for_itself(c))
      link->add(c);
    else
      link->add('%').add("0123456789ABCDEF"[byte >> 4]).add("0123456789ABCDEF"[byte & 15]);
  }
}

// What add_text() wrote, without its field.
std::string_view read_text(std::string_view text, char (&to)[kMostName]) {
  size_t size = 0;
  for (size_t i = 0; i < text.size() && size < kMostName; ++i) {
    const bool coded =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    to[size++] = coded ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i];
    if (coded) i += 2;
  }
  return std::string_view(to, size);
}

// Takes a number off the front; it may be negative.
bool take_number(std::string_view* text, int64_t* number) {
  const bool negative = !text->empty() && text->front() == '-';
  if (negative) text->remove_prefix(1);
  if (text->empty() || text->front() < '0' || text->front() > '9') return false;
  uint64_t value = 0;
  while (!text->empty() && text->front() >= '0' && text->front() <= '9') {
    if (value > uint64_t{INT64_MAX} / 10 - 1) return false;
    value = value * 10 + static_cast<uint64_t>(text->front() - '0');
    text->remove_prefix(1);
  }
  *number = negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
  return true;
}

// "7", "7-9" or "7..9".
bool read_range(std::string_view text, int64_t* first, int64_t* last) {
  if (!take_number(&text, first)) return false;
  *last = *first;
  if (text.empty()) return true;
  const bool dots = text.substr(0, 2) == "..";
  if (!dots && text.front() != '-') return false;
  text.remove_prefix(dots ? 2 : 1);
  return take_number(&text, last) && text.empty() && *last >= *first;
}

// The value of a field, whose name ends with "="; false if it is not there.
bool find_field(std::string_view link, std::string_view name, std::string_view* value) {
  while (!link.empty()) {
    const size_t end = std::min(link.find('&'), link.size());
    const std::string_view field = link.substr(0, end);
    link.remove_prefix(std::min(end + 1, link.size()));
    if (field.substr(0, name.size()) != name) continue;
    *value = field.substr(name.size());
    return true;
  }
  return false;
}

}  // namespace

namespace ui {

size_t write_link(const PageContext& o, char* text, size_t capacity) {
  TextWriter link(text, capacity);
  link.add("page=").add(o.pages.row().name);
  if (o.settings.critical_path) link.add("&path=1");
  const FrameRange frames = o.timeline.selected();
  if (frames.valid) {
    link.add("&frame=").add_unsigned(frames.first);
    if (frames.last != frames.first) link.add('-').add_unsigned(frames.last);
  }
  if (o.selection.scope.valid) {
    const flamelet_string name = flamelet_capture_string(o.capture, o.selection.scope.key.name);
    add_text("&scope=", {name.text, name.size}, &link);
    if (o.selection.span.valid) link.add("&at=").add_signed(o.selection.span.span.begin_ns);
  }
  if (!o.timeline.fitted()) {
    const TimeWindow view = window_of(o.timeline.view());
    link.add("&view=").add_signed(view.begin_ns).add('-').add_signed(view.end_ns);
  }
  if (o.filter.active()) add_text("&filter=", o.filter.text, &link);
  const size_t wanted = link.wanted();
  if (wanted >= capacity) link.clear();
  return wanted;
}

void copy_link(const PageContext& o, const OverlayHost& host) {
  char link[2048];  // enough, says overlay.h
  write_link(o, link, sizeof link);
  host.copy_link(host.user, link);
}

}  // namespace ui

size_t overlay_write_link(const Overlay* overlay, char* text, size_t capacity) {
  if (overlay != nullptr) return write_link(*overlay, text, capacity);
  TextWriter(text, capacity).clear();
  return 0;
}

bool overlay_open_link(Overlay* overlay, const char* text, char* problem, size_t capacity) {
  TextWriter why(problem, capacity);
  why.clear();
  if (overlay == nullptr || text == nullptr) return false;
  Overlay& o = *overlay;
  const Hold hold(o);
  std::string_view link(text), value;
  if (!link.empty() && link.front() == '#') link.remove_prefix(1);
  char name[kMostName];
  int64_t first, last;
  bool all = true;
  const auto check = [&](bool good, const char* field, const char* what) {
    if (!good && all) why.add(field).add(value).add(what);
    all &= good;
  };
  constexpr const char* kNoRange = ": this is no number and no range, such as 7 or 7-9";
  constexpr const char* kNotHere = ": this is not in the capture";
  if (find_field(link, "page=", &value))
    check(o.pages.open(read_text(value, name)), "page=", ": there is no such page");
  if (find_field(link, "filter=", &value)) o.filter.set(read_text(value, name));
  if (find_field(link, "path=", &value)) o.settings.critical_path = value == "1";
  if (find_field(link, "frame=", &value)) {
    const bool good = read_range(value, &first, &last) && first >= 0;
    check(good, "frame=", kNoRange);
    if (good) check(show_frames(o, o, static_cast<uint64_t>(first), static_cast<uint64_t>(last)), "frame=", kNotHere);
  }
  if (find_field(link, "scope=", &value)) {
    const std::string_view scope = read_text(value, name);
    std::string_view at;
    const bool exact =
        find_field(link, "at=", &at) && read_range(at, &first, &last) && select_by_begin(o, o, scope, first);
    check(exact || select_by_name(o, o, scope), "scope=", kNotHere);
  }
  if (find_field(link, "view=", &value)) {
    const bool good = read_range(value, &first, &last) && last > first;
    if (good) o.timeline.set_view(view_of({first, last}), true);
    check(good, "view=", ": this is no range of nanoseconds, such as 1200000-1300000");
  }
  return all;
}

}  // namespace flamelet
