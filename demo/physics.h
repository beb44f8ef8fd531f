// SPDX-License-Identifier: MIT
//
// The rigid bodies: one Bullet world, one body for each block of the town. Bullet's own profile zones are recorded as
// scopes of the thread that steps.
//
// Threads: one at a time. At most one Physics in a process: Bullet's profile hooks are global.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "layout.h"
#include "snapshot.h"

namespace demo {

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
