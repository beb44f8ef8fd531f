// SPDX-License-Identifier: MIT
//
// capture_read.cpp: the questions of capture.h, with their arguments checked and their times converted.
#include <string.h>

#include <algorithm>

#include "capture/capture_data.h"

using namespace flamelet;

namespace {

constexpr flamelet_string kUnknown = {"(unknown)", 9};

// What is not known is 0.
flamelet_thread_time public_thread_time(const ThreadTimeEntry& entry, uint32_t lane) {
  const auto if_known = [&entry](uint32_t bit, uint64_t number) { return (entry.known & bit) != 0 ? number : 0; };
  flamelet_thread_time time = {};
  time.ran_ns = static_cast<int64_t>(if_known(kTimeRan, entry.ran_ns));
  time.ready_ns = static_cast<int64_t>(if_known(kTimeReady, entry.ready_ns));
  time.switches = static_cast<uint32_t>(if_known(kTimeSwitches, entry.switches));
  time.major_faults = static_cast<uint32_t>(if_known(kTimeMajorFaults, entry.major_faults));
  time.minor_faults = static_cast<uint32_t>(if_known(kTimeMinorFaults, entry.minor_faults));
  time.known = entry.known;
  time.lane = lane;
  return time;
}
static_assert(uint32_t{FLAMELET_TIME_RAN} == kTimeRan && uint32_t{FLAMELET_TIME_READY} == kTimeReady &&
                  uint32_t{FLAMELET_TIME_SWITCHES} == kTimeSwitches &&
                  uint32_t{FLAMELET_TIME_MAJOR_FAULTS} == kTimeMajorFaults &&
                  uint32_t{FLAMELET_TIME_MINOR_FAULTS} == kTimeMinorFaults,
              "the same numbers");

// How many events begin in each part of a time, and from when to when those last.
class TimeHistogram {
 public:
  TimeHistogram(int64_t begin_ns, int64_t end_ns)
      : begin_ns_(begin_ns), part_ns_((static_cast<uint64_t>(end_ns) - static_cast<uint64_t>(begin_ns)) / kParts + 1) {}

  void add(int64_t begin_ns, int64_t end_ns) {
    const uint64_t since = static_cast<uint64_t>(begin_ns) - static_cast<uint64_t>(begin_ns_);
    if (begin_ns < begin_ns_ || since / part_ns_ >= kParts) return;
    Part& part = parts_[since / part_ns_];
    if (part.count++ == 0 || begin_ns < part.begin_ns) part.begin_ns = begin_ns;
    if (end_ns > part.end_ns) part.end_ns = end_ns;
    ++count_;
  }

  // To the one or two parts in which more than half of the events begin, with none in the parts beside them. False: there are
  // no such parts.
  bool narrow(int64_t* begin_ns, int64_t* end_ns, uint64_t* outside) const {
    uint32_t first = 0;
    for (uint32_t i = 0; i < kParts; ++i) {
      if (parts_[i].count > parts_[first].count) first = i;
    }
    uint32_t last = first;
    if (first != 0 && parts_[first - 1].count != 0) --first;
    if (last + 1 < kParts && parts_[last + 1].count != 0) ++last;
    const bool is_alone = (first == 0 || parts_[first - 1].count == 0) &&
                          (last + 1 == kParts || parts_[last + 1].count == 0) && last - first < 2;
    const uint64_t inside = parts_[first].count + (last != first ? parts_[last].count : 0);
    if (!is_alone || inside <= count_ / 2 || inside == count_) return false;
    // What began there and never ended lasts no longer than these parts.
    const uint64_t parts_end = static_cast<uint64_t>(begin_ns_) + part_ns_ * (last + 1);
    const int64_t ended_ns = std::max(parts_[first].end_ns, parts_[last].end_ns);
    *begin_ns = parts_[first].begin_ns;
    *end_ns = std::min({*end_ns, ended_ns, static_cast<int64_t>(parts_end)});
    *outside += count_ - inside;
    return true;
  }

 private:
  static constexpr uint32_t kParts = 1000;
  struct Part {
    uint64_t count = 0;
    int64_t begin_ns = 0, end_ns = INT64_MIN;
  };
  Part parts_[kParts];
  uint64_t count_ = 0;
  const int64_t begin_ns_;
  const uint64_t part_ns_;
};

void count_events(const flamelet_capture* capture, TimeHistogram* events) {
  union {
    flamelet_span spans[FLAMELET_CURSOR_LEAST];
    flamelet_point points[FLAMELET_CURSOR_LEAST];
  } read;
  for (size_t lane = 0; lane < capture->lanes.count(); ++lane) {
    flamelet_span_cursor spans;
    flamelet_span_cursor_start(&spans, capture, lane, INT64_MIN, INT64_MAX, read.spans, FLAMELET_CURSOR_LEAST);
    while (flamelet_span_cursor_next(&spans)) {
      for (size_t i = spans.again; i < spans.count; ++i) events->add(read.spans[i].begin_ns, read.spans[i].end_ns);
    }
    flamelet_point_cursor points;
    flamelet_point_cursor_start(&points, capture, lane, INT64_MIN, INT64_MAX, read.points, FLAMELET_CURSOR_LEAST);
    while (flamelet_point_cursor_next(&points)) {
      for (size_t i = 0; i < points.count; ++i) events->add(read.points[i].time_ns, read.points[i].time_ns);
    }
  }
  for (size_t i = 0; i < capture->intervals.count(); ++i) {
    const Interval& interval = capture->intervals.at(i);
    if (interval.begin_track == 0) continue;
    const int64_t begin_ns = capture->converter.to_ns(interval.begin_ticks);
    events->add(begin_ns, interval.end_track != 0 ? capture->converter.to_ns(interval.end_ticks) : begin_ns);
  }
}

}  // namespace

uint64_t flamelet_capture_version(const flamelet_capture* capture) {
  return capture == nullptr ? 0 : capture->version;
}

size_t flamelet_capture_frame_count(const flamelet_capture* capture) {
  return capture == nullptr ? 0 : capture->frames.count();
}

bool flamelet_capture_frame(const flamelet_capture* capture, size_t position, flamelet_frame_info* info) {
  if (info == nullptr) return false;
  memset(info, 0, sizeof *info);
  if (capture == nullptr || position >= capture->frames.count()) return false;
  const Frame& frame = capture->frames.at(position);
  info->index = frame.index;
  info->begin_ns = capture->converter.to_ns(frame.begin_ticks);
  info->end_ns = capture->converter.to_ns(frame.end_ticks);
  info->flags = frame.flags;
  info->thread = frame.thread;
  if (frame.begin_ticks < capture->evicted_ticks) info->flags |= FLAMELET_FRAME_LOSSY;
  if (frame.index < capture->counts.timed_from) info->flags |= FLAMELET_FRAME_TIMES_DROPPED;
  return true;
}

size_t flamelet_capture_find_frame(const flamelet_capture* capture, uint64_t index) {
  return capture == nullptr ? SIZE_MAX : capture->frames.find(index);
}

size_t flamelet_capture_frame_at(const flamelet_capture* capture, int64_t time_ns) {
  return capture == nullptr ? SIZE_MAX : capture->frames.find_at(capture->converter.to_ticks(time_ns));
}

bool flamelet_capture_thread_time(const flamelet_capture* capture, size_t position, size_t lane,
                                  flamelet_thread_time* time) {
  if (time == nullptr) return false;
  memset(time, 0, sizeof *time);
  const Lane* of = lane_at(capture, lane);
  if (of == nullptr || of->kind != FLAMELET_LANE_THREAD || position >= capture->frames.count()) return false;
  capture->thread_times.for_each(capture->frames.at(position).index, [&](const ThreadTimeEntry& entry) {
    if (entry.thread == of->id) *time = public_thread_time(entry, static_cast<uint32_t>(lane));
  });
  return time->known != 0;
}

size_t flamelet_capture_read_thread_times(const flamelet_capture* capture, size_t position, flamelet_thread_time* times,
                                          size_t capacity) {
  if (capture == nullptr || position >= capture->frames.count()) return 0;
  size_t count = 0;
  capture->thread_times.for_each(capture->frames.at(position).index, [&](const ThreadTimeEntry& entry) {
    const uint32_t lane = capture->lanes.find(entry.thread, false);
    if (lane == kNoLane || entry.known == 0 || count == FLAMELET_MAX_TRACKS) return;
    if (count < capacity && times != nullptr) times[count] = public_thread_time(entry, lane);
    ++count;
  });
  return count;
}

size_t flamelet_capture_frame_sets(const flamelet_capture* capture, uint32_t* sets, size_t capacity) {
  if (capture == nullptr) return 0;
  uint32_t found[FLAMELET_MAX_FRAME_SETS];
  uint32_t count = 0;
  for (size_t i = 0; i < capture->named_frames.count(); ++i) {
    const Interval& frame = capture->named_frames.at(i);
    if (frame.begin_track == 0) continue;
    const uint32_t name = strings_name(frame.strings);
    uint32_t place = 0;
    while (place < count && found[place] < name) ++place;
    if ((place < count && found[place] == name) || count == FLAMELET_MAX_FRAME_SETS) continue;
    memmove(found + place + 1, found + place, (count++ - place) * sizeof found[0]);
    found[place] = name;
  }
  for (uint32_t i = 0; i < count && i < capacity && sets != nullptr; ++i) sets[i] = found[i];
  return count;
}

size_t flamelet_capture_read_frames(const flamelet_capture* capture, uint32_t set, int64_t begin_ns, int64_t end_ns,
                                    flamelet_frame_info* frames, size_t capacity) {
  Window window;
  if (capture == nullptr || !make_window(*capture, begin_ns, end_ns, &window)) return 0;
  const auto before = [](const flamelet_frame_info& a, const flamelet_frame_info& b) { return a.index < b.index; };
  SortedItems<flamelet_frame_info, decltype(before)> sorted(frames, frames == nullptr ? 0 : capacity, before);
  for (size_t i = 0; i < capture->named_frames.count(); ++i) {
    const Interval& from = capture->named_frames.at(i);
    if (from.begin_track == 0 || from.end_track == 0 || strings_name(from.strings) != set) continue;
    const uint64_t end = from.end_ticks < from.begin_ticks ? from.begin_ticks : from.end_ticks;
    if (from.begin_ticks >= window.end || (end < window.touch && from.begin_ticks < window.begin)) continue;
    flamelet_frame_info frame = {};
    frame.index = from.id & ((uint64_t{1} << kNamedFrameIndexBits) - 1);
    frame.begin_ns = capture->converter.to_ns(from.begin_ticks);
    frame.end_ns = capture->converter.to_ns(end);
    frame.flags = from.flags;
    if (from.begin_ticks < capture->evicted_ticks) frame.flags |= FLAMELET_FRAME_LOSSY;
    sorted.add(frame);
  }
  return sorted.finish();
}

bool flamelet_capture_extent(const flamelet_capture* capture, int64_t* begin_ns, int64_t* end_ns) {
  if (capture == nullptr || begin_ns == nullptr || end_ns == nullptr) return false;
  // An import may have intervals and nothing else.
  if (capture->pages.held() == 0 && (capture->intervals.count() == 0 || capture->oldest_ticks > capture->newest_ticks))
    return false;
  // What is older than the newest evicted page is there only in part.
  const uint64_t begin =
      capture->oldest_ticks > capture->evicted_ticks ? capture->oldest_ticks : capture->evicted_ticks;
  *begin_ns = capture->converter.to_ns(begin);
  *end_ns = capture->converter.to_ns(capture->newest_ticks);
  return true;
}

bool flamelet_capture_main_extent(const flamelet_capture* capture, int64_t* begin_ns, int64_t* end_ns,
                                  uint64_t* outside) {
  if (outside == nullptr || !flamelet_capture_extent(capture, begin_ns, end_ns)) return false;
  *outside = 0;
  constexpr uint64_t kHourNs = uint64_t{3600} * 1'000'000'000;
  while (static_cast<uint64_t>(*end_ns) - static_cast<uint64_t>(*begin_ns) > kHourNs) {
    TimeHistogram events(*begin_ns, *end_ns);
    count_events(capture, &events);
    if (!events.narrow(begin_ns, end_ns, outside)) break;
  }
  return true;
}

bool flamelet_capture_window(const flamelet_capture* capture, int64_t* begin_ns, int64_t* end_ns) {
  if (capture == nullptr || begin_ns == nullptr || end_ns == nullptr) return false;
  const uint64_t begin = capture->window_begin_ticks, end = capture->window_end_ticks;
  if (begin >= end || (begin <= capture->oldest_ticks && end > capture->newest_ticks)) return false;
  *begin_ns = begin == 0 ? INT64_MIN : capture->converter.to_ns(begin);
  *end_ns = end == UINT64_MAX ? INT64_MAX : capture->converter.to_ns(end);
  return true;
}

size_t flamelet_capture_lane_count(const flamelet_capture* capture) {
  return capture == nullptr ? 0 : capture->lanes.count();
}

size_t flamelet_capture_lane_beside(const flamelet_capture* capture, size_t lane) {
  flamelet_lane_info info;
  if (!flamelet_capture_lane(capture, lane, &info)) return SIZE_MAX;
  if (info.kind != FLAMELET_LANE_GPU && info.kind != FLAMELET_LANE_EXTERNAL) return SIZE_MAX;
  size_t size = info.name.size;
  while (size != 0 && info.name.text[size - 1] >= '0' && info.name.text[size - 1] <= '9') --size;
  if (size == info.name.size || size < 3 || memcmp(info.name.text + size - 2, ", ", 2) != 0) return SIZE_MAX;
  flamelet_lane_info other;
  for (size_t at = 0; flamelet_capture_lane(capture, at, &other); ++at)
    if (other.kind == info.kind && other.name.size == size - 2 &&
        memcmp(other.name.text, info.name.text, size - 2) == 0)
      return at;
  return SIZE_MAX;
}

bool flamelet_capture_is_imported(const flamelet_capture* capture) {
  if (capture == nullptr) return false;
  for (uint32_t i = 0; i < capture->lanes.count(); ++i) {
    const Lane& lane = capture->lanes[i];
    if (lane.submitted && (lane.kind == FLAMELET_LANE_THREAD || lane.kind == FLAMELET_LANE_FIBER)) return true;
  }
  return false;
}

bool flamelet_capture_lane(const flamelet_capture* capture, size_t position, flamelet_lane_info* info) {
  if (info == nullptr) return false;
  memset(info, 0, sizeof *info);
  info->name = kUnknown;
  const Lane* lane = lane_at(capture, position);
  if (lane == nullptr) return false;
  info->id = lane->id;
  info->kind = lane->kind;
  info->name = {lane->default_name, strlen(lane->default_name)};
  if (lane->name != 0 && capture->strings.has(lane->name) && capture->strings.get(lane->name).size != 0)
    info->name = capture->strings.get(lane->name);
  info->events_read = lane->counts.events_read;
  info->events_lost = lane->counts.events_lost;
  info->events_held = lane->events_held;
  return true;
}

size_t flamelet_capture_read_intervals(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                       flamelet_interval* intervals, size_t capacity) {
  Window window;
  if (capture == nullptr || !make_window(*capture, begin_ns, end_ns, &window)) return 0;
  const auto before = [](const flamelet_interval& a, const flamelet_interval& b) {
    return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.id < b.id;
  };
  SortedItems<flamelet_interval, decltype(before)> sorted(intervals, intervals == nullptr ? 0 : capacity, before);
  for (size_t i = 0; i < capture->intervals.count(); ++i) {
    const Interval& from = capture->intervals.at(i);
    const bool open = from.end_track == 0;
    uint64_t end = open && from.end_ticks == 0 ? capture->newest_ticks : from.end_ticks;
    if (end < from.begin_ticks) end = from.begin_ticks;
    if (from.begin_ticks >= window.end || (end < window.touch && from.begin_ticks < window.begin)) continue;
    flamelet_interval interval = {};
    interval.begin_ns = capture->converter.to_ns(from.begin_ticks);
    interval.end_ns = capture->converter.to_ns(end);
    interval.id = from.id;
    interval.site = from.site;
    interval.name = strings_name(from.strings) != 0 ? strings_name(from.strings) : capture->sites.name(from.site);
    interval.object = strings_object(from.strings);
    if (from.begin_track == 0 && from.site == 0 && from.strings == 0) {  // site 0 is that without room
      interval.site = FLAMELET_MAX_SITES;
      interval.name = kMaxStringId;
    }
    interval.begin_track = from.begin_track;
    interval.end_track = from.end_track;
    interval.flags =
        (open ? uint32_t{FLAMELET_SPAN_OPEN} : 0) | (from.begin_track == 0 ? uint32_t{FLAMELET_SPAN_MISSING_BEGIN} : 0);
    sorted.add(interval);
  }
  return sorted.finish();
}

bool flamelet_capture_site(const flamelet_capture* capture, uint32_t site, flamelet_site_info* info) {
  if (info == nullptr) return false;
  memset(info, 0, sizeof *info);
  info->name = info->category = info->file = info->function = kUnknown;
  if (capture == nullptr || !capture->sites.has(site)) return false;
  const SiteRecord& record = capture->sites.get(site);
  info->name = flamelet_capture_string(capture, record.name);
  info->category = flamelet_capture_string(capture, record.category);
  info->file = flamelet_capture_string(capture, record.file);
  info->function = flamelet_capture_string(capture, record.function);
  info->line = record.line;
  info->color = record.color;
  return true;
}

flamelet_scope_kind flamelet_capture_scope_kind(const flamelet_capture* capture, const flamelet_span* span) {
  if (capture == nullptr || span == nullptr || !capture->sites.has(span->site)) return FLAMELET_SCOPE_KIND_MACRO;
  const SiteRecord& site = capture->sites.get(span->site);
  const bool with_text = span->object != 0 || span->name != site.name;
  if (site.line == 0 && flamelet_capture_string(capture, site.file).size == 0)
    return with_text ? FLAMELET_SCOPE_KIND_BY_CALL_WITH_TEXT : FLAMELET_SCOPE_KIND_BY_CALL;
  return with_text ? FLAMELET_SCOPE_KIND_WITH_TEXT : FLAMELET_SCOPE_KIND_MACRO;
}

flamelet_string flamelet_capture_string(const flamelet_capture* capture, uint32_t string) {
  return capture != nullptr && capture->strings.has(string) ? capture->strings.get(string) : kUnknown;
}

size_t flamelet_capture_string_count(const flamelet_capture* capture) {
  return capture == nullptr ? 0 : capture->strings.count();
}

size_t flamelet_capture_site_count(const flamelet_capture* capture) {
  return capture == nullptr ? 0 : capture->sites.count();
}

void flamelet_capture_get_stats(const flamelet_capture* capture, flamelet_capture_stats* stats) {
  if (stats == nullptr) return;
  memset(stats, 0, sizeof *stats);
  if (capture == nullptr) return;
  stats->budget_bytes = capture->memory_bytes;
  stats->used_bytes = capture->memory_bytes - capture->pages.unused_bytes();
  stats->pages_held = capture->pages.held();
  stats->pages_limit = capture->pages.likely_capacity();
  stats->events_read = capture->counts.events_read;
  stats->events_lost = capture->counts.events_lost;
  stats->events_evicted = capture->counts.events_evicted;
  stats->events_held = capture->events_held;
  stats->missing_ends = capture->counts.missing_ends;
  stats->extra_ends = capture->counts.extra_ends;
  stats->bad_words = capture->counts.bad_words;
  stats->names_missing = capture->counts.names_missing;
  stats->times_clamped = capture->counts.times_clamped;
  stats->unknown_events = capture->counts.unknown_events;
  stats->frames_dropped = capture->counts.frames_dropped;
  stats->thread_times_dropped = capture->counts.thread_times_dropped;
  stats->intervals_dropped = capture->intervals.dropped();
  stats->named_frames_dropped = capture->named_frames.dropped();
  stats->thread_states = static_cast<flamelet_thread_states>(capture->states.states);
  stats->switches_held = capture->switches.end() - capture->switches.first();
  stats->switches_lost = capture->states.lost;
  stats->switches_evicted = capture->states.evicted;
}

void flamelet_capture_get_dropped(const flamelet_capture* capture, flamelet_capture_dropped* dropped) {
  if (dropped == nullptr) return;
  const DropCounts of = capture == nullptr ? DropCounts{} : capture->drops;
  *dropped = {of.no_track, of.no_page, of.depth,   of.nested,     of.fiber,        of.frame,     of.submit,
              of.strings,  of.sites,   of.waiting, of.extra_ends, of.fiber_misuse, of.submit_cut};
}

flamelet_clock flamelet_capture_clock(const flamelet_capture* capture) {
  return capture == nullptr ? flamelet_clock{} : capture->clock;
}

flamelet_string flamelet_capture_build(const flamelet_capture* capture) {
  return capture == nullptr ? flamelet_string{"", 0}
                            : flamelet_string{capture->build.library, strlen(capture->build.library)};
}

flamelet_string flamelet_capture_categories_off(const flamelet_capture* capture) {
  if (capture == nullptr) return {"", 0};
  return {capture->categories_off.text, strlen(capture->categories_off.text)};
}

flamelet_string flamelet_capture_note(const flamelet_capture* capture) {
  return capture == nullptr ? flamelet_string{"", 0}
                            : flamelet_string{capture->build.note, strlen(capture->build.note)};
}
