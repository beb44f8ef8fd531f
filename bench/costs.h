// SPDX-License-Identifier: MIT
//
// costs.h: what a profiler costs beside the scope: frame marks, readers, memory, start and stop.
#ifndef FLAMELET_BENCH_COSTS_H
#define FLAMELET_BENCH_COSTS_H

#include <cstddef>

namespace flamelet_bench {

struct Costs {
  double frame_mark_ns, frame_mark_p99_ns;  // one flamelet_frame() after 1000 scopes, without thread_times
  double thread_time_ns;                    // what thread_times adds to it for each thread
  double lock_ns;                           // a free flamelet::Mutex, taken and given back, more than a std::mutex
  double wait_ns;                           // what is recorded of a wait for a lock, with the hand-over
  double poll_ns_per_event;                 // the ring's reader alone: finding, pinning and walking over new words
  double update_ns_per_event;               // flamelet_capture_update(): copied and indexed
  double read_events_per_second;            // flamelet_capture_read_spans() of everything held
  double snapshot_mib, snapshot_ms;         // first update of a new capture: the whole ring at once
  double bytes_per_scope;                   // of ring, page headers included
  std::ptrdiff_t growth_bytes;              // of resident memory over 10 million scopes
  double start_ms, stop_ms;                 // flamelet_init() and flamelet_shutdown() with the default budget
};

// The recorder runs when this is called, and when it returns.
Costs measure_costs();

}  // namespace flamelet_bench

#endif  // FLAMELET_BENCH_COSTS_H
