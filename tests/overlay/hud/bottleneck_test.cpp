// SPDX-License-Identifier: MIT
#include "hud/hud_numbers.h"

#include <doctest/doctest.h>

using namespace flamelet::ui;

namespace {

// A frame of 10 ms, and the rest in tenths of a millisecond.
Bottleneck bound(int cpu, int gpu, int spread = 5) {
  const auto ns = [](int tenths) { return tenths < 0 ? int64_t{-1} : int64_t{tenths} * 100000; };
  return find_bottleneck({10000000, ns(spread), ns(cpu), ns(gpu)});
}

}  // namespace

TEST_CASE("overlay bottleneck: who works for nine tenths of the frame sets its rate") {
  CHECK(bound(90, 50) == Bottleneck::kCpu);
  CHECK(bound(89, 50) != Bottleneck::kCpu);
  CHECK(bound(100, 89) == Bottleneck::kCpu);
  CHECK(bound(50, 90) == Bottleneck::kGpu);
  CHECK(bound(89, 130) == Bottleneck::kGpu);  // several queues may add up to more than a frame
  CHECK(bound(95, 95) == Bottleneck::kBalanced);
}

TEST_CASE("overlay bottleneck: with time to spare on both sides, steady frames wait for the display") {
  CHECK(bound(40, 60) == Bottleneck::kVsync);
  CHECK(bound(40, 60, 10) == Bottleneck::kVsync);
  CHECK(bound(40, 60, 11) == Bottleneck::kBalanced);
  CHECK(bound(0, 0) == Bottleneck::kVsync);
}

TEST_CASE("overlay bottleneck: what is not known is not said") {
  CHECK(find_bottleneck({}) == Bottleneck::kUnknown);
  CHECK(bound(-1, -1) == Bottleneck::kUnknown);
  CHECK(bound(-1, 50) == Bottleneck::kUnknown);
  CHECK(bound(-1, 95) == Bottleneck::kGpu);
  CHECK(bound(95, -1) == Bottleneck::kCpu);
  CHECK(bound(50, -1) == Bottleneck::kWaits);
}
