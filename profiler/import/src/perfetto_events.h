// SPDX-License-Identifier: MIT
//
// perfetto_events.h: the events of a Perfetto trace's tracks as spans, points, intervals and frames of the builder.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_EVENTS_H
#define FLAMELET_IMPORT_SRC_PERFETTO_EVENTS_H

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

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
  explicit TrackEvents(Import& job) : builder_(job.builder), spans_(job.spans), counter_names_(job.counter_names) {}

  // `tracks`: those of its machine.
  void take(Tracks& tracks, const Event& event, int64_t time_ns);
  // No event of these comes any more.
  void finish(Tracks& tracks, int64_t newest_ns);

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
  void settle(Track& track, int64_t now_ns);
  void close(Track& track, size_t at, int64_t time_ns, uint32_t flags);
  void put(Track& track, const flamelet_span& span, uint64_t order);
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
  Tracks* tracks_ = nullptr;  // of the event in hand
  EventCounts counts_;
  int64_t newest_ns_ = INT64_MIN;
  std::unordered_map<uint64_t, flamelet_id> flows_;
  std::unordered_map<uint64_t, flamelet_id> calls_;   // ids of the calls whose pieces have a number
  std::unordered_set<uint64_t> begun_flows_;          // of other programs, that have not ended for good
  std::deque<std::pair<bool, OpenSlice>> intervals_;  // in the order of their begins, until those before them are done
  uint64_t first_interval_ = 0;                       // the number of intervals_[0]
  // Names of counters, by what they would be alone, their unit, the owner and its machine's tracks.
  std::map<std::tuple<uint32_t, uint32_t, uint64_t, const Tracks*>, uint32_t> counters_;
  size_t open_ = 0, held_ = 0;
  uint64_t begun_ = 0;
  flamelet_id next_id_ = 1;
};

// Which thread ran on which processor, as bundles of the kernel's sched_switch events tell it: the states
// of those threads that have a lane, and their names. What programs print there is handed on.

// A line that a program wrote into the kernel's trace. Its time is a stamp of the kernel's.
struct Print {
  int64_t time_ns, tid;
  protozero::data_view line;
};

class Switches {
 public:
  using OnPrint = std::function<void(const Print& print)>;
  using Lanes = std::unordered_map<int64_t, uint32_t>;  // of a machine's threads, by tid
  static constexpr uint32_t kMaxMachines = 16;
  // The trace's time of a stamp.
  using TimeOf = std::function<int64_t(int64_t)>;
  // A FtraceEventBundle of a machine, which are counted from 0. Returns how many of its events are neither switches nor lines.
  uint64_t read_bundle(protozero::data_view bytes, uint32_t machine, const TimeOf& time_of, Names* names,
                       const OnPrint& on_print);
  // How many events one has.
  static uint64_t count_events(protozero::data_view bytes);
  uint64_t gaps() const { return gaps_; }  // bundles before which some are missing
  uint64_t count() const { return switches_.size(); }
  int64_t newest_ns() const;  // INT64_MIN: there are none
  // At the end, when the lanes of all machines are known: `base_ns` is the trace's 0. Returns how many found no room.
  uint64_t put(flamelet_capture_builder* builder, const std::vector<Lanes>& lanes, int64_t base_ns);

 private:
  struct Switch {
    int64_t time_ns;
    int64_t from, to;  // numbers of threads
    uint32_t processor, machine;
    bool sleeps;                   // `from` does
    bool lost_before, lost_after;  // some of this processor are missing
  };
  static constexpr size_t kMaxSwitches = size_t{1} << 22;
  static constexpr uint32_t kMachineProcessors = 1u << 12;  // numbers of each, one machine's behind another's

  bool read_event(protozero::data_view bytes, Names* names, const OnPrint& on_print);
  void read_switch(protozero::data_view bytes, Names* names, Switch* into);
  void read_compact(protozero::data_view bytes, uint32_t processor, Names* names);
  void add(const Switch& next);

  std::vector<Switch> switches_;
  std::unordered_map<uint32_t, int64_t> running_;  // on each processor, behind its newest compact switch
  std::unordered_set<uint32_t> lost_;              // processors of which some are missing behind the newest one
  uint64_t dropped_ = 0, gaps_ = 0;
};

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_EVENTS_H
