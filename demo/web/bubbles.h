// SPDX-License-Identifier: MIT
//
// bubbles.h: the game of the web demo: bubbles that rise, bump into each other, and burst under a click.
#pragma once

#include <imgui.h>

#include <vector>

namespace demo {

class Bubbles {
 public:
  // One step of a sixtieth of a second in a field of this size.
  void step(float width, float height);
  void burst(float x, float y);
  void draw(ImDrawList* list) const;

 private:
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

}  // namespace demo
