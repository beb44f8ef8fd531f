// SPDX-License-Identifier: MIT
//
// The rules: lanterns walk home through a town that keeps being blown up and rebuilt. The same seed and the same
// commands at the same steps give the same game, whatever the number of threads.
#pragma once

#include <flamelet/lock.h>

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "agents.h"
#include "crowd_chart.h"
#include "jobs.h"
#include "layout.h"
#include "lose_time.h"
#include "navigation.h"
#include "physics.h"
#include "random.h"
#include "snapshot.h"
#include "streaming.h"
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

}  // namespace demo
