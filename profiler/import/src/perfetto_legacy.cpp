// SPDX-License-Identifier: MIT
#include "perfetto_legacy.h"

#include <algorithm>

#include "flamelet/detail/hash.h"

namespace flamelet::formats::perfetto {

bool read_legacy(const Legacy& legacy, Tracks& tracks, Event* event) {
  bool is_work = false;  // that has an id in place of a thread
  switch (legacy.phase) {
    case 'X':
      event->is_whole = true;
      event->duration_ns = static_cast<uint64_t>(std::max<int64_t>(legacy.duration_us, 0)) * 1000;
      break;
    case 'b':
    case 'S':
      is_work = true;
      [[fallthrough]];
    case 'B':
      event->type = event::kSliceBegin;
      break;
    case 'e':
    case 'F':
      is_work = true;
      [[fallthrough]];
    case 'E':
      event->type = event::kSliceEnd;
      break;
    case 'n':
    case 'T':
    case 'p':
      is_work = true;
      [[fallthrough]];
    case 'i':
    case 'I':
      event->type = event::kInstant;
      break;
    default:
      return false;
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

}  // namespace flamelet::formats::perfetto
