// SPDX-License-Identifier: MIT
#include "pages/compare/compared_paths.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace flamelet::ui;

TEST_CASE("overlay histograms: bins are half octaves, each begins where the one before ends") {
  CHECK(bin_of(-5) == 0);
  CHECK(bin_of(63) == 0);
  CHECK(bin_of(64) == 1);
  CHECK(bin_of(95) == 1);
  CHECK(bin_of(96) == 2);
  CHECK(bin_of(128) == 3);
  CHECK(bin_of(INT64_MAX) == ScopeHistogram::kBins - 1);
  for (uint32_t bin = 1; bin < ScopeHistogram::kBins; ++bin) {
    CAPTURE(bin);
    CHECK(bin_of(bin_begin_ns(bin)) == bin);
    CHECK(bin_of(bin_begin_ns(bin) - 1) == bin - 1);
  }
}

TEST_CASE("overlay histograms: calls are counted by name and side; names without room are counted") {
  ScopeHistograms histograms;
  std::vector<char> memory;
  Carver measure(nullptr);
  histograms.carve(&measure, 16);
  memory.resize(measure.used());
  Carver carver(memory.data());
  histograms.carve(&carver, 16);
  histograms.add(0, "a", 100);
  histograms.add(0, "a", 100);
  histograms.add(1, "a", 5000);
  REQUIRE(histograms.find("a") != nullptr);
  CHECK(histograms.find("a")->calls[0][bin_of(100)] == 2);
  CHECK(histograms.find("a")->calls[1][bin_of(100)] == 0);
  CHECK(histograms.find("a")->calls[1][bin_of(5000)] == 1);
  CHECK(histograms.find("b") == nullptr);
  for (int i = 0; i < 100; ++i) histograms.add(0, "scope " + std::to_string(i), 100);
  CHECK(histograms.left_out() > 0);
  CHECK(histograms.left_out() <= 100 - 15);
  histograms.clear();
  CHECK(histograms.find("a") == nullptr);
  CHECK(histograms.left_out() == 0);
}
