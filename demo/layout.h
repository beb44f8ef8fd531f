// SPDX-License-Identifier: MIT
//
// The town: where its buildings, beacons and gates stand. Made once from the seed, never changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <string>
#include <vector>

namespace demo {

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

}  // namespace demo
