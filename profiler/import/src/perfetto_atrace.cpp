// SPDX-License-Identifier: MIT
#include "perfetto_atrace.h"

#include <algorithm>

#include "decimal.h"
#include "flamelet/detail/hash.h"

namespace flamelet::formats::perfetto {

namespace {

// 0: it is none of a track.
uint32_t type_of(char kind) {
  switch (kind) {
    case 'B':
    case 'S':
    case 'G':
      return event::kSliceBegin;
    case 'E':
    case 'F':
    case 'H':
      return event::kSliceEnd;
    case 'I':
    case 'N':
      return event::kInstant;
    case 'C':
      return event::kCounter;
    default:
      return 0;
  }
}

// Up to the next bar, and without it.
std::string_view take_field(std::string_view* line) {
  const std::string_view field = line->substr(0, line->find('|'));
  line->remove_prefix(std::min(line->size(), field.size() + 1));
  return field;
}

// Behind the last bar. Names may have bars.
std::string_view take_last_field(std::string_view* line) {
  const size_t bar = line->rfind('|');
  if (bar == std::string_view::npos) return {};
  const std::string_view field = line->substr(bar + 1);
  line->remove_suffix(field.size() + 1);
  return field;
}

uint64_t key_of(int64_t pid, std::string_view name, std::string_view cookie) {
  const uint64_t hash = fnv_of_text(cookie.data(), cookie.size(), fnv_next(kFnvStart, static_cast<uint64_t>(pid)));
  return fnv_of_text(name.data(), name.size(), fnv_next<uint64_t>(hash, '|'));
}

}  // namespace

bool Atrace::read(std::string_view line, int64_t tid, Event* event) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\0')) line.remove_suffix(1);
  const std::string_view kind = take_field(&line);
  if (kind.size() != 1 || type_of(kind[0]) == 0) return false;
  int64_t pid = 0, value = 0;
  if (!parse_decimal(take_field(&line), 0, &pid) && kind[0] != 'E') return false;
  *event = Event();
  event->type = type_of(kind[0]);
  switch (kind[0]) {
    case 'C':  // name, value
      if (!parse_decimal(take_last_field(&line), 0, &value)) return false;
      event->value = static_cast<double>(value);
      event->has_value = true;
      event->track = tracks_.process(pid);
      break;
    case 'S':
    case 'F': {  // name, cookie
      const std::string_view cookie = take_last_field(&line);
      event->track = tracks_.work(key_of(pid, line, cookie), string(line), tracks_.process(pid));
      break;
    }
    case 'N':    // track, name
    case 'G':    // track, name, cookie
    case 'H': {  // track, cookie
      const std::string_view track = take_field(&line);
      const std::string_view cookie = kind[0] == 'N' ? "" : kind[0] == 'H' ? line : take_last_field(&line);
      event->track = tracks_.work(key_of(pid, track, cookie), string(track), tracks_.process(pid));
      break;
    }
    default:
      if (kind[0] == 'B') tracks_.names().tell_thread(pid, tid, "", Names::Source::kNone);
      event->track = tracks_.thread(0, tid);
  }
  if (event->type != event::kSliceEnd) event->name = string(line);
  return true;
}

}  // namespace flamelet::formats::perfetto
