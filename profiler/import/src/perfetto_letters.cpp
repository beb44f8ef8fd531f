// SPDX-License-Identifier: MIT
#include "perfetto_letters.h"

#include <algorithm>

#include "decimal.h"
#include "flamelet/detail/hash.h"

namespace flamelet::formats::perfetto {

namespace {

constexpr std::string_view kBegins = "BbSG", kEnds = "EeFH", kInstants = "IinTpN";

bool is_in(std::string_view letters, char letter) {
  return letters.find(letter) != std::string_view::npos;
}

uint32_t type_of(char letter) {
  if (is_in(kBegins, letter)) return event::kSliceBegin;
  if (is_in(kEnds, letter)) return event::kSliceEnd;
  return is_in(kInstants, letter) ? event::kInstant : event::kCounter;
}

// Up to the next bar, and without it.
std::string_view take_field(std::string_view* line) {
  const std::string_view field = line->substr(0, line->find('|'));
  line->remove_prefix(std::min(line->size(), field.size() + 1));
  return field;
}

// Behind the last bar. Names may have bars.
std::string_view take_last_field(std::string_view* line) {
  const std::string_view field = line->substr(line->rfind('|') + 1);
  line->remove_suffix(std::min(line->size(), field.size() + 1));
  return field;
}

uint64_t key_of(int64_t pid, std::string_view name, std::string_view cookie) {
  const uint64_t hash = fnv_of_text(cookie.data(), cookie.size(), fnv_next(kFnvStart, static_cast<uint64_t>(pid)));
  return fnv_of_text(name.data(), name.size(), fnv_next<uint64_t>(hash, '|'));
}

}  // namespace

bool read_legacy(const Legacy& legacy, Tracks& tracks, Event* event) {
  const char letter = legacy.phase > 0 && legacy.phase < 0x80 ? static_cast<char>(legacy.phase) : '\0';
  const bool is_work = is_in("bneSTpF", letter);  // that has an id in place of a thread
  if (!is_work && !is_in("BEXiI", letter)) return false;
  event->type = type_of(letter);
  if (letter == 'X') {
    event->type = event::kSliceBegin;
    event->is_whole = true;
    event->duration_ns = static_cast<uint64_t>(std::max<int64_t>(legacy.duration_us, 0)) * 1000;
  }
  if (legacy.tid != 0) event->track = tracks.thread(legacy.pid, legacy.tid);
  if (!is_work) return true;
  const Track* const track = tracks.find(event->track);
  const int64_t pid = legacy.pid != 0 || track == nullptr ? legacy.pid : track->pid;
  uint64_t key = kFnvStart;
  for (const uint64_t word : {legacy.id, legacy.scope != 0 ? legacy.scope : uint64_t{event->category},
                              legacy.is_local ? static_cast<uint64_t>(pid) : 0})
    key = fnv_of_text(reinterpret_cast<const char*>(&word), sizeof word, key);
  event->track = tracks.work(key, event->name, pid != 0 ? tracks.process(pid) : 0);
  return true;
}

bool read_line(std::string_view line, int64_t tid, SequenceReader& sequences, Tracks& tracks, Event* event) {
  const auto string = [&](std::string_view text) { return sequences.string({text.data(), text.size()}); };
  while (!line.empty() && (line.back() == '\n' || line.back() == '\0')) line.remove_suffix(1);
  const std::string_view kind = take_field(&line);
  if (kind.size() != 1 || !is_in("BEINSFGHC", kind[0])) return false;
  const char letter = kind[0];
  int64_t pid = 0, value = 0;
  if (!parse_decimal(take_field(&line), 0, &pid) && letter != 'E') return false;
  *event = Event();
  event->type = type_of(letter);
  if (letter == 'C') {  // name, value
    if (!parse_decimal(take_last_field(&line), 0, &value)) return false;
    event->value = static_cast<double>(value);
    event->has_value = true;
    event->track = tracks.process(pid);
  } else if (letter == 'S' || letter == 'F') {  // name, cookie
    const std::string_view cookie = take_last_field(&line);
    event->track = tracks.work(key_of(pid, line, cookie), string(line), tracks.process(pid));
  } else if (is_in("NGH", letter)) {  // track, name, cookie; N has no cookie, and H may have no name
    const std::string_view track = take_field(&line);
    const std::string_view cookie = letter == 'N' ? "" : take_last_field(&line);
    event->track = tracks.work(key_of(pid, track, cookie), string(track), tracks.process(pid));
  } else {
    if (letter == 'B') tracks.names().tell_thread(pid, tid, "", Names::Source::kNone);
    event->track = tracks.thread(0, tid);
  }
  if (event->type != event::kSliceEnd) event->name = string(line);
  return true;
}

}  // namespace flamelet::formats::perfetto
