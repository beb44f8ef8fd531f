// SPDX-License-Identifier: MIT
#include "capture/capture_data.h"

#include <doctest/doctest.h>

#include <vector>

#include "flamelet/capture.h"

namespace flamelet {
namespace {

struct Table : FrameTable {
  explicit Table(uint32_t capacity) : frames(capacity) { attach(frames.data(), capacity, &dropped); }
  bool mark(uint64_t ticks, uint64_t index, bool ends_partial) {
    return FrameTable::mark(ticks, {index, ends_partial, 0, nullptr, 0, false});
  }
  std::vector<Frame> frames;
  uint64_t dropped = 0;
};

}  // namespace

TEST_CASE("a frame runs from its mark to the next, and the running one is not complete") {
  Table table(8);
  CHECK(table.count() == 0);
  CHECK_FALSE(table.mark(100, 0, false));  // ends none
  CHECK(table.count() == 0);
  CHECK(table.mark(120, 1, true));
  CHECK(table.mark(150, 2, false));
  REQUIRE(table.count() == 2);
  CHECK(table.at(0).index == 0);
  CHECK(table.at(0).begin_ticks == 100);
  CHECK(table.at(0).end_ticks == 120);
  CHECK(table.at(0).flags == FLAMELET_FRAME_PARTIAL);
  CHECK(table.at(1).flags == 0);
}

TEST_CASE("the oldest frames go when the table is full, and are counted") {
  Table table(3);
  for (uint64_t i = 0; i <= 10; ++i) table.mark(100 + 10 * i, i, false);
  REQUIRE(table.count() == 3);
  CHECK(table.dropped == 7);
  CHECK(table.at(0).index == 7);
  CHECK(table.find(7) == 0);
  CHECK(table.find(9) == 2);
  CHECK(table.find(6) == SIZE_MAX);
  CHECK(table.find(10) == SIZE_MAX);
}

TEST_CASE("a frame is found by a time in it") {
  Table table(8);
  table.mark(100, 0, false);
  table.mark(110, 1, false);
  table.mark(110, 2, false);  // frame 1 took no time
  table.mark(130, 3, false);
  CHECK(table.find_at(99) == SIZE_MAX);
  CHECK(table.find_at(100) == 0);
  CHECK(table.find_at(109) == 0);
  CHECK(table.find_at(110) == 2);
  CHECK(table.find_at(129) == 2);
  CHECK(table.find_at(130) == SIZE_MAX);
}

TEST_CASE("between marks that do not follow one another there is no frame") {
  Table table(8);
  table.mark(100, 0, false);
  table.mark(110, 1, false);
  table.mark(200, 5, false);
  table.mark(210, 6, false);
  REQUIRE(table.count() == 2);
  CHECK(table.at(1).index == 5);
  CHECK(table.find_at(150) == SIZE_MAX);
}

TEST_CASE("marks that go back are ignored") {
  Table table(8);
  table.mark(100, 5, false);
  CHECK_FALSE(table.mark(90, 6, false));
  CHECK_FALSE(table.mark(110, 5, false));
  CHECK_FALSE(table.mark(110, 4, false));
  CHECK(table.mark(120, 6, false));
  REQUIRE(table.count() == 1);
  CHECK(table.at(0).end_ticks == 120);
}

TEST_CASE("frames that overlap a loss are flagged, those before and after are not") {
  Table table(8);
  for (uint64_t i = 0; i <= 4; ++i) table.mark(100 + 10 * i, i, false);
  table.lose(115, 125);
  CHECK(table.at(0).flags == 0);
  CHECK(table.at(1).flags == FLAMELET_FRAME_LOSSY);
  CHECK(table.at(2).flags == FLAMELET_FRAME_LOSSY);
  CHECK(table.at(3).flags == 0);
}

TEST_CASE("a loss in a frame that still runs is remembered, however many there are") {
  Table table(300);
  table.mark(0, 0, false);
  for (uint64_t i = 0; i < 200; ++i) table.lose(20 * i + 1, 20 * i + 2);
  for (uint64_t i = 1; i <= 400; ++i) table.mark(10 * i, i, false);
  REQUIRE(table.count() == 300);
  for (size_t i = 0; i < table.count(); ++i)
    if (table.at(i).index % 2 == 0) REQUIRE(table.at(i).flags == FLAMELET_FRAME_LOSSY);
  table.mark(100000, 401, false);
  table.mark(100001, 402, false);
  CHECK(table.at(table.count() - 1).flags == 0);
}

}  // namespace flamelet
