// SPDX-License-Identifier: MIT
#include "bars/frame_bars.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "overlay/carved.h"
#include "overlay/span_trees.h"

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

TEST_CASE_FIXTURE(Bars, "overlay bars: the newest frame stands at the right edge") {
  add_frames(10, 10 * kMs);
  layout(200, 5);
  REQUIRE(bars.count == 10);
  CHECK(bars[9].x0 == 195);
  CHECK(bars[9].x1 == 199);
  CHECK(bars[0].x0 == 150);
  CHECK(bars[0].height == doctest::Approx(12.5));
  CHECK(bars[0].mean_height == bars[0].height);
}

TEST_CASE_FIXTURE(Bars, "overlay bars: where there is no room for all, the newest stay") {
  add_frames(990, 10 * kMs);
  add_frames(10, 30 * kMs);
  layout(20, 1);
  REQUIRE(bars.count == 20);
  CHECK(bars[9].verdict == FrameVerdict::kGood);
  CHECK(bars[10].verdict == FrameVerdict::kOver);
  CHECK(bars[19].x1 == 20);
}

TEST_CASE_FIXTURE(Bars, "overlay bars: a bar of several frames is as high as the longest, and says their mean") {
  sums.push_back({0, 63, 17, 90 * kMs, 64 * 10 * kMs, 64});
  layout(60, 1);
  REQUIRE(bars.count == 1);
  CHECK(bars[0].verdict == FrameVerdict::kFarOver);
  CHECK(bars[0].broken);
  CHECK(bars[0].height == 50);
  CHECK(bars[0].mean_height == doctest::Approx(12.5));
}

TEST_CASE("overlay bars: the verdict has the budget and twice the budget as its limits") {
  CHECK(frame_verdict(16 * kMs, 16 * kMs) == FrameVerdict::kGood);
  CHECK(frame_verdict(16 * kMs + 1, 16 * kMs) == FrameVerdict::kOver);
  CHECK(frame_verdict(32 * kMs, 16 * kMs) == FrameVerdict::kOver);
  CHECK(frame_verdict(33 * kMs, 16 * kMs) == FrameVerdict::kFarOver);
  CHECK(frame_verdict(INT64_MAX, INT64_MAX / 2) != FrameVerdict::kGood);
  CHECK(frame_verdict(5, 0) == FrameVerdict::kGood);
}

TEST_CASE("overlay bars: the median's bar is neither a line nor as high as all") {
  constexpr int64_t kBudget = 16666667;
  const auto top_ns = [](int64_t median_ns) { return range_budgets(median_ns, kBudget) * kBudget; };
  CHECK(top_ns(52600) == doctest::Approx(200000));
  CHECK(top_ns(15000000) == doctest::Approx(2.35 * kBudget));
  for (int64_t median_ns = 10; median_ns < 150 * kBudget; median_ns += 1 + median_ns / 7) {
    CAPTURE(median_ns);
    const double share = static_cast<double>(median_ns) / top_ns(median_ns);
    CHECK(share >= 0.04);
    CHECK(share <= 0.62);
  }
  CHECK(range_budgets(0, kBudget) == 2.35);
}

TEST_CASE_FIXTURE(Bars, "overlay bars: the mouse finds the bar, also in the gap behind it") {
  add_frames(10, 10 * kMs);
  layout(200, 5);
  CHECK(find_bar(bars, 150) == 0);
  CHECK(find_bar(bars, 154.9f) == 0);
  CHECK(find_bar(bars, 155) == 1);
  CHECK(find_bar(bars, 199.5f) == 9);
  CHECK(find_bar(bars, 149) == 10);
  CHECK(find_bar(bars, 200) == 10);
}

TEST_CASE_FIXTURE(Bars, "overlay bars: no frames, no room and odd durations are no trouble") {
  layout(200, 5);
  CHECK(bars.count == 0);
  CHECK(find_bar(bars, 5) == 0);
  add_frames(1, 0);
  add_frames(1, -5 * kMs);
  add_frames(1, INT64_MAX / 4);
  layout(200, 5);
  REQUIRE(bars.count == 3);
  for (const Bar& bar : bars) {
    CHECK(bar.height >= 1);
    CHECK(bar.height <= 50);
  }
  layout(0, 5);
  CHECK(bars.count == 0);
  layout(std::numeric_limits<float>::quiet_NaN(), 5);
  CHECK(bars.count == 0);
}

// ---- Frame levels -------------------------------------------------------------------------------------------------

namespace frame_levels_test {

using namespace flamelet::ui;
using flamelet_tests::Random;

namespace {

constexpr int64_t kMs = 1000000;

struct Levels : FrameLevels {
  explicit Levels(uint32_t sums_per_level) {
    memory = flamelet_tests::carved([&](Carver* carver) { carve(carver, sums_per_level); });
  }
  // What read() gives.
  std::vector<FrameSum> sums(uint32_t shift, uint64_t newest = UINT64_MAX, uint32_t most = 4096) const {
    std::vector<FrameSum> room(most);
    Array<FrameSum> found = {room.data(), 0, most};
    read(shift, newest, most, &found);
    return std::vector<FrameSum>(found.begin(), found.end());
  }
  std::vector<char> memory;
};

}  // namespace

TEST_CASE("frame levels: at every zoom a sum has the count, the mean and the longest of exactly its frames") {
  Random random(5);
  Levels levels(256);
  std::vector<int64_t> frames;
  for (int i = 0; i < 20000; ++i) {
    frames.push_back(random.below(30) * kMs + (i == 777 ? 500 * kMs : 0));
    levels.add(static_cast<uint64_t>(i), frames.back());
  }
  CHECK(levels.frame_count() == 20000);
  for (uint32_t shift = 2; shift < 20; ++shift) {
    CAPTURE(shift);
    const std::vector<FrameSum> sums = levels.sums(shift);
    REQUIRE_FALSE(sums.empty());
    CHECK(sums.back().last == 19999);
    for (size_t i = 0; i < sums.size(); ++i) {
      const FrameSum& sum = sums[i];
      if (i > 0) REQUIRE(sum.first == sums[i - 1].last + 1);
      if (i > 0) REQUIRE(sum.first % (uint64_t{1} << shift) == 0);
      REQUIRE(sum.last - sum.first < uint64_t{1} << shift);
      REQUIRE(sum.count == sum.last - sum.first + 1);
      int64_t longest = -1, all = 0;
      for (uint64_t f = sum.first; f <= sum.last; ++f) {
        longest = std::max(longest, frames[f]);
        all += frames[f];
      }
      REQUIRE(sum.longest_ns == longest);
      REQUIRE(frames[sum.longest] == longest);
      REQUIRE(sum.mean_ns() == (2 * all + sum.count) / (2 * sum.count));
    }
  }
}

TEST_CASE("frame levels: a day of frames at 144 Hz stays whole in bounded memory, and no hitch of it is hidden") {
  constexpr uint64_t kDay = 12441600;
  Levels levels(4096);
  CHECK(levels.memory.size() <= FrameLevels::kLevels * 4096 * sizeof(FrameSum));
  for (uint64_t i = 0; i < kDay; ++i) levels.add(i, i == 3000000 ? 90 * kMs : 7 * kMs);
  CHECK(levels.first_index() == 0);
  const std::vector<FrameSum> sums = levels.sums(14);
  CHECK(sums.size() == (kDay >> 14) + 1);
  uint64_t count = 0;
  int hitches = 0;
  for (const FrameSum& sum : sums) {
    count += sum.count;
    if (sum.longest_ns < 90 * kMs) continue;
    ++hitches;
    CHECK(sum.longest == 3000000);
  }
  CHECK(count == kDay);
  CHECK(hitches == 1);
}

TEST_CASE("frame levels: a full coarsest level merges pairs and loses nothing") {
  Levels levels(8);
  for (uint64_t i = 0; i < 1000000; ++i) levels.add(i, kMs + (i == 5 ? kMs : 0));
  CHECK(levels.first_index() == 0);
  const std::vector<FrameSum> sums = levels.sums(20);
  uint64_t count = 0;
  for (const FrameSum& sum : sums) count += sum.count;
  CHECK(count == 1000000);
  CHECK(sums[0].longest == 5);
}

TEST_CASE("frame levels: reading gives the newest that fit, up to the one asked for") {
  Levels levels(64);
  for (uint64_t i = 0; i < 200; ++i) levels.add(i, kMs);
  std::vector<FrameSum> sums = levels.sums(2, 99, 5);
  REQUIRE(sums.size() == 5);
  CHECK(sums[0].first == 80);
  CHECK(sums[4].first == 96);
  // A finer zoom than there is: the finest.
  sums = levels.sums(0, UINT64_MAX, 3);
  REQUIRE(sums.size() == 3);
  CHECK(sums[2].count == 4);
  CHECK(levels.sums(2, 99, 0).empty());
}

TEST_CASE("frame levels: missing frames and frames that go back are no trouble") {
  Levels levels(16);
  for (const uint64_t index : {3u, 5u, 4u, 5u, 900u, 1u << 30}) levels.add(index, kMs);
  CHECK(levels.frame_count() == 4);
  const std::vector<FrameSum> sums = levels.sums(2);
  REQUIRE(sums.size() == 4);
  CHECK(sums[0].first == 3);
  CHECK(sums[1].last == 5);
  std::vector<FrameSum> room = sums;
  const Array<FrameSum> array = {room.data(), 4, 4};
  CHECK(find_sum(array, 5) == 1);
  CHECK(find_sum(array, 6) == 4);
  CHECK(find_sum(array, 900) == 2);
  levels.clear();
  CHECK(levels.frame_count() == 0);
  CHECK(levels.sums(2).empty());
  CHECK(levels.first_index() == levels.next_index());
}

}  // namespace frame_levels_test

// ---- Hitch strip --------------------------------------------------------------------------------------------------

namespace flamelet::ui {
namespace {

struct Strip {
  std::vector<flamelet_flight_info> kept;
  HitchBar room[8];
  Array<HitchBar> bars = {room, 0, 8};
  HitchStripInput input;

  explicit Strip(std::vector<int64_t> durations) {
    for (const int64_t duration : durations) {
      flamelet_flight_info info = {};
      info.frame.end_ns = duration;
      kept.push_back(info);
    }
    input.hitches = kept.data();
    input.hitch_count = static_cast<uint32_t>(kept.size());
    input.most_width_px = 100;
    input.height_px = 40;
  }
};

}  // namespace

TEST_CASE("hitch strip: a bar for each, as high as its frame is long; the longest fills the strip, none is nothing") {
  Strip strip({500, 250, 100, 1});
  CHECK(layout_hitch_strip(strip.input, &strip.bars) == 32);
  REQUIRE(strip.bars.count == 4);
  CHECK(strip.bars[0].height == 40);
  CHECK(strip.bars[1].height == 20);
  CHECK(strip.bars[2].height == 8);
  CHECK(strip.bars[3].height == 2);
  CHECK(strip.bars[1].x0 == 8);
  CHECK(strip.bars[1].x1 == 15);
  CHECK(find_hitch(strip.bars, 0) == 0);
  CHECK(find_hitch(strip.bars, 15.5f) == 1);
  CHECK(find_hitch(strip.bars, 32) == 4);
  CHECK(find_hitch(strip.bars, -1) == 4);
}

TEST_CASE("hitch strip: the longest stay where there is no room for all, and none is fine") {
  Strip strip({9, 8, 7, 6});
  strip.input.most_width_px = 23;
  CHECK(layout_hitch_strip(strip.input, &strip.bars) == 16);
  CHECK(strip.bars.count == 2);
  strip.input.most_width_px = 0;
  CHECK(layout_hitch_strip(strip.input, &strip.bars) == 0);
  strip.input.most_width_px = -5;
  CHECK(layout_hitch_strip(strip.input, &strip.bars) == 0);
  Strip none({});
  CHECK(layout_hitch_strip(none.input, &none.bars) == 0);
  Strip many(std::vector<int64_t>(20, 5));
  many.input.most_width_px = 1000;
  CHECK(layout_hitch_strip(many.input, &many.bars) == 64);
}

}  // namespace flamelet::ui
