// SPDX-License-Identifier: MIT
//
// Path planning: a grid of walking costs, and for each beacon a flow field that leads there from anywhere.
//
// Threads: plan() of different beacons may run at the same time, and direction() from everywhere while no plan()
// of that beacon runs.
#pragma once

#include <cstdint>
#include <vector>

#include "layout.h"
#include "physics.h"

namespace demo {

class Navigation {
 public:
  explicit Navigation(const Layout& layout);

  // Writes the blocks on the ground into the costs. The fields follow with the next plan().
  void mark_obstacles(const Physics& physics);

  // Finds the cheapest way to a beacon from every cell (Dijkstra), and straightens it.
  void plan(size_t beacon);

  // Which way to walk to the beacon: of unit length, or 0 at the goal.
  glm::vec2 direction(size_t beacon, glm::vec2 position) const;
  bool blocked(glm::vec2 position) const { return costs_[cell_at(position)] > 1.0f; }

 private:
  static constexpr int kSide = 256;
  static constexpr float kCellSize = 2.0f * kTownHalfSize / kSide;

  struct Field {
    uint32_t goal;
    const char* name;                  // for the profiler
    std::vector<float> distance;       // to the goal, by cell
    std::vector<uint8_t> next_way;     // index of the best neighbour, kNoWay at the goal
    std::vector<glm::vec2> direction;  // towards the furthest cell on the way that is in sight
  };

  void search(Field& field) const;
  void straighten(Field& field) const;
  // Whether two cells cost the same and so does everything on the line between them.
  bool in_sight(glm::ivec2 from, glm::ivec2 to) const;
  static uint32_t cell_at(glm::vec2 position);

  std::vector<float> costs_;  // of one metre, by cell
  std::vector<Field> fields_;
};

}  // namespace demo
