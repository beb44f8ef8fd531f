// SPDX-License-Identifier: MIT
#include "bars/frame_bars.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "overlay/carved.h"
#include "overlay/span_trees.h"

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
      REQUIRE(sum.mean_ns() == all / sum.count);
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
