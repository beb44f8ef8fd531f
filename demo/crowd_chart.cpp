// SPDX-License-Identifier: MIT
#include "crowd_chart.h"

#include <flamelet/flamelet.h>

#include <algorithm>

#include "layout.h"

namespace demo {

CrowdChart::CrowdChart() : fiber_(flamelet_fiber_create("Crowd chart")) {}

void CrowdChart::step(const Agents& agents) {
  if (fiber_ != 0) flamelet_fiber_switch(0, fiber_);
  if (piece_ == 0) {
    scope_ = flamelet_begin("Chart crowds", "", nullptr);
    cells_.fill(0);
  }
  {
    FLAMELET_SCOPE("Count lanterns");
    const size_t end = agents.count() * (piece_ + 1) / kPieces;
    for (size_t i = agents.count() * piece_ / kPieces; i < end; ++i) {
      const glm::vec3 position = agents.position(i);
      const auto cell = [](float at) {
        return std::clamp(static_cast<int>((at + kTownHalfSize) / (2.0f * kTownHalfSize) * kSide), 0, kSide - 1);
      };
      ++cells_[static_cast<size_t>(cell(position.z) * kSide + cell(position.x))];
    }
  }
  if (++piece_ == kPieces) {
    most_ = *std::max_element(cells_.begin(), cells_.end());
    flamelet_end(scope_);
    piece_ = 0;
  }
  if (fiber_ != 0) flamelet_fiber_switch(fiber_, 0);
}

}  // namespace demo
