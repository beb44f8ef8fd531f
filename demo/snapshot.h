// SPDX-License-Identifier: MIT
//
// What one step of the simulation shows: all that the renderer gets to see. The simulation fills one snapshot while
// the renderer draws the other.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <vector>

namespace demo {

// One box, laid out as the vertex shader fetches it: three texels of four floats.
struct Box {
  glm::vec3 position;
  float glow;  // 0 lit by the sun; else shines in its own colour, this bright
  glm::quat rotation;
  glm::vec3 half_size;
  uint32_t color;  // pack_color()
};
static_assert(sizeof(Box) == 48, "three texels");

// One lantern, laid out as the vertex shader reads it.
struct Lantern {
  glm::vec3 position;
  uint32_t color;
};
static_assert(sizeof(Lantern) == 16, "the renderer's vertex layout");

struct Light {
  glm::vec3 position;
  float reach;  // metres
  glm::vec3 color;
};

struct Snapshot {
  std::vector<Box> boxes;
  std::vector<Lantern> lanterns;
  std::vector<Light> lights;  // at most kMaxLights
  uint64_t step = 0;
  uint32_t bodies_awake = 0;
  uint32_t contacts = 0;
  uint32_t lanterns_home = 0;  // the score
  uint32_t explosions = 0;
};

constexpr size_t kMaxLights = 6;

// 0x3fBBGGRR: the top byte keeps it a finite, normal number for a shader that fetches it as a float.
constexpr uint32_t pack_color(glm::vec3 color) {
  const auto byte = [](float v) { return static_cast<uint32_t>(v * 255.0f + 0.5f); };
  return byte(color.r) | byte(color.g) << 8 | byte(color.b) << 16 | 0x3f000000u;
}

}  // namespace demo
