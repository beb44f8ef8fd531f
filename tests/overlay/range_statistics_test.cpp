// SPDX-License-Identifier: MIT
#include "range_statistics.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "recorded_game.h"

using namespace flamelet::ui;
using namespace flamelet_tests;

namespace {

struct Fixture {
  explicit Fixture(uint32_t max_spans = 50000) : game(RecordedGame::Options{}), memory(size_t{16} << 20) {
    game.frames(12);
    const flamelet_capture_config config = flamelet_capture_config_default();
    REQUIRE(flamelet_capture_create(&config, &capture) == FLAMELET_OK);
    REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
    Carver carver(memory.data());
    statistics.carve(&carver, 256, max_spans);
    looks.carve(&carver);
    REQUIRE(carver.used() <= memory.size());
    looks.reset(capture, {});
    flamelet_frame_info frame = {};
    flamelet_capture_frame(capture, 6, &frame);
    range = {frame.begin_ns, frame.end_ns};
  }
  ~Fixture() { flamelet_capture_destroy(capture); }
  std::string name(uint32_t row) {
    return std::string(view_of(flamelet_capture_string(capture, statistics.row(row).name)));
  }
  RecordedGame game;
  std::vector<char> memory;
  flamelet_capture* capture = nullptr;
  RangeStatistics statistics;
  ScopeLooks looks;
  TimeWindow range;
};

}  // namespace

TEST_CASE("overlay table: rows are sorted by the column that was chosen, in its direction") {
  Fixture f;
  f.statistics.read(f.capture, f.range, &f.looks, false);
  REQUIRE(f.statistics.row_count() > 15);
  for (uint32_t i = 1; i < f.statistics.row_count(); ++i)
    REQUIRE(f.statistics.row(i - 1).self_ns >= f.statistics.row(i).self_ns);
  f.statistics.sort_by(FLAMELET_COLUMN_COUNT, false);
  for (uint32_t i = 1; i < f.statistics.row_count(); ++i)
    REQUIRE(f.statistics.row(i - 1).count <= f.statistics.row(i).count);
  f.statistics.sort_by(FLAMELET_COLUMN_NAME, false);
  for (uint32_t i = 1; i < f.statistics.row_count(); ++i) REQUIRE(f.name(i - 1) <= f.name(i));
  // The order outlives the next reading.
  f.statistics.read(f.capture, f.range, &f.looks, false);
  CHECK(f.statistics.column() == FLAMELET_COLUMN_NAME);
  CHECK(f.name(0) <= f.name(1));
}

TEST_CASE("overlay table: a filter leaves the rows that match, and sums them") {
  Fixture f;
  f.looks.reset(f.capture, "ai_");
  f.statistics.read(f.capture, f.range, &f.looks, true);
  REQUIRE(f.statistics.row_count() == 3);
  int64_t update_ns = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    CHECK(f.name(i).substr(0, 3) == "ai_");
    if (f.name(i) == "ai_update") update_ns = f.statistics.row(i).total_ns;
  }
  CHECK(f.statistics.filter_sum().count == 42);
  CHECK(f.statistics.filter_sum().total_ns == update_ns);  // the others run inside it
}

TEST_CASE("overlay table: scopes of the GPU are told from those of the CPU") {
  Fixture f;
  f.statistics.read(f.capture, f.range, &f.looks, false);
  int on_gpu = 0, on_cpu = 0;
  for (uint32_t i = 0; i < f.statistics.row_count(); ++i) {
    if (f.name(i) != "Scene pass") continue;
    (f.statistics.on_gpu(f.statistics.row(i).site) ? on_gpu : on_cpu) += 1;
  }
  CHECK(on_gpu == 1);
  CHECK(on_cpu == 1);
}

TEST_CASE("overlay table: a scope is found by its site and name, and an empty range has none") {
  Fixture f;
  f.statistics.read(f.capture, f.range, &f.looks, false);
  const flamelet_scope_statistics row = f.statistics.row(3);
  REQUIRE(f.statistics.find(row.site, row.name) != nullptr);
  CHECK(f.statistics.find(row.site, row.name)->total_ns == row.total_ns);
  CHECK(f.statistics.find(row.site, 0x7FFFFFFF) == nullptr);
  f.statistics.read(f.capture, {500, 500}, &f.looks, false);
  CHECK(f.statistics.row_count() == 0);
  CHECK(f.statistics.find(row.site, row.name) == nullptr);
}

TEST_CASE("overlay table: spans beyond the scratch array are counted as left out") {
  Fixture f(64);
  f.statistics.read(f.capture, f.range, &f.looks, false);
  CHECK(f.statistics.left_out() > 100);
  CHECK(f.statistics.row_count() > 0);
}
