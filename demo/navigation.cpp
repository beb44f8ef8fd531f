// SPDX-License-Identifier: MIT
#include "navigation.h"

#include <flamelet/flamelet.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <string>

namespace demo {
namespace {

constexpr float kRubbleCost = 14.0f;  // climbing is possible, so that every place can be reached
constexpr int kLookAhead = 16;        // cells
constexpr int kLookEvery = 4;
constexpr uint8_t kNoWay = 8;
constexpr int kWayX[] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr int kWayY[] = {0, 1, 1, 1, 0, -1, -1, -1};

struct OpenCell {
  float distance;
  uint32_t cell;
  bool operator<(const OpenCell& other) const { return distance > other.distance; }  // nearest on top
};

}  // namespace

Navigation::Navigation(const Layout& layout) : costs_(kSide * kSide, 1.0f) {
  for (size_t i = 0; i < layout.beacons.size(); ++i) {
    const glm::vec3 p = layout.beacons[i].position;
    const std::string name = "beacon " + std::to_string(i + 1);
    fields_.push_back({cell_at({p.x, p.z}), flamelet_intern(name.c_str()), std::vector<float>(kSide * kSide),
                       std::vector<uint8_t>(kSide * kSide, kNoWay),
                       std::vector<glm::vec2>(kSide * kSide, glm::vec2(0.0f))});
  }
}

uint32_t Navigation::cell_at(glm::vec2 position) {
  const glm::vec2 scaled = (position + kTownHalfSize) / kCellSize;
  const int x = std::clamp(static_cast<int>(scaled.x), 0, kSide - 1);
  const int y = std::clamp(static_cast<int>(scaled.y), 0, kSide - 1);
  return static_cast<uint32_t>(y * kSide + x);
}

void Navigation::mark_obstacles(const Physics& physics) {
  FLAMELET_FUNCTION();
  std::fill(costs_.begin(), costs_.end(), 1.0f);
  physics.for_each_obstacle([this](glm::vec3 center, float radius) {
    const float reach = radius + 0.5f * kCellSize;
    for (float z = center.z - reach; z <= center.z + reach; z += kCellSize) {
      for (float x = center.x - reach; x <= center.x + reach; x += kCellSize) {
        costs_[cell_at({x, z})] = kRubbleCost;
      }
    }
  });
}

void Navigation::plan(size_t beacon) {
  Field& field = fields_[beacon];
  FLAMELET_SCOPE_OBJECT("Plan paths", field.name);
  search(field);
  straighten(field);
}

void Navigation::search(Field& field) const {
  FLAMELET_FUNCTION();
  std::fill(field.distance.begin(), field.distance.end(), std::numeric_limits<float>::max());
  std::priority_queue<OpenCell> open;
  field.distance[field.goal] = 0.0f;
  field.next_way[field.goal] = kNoWay;
  open.push({0.0f, field.goal});
  while (!open.empty()) {
    const OpenCell top = open.top();
    open.pop();
    if (top.distance > field.distance[top.cell]) continue;  // found a shorter way since
    const int x = static_cast<int>(top.cell) % kSide;
    const int y = static_cast<int>(top.cell) / kSide;
    for (uint8_t way = 0; way < 8; ++way) {
      const int nx = x + kWayX[way];
      const int ny = y + kWayY[way];
      if (nx < 0 || ny < 0 || nx >= kSide || ny >= kSide) continue;
      const auto neighbour = static_cast<uint32_t>(ny * kSide + nx);
      const float length = way % 2 ? 1.41421356f : 1.0f;
      const float distance = top.distance + length * costs_[neighbour];
      if (distance >= field.distance[neighbour]) continue;
      field.distance[neighbour] = distance;
      field.next_way[neighbour] = static_cast<uint8_t>((way + 4) % 8);  // back to where we came from
      open.push({distance, neighbour});
    }
  }
}

// The search knows eight directions. Looking along its ways for as long as nothing is between makes them all.
void Navigation::straighten(Field& field) const {
  FLAMELET_FUNCTION();
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const glm::ivec2 from(x, y);
      glm::ivec2 seen = from;
      glm::ivec2 at = from;
      for (int step = 1; step <= kLookAhead; ++step) {
        const uint8_t way = field.next_way[static_cast<size_t>(at.y * kSide + at.x)];
        if (way == kNoWay) break;
        at += glm::ivec2(kWayX[way], kWayY[way]);
        if (step == 1) seen = at;
        if (step % kLookEvery != 0) continue;
        if (!in_sight(from, at)) break;
        seen = at;
      }
      const glm::vec2 towards(seen - from);
      field.direction[static_cast<size_t>(y * kSide + x)] =
          seen == from ? glm::vec2(0.0f) : towards / glm::length(towards);
    }
  }
}

bool Navigation::in_sight(glm::ivec2 from, glm::ivec2 to) const {
  const glm::ivec2 whole = to - from;
  const int steps = std::max(std::abs(whole.x), std::abs(whole.y));
  const float cost = costs_[static_cast<size_t>(from.y * kSide + from.x)];
  const glm::vec2 step = glm::vec2(whole) / static_cast<float>(steps);
  glm::vec2 at = glm::vec2(from) + 0.5f;
  for (int i = 0; i < steps; ++i) {
    at += step;
    const auto cell = static_cast<size_t>(static_cast<int>(at.y) * kSide + static_cast<int>(at.x));
    if (costs_[cell] != cost) return false;
  }
  return true;
}

glm::vec2 Navigation::direction(size_t beacon, glm::vec2 position) const {
  return fields_[beacon].direction[cell_at(position)];
}

}  // namespace demo
