// SPDX-License-Identifier: MIT
//
// bubbles.h: the game of the web demo: bubbles that rise, bump into each other, and burst under a click.
#pragma once

#include <flamelet/flamelet.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace demo {

class Bubbles {
 public:
  // One step of a sixtieth of a second in a field of this size.
  void step(float width, float height);
  void burst(float x, float y);
  void draw(ImDrawList* list) const;

 private:
  static constexpr size_t kBubbles = 900;
  static constexpr float kMostRadius = 16, kCell = 2 * kMostRadius;

  struct Bubble {
    float x, y, dx, dy, radius;
    ImU32 color;
  };
  struct Cell {
    int first, count;  // in sorted_
  };

  void rise(float width, float height);
  void sort_into_cells(float width, float height);
  void collide();
  void bump(Bubble* a, Bubble* b);
  void add(float width, float height);
  unsigned random();
  float random_between(float least, float most);

  std::vector<Bubble> bubbles_;
  std::vector<int> sorted_;  // indices of bubbles, cell by cell
  std::vector<Cell> cells_;
  int columns_ = 0, rows_ = 0;
  unsigned random_state_ = 7;
};

inline unsigned Bubbles::random() {
  random_state_ = random_state_ * 1664525u + 1013904223u;
  return random_state_ >> 8;
}

inline float Bubbles::random_between(float least, float most) {
  return least + (most - least) * static_cast<float>(random() & 0xFFFF) / 65535.0f;
}

inline void Bubbles::add(float width, float height) {
  const float radius = random_between(3, kMostRadius);
  const ImU32 color = IM_COL32(90 + random() % 120, 140 + random() % 100, 200 + random() % 56, 180);
  bubbles_.push_back(
      {random_between(0, width), height + radius, random_between(-1, 1), random_between(-3, -1), radius, color});
}

inline void Bubbles::step(float width, float height) {
  FLAMELET_SCOPE("Bubbles::step");
  for (int i = 0; i < 8 && bubbles_.size() < kBubbles; ++i) add(width, height);
  rise(width, height);
  sort_into_cells(width, height);
  collide();
  FLAMELET_COUNTER("bubbles", static_cast<double>(bubbles_.size()));
}

inline void Bubbles::rise(float width, float height) {
  FLAMELET_SCOPE("Rise");
  for (Bubble& bubble : bubbles_) {
    bubble.dx = bubble.dx * 0.98f + random_between(-0.06f, 0.06f);
    bubble.dy = bubble.dy * 0.98f - 0.03f;
    bubble.x += bubble.dx;
    bubble.y += bubble.dy;
    if (bubble.x < 0 || bubble.x > width) bubble.dx = -bubble.dx;
    bubble.x = std::clamp(bubble.x, 0.0f, width);
    if (bubble.y < -bubble.radius) bubble.y = height + bubble.radius;
  }
}

inline void Bubbles::sort_into_cells(float width, float height) {
  FLAMELET_SCOPE("Sort into cells");
  columns_ = static_cast<int>(width / kCell) + 1;
  rows_ = static_cast<int>((height + 2 * kMostRadius) / kCell) + 1;
  cells_.assign(static_cast<size_t>(columns_ * rows_), {0, 0});
  const auto cell_of = [this](const Bubble& bubble) {
    const int column = std::clamp(static_cast<int>(bubble.x / kCell), 0, columns_ - 1);
    const int row = std::clamp(static_cast<int>((bubble.y + kMostRadius) / kCell), 0, rows_ - 1);
    return static_cast<size_t>(row * columns_ + column);
  };
  for (const Bubble& bubble : bubbles_) ++cells_[cell_of(bubble)].count;
  int first = 0;
  for (Cell& cell : cells_) {
    cell.first = first;
    first += cell.count;
    cell.count = 0;
  }
  sorted_.resize(bubbles_.size());
  for (size_t i = 0; i < bubbles_.size(); ++i) {
    Cell& cell = cells_[cell_of(bubbles_[i])];
    sorted_[static_cast<size_t>(cell.first + cell.count++)] = static_cast<int>(i);
  }
}

inline void Bubbles::collide() {
  FLAMELET_SCOPE("Collide");
  // Each pair of cells once: itself, to the right, and in the row below.
  constexpr struct { int right, down; } kNeighbours[] = {{0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
  for (int row = 0; row < rows_; ++row) {
    FLAMELET_SCOPE("Row of cells");
    for (int column = 0; column < columns_; ++column) {
      const Cell& cell = cells_[static_cast<size_t>(row * columns_ + column)];
      for (const auto& [right, down] : kNeighbours) {
        if (column + right < 0 || column + right >= columns_ || row + down >= rows_) continue;
        const Cell& other = cells_[static_cast<size_t>((row + down) * columns_ + column + right)];
        for (int i = 0; i < cell.count; ++i)
          for (int j = &cell == &other ? i + 1 : 0; j < other.count; ++j)
            bump(&bubbles_[static_cast<size_t>(sorted_[static_cast<size_t>(cell.first + i)])],
                 &bubbles_[static_cast<size_t>(sorted_[static_cast<size_t>(other.first + j)])]);
      }
    }
  }
}

inline void Bubbles::bump(Bubble* a, Bubble* b) {
  const float x = b->x - a->x, y = b->y - a->y, apart = a->radius + b->radius;
  const float square = x * x + y * y;
  if (square >= apart * apart || square == 0) return;
  const float distance = std::sqrt(square), push = (apart - distance) * 0.1f / distance;
  a->dx -= x * push;
  a->dy -= y * push;
  b->dx += x * push;
  b->dy += y * push;
}

inline void Bubbles::burst(float x, float y) {
  constexpr float kReach = 80;
  FLAMELET_FUNCTION();
  bubbles_.erase(std::remove_if(bubbles_.begin(), bubbles_.end(),
                                [&](const Bubble& bubble) { return std::hypot(bubble.x - x, bubble.y - y) < kReach; }),
                 bubbles_.end());
}

inline void Bubbles::draw(ImDrawList* list) const {
  FLAMELET_SCOPE("Bubbles::draw");
  for (const Bubble& bubble : bubbles_) {
    list->AddCircleFilled({bubble.x, bubble.y}, bubble.radius, bubble.color, 16);
    list->AddCircle({bubble.x, bubble.y}, bubble.radius, IM_COL32(255, 255, 255, 90), 16);
  }
}

}  // namespace demo
