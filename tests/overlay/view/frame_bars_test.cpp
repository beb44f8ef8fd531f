// SPDX-License-Identifier: MIT
#include "view/frame_bars.h"

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
  void add_frames(uint32_t count, int64_t duration_ns) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t index = frames.size();
      const int64_t begin_ns = frames.empty() ? 0 : frames.back().end_ns;
      frames.push_back({index, begin_ns, begin_ns + duration_ns, 0, 0});
    }
  }
  void layout(float width_px, float bar_px) {
    FrameBarsInput input;
    input.frames = frames.data();
    input.frame_count = static_cast<uint32_t>(frames.size());
    input.width_px = width_px;
    input.height_px = 50;
    input.bar_px = bar_px;
    input.budget_ns = 16 * kMs;
    input.range_ns = 40 * kMs;
    layout_frame_bars(input, &bars);
  }
  std::vector<flamelet_frame_info> frames;
  std::vector<Bar> storage;
  Array<Bar> bars;
};

}  // namespace

TEST_CASE("overlay bars: the newest frame stands at the right edge") {
  Bars b;
  b.add_frames(10, 10 * kMs);
  b.layout(200, 5);
  REQUIRE(b.bars.count == 10);
  CHECK(b.bars[9].frame == 9);
  CHECK(b.bars[9].x0 == 195);
  CHECK(b.bars[9].x1 == 199);
  CHECK(b.bars[0].x0 == 150);
  CHECK(b.bars[0].height == doctest::Approx(12.5));
}

TEST_CASE("overlay bars: every frame is in exactly one bar, and a bar shows its longest") {
  Bars b;
  for (int i = 0; i < 1000; ++i) b.add_frames(1, (5 + i * 7 % 23) * kMs);
  for (const float width : {10.0f, 97.0f, 333.0f, 1000.0f, 5000.0f}) {
    b.layout(width, 1);
    CAPTURE(width);
    REQUIRE(b.bars.count != 0);
    REQUIRE(static_cast<float>(b.bars.count) <= width);
    for (uint32_t i = 0; i < b.bars.count; ++i) {
      const Bar& bar = b.bars[i];
      if (i > 0) REQUIRE(bar.first == b.bars[i - 1].first + b.bars[i - 1].count);
      for (uint32_t f = bar.first; f < bar.first + bar.count; ++f)
        REQUIRE(b.frames[f].end_ns - b.frames[f].begin_ns <= b.frames[bar.frame].end_ns - b.frames[bar.frame].begin_ns);
    }
    REQUIRE(b.bars[b.bars.count - 1].first + b.bars[b.bars.count - 1].count == 1000);
  }
}

TEST_CASE("overlay bars: a spike among thousands of frames is never hidden") {
  Bars b;
  b.add_frames(1234, 10 * kMs);
  b.add_frames(1, 90 * kMs);
  b.add_frames(2500, 10 * kMs);
  b.layout(60, 1);
  int far = 0;
  for (const Bar& bar : b.bars) {
    if (bar.verdict != FrameVerdict::kFarOver) continue;
    ++far;
    CHECK(bar.frame == 1234);
    CHECK(bar.broken);
    CHECK(bar.height == 50);
  }
  CHECK(far == 1);
}

TEST_CASE("overlay bars: groups of frames stay together when a new frame comes") {
  Bars b;
  b.add_frames(100, 10 * kMs);
  b.layout(30, 1);
  REQUIRE(b.bars[5].count > 1);
  const uint32_t first = b.bars[b.bars.count - 3].first;
  b.add_frames(1, 10 * kMs);
  b.layout(30, 1);
  bool found = false;
  for (const Bar& bar : b.bars) found = found || bar.first == first;
  CHECK(found);
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
