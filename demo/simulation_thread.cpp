// SPDX-License-Identifier: MIT
#include "simulation_thread.h"

#include <flamelet/flamelet.h>

namespace demo {

SimulationThread::SimulationThread(uint64_t seed, int workers, const Troubles& troubles)
    : jobs_(workers), game_(seed, jobs_, troubles) {
  game_.fill(snapshots_[shown_]);
  thread_ = std::thread([this] { run(); });
}

SimulationThread::~SimulationThread() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    quit_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

const Snapshot& SimulationThread::advance(int steps, const Commands& commands) {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    {
      FLAMELET_SCOPE_WAIT("Wait for simulation");
      changed_.wait(lock, [this] { return steps_to_do_ == 0; });
      FLAMELET_FLOW_END(&fresh_);
    }
    if (fresh_) shown_ = 1 - shown_;
    fresh_ = false;
    commands_.quake |= commands.quake;
    if (commands.bomb) {
      commands_.bomb = true;
      commands_.bomb_at = commands.bomb_at;
    }
    if (commands.paces) commands_.paces = commands.paces;
    steps_to_do_ = steps;
    FLAMELET_FLOW_BEGIN(&steps_to_do_);
  }
  changed_.notify_all();
  return snapshots_[shown_];
}

void SimulationThread::run() {
  FLAMELET_THREAD_NAME("Simulation");
  for (;;) {
    Commands commands;
    int steps = 0;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return quit_ || steps_to_do_ > 0; });
      if (quit_) return;
      commands = commands_;
      commands_ = {};
      steps = steps_to_do_;
      FLAMELET_FLOW_END(&steps_to_do_);
    }
    // Between here and the next lock advance() waits, so the hidden snapshot is this thread's.
    for (int i = 0; i < steps; ++i) {
      game_.step(commands);
      commands = {};
    }
    game_.fill_for_frame(snapshots_[1 - shown_]);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      steps_to_do_ = 0;
      fresh_ = true;
      FLAMELET_FLOW_BEGIN(&fresh_);
    }
    changed_.notify_all();
  }
}

}  // namespace demo
