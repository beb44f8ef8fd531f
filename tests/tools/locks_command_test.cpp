// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "flamelet/lock.h"
#include "support/building.h"
#include "tool_place.h"

using namespace flamelet::tests;

namespace {

// Three workers wait for the log, which the loader holds; the first also for the queue.
class ConvoyPlace : public ToolPlace {
 public:
  ConvoyPlace() {
    recorder_test::Building building;
    const auto site = [&](const char* kind) {
      return flamelet_capture_builder_site(building.builder, building.string(kind),
                                           building.string(FLAMELET_WAIT_CATEGORY), 0,
                                           building.string(FLAMELET_WAIT_FUNCTION_), 0, 0);
    };
    const uint32_t lock = site("lock"), condition = site("condition");
    for (int i = 0; i < 3; ++i) {
      const uint32_t worker = building.lane(FLAMELET_LANE_THREAD, "Worker " + std::to_string(i));
      building.begin(worker, i * 1000000, lock, building.string("log"), building.string("Loader in Compact log"));
      building.end(worker, 10000000);
      if (i != 0) continue;
      building.begin(worker, 20000000, condition, building.string("queue is filled"));
      building.end(worker, 21500000);
    }
    CHECK(flamelet_capture_save(building.finish(), INT64_MIN, INT64_MAX, path("game.flamelet").c_str()) == FLAMELET_OK);
  }
};

}  // namespace

TEST_CASE("locks command: each lock is a row, and so is a convoy") {
  const ToolResult result = ConvoyPlace().quiet("locks game.flamelet --width 200");
  CHECK(result.out ==
        "lock             kind       waits  threads     total   longest        at  mostly held by         mostly "
        "waited for "
        "by\n"
        "log              lock           3        3  27.00 ms  10.00 ms      0 ns  Loader in Compact log  Worker 0\n"
        "log (convoy)     lock           3        3  27.00 ms  10.00 ms      0 ns  Loader in Compact log  Worker 0\n"
        "queue is filled  condition      1        1  1.500 ms  1.500 ms  20.00 ms                         Worker 0\n"
        "\n4 waits for 2 locks, 1 convoy: stretches in which 3 or more threads waited\n");
}

TEST_CASE_FIXTURE(ToolPlace, "locks command: one wait is told as one") {
  recorder_test::Building building;
  const uint32_t site =
      flamelet_capture_builder_site(building.builder, building.string("lock"), building.string(FLAMELET_WAIT_CATEGORY),
                                    0, building.string(FLAMELET_WAIT_FUNCTION_), 0, 0);
  const uint32_t worker = building.lane(FLAMELET_LANE_THREAD, "Worker");
  building.begin(worker, 0, site, building.string("log"));
  building.end(worker, 10000000);
  CHECK(flamelet_capture_save(building.finish(), INT64_MIN, INT64_MAX, path("one.flamelet").c_str()) == FLAMELET_OK);
  CHECK(has(run("locks one.flamelet").out, "\n1 wait for 1 lock\n"));
}

TEST_CASE_FIXTURE(ToolPlace, "locks command: each of many locks is a row") {
  recorder_test::Building building;
  const uint32_t site =
      flamelet_capture_builder_site(building.builder, building.string("lock"), building.string(FLAMELET_WAIT_CATEGORY),
                                    0, building.string(FLAMELET_WAIT_FUNCTION_), 0, 0);
  const uint32_t worker = building.lane(FLAMELET_LANE_THREAD, "Worker");
  for (int i = 0; i < 9000; ++i) {
    building.begin(worker, 1000 * i, site, building.string("log " + std::to_string(i)));
    building.end(worker, 1000 * i + 500);
  }
  write("many.flamelet", recorder_test::save(building.finish()));
  CHECK(has(good("locks many.flamelet").out, "\n9000 waits for 9000 locks\n"));
}

TEST_CASE_FIXTURE(ConvoyPlace, "locks command: filter, order and number of rows are chosen") {
  CHECK(has(run("locks game.flamelet --filter queue").out, "queue is filled"));
  CHECK_FALSE(has(run("locks game.flamelet --filter queue").out, "log"));
  CHECK(run("locks game.flamelet --filter nothing").exit_code == 1);
  const std::string out = run("locks game.flamelet --sort name --top 2").out;
  CHECK(out.find("log") < out.find("1 row is not shown"));
  CHECK(run("locks game.flamelet --sort colour").exit_code == 2);
}

TEST_CASE_FIXTURE(ConvoyPlace, "locks command: JSON and CSV have every column") {
  CHECK(
      run("locks game.flamelet --json --top 1").out ==
      "{\"file\":\"game.flamelet\",\"waits\":4,\"locks\":2,\"convoys\":1,\"rows\":[{\"lock\":\"log\",\"kind\":\"lock\","
      "\"convoy\":0,\"waits\":3,\"threads\":3,\"total_ns\":27000000,\"longest_ns\":10000000,\"longest_at_ns\":0,"
      "\"longest_thread\":\"Worker 0\",\"held_by\":\"Loader in Compact log\",\"held_ns\":27000000,\"waiter\":\"Worker "
      "0\","
      "\"waiter_ns\":10000000,\"begin_ns\":0,\"end_ns\":10000000}]}\n");
  CHECK(has(run("locks game.flamelet --csv").out, "lock,kind,convoy,waits,threads,total_ns"));
}
