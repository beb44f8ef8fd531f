// SPDX-License-Identifier: MIT
//
// The performance log in a file.
#include "perf_logs.h"

#include <string>

#include "support/comma_locale.h"

using namespace perf_test;

TEST_CASE("perf log: a file is made, and appended to") {
  const LogFile file;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = file.path.c_str();
  for (int run = 0; run < 2; ++run) {
    Log log(config);
    named_block("routine", 1);
  }
  CHECK(file.read() ==
        "Frame : routine on thread \"main\"\n1,routine,1,0,1\nFrame : routine on thread \"main\"\n1,routine,1,0,1\n");
}

TEST_CASE("perf log: half a line that a killed process left does not spoil the next frame") {
  const LogFile file;
  file.write("Frame : old\n2,half,12");
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = file.path.c_str();
  {
    Log log(config);
    named_block("routine", 1);
  }
  CHECK(file.read() == "Frame : old\n2,half,12\nFrame : routine on thread \"main\"\n1,routine,1,0,1\n");
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
