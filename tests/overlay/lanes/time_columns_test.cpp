// SPDX-License-Identifier: MIT
#include "lanes/viewport.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace flamelet::ui;

namespace {

constexpr uint32_t kQuietValue = 9;

// Ten columns for 100 ns, one a pixel.
struct TenColumns {
  explicit TenColumns(uint32_t capacity = 100, float column_px = 1) : memory(capacity) {
    blocks.data = memory.data();
    blocks.capacity = capacity;
    columns = TimeColumns({0, 100}, 10, column_px, 3, kQuietValue, &blocks);
  }
  // "0-4:1 6-10:2"
  std::string text() {
    complete = columns.finish();
    std::string text;
    for (const TimeBlock& block : blocks) {
      CHECK(block.row == 3);
      text += (text.empty() ? "" : " ") + std::to_string(static_cast<int>(block.x0)) + "-" +
              std::to_string(static_cast<int>(block.x1)) + ":" + std::to_string(block.value);
    }
    return text;
  }

  std::vector<TimeBlock> memory;
  Array<TimeBlock> blocks;
  TimeColumns columns{{0, 100}, 10, 1, 3, kQuietValue, nullptr};
  bool complete = false;
};

}  // namespace

TEST_CASE("time columns: what is wide enough stands where it was, cut at the edges") {
  TenColumns row;
  row.columns.add(-50, 40, 1);
  row.columns.add(60, 130, 2);
  CHECK(row.text() == "0-4:1 6-10:2");
  CHECK(row.complete);
}

TEST_CASE("time columns: neighbours of one value are one block") {
  TenColumns row;
  for (int64_t at = 0; at < 100; at += 5) row.columns.add(at, at + 5, 1);
  CHECK(row.text() == "0-10:1");
}

TEST_CASE("time columns: a short one among quiet ones is seen, a quiet one need not be") {
  TenColumns row;
  row.columns.add(0, 43, kQuietValue);
  row.columns.add(43, 44, 1);
  row.columns.add(44, 100, kQuietValue);
  CHECK(row.text() == "0-4:9 4-5:1 5-10:9");
  TenColumns other;
  other.columns.add(0, 43, 1);
  other.columns.add(43, 44, kQuietValue);
  other.columns.add(44, 100, 1);
  CHECK(other.text() == "0-10:1");
}

TEST_CASE("time columns: over many shared columns, each value has as much room as it has time") {
  std::vector<TimeBlock> memory(4000);
  Array<TimeBlock> blocks;
  blocks.data = memory.data();
  blocks.capacity = 4000;
  TimeColumns row({0, 1e6}, 1000, 1, 0, kQuietValue, &blocks);
  for (int64_t at = 0; at < 1000000; at += 100) {
    row.add(at, at + 30, 1);
    row.add(at + 30, at + 40, 2);
    row.add(at + 40, at + 90, kQuietValue);
  }
  CHECK(row.finish());
  double px[10] = {};
  for (const TimeBlock& block : blocks) px[block.value] += static_cast<double>(block.x1 - block.x0);
  CHECK(px[1] == doctest::Approx(300).epsilon(0.02));
  CHECK(px[2] == doctest::Approx(100).epsilon(0.04));
  CHECK(px[kQuietValue] == doctest::Approx(500).epsilon(0.02));
}

TEST_CASE("time columns: there are never more blocks than columns, and wider columns make fewer") {
  for (const float column_px : {1.0f, 2.0f, 4.0f}) {
    std::vector<TimeBlock> memory(4000);
    Array<TimeBlock> blocks;
    blocks.data = memory.data();
    blocks.capacity = 4000;
    TimeColumns row({0, 1e6}, 1000, column_px, 0, kQuietValue, &blocks);
    for (int64_t at = 0; at < 1000000; at += 7) row.add(at, at + 1 + at % 5, 1 + static_cast<uint32_t>(at % 3));
    CHECK(row.finish());
    CHECK(static_cast<float>(blocks.count) <= 1000 / column_px);
  }
}

TEST_CASE("time columns: without room it says so") {
  TenColumns row(2);
  for (int64_t at = 0; at < 100; at += 20) row.columns.add(at, at + 10, 1);
  CHECK(row.text() == "0-1:1 2-3:1");
  CHECK_FALSE(row.complete);
}
