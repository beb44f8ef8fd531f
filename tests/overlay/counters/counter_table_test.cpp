// SPDX-License-Identifier: MIT
#include "counters/counter_table.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "content/point_history.h"
#include "overlay/carved.h"
#include "support/capture.h"
#include "support/recording.h"

using namespace flamelet::ui;

namespace {

std::string text_of(double value) {
  FixedText<64> text;
  add_counter_value(&text, value);
  return std::string(text.view());
}

struct Recorded {
  explicit Recorded(uint32_t max_counters = 16) {
    memory = flamelet_tests::carved([&](Carver* carver) { history.carve(carver, {max_counters, 1024, 1024}); });
    history.clear();
  }
  void read() {
    capture.update();
    history.begin_round(capture);
    while (history.step(capture, 1000)) {
    }
  }
  const recorder_test::TickingRecording recording;
  recorder_test::Capture capture{flamelet_capture_config_default()};
  std::vector<char> memory;
  PointHistory history;
};

}  // namespace

TEST_CASE("overlay counters: the unit is the last word of the name, where it is a unit") {
  CHECK(unit_of("memory MiB") == "MiB");
  CHECK(unit_of("frame ms") == "ms");
  CHECK(unit_of("load [percent]") == "percent");
  CHECK(unit_of("texture memory (MB)") == "MB");
  CHECK(unit_of("draw calls") == "");
  CHECK(unit_of("MiB") == "");
  CHECK(unit_of("") == "");
  CHECK(unit_of(" ms") == "");
  CHECK(unit_of("a)") == "");
}

TEST_CASE("overlay counters: a value has the digits that are worth reading") {
  CHECK(text_of(2314) == "2,314");
  CHECK(text_of(-2314) == "-2,314");
  CHECK(text_of(0) == "0");
  CHECK(text_of(16.42) == "16.42");
  CHECK(text_of(123.44) == "123.4");
  CHECK(text_of(0.031) == "0.031000");
  CHECK(text_of(0.5) == "0.500");
  CHECK(text_of(123456.7) == "123,457");
  CHECK(text_of(1.2e21) == "1.20e+21");
  CHECK(text_of(3e-9) == "3.00e-9");
  CHECK(text_of(std::numeric_limits<double>::quiet_NaN()) == "-");
}

TEST_CASE("overlay counters: counters of one unit share a lane, until the user takes them apart or merges others") {
  Recorded r;
  for (const char* name : {"used MiB", "draw calls", "free MiB", "agents"}) flamelet_counter(name, "", 1);
  flamelet_counter("agents", "", 7);
  r.read();
  CounterTable& counters = r.history.counters();
  REQUIRE(counters.count() == 4);
  CHECK(counters[0].text == "used MiB");
  CHECK(counters[2].lane == 0);
  CHECK(counters.lane_size(0) == 2);
  CHECK(counters.leads(1));
  CHECK(counters[3].last == 7);
  const uint32_t version = counters.version();
  counters.merge_lanes(3, 1);
  CHECK(counters[3].lane == 1);
  counters.part_lane(0);
  CHECK(counters[2].lane == 2);
  CHECK(counters.version() != version);
}

TEST_CASE("overlay counters: that there are more than the limit is known") {
  Recorded r(2);
  for (const char* name : {"a", "b", "c", "d"}) flamelet_counter(name, "", 1);
  r.read();
  CHECK(r.history.counters().count() == 2);
  CHECK(r.history.counters().left_out());
}

TEST_CASE("overlay points: what is recorded later is read later, and nothing twice") {
  Recorded r;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 10; ++i) {
      flamelet_instant("hello", "", nullptr);
      flamelet_counter("n", "", round * 10 + i);
    }
    r.read();
    CHECK(r.history.messages().count() == static_cast<uint32_t>(round + 1) * 10);
    CHECK(r.history.counters()[0].last == round * 10 + 9);
  }
  for (uint32_t i = 1; i < r.history.messages().count(); ++i)
    CHECK(r.history.messages()[i - 1].time_ns <= r.history.messages()[i].time_ns);
}

TEST_CASE("overlay points: more points than the scratch array holds are all read") {
  Recorded r;
  constexpr uint32_t kMany = 20000;
  for (uint32_t i = 0; i < kMany; ++i) flamelet_counter("n", "", i);
  r.read();
  CHECK(r.history.counters()[0].last == kMany - 1);
}

TEST_CASE("counters: a value is told with its unit, bytes as many of them, and its name without it") {
  const auto told = [](double value, std::string_view unit) {
    FixedText<64> text;
    add_counter_value(&text, value, unit);
    return std::string(text.view());
  };
  CHECK(told(568, "B") == "568 B");
  CHECK(told(3 * 1048576, "bytes") == "3.0 MiB");
  CHECK(told(16.421, "ms") == "16.42 ms");
  CHECK(told(2314, "") == "2,314");
  const auto name = [](std::string_view text) { return std::string(name_without_unit(text, unit_of(text))); };
  CHECK(name("memory (B)") == "memory");
  CHECK(name("frame_time_ms") == "frame_time");
  CHECK(name("draw calls") == "draw calls");
  CHECK(is_of_events(unit_of("memory alloc (B each)")));
  CHECK_FALSE(is_of_events(unit_of("memory (B)")));
}
