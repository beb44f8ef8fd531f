// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "flamelet/statistics.h"
#include "support/capture.h"
#include "support/recording.h"

TEST_CASE("every column sorts in both directions, with ties by name and then by site") {
  std::mt19937_64 random(3);
  std::vector<flamelet_scope_statistics> rows(200);
  const auto value = [&] { return static_cast<int64_t>(random() % 4); };
  for (flamelet_scope_statistics& row : rows) {
    row.site = static_cast<uint32_t>(&row - rows.data());
    row.name = static_cast<uint32_t>(random() % 50);
    row.count = random() % 4;
    row.total_ns = value();
    row.self_ns = value();
    row.duration = {value(), value(), value(), value(), value(), value()};
  }
  const auto key = [&](uint32_t index, uint32_t column) -> int64_t {
    const flamelet_scope_statistics& row = rows[index];
    const int64_t keys[] = {row.name,
                            static_cast<int64_t>(row.count),
                            row.total_ns,
                            row.self_ns,
                            row.duration.min_ns,
                            row.duration.mean_ns,
                            row.duration.median_ns,
                            row.duration.p95_ns,
                            row.duration.p99_ns,
                            row.duration.max_ns};
    return keys[column];
  };
  for (uint32_t column = FLAMELET_COLUMN_NAME; column <= FLAMELET_COLUMN_MAX; ++column) {
    for (bool descending : {false, true}) {
      CAPTURE(column);
      CAPTURE(descending);
      std::vector<uint32_t> order(rows.size());
      flamelet_statistics_sort(rows.data(), rows.size(), static_cast<flamelet_statistics_column>(column), descending,
                               nullptr, order.data());
      std::vector<bool> seen(rows.size());
      for (uint32_t index : order) seen[index] = true;
      CHECK(std::count(seen.begin(), seen.end(), true) == 200);
      for (size_t i = 1; i < order.size(); ++i) {
        if (column != FLAMELET_COLUMN_NAME)
          CHECK(flamelet_statistics_value(&rows[order[i]], static_cast<flamelet_statistics_column>(column)) ==
                key(order[i], column));
        const int64_t before = key(order[i - 1], column), after = key(order[i], column);
        if (before != after)
          CHECK((descending ? before > after : before < after));
        else
          CHECK(std::make_pair(rows[order[i - 1]].name, rows[order[i - 1]].site) <
                std::make_pair(rows[order[i]].name, rows[order[i]].site));
      }
    }
  }
}

TEST_CASE("names sort as the capture spells them, a prefix first") {
  recorder_test::Recording recording;
  for (const char* name : {"pear", "apple pie", "apple", "zest", "apple"})
    flamelet_end(flamelet_begin(name, "", nullptr));
  recorder_test::Capture capture;
  capture.update();
  const std::vector<flamelet_span> spans = capture.spans(0);
  REQUIRE(spans.size() == 5);

  std::vector<char> memory(flamelet_statistics_memory_required(8, 8));
  flamelet_statistics* statistics = nullptr;
  REQUIRE(flamelet_statistics_create(8, memory.data(), memory.size(), &statistics) == FLAMELET_OK);
  flamelet_statistics_add(statistics, spans.data(), spans.size());
  const flamelet_statistics_summary summary = flamelet_statistics_finish(statistics);
  REQUIRE(summary.row_count == 4);
  for (bool descending : {false, true}) {
    uint32_t order[4];
    flamelet_statistics_sort(summary.rows, 4, FLAMELET_COLUMN_NAME, descending, capture, order);
    std::string names;
    for (uint32_t index : order) names += capture.string(summary.rows[index].name) + " ";
    CHECK(names == (descending ? "zest pear apple pie apple " : "apple apple pie pear zest "));
  }
  CHECK(summary.rows[2].count == 2);
}
