// SPDX-License-Identifier: MIT
//
// Runs the game on a thread of its own, one frame ahead of the renderer: while this frame is drawn, the next one is
// simulated.
//
//     main thread   │ take N │ draw N ......... │ take N+1 │ draw N+1
//     simulation    │ step N+1 ......... │ wait │ step N+2 ..........
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "game.h"
#include "jobs.h"
#include "snapshot.h"

namespace demo {

class SimulationThread {
 public:
  SimulationThread(uint64_t seed, int workers, const Troubles& troubles);
  ~SimulationThread();
  SimulationThread(const SimulationThread&) = delete;
  SimulationThread& operator=(const SimulationThread&) = delete;

  // Main thread: waits for the steps in progress, starts `steps` more (0 is allowed), and returns the newest
  // snapshot, which stays unchanged until the next call.
  const Snapshot& advance(int steps, const Commands& commands);

  size_t block_count() const { return game_.block_count(); }
  size_t agent_count() const { return game_.agent_count(); }

 private:
  void run();

  Jobs jobs_;
  Game game_;
  Snapshot snapshots_[2];
  size_t shown_ = 0;  // index of the snapshot that the renderer has
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Commands commands_;
  int steps_to_do_ = 0;
  bool fresh_ = false;  // the other snapshot holds something newer
  bool quit_ = false;
  std::thread thread_;  // last: it uses everything above
};

}  // namespace demo
