// SPDX-License-Identifier: MIT
//
// Everything that a capture answers, as text, so that two captures can be compared.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "support/read.h"

namespace flamelet {

inline std::string text_of(flamelet_string text) {
  return std::string(text.text, text.size) + '\0';
}

template <class Number>
void put(std::string* to, Number value) {
  *to += std::to_string(value) + ' ';
}

// The answers to every question about a window, as text.
inline std::string answers(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns) {
  std::string all;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    for (const flamelet_span& s : recorder_test::read_spans(capture, lane, begin_ns, end_ns)) {
      put(&all, s.begin_ns), put(&all, s.end_ns), put(&all, s.self_ns), put(&all, s.id), put(&all, s.site);
      put(&all, s.name), put(&all, s.object), put(&all, s.parent), put(&all, s.subtree_end), put(&all, s.depth);
      put(&all, s.flags);
    }
    for (const flamelet_point& p : recorder_test::read_points(capture, lane, begin_ns, end_ns)) {
      put(&all, p.time_ns), put(&all, p.value), put(&all, p.site), put(&all, p.name), put(&all, p.object);
      put(&all, p.kind);
    }
    all += '\n';
  }
  for (const flamelet_interval& i : recorder_test::read_intervals(capture, begin_ns, end_ns)) {
    put(&all, i.begin_ns), put(&all, i.end_ns), put(&all, i.id), put(&all, i.site), put(&all, i.name);
    put(&all, i.object), put(&all, i.begin_track), put(&all, i.end_track), put(&all, i.flags);
  }
  return all;
}

// ... and about everything else.
inline std::string answers(const flamelet_capture* capture) {
  std::string all;
  for (size_t i = 0; i < flamelet_capture_lane_count(capture); ++i) {
    flamelet_lane_info info = recorder_test::lane_of(capture, i);
    put(&all, info.id), put(&all, static_cast<int>(info.kind)), put(&all, info.events_read),
        put(&all, info.events_lost);
    all += text_of(info.name);
  }
  for (size_t i = 0; i < flamelet_capture_frame_count(capture); ++i) {
    const flamelet_frame_info info = recorder_test::frame_of(capture, i);
    put(&all, info.index), put(&all, info.begin_ns), put(&all, info.end_ns), put(&all, info.flags);
    put(&all, flamelet_capture_find_frame(capture, info.index));
    put(&all, flamelet_capture_frame_at(capture, info.begin_ns)), put(&all, info.thread);
    flamelet_thread_time times[FLAMELET_MAX_TRACKS];
    const size_t count = flamelet_capture_read_thread_times(capture, i, times, FLAMELET_MAX_TRACKS);
    for (size_t at = 0; at < count; ++at) {
      const flamelet_thread_time& time = times[at];
      put(&all, time.lane), put(&all, time.known), put(&all, time.ran_ns), put(&all, time.ready_ns);
      put(&all, time.switches), put(&all, time.major_faults), put(&all, time.minor_faults);
    }
  }
  int64_t begin_ns = 0, end_ns = 0;
  put(&all, flamelet_capture_extent(capture, &begin_ns, &end_ns) ? 1 : 0);
  put(&all, begin_ns), put(&all, end_ns);
  for (uint32_t id = 0; id < 70; ++id) {
    flamelet_site_info info;
    put(&all, flamelet_capture_site(capture, id, &info) ? 1 : 0);
    all += text_of(info.name) + text_of(info.category) + text_of(info.file) + text_of(info.function);
    put(&all, info.line), put(&all, info.color);
    all += text_of(flamelet_capture_string(capture, id));
  }
  put(&all, flamelet_capture_site_count(capture));
  const flamelet_capture_stats stats = recorder_test::stats_of(capture);
  put(&all, stats.pages_held), put(&all, stats.events_read), put(&all, stats.events_lost);
  put(&all, stats.events_evicted), put(&all, stats.missing_ends), put(&all, stats.extra_ends);
  put(&all, stats.bad_words), put(&all, stats.names_missing);
  put(&all, stats.times_clamped), put(&all, stats.unknown_events);
  const flamelet_clock clock = flamelet_capture_clock(capture);
  put(&all, int{clock.kind}), put(&all, clock.origin_ticks), put(&all, clock.ticks_per_second);
  return all;
}

}  // namespace flamelet
