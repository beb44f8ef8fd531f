// SPDX-License-Identifier: MIT
#include "bars/frame_bars.h"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

using namespace flamelet::ui;

namespace {

constexpr int64_t kMs = 1000000;

struct Bars {
  explicit Bars(uint32_t capacity = 4096) : storage(capacity) {
    bars.data = storage.data();
    bars.capacity = capacity;
  }
  // One frame a sum.
  void add_frames(uint32_t count, int64_t ns) {
    for (uint32_t i = 0; i < count; ++i) sums.push_back({sums.size(), sums.size(), sums.size(), ns, ns, 1});
  }
  void layout(float width_px, float bar_px) {
    FrameBarsInput input;
    input.width_px = width_px;
    input.height_px = 50;
    input.bar_px = bar_px;
    input.budget_ns = 16 * kMs;
    input.range_ns = 40 * kMs;
    const uint32_t count = static_cast<uint32_t>(sums.size());
    layout_frame_bars(input, {sums.data(), count, count}, &bars);
  }
  std::vector<FrameSum> sums;
  std::vector<Bar> storage;
  Array<Bar> bars;
};

}  // namespace

TEST_CASE("overlay bars: the newest frame stands at the right edge") {
  Bars b;
  b.add_frames(10, 10 * kMs);
  b.layout(200, 5);
  REQUIRE(b.bars.count == 10);
  CHECK(b.bars[9].x0 == 195);
  CHECK(b.bars[9].x1 == 199);
  CHECK(b.bars[0].x0 == 150);
  CHECK(b.bars[0].height == doctest::Approx(12.5));
  CHECK(b.bars[0].mean_height == b.bars[0].height);
}

TEST_CASE("overlay bars: where there is no room for all, the newest stay") {
  Bars b;
  b.add_frames(990, 10 * kMs);
  b.add_frames(10, 30 * kMs);
  b.layout(20, 1);
  REQUIRE(b.bars.count == 20);
  CHECK(b.bars[9].verdict == FrameVerdict::kGood);
  CHECK(b.bars[10].verdict == FrameVerdict::kOver);
  CHECK(b.bars[19].x1 == 20);
}

TEST_CASE("overlay bars: a bar of several frames is as high as the longest, and says their mean") {
  Bars b;
  b.sums.push_back({0, 63, 17, 90 * kMs, 64 * 10 * kMs, 64});
  b.layout(60, 1);
  REQUIRE(b.bars.count == 1);
  CHECK(b.bars[0].verdict == FrameVerdict::kFarOver);
  CHECK(b.bars[0].broken);
  CHECK(b.bars[0].height == 50);
  CHECK(b.bars[0].mean_height == doctest::Approx(12.5));
}

TEST_CASE("overlay bars: the verdict has the budget and twice the budget as its limits") {
  CHECK(frame_verdict(16 * kMs, 16 * kMs) == FrameVerdict::kGood);
  CHECK(frame_verdict(16 * kMs + 1, 16 * kMs) == FrameVerdict::kOver);
  CHECK(frame_verdict(32 * kMs, 16 * kMs) == FrameVerdict::kOver);
  CHECK(frame_verdict(33 * kMs, 16 * kMs) == FrameVerdict::kFarOver);
  CHECK(frame_verdict(INT64_MAX, INT64_MAX / 2) != FrameVerdict::kGood);
  CHECK(frame_verdict(5, 0) == FrameVerdict::kGood);
}

TEST_CASE("overlay bars: the mouse finds the bar, also in the gap behind it") {
  Bars b;
  b.add_frames(10, 10 * kMs);
  b.layout(200, 5);
  CHECK(find_bar(b.bars, 150) == 0);
  CHECK(find_bar(b.bars, 154.9f) == 0);
  CHECK(find_bar(b.bars, 155) == 1);
  CHECK(find_bar(b.bars, 199.5f) == 9);
  CHECK(find_bar(b.bars, 149) == 10);
  CHECK(find_bar(b.bars, 200) == 10);
}

TEST_CASE("overlay bars: no frames, no room and odd durations are no trouble") {
  Bars b;
  b.layout(200, 5);
  CHECK(b.bars.count == 0);
  CHECK(find_bar(b.bars, 5) == 0);
  b.add_frames(1, 0);
  b.add_frames(1, -5 * kMs);
  b.add_frames(1, INT64_MAX / 4);
  b.layout(200, 5);
  REQUIRE(b.bars.count == 3);
  for (const Bar& bar : b.bars) {
    CHECK(bar.height >= 1);
    CHECK(bar.height <= 50);
  }
  b.layout(0, 5);
  CHECK(b.bars.count == 0);
  b.layout(std::numeric_limits<float>::quiet_NaN(), 5);
  CHECK(b.bars.count == 0);
}
