// SPDX-License-Identifier: MIT
//
// carved.h: tables of the overlay in memory of their own.
#pragma once

#include <vector>

#include "content/memory.h"

namespace flamelet_tests {

// As much memory as `carve`, a function of a Carver*, takes; the tables lie in it. Carves twice: first to measure.
template <class Carve>
std::vector<char> carved(Carve carve) {
  flamelet::ui::Carver measure(nullptr);
  carve(&measure);
  std::vector<char> memory(measure.used());
  flamelet::ui::Carver carver(memory.data());
  carve(&carver);
  return memory;
}

}  // namespace flamelet_tests
