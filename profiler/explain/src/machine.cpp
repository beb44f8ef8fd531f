// SPDX-License-Identifier: MIT
//
// machine.cpp: what the recorder's counters of the machine say of a cause. A reading tells of the tenth of a second before
// it, so what it says is noted where it accounts for half of the surplus.
#include <string.h>

#include "evidence.h"

namespace flamelet::explain {

namespace {

constexpr int64_t kBetweenReadings = 100'000'000;  // ns, and until the next frame mark
constexpr double kMostValue = 1e9;                 // of a value; only a damaged file has larger ones

// Calls take(point) for each value of a counter of the machine from so long before the frame until the first reading behind
// it. The main thread has them, because it marks the frames.
template <class Take>
void for_each_reading(const Question& question, const char* name, int64_t before_ns, Take take) {
  const flamelet_frame_info& frame = question.why.frame;
  constexpr int64_t kBehind = 2 * kBetweenReadings;
  const int64_t begin_ns = frame.begin_ns < INT64_MIN + before_ns ? INT64_MIN : frame.begin_ns - before_ns;
  const int64_t end_ns = frame.end_ns > INT64_MAX - kBehind ? INT64_MAX : frame.end_ns + kBehind;
  flamelet_point* const points = question.explain->items->points;
  flamelet_point_cursor cursor;
  flamelet_point_cursor_start(&cursor, question.capture, question.why.main_lane, begin_ns, end_ns, points,
                              FLAMELET_CURSOR_LEAST);
  while (flamelet_point_cursor_next(&cursor)) {
    for (size_t i = 0; i < cursor.count; ++i) {
      const flamelet_point& point = points[i];
      flamelet_site_info site;
      if (point.kind == FLAMELET_POINT_COUNTER && flamelet_capture_site(question.capture, point.site, &site) &&
          strcmp(site.name.text, name) == 0 && strcmp(site.category.text, FLAMELET_MACHINE_CATEGORY) == 0)
        take(point);
    }
  }
}

// How much of it there was in the readings in the frame and the first one behind it.
int64_t grew_ns(const Question& question, const char* name) {
  const flamelet_frame_info& frame = question.why.frame;
  double ms = 0;
  bool is_done = false;
  for_each_reading(question, name, 0, [&](const flamelet_point& point) {
    if (point.time_ns <= frame.begin_ns) return;
    if (!is_done) ms += point.value;
    is_done = is_done || point.time_ns >= frame.end_ns;
  });
  return ms > 0 && ms < kMostValue ? static_cast<int64_t>(ms * 1e6) : 0;
}

// The clock in the frame, and its mean in the ten seconds before. A value holds until the next one.
void note_clock(const Question& question, Evidence* cause) {
  constexpr int64_t kBefore = 10'000'000'000;
  const flamelet_frame_info& frame = question.why.frame;
  double last = 0, now = 0, sum = 0, since_ns = 0, all_ns = 0;
  const auto hold = [&](double until_ns) {
    if (last != 0) {
      sum += last * (until_ns - since_ns);
      all_ns += until_ns - since_ns;
    }
    since_ns = until_ns;
  };
  for_each_reading(question, FLAMELET_MACHINE_CLOCK, kBefore, [&](const flamelet_point& point) {
    if (point.time_ns < frame.begin_ns) {
      hold(static_cast<double>(point.time_ns));
      last = point.value;
    } else if (now == 0) {
      now = point.value;
    }
  });
  hold(static_cast<double>(frame.begin_ns));
  if (now == 0) now = last;
  const double usual = all_ns > 0 ? sum / all_ns : 0;
  if (!(now > 0 && usual < kMostValue && now * 1.1 < usual)) return;
  cause->processor_mhz = now;
  cause->usual_processor_mhz = usual;
}

}  // namespace

void note_machine(const Question& question, EvidenceList* list) {
  if (question.why.main_lane == kNoIndex) return;
  constexpr uint32_t kNoProcessor = kLostProcessor | kStoodStill;
  int64_t limited_ns = -1, host_ns = -1;  // not read yet
  for (Evidence& cause : *list) {
    const flamelet_verdict verdict = verdict_of(cause);
    const bool is_work = verdict == FLAMELET_VERDICT_SLOWED || verdict == FLAMELET_VERDICT_SLOWER_CALLS ||
                         verdict == FLAMELET_VERDICT_UNINSTRUMENTED;
    if ((cause.facts & kNoProcessor) == 0 && !is_work) continue;
    if (limited_ns < 0) {
      limited_ns = grew_ns(question, FLAMELET_MACHINE_LIMITED);
      host_ns = grew_ns(question, FLAMELET_MACHINE_HOST);
    }
    // A thread of the program that had the processor is not what a limit would do.
    const bool is_own = (cause.flags & FLAMELET_CAUSE_TAKEN_OFF) != 0 && cause.rival_lane < FLAMELET_BY_UNKNOWN;
    if ((cause.facts & kNoProcessor) != 0 && !is_own && limited_ns * 2 >= cause.surplus_ns) {
      cause.limited_ns = limited_ns;
      cause.rival_lane = kNoIndex;
    }
    if (cause.limited_ns == 0 && !is_own && host_ns * 2 >= cause.surplus_ns) cause.host_ns = host_ns;
    if (verdict == FLAMELET_VERDICT_SLOWED) note_clock(question, &cause);
  }
}

}  // namespace flamelet::explain
