// SPDX-License-Identifier: MIT
//
// The performance log in a file.
#include <string>
#include "perf_logs.h"
#include "support/comma_locale.h"

#include <cmath>
#include <cstdint>

using namespace perf_test;

TEST_CASE_FIXTURE(LogFile, "perf log: a file is made, and appended to") {
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = path.c_str();
  for (int run = 0; run < 2; ++run) {
    Log log(config);
    named_block("routine", 1);
  }
  CHECK(read() ==
        "Frame : routine on thread \"main\"\n1,routine,1,0,1\nFrame : routine on thread \"main\"\n1,routine,1,0,1\n");
}

TEST_CASE_FIXTURE(LogFile, "perf log: half a line that a killed process left does not spoil the next frame") {
  write("Frame : old\n2,half,12");
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = path.c_str();
  {
    Log log(config);
    named_block("routine", 1);
  }
  CHECK(read() == "Frame : old\n2,half,12\nFrame : routine on thread \"main\"\n1,routine,1,0,1\n");
}

TEST_CASE("perf log: after a sink has failed inside a frame, the next one begins on a line of its own") {
  struct Sink {
    std::string text;
    int calls = 0;
  } sink;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.sink = {[](void* user, const void* text, size_t size) {
                   auto* to = static_cast<Sink*>(user);
                   if (++to->calls == 2) return false;
                   to->text.append(static_cast<const char*>(text), size);
                   return true;
                 },
                 &sink};
  Log log(config);
  {
    PERF_BLOCK(wide);  // more text than the buffer holds
    for (int i = 0; i < 4000; ++i) named_block("a part of some length", 1);
  }
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_ERROR_FILE_WRITE);
  named_block("next", 1);
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_OK);
  const std::string next = "\nFrame : next on thread \"main\"\n1,next,1,4000,4001\n";
  CHECK(sink.text.substr(sink.text.size() - next.size()) == next);
  CHECK(log.stats().frames_unwritten == 1);
}

TEST_CASE("perf log: the lines are the same where the C library has a decimal comma") {
  const auto logged = [] {
    Log log;
    for (const uint64_t ns : {1u, 1500u, 1234567u}) named_block("routine", ns);
    CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_OK);
    return log.text;
  };
  const std::string points = logged();
  CHECK(count_of(points, "1,routine,") == 3);
  const flamelet::tests::CommaLocale commas;
  if (commas.is_there()) CHECK(logged() == points);
}

// ---- Live statistics of PERF blocks -------------------------------------------------------------------------------

TEST_CASE_FIXTURE(Log, "perf log: statistics are over frames, with the deviation of a sample") {
  for (const uint64_t ns : {2u, 4u, 4u, 4u, 5u, 5u, 7u, 9u}) {
    PERF_BLOCK(frame);
    named_block("half", ns / 2);
    named_block("half", ns - ns / 2);
  }
  poll();
  for (const char* name : {"frame", "half"}) {
    const flamelet_perf_routine found = routine(name);
    CHECK(found.frame_count == 8);
    CHECK(found.mean_ns == doctest::Approx(5));
    CHECK(found.deviation_ns == doctest::Approx(std::sqrt(32.0 / 7)));
    CHECK(found.min_ns == 2);
    CHECK(found.max_ns == 9);
    CHECK(found.last_ns == 9);
  }
  CHECK(routine("half").block_count == 16);
}

TEST_CASE_FIXTURE(Log, "perf log: only what was in a frame is listed, in the order in which it first was") {
  flamelet_perf_routine routine;
  poll();
  CHECK_FALSE(flamelet_perf_log_routine(log, 0, &routine));
  {
    PERF_BLOCK(runs);
    poll();
    CHECK_FALSE(flamelet_perf_log_routine(log, 0, &routine));
    named_block("inner", 1);
  }
  named_block("later", 1);
  poll();
  std::string names;
  for (size_t i = 0; flamelet_perf_log_routine(log, i, &routine); ++i) names += routine.name.text + std::string(" ");
  CHECK(names == "inner runs later ");
}

TEST_CASE_FIXTURE(Log, "perf log: a routine inside itself costs its time once") {
  for (int frame = 0; frame < 2; ++frame) {
    PERF_BLOCK(update);
    PERF_BLOCK(visit);
    named_block("other", 1);
    PERF_BLOCK(visit);
    now_ns += 10;
  }
  poll();
  CHECK(routine("visit").mean_ns == 11);
  CHECK(routine("visit").block_count == 4);
  CHECK(routine("update").mean_ns == 11);
}

TEST_CASE_FIXTURE(Log, "perf log: one frame has no deviation") {
  named_block("once", 3);
  poll();
  CHECK(routine("once").deviation_ns == 0);
  flamelet_perf_routine none;
  CHECK_FALSE(flamelet_perf_log_routine(log, 1000, &none));
}

TEST_CASE_FIXTURE(Log, "perf log: the table shows the most expensive routine first, and fits the terminal") {
  named_block("cheap", 300);
  for (int i = 0; i < 3; ++i) {
    PERF_BLOCK(a routine with a name that is too long);
    now_ns += 1500000 + 1000 * static_cast<uint64_t>(i);
  }
  poll();
  std::string table;
  flamelet_perf_log_print(log, 88, sink_to(&table));
  CHECK(table ==
        "routine                    frames       last       mean         sd        min        max\n"
        "a routine with a name th        3   1.502 ms   1.501 ms   1.000 us   1.500 ms   1.502 ms\n"
        "cheap                           1     300 ns     300 ns       -        300 ns     300 ns\n");
  table.clear();
  flamelet_perf_log_print(log, UINT32_MAX, sink_to(&table));
  CHECK(table.size() == 3 * 1025);
}
