// SPDX-License-Identifier: MIT
//
// Runs `flamelet record` on a real program that ends in every way a program can.
#include <signal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "flamelet/capture_file.h"
#include "tool_place.h"

using namespace flamelet::tests;

namespace {

ToolResult record(const ToolPlace& place, const std::string& arguments) {
  // A place of its own for what the command keeps while the program runs.
  return place.shell("mkdir -p run && XDG_RUNTIME_DIR=" + place.path("run") + " '" FLAMELET_TOOL "' record " +
                     arguments);
}

// The names of the spans, with * behind one that is open.
std::vector<std::string> spans_in(const std::string& path) {
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, path.c_str(), &capture, nullptr) == FLAMELET_OK);
  REQUIRE(flamelet_capture_lane_count(capture) == 1);
  std::vector<flamelet_span> spans(1000);
  spans.resize(flamelet_capture_read_spans(capture, 0, INT64_MIN, INT64_MAX, spans.data(), spans.size()));
  std::vector<std::string> names;
  for (const flamelet_span& span : spans)
    names.push_back(flamelet_capture_string(capture, span.name).text +
                    std::string((span.flags & FLAMELET_SPAN_OPEN) != 0 ? "*" : ""));
  flamelet_capture_destroy(capture);
  return names;
}

}  // namespace

TEST_CASE("record command: what a program recorded is saved, and its exit code passed on") {
  const ToolPlace place;
  const ToolResult result = record(place, "-o saved.flamelet -- '" FLAMELET_RECORDED_PROGRAM "' exit 7");
  CHECK(result.exit_code == 7);
  CHECK(has(result.err, "wrote saved.flamelet: 2 frames, 205 events, and 0 before them are overwritten\n"));
  const std::vector<std::string> spans = spans_in(place.path("saved.flamelet"));
  REQUIRE(spans.size() == 101);
  CHECK(std::count(spans.begin(), spans.end(), "work") == 100);
  CHECK(spans.back() == "the end");
  CHECK(std::filesystem::is_empty(place.path("run")));
}

TEST_CASE("record command: a program that crashes leaves its capture, named after it") {
  const ToolPlace place;
  const ToolResult result = record(place, "-- '" FLAMELET_RECORDED_PROGRAM "' crash");
  CHECK(result.exit_code == 128 + SIGABRT);
  CHECK(has(result.err, "was ended by signal 6"));
  const std::vector<std::string> spans = spans_in(place.path("flamelet_recorded_program.flamelet"));
  REQUIRE(spans.size() == 101);
  CHECK(spans.back() == "the end*");
  CHECK(std::filesystem::is_empty(place.path("run")));
}

TEST_CASE("record command: a signal is passed on to the program, and the capture saved") {
  const ToolPlace place;
  const ToolResult result = record(place, "-o saved.flamelet -- '" FLAMELET_RECORDED_PROGRAM "' stop");
  CHECK(result.exit_code == 128 + SIGTERM);
  CHECK(spans_in(place.path("saved.flamelet")).back() == "the end*");
}

TEST_CASE("record command: a program that does not record into the file is told of") {
  const ToolPlace place;
  const ToolResult result = record(place, "-- '" FLAMELET_RECORDED_PROGRAM "' silent");
  CHECK(result.exit_code == 5);
  CHECK(has(result.err, "ring_path_from_environment"));
  CHECK(!place.exists("flamelet_recorded_program.flamelet"));
}

TEST_CASE("record command: a program that is not there, and a capture that cannot be written") {
  const ToolPlace place;
  const ToolResult missing = record(place, "-- ./no_such_program");
  CHECK(missing.exit_code == 3);
  CHECK(has(missing.err, "cannot run ./no_such_program: No such file"));
  CHECK(record(place, "").exit_code == 2);
  const ToolResult unwritten = record(place, "-o no/folder/x -- '" FLAMELET_RECORDED_PROGRAM "'");
  CHECK(unwritten.exit_code == 4);
  CHECK(has(unwritten.err, "The recording is still in"));
  CHECK(!std::filesystem::is_empty(place.path("run")));
}
