// SPDX-License-Identifier: MIT
//
// perfetto_events.h: the events of a Perfetto trace's tracks as spans, points, intervals and frames of the builder.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_EVENTS_H
#define FLAMELET_IMPORT_SRC_PERFETTO_EVENTS_H

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "importer.h"
#include "perfetto_tracks.h"

namespace flamelet::formats::perfetto {

// Perfetto letters: events in older forms, where a letter says what they are, as in Chrome's JSON: Chrome's own ones, and lines
// that programs print into the kernel's trace, as Android's atrace has them: "B|12|name" begins a scope of the thread that
// prints it, and "E|12" ends it.

// Makes it what it would be today. False: there is nothing like it.
bool read_legacy(const Legacy& legacy, Tracks& tracks, Event* event);
// What Chrome's "metadata" tells: the name of a thread or process.
void tell_names(const Legacy& legacy, flamelet_capture_builder* builder, Tracks& tracks, const Event& event);

// Names of Chrome's older counters, whose values are the numbers among the annotations: "memory", "memory heap", "memory[0x5]".
class SeriesNames {
 public:
  explicit SeriesNames(flamelet_capture_builder* builder) : builder_(builder) {}

  // The series that came first, alone in its event, has the counter's name. Others have that and their own.
  uint32_t name(const Event& counter, const Legacy& legacy, const EventParts& parts, size_t series);

 private:
  static constexpr size_t kMostCounters = size_t{1} << 16;

  flamelet_capture_builder* const builder_;
  std::map<std::pair<uint64_t, std::string>, std::string> plain_;  // such series, by track and counter
};

// False: it is no such line.
bool read_line(std::string_view line, int64_t tid, SequenceReader& sequences, Tracks& tracks, Event* event);

struct EventCounts {
  uint64_t spans = 0, points = 0, intervals = 0, frames = 0, flows = 0;
  uint64_t open = 0;           // slices that never ended
  uint64_t extra_ends = 0;     // of slices that never began
  uint64_t dropped = 0;        // beyond a limit
  uint64_t unsupported = 0;    // of a kind that nothing here stands for
  uint64_t args_left_out = 0;  // texts at the end of a slice that had one at its begin
  uint64_t cut = 0;            // spans that Flamelet had cut before it wrote them
};

class TrackEvents {
 public:
  TrackEvents(Import& job, Tracks& tracks)
      : builder_(job.builder), spans_(job.spans), counter_names_(job.counter_names), tracks_(tracks) {}

  void take(const Event& event, int64_t time_ns);
  void finish();

  const EventCounts& counts() const { return counts_; }

 private:
  static constexpr size_t kMaxOpen = size_t{1} << 20;   // of all tracks
  static constexpr size_t kMaxHeld = size_t{1} << 20;   // of all tracks
  static constexpr size_t kMaxFlows = size_t{1} << 20;  // that have begun and not ended
  static constexpr size_t kMaxDepth = FLAMELET_DEPTH_UNKNOWN - 1;
  static constexpr size_t kMaxIntervals = size_t{1} << 16;  // that wait for one before them

  uint32_t site(const Event& event, uint32_t shown, uint32_t* name);
  void begin(Track& track, const Event& event, int64_t time_ns);
  void whole(Track& track, const Event& event, int64_t time_ns);
  void end(Track& track, const Event& event, int64_t time_ns);
  void close(Track& track, int64_t time_ns, uint32_t flags);
  void put(Track& track, const flamelet_span& span);
  void put_interval(const OpenSlice& open);
  void link(const Event& event, const Track& track, flamelet_span* span);
  void mark_flows(Track& track, const Event& event, int64_t time_ns);
  void put_arrow(Track& track, const Event& event, int64_t time_ns);
  void put_flow(Track& track, int64_t time_ns, uint64_t id, bool ends);
  void instant(Track& track, const Event& event, int64_t time_ns);
  void counter(Track& track, const Event& event, int64_t time_ns);
  uint32_t counter_name(uint32_t name, uint32_t unit, const Track& owner);

  flamelet_capture_builder* const builder_;
  SpanLanes& spans_;
  CounterNames& counter_names_;
  Tracks& tracks_;
  EventCounts counts_;
  int64_t newest_ns_ = INT64_MIN;
  std::unordered_map<uint64_t, flamelet_id> flows_;
  std::unordered_set<uint64_t> begun_flows_;          // of other programs, that have not ended for good
  std::deque<std::pair<bool, OpenSlice>> intervals_;  // in the order of their begins, until those before them are done
  uint64_t first_interval_ = 0;                       // the number of intervals_[0]
  // Names of counters, by what they would be alone, their unit and the owner.
  std::map<std::tuple<uint32_t, uint32_t, uint64_t>, uint32_t> counters_;
  size_t open_ = 0, held_ = 0;
  flamelet_id next_id_ = 1;
};

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_EVENTS_H
