// SPDX-License-Identifier: MIT
//
// game.h: the rules: lanterns walk home through a town that keeps being blown up and rebuilt. The same seed and the same
// commands at the same steps give the same game, whatever the number of threads.
#pragma once

#include <flamelet/lock.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "agents.h"
#include "jobs.h"
#include "physics.h"
#include "random.h"
#include "snapshot.h"
#include "trouble.h"

namespace demo {

// What the player and the captains did since the last step.
struct Commands {
  bool quake = false;
  bool bomb = false;
  glm::vec3 bomb_at{0.0f};
  std::optional<Agents::Paces> paces;  // if there are new ones
};

class Game {
 public:
  Game(uint64_t seed, Jobs& jobs, const Troubles& troubles);
  ~Game();
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;

  static constexpr float kStepSeconds = 1.0f / 60.0f;
  void step(const Commands& commands);
  void fill(Snapshot& snapshot) const;
  // Once, unless there is trouble.
  void fill_for_frame(Snapshot& snapshot) const;

  size_t block_count() const { return physics_.block_count(); }
  size_t agent_count() const { return agents_.count(); }

 private:
  // A building comes back when most of it has fallen and the dust has settled.
  struct Repair {
    const char* name;         // of the building, for the profiler
    uint64_t begin_step = 0;  // of the flight home
    flamelet_id interval = 0;
    bool flying = false;
  };

  void run_events(const Commands& commands);
  void explode(glm::vec3 center, float radius, float strength, const char* victim);
  void quake();
  void plan_paths();
  void repair_buildings();
  void stream_buildings();
  void make_trouble(uint64_t frame);
  void prepare_trouble(uint64_t frame);
  void hire_clerks(double ms);

  Random random_;
  Jobs& jobs_;
  const Troubles troubles_;
  flamelet::Mutex registry_{"registry"};
  std::mutex town_;  // nobody else wants it, unless there is trouble
  const Layout layout_;
  Physics physics_;
  Navigation navigation_;
  Agents agents_;
  CrowdChart chart_;
  Streaming streaming_;
  std::vector<Repair> repairs_;
  uint64_t step_ = 0;
  uint64_t next_bomb_ = 150;
  uint64_t last_blast_ = 0;
  uint64_t next_plan_ = 0;
  bool plan_all_ = true;  // the town has changed: every way is found anew, at once
  glm::vec3 flash_at_{0.0f};
  float flash_ = 0.0f;  // of the newest explosion
  uint32_t explosions_ = 0;
  std::deque<Errand> clerks_;
  std::optional<Errand> surveyor_, baker_;  // last: they use the rest
};

// Runs the game on a thread of its own, one frame ahead of the renderer: while this frame is drawn, the next one is
// simulated.
//
//     main thread   │ take N │ draw N ......... │ take N+1 │ draw N+1
//     simulation    │ step N+1 ......... │ wait │ step N+2 ..........
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
