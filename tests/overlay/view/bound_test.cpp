// SPDX-License-Identifier: MIT
#include "view/bound.h"

#include <doctest/doctest.h>

using namespace flamelet::ui;

namespace {

// A frame of 10 ms, and the rest in tenths of a millisecond.
Bound bound(int cpu, int gpu, int spread = 5) {
  const auto ns = [](int tenths) { return tenths < 0 ? int64_t{-1} : int64_t{tenths} * 100000; };
  return find_bound({10000000, ns(spread), ns(cpu), ns(gpu)});
}

}  // namespace

TEST_CASE("overlay verdict: who works for nine tenths of the frame sets its pace") {
  CHECK(bound(90, 50) == Bound::kCpu);
  CHECK(bound(89, 50) != Bound::kCpu);
  CHECK(bound(100, 89) == Bound::kCpu);
  CHECK(bound(50, 90) == Bound::kGpu);
  CHECK(bound(89, 130) == Bound::kGpu);  // several queues may add up to more than a frame
  CHECK(bound(95, 95) == Bound::kBalanced);
}

TEST_CASE("overlay verdict: with time to spare on both sides, steady frames wait for the display") {
  CHECK(bound(40, 60) == Bound::kVsync);
  CHECK(bound(40, 60, 10) == Bound::kVsync);
  CHECK(bound(40, 60, 11) == Bound::kBalanced);
  CHECK(bound(0, 0) == Bound::kVsync);
}

TEST_CASE("overlay verdict: what is not known is not said") {
  CHECK(find_bound({}) == Bound::kUnknown);
  CHECK(bound(-1, -1) == Bound::kUnknown);
  CHECK(bound(-1, 50) == Bound::kUnknown);
  CHECK(bound(-1, 95) == Bound::kGpu);
  CHECK(bound(95, -1) == Bound::kCpu);
  CHECK(bound(50, -1) == Bound::kWaits);
}
