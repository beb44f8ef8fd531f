// SPDX-License-Identifier: MIT
//
// Live statistics of PERF blocks.
#include "perf_logs.h"

#include <cmath>
#include <cstdint>
#include <string>

using namespace perf_test;

TEST_CASE("perf log: statistics are over frames, with the deviation of a sample") {
  Log log;
  for (const uint64_t ns : {2u, 4u, 4u, 4u, 5u, 5u, 7u, 9u}) {
    PERF_BLOCK(frame);
    named_block("half", ns / 2);
    named_block("half", ns - ns / 2);
  }
  log.poll();
  for (const char* name : {"frame", "half"}) {
    const flamelet_perf_routine routine = log.routine(name);
    CHECK(routine.frame_count == 8);
    CHECK(routine.mean_ns == doctest::Approx(5));
    CHECK(routine.deviation_ns == doctest::Approx(std::sqrt(32.0 / 7)));
    CHECK(routine.min_ns == 2);
    CHECK(routine.max_ns == 9);
    CHECK(routine.last_ns == 9);
  }
  CHECK(log.routine("half").block_count == 16);
}

TEST_CASE("perf log: only what was in a frame is listed, in the order in which it first was") {
  Log log;
  flamelet_perf_routine routine;
  log.poll();
  CHECK_FALSE(flamelet_perf_log_routine(log.log, 0, &routine));
  {
    PERF_BLOCK(runs);
    log.poll();
    CHECK_FALSE(flamelet_perf_log_routine(log.log, 0, &routine));
    named_block("inner", 1);
  }
  named_block("later", 1);
  log.poll();
  std::string names;
  for (size_t i = 0; flamelet_perf_log_routine(log.log, i, &routine); ++i)
    names += routine.name.text + std::string(" ");
  CHECK(names == "inner runs later ");
}

TEST_CASE("perf log: a routine inside itself costs its time once") {
  Log log;
  for (int frame = 0; frame < 2; ++frame) {
    PERF_BLOCK(update);
    PERF_BLOCK(visit);
    named_block("other", 1);
    PERF_BLOCK(visit);
    now_ns += 10;
  }
  log.poll();
  CHECK(log.routine("visit").mean_ns == 11);
  CHECK(log.routine("visit").block_count == 4);
  CHECK(log.routine("update").mean_ns == 11);
}

TEST_CASE("perf log: one frame has no deviation") {
  Log log;
  named_block("once", 3);
  log.poll();
  CHECK(log.routine("once").deviation_ns == 0);
  flamelet_perf_routine none;
  CHECK_FALSE(flamelet_perf_log_routine(log.log, 1000, &none));
}

TEST_CASE("perf log: the table shows the most expensive routine first, and fits the terminal") {
  Log log;
  named_block("cheap", 300);
  for (int i = 0; i < 3; ++i) {
    PERF_BLOCK(a routine with a name that is too long);
    now_ns += 1500000 + 1000 * static_cast<uint64_t>(i);
  }
  log.poll();
  std::string table;
  flamelet_perf_log_print(log.log, 88, sink_to(&table));
  CHECK(table ==
        "routine                    frames       last       mean         sd        min        max\n"
        "a routine with a name th        3   1.502 ms   1.501 ms   1.000 us   1.500 ms   1.502 ms\n"
        "cheap                           1     300 ns     300 ns       -        300 ns     300 ns\n");
  table.clear();
  flamelet_perf_log_print(log.log, UINT32_MAX, sink_to(&table));
  CHECK(table.size() == 3 * 1025);
}
