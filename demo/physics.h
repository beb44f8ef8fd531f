// SPDX-License-Identifier: MIT
//
// The town, and its rigid bodies: one Bullet world, one body for each block of the town. Bullet's own profile zones are
// recorded as scopes of the thread that steps.
//
// Threads: one at a time. At most one Physics in a process: Bullet's profile hooks are global.
#pragma once

#include <flamelet/recorder.h>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "snapshot.h"

namespace demo {

// The town: where its buildings, beacons and gates stand. Made once from the seed, never changed.

constexpr float kTownHalfSize = 48.0f;  // metres; the ground is a square around the origin

struct Block {
  glm::vec3 position;
  glm::quat rotation;
  glm::vec3 half_size;
  uint32_t color;
};

struct Building {
  std::string name;
  glm::vec3 center;
  float radius;        // of the footprint
  size_t first_block;  // in Layout::blocks
  size_t block_count;
};

struct Beacon {
  glm::vec3 position;
  glm::vec3 color;
};

struct Layout {
  std::vector<Block> blocks;
  std::vector<Building> buildings;
  std::vector<Beacon> beacons;   // where lanterns want to go
  std::vector<glm::vec3> gates;  // where they come from
};

Layout make_layout(uint64_t seed);

// Loads a detailed copy of the town's blocks in the background, one building at a time, and drops the oldest. A request is
// an interval: the simulation begins it, and the loader's thread ends it some frames later. Several may wait at one time.
class Streaming {
 public:
  explicit Streaming(const Layout& layout);
  ~Streaming();
  Streaming(const Streaming&) = delete;
  Streaming& operator=(const Streaming&) = delete;

  // Asks for a building. It comes when it comes: the game does not wait.
  void request(size_t building);

  size_t waiting() const { return waiting_.load(std::memory_order_relaxed); }
  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  struct Request {
    size_t building;
    flamelet_id interval;
  };
  struct Loaded {
    size_t building;
    std::vector<Block> blocks;
  };

  void run();
  void load(const Request& request);

  const Layout& layout_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Request> requests_;
  bool quit_ = false;
  std::atomic<size_t> waiting_{0}, bytes_{0};  // relaxed: figures to look at
  std::deque<Loaded> loaded_;                  // the loader's thread's
  std::thread thread_;                         // last: it uses everything above
};

// What the process has in memory; 0 where the system does not say it cheaply.
double memory_mib();

class Physics {
 public:
  explicit Physics(const Layout& layout);
  ~Physics();

  void step(float seconds);

  // Pushes what lies within `radius` away from `center` and wakes it.
  void explode(glm::vec3 center, float radius, float strength);
  // Shakes every body and wakes all of them.
  void quake(float strength, uint64_t seed);

  // The share of a building's blocks that stand where they belong.
  float standing(const Building& building) const;
  // Takes a building's blocks out of the world, so that they can be carried home.
  void lift(const Building& building);
  // Carries lifted blocks: 0 where they lay, 1 where they belong. At 1 they are bodies again, asleep.
  void carry(const Building& building, float progress);

  void append(std::vector<Box>& boxes) const;
  // Calls visit(position, radius on the ground) for each block that is in an agent's way.
  template <typename Visit>
  void for_each_obstacle(Visit visit) const {
    for (size_t i = 0; i < block_count(); ++i) {
      const glm::vec3 p = position(i);
      if (p.y < 2.0f) visit(p, ground_radius(i));
    }
  }

  size_t block_count() const;
  uint32_t awake_count() const;
  uint32_t contact_count() const;

 private:
  glm::vec3 position(size_t block) const;
  float ground_radius(size_t block) const;

  struct World;
  std::unique_ptr<World> world_;
};

}  // namespace demo
