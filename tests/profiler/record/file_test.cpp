// SPDX-License-Identifier: MIT
//
// Calls to files that know how long they were, against what a capture says.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "flamelet/capture.h"
#include "flamelet/file.h"
#include "flamelet/flamelet.h"
#include "support/capture.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

uint64_t ticks = 0;

// Time goes on only where a test says so.
flamelet_config config_with_clock() {
  flamelet_config config = small_config(256);
  ticks = 1000;
  config.clock = [](void*) { return ticks; };
  config.clock_ticks_per_second = 1e9;
  return config;
}

void call(flamelet_file_kind kind, const char* file, uint64_t took_ns) {
  const flamelet_file_call call = flamelet_file_begin();
  ticks += took_ns;
  flamelet_file_end(call, kind, file, FLAMELET_FILE_LEAST_NS);
}

// "read town.pak 50000": all scopes of the calls, in order.
std::vector<std::string> calls(const flamelet_capture* capture) {
  std::vector<std::string> result;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane)
    for (const flamelet_span& span : read_spans(capture, lane)) {
      const flamelet_site_info site = site_of(capture, span.site);
      if (text_of(site.function) != FLAMELET_FILE_FUNCTION_) continue;
      CHECK(text_of(site.category) == FLAMELET_WAIT_CATEGORY);
      result.push_back(text_of(capture, span.name) + " " + (span.object == 0 ? "?" : text_of(capture, span.object)) +
                       " " + std::to_string(span.end_ns - span.begin_ns));
    }
  return result;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("file calls: those that took long are scopes with the file's name, and the others nothing") {
  const Recording recording(config_with_clock());
  Capture capture;
  call(FLAMELET_FILE_OPEN, "town.pak", 70000);  // the thread's first event
  {
    FLAMELET_SCOPE("Load");
    ticks += 1000;
    call(FLAMELET_FILE_READ, "town.pak", 49999);
    char name[] = "town.pak";
    call(FLAMELET_FILE_READ, name, 50000);
    name[0] = 'd';  // the name was copied
    call(FLAMELET_FILE_WRITE, nullptr, 12300000);
    call(FLAMELET_FILE_SYNC, "save", 60000);
  }
  capture.update();
  CHECK(calls(capture) == Texts{"open town.pak 70000", "read town.pak 50000", "write ? 12300000", "sync save 60000"});
  const std::vector<flamelet_span> spans = read_spans(capture, 0);
  REQUIRE(spans.size() == 5);
  CHECK(spans[2].parent == 1);  // in "Load"
  CHECK(spans[2].begin_ns - spans[1].begin_ns == 1000 + 49999);
}

TEST_CASE("file calls: one in which something else was recorded is none, so of nested ones the inner is recorded") {
  const Recording recording(config_with_clock());
  Capture capture;
  { FLAMELET_SCOPE("before"); }
  const flamelet_file_call outer = flamelet_file_begin();
  ticks += 100000;
  call(FLAMELET_FILE_READ, "inner", 80000);
  flamelet_file_end(outer, FLAMELET_FILE_READ, "outer", FLAMELET_FILE_LEAST_NS);
  capture.update();
  CHECK(calls(capture) == Texts{"read inner 80000"});
}

TEST_CASE("file calls: nothing is recorded without a recorder, while it is off, or across an init") {
  const flamelet_file_call without = flamelet_file_begin();
  flamelet_file_end(without, FLAMELET_FILE_READ, "none", 0);
  const Recording recording(config_with_clock());
  Capture capture;
  flamelet_file_end(without, FLAMELET_FILE_READ, "across", 0);
  flamelet_set_enabled(false);
  call(FLAMELET_FILE_READ, "off", 80000);
  flamelet_set_enabled(true);
  call(FLAMELET_FILE_READ, "on", 80000);
  capture.update();
  CHECK(calls(capture) == Texts{"read on 80000"});
}
