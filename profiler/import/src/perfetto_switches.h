// SPDX-License-Identifier: MIT
//
// perfetto_switches.h: which thread ran on which processor, as bundles of the kernel's sched_switch events tell it: the states
// of those threads that have a lane, and their names. What programs print there is handed on.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_SWITCHES_H
#define FLAMELET_IMPORT_SRC_PERFETTO_SWITCHES_H

#include <functional>
#include <unordered_map>
#include <vector>

#include "perfetto_tracks.h"

namespace flamelet::formats::perfetto {

// A line that a program wrote into the kernel's trace.
struct Print {
  int64_t time_ns, tid;
  protozero::data_view line;
};

class Switches {
 public:
  using OnPrint = std::function<void(const Print& print)>;
  // A FtraceEventBundle. Returns how many of its events are neither switches nor lines.
  uint64_t read_bundle(protozero::data_view bytes, Names* names, const OnPrint& on_print);
  uint64_t gaps() const { return gaps_; }  // bundles before which some are missing
  uint64_t count() const { return switches_.size(); }
  // At the end, when the lanes are known: `base_ns` is the trace's 0. Returns how many found no room.
  uint64_t put(flamelet_capture_builder* builder, const Tracks& tracks, int64_t base_ns);

 private:
  struct Switch {
    int64_t time_ns;
    int64_t from, to;  // numbers of threads
    uint32_t processor;
    bool sleeps;                   // `from` does
    bool lost_before, lost_after;  // some of this processor are missing
  };
  static constexpr size_t kMaxSwitches = size_t{1} << 22;

  bool read_event(protozero::data_view bytes, Names* names, const OnPrint& on_print);
  void read_switch(protozero::data_view bytes, Names* names, Switch* into);
  void read_compact(protozero::data_view bytes, uint32_t processor, Names* names);
  void add(const Switch& next);

  std::vector<Switch> switches_;
  std::unordered_map<uint32_t, int64_t> running_;  // on each processor, behind its newest compact switch
  uint64_t dropped_ = 0, gaps_ = 0;
};

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_SWITCHES_H
