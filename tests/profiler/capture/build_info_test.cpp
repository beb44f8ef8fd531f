// SPDX-License-Identifier: MIT
//
// What a capture knows of the recorder behind it: how the library was built, and the program's note.
#include <doctest/doctest.h>

#include <string>

#include "flamelet/capture_file.h"
#include "profiler/record/recovered.h"
#include "support/building.h"
#include "support/capture.h"
#include "support/recording.h"
#include "temporary_folder.h"

namespace {

using recorder_test::Capture;
using recorder_test::Recording;

std::string build_of(const flamelet_capture* capture) {
  return flamelet_capture_build(capture).text;
}
std::string note_of(const flamelet_capture* capture) {
  return flamelet_capture_note(capture).text;
}
flamelet_config config_with(const char* note) {
  flamelet_config config = recorder_test::small_config();
  config.note = note;
  return config;
}

}  // namespace

TEST_CASE("build info: a capture says how the recorder was built, and keeps it in its file") {
  const Recording recording(config_with("rocks 1.2"));
  Capture capture;
  CHECK(build_of(capture).empty());
  capture.update();
  const std::string build = build_of(capture);
  CHECK(build.find("Flamelet 0.1.0, ") == 0);
#ifdef FLAMELET_INLINE_RECORD_
  CHECK(build.find(", inlined scopes, ") != std::string::npos);
#else
  CHECK(build.find(", scopes by call, ") != std::string::npos);
#endif
  CHECK(note_of(capture) == "rocks 1.2");

  const std::string bytes = recorder_test::save(capture);
  flamelet_capture* loaded = nullptr;
  REQUIRE(flamelet_capture_load_bytes(nullptr, bytes.data(), bytes.size(), &loaded, nullptr) == FLAMELET_OK);
  CHECK(build_of(loaded) == build);
  CHECK(note_of(loaded) == "rocks 1.2");
  CHECK(recorder_test::save(loaded) == bytes);
  flamelet_capture_destroy(loaded);
}

TEST_CASE("build info: a note is copied, cut at 127 bytes, and that of the session that is read") {
  Capture capture;
  {
    std::string note(300, 'x');
    const Recording recording(config_with(note.c_str()));
    note = "changed";
    capture.update();
    CHECK(note_of(capture) == std::string(127, 'x'));
  }
  const Recording recording(config_with(nullptr));
  capture.update();
  CHECK(note_of(capture).empty());
  CHECK_FALSE(build_of(capture).empty());
}

TEST_CASE("build info: nothing is said of a capture that no recorder made, and it is not in the file") {
  recorder_test::Building building;
  building.lane(FLAMELET_LANE_THREAD, "Main");
  const flamelet_capture* capture = building.finish();
  CHECK(build_of(capture).empty());
  CHECK(note_of(capture).empty());
  CHECK(recorder_test::save(capture).find("BILT") == std::string::npos);
  CHECK(build_of(nullptr).empty());
}

TEST_CASE("build info: a damaged chunk of it is counted, and the rest of the file is read") {
  const Recording recording(config_with("rocks"));
  Capture capture;
  capture.update();
  std::string bytes = recorder_test::save(capture);
  const size_t note = bytes.find("rocks");
  REQUIRE(note != std::string::npos);
  bytes[note] = '\xFF';  // and the checksum is another one
  flamelet_capture* loaded = nullptr;
  flamelet_load_report report;
  REQUIRE(flamelet_capture_load_bytes(nullptr, bytes.data(), bytes.size(), &loaded, &report) == FLAMELET_OK);
  CHECK(report.chunks_damaged == 1);
  CHECK(build_of(loaded).empty());
  flamelet_capture_destroy(loaded);
}

#ifndef _WIN32
TEST_CASE("build info: a ring file has it, too") {
  const TemporaryFolder place;
  const std::string path = place.path() + "/ring";
  flamelet_config config = config_with("rocks 1.2");
  config.ring_path = path.c_str();
  const Recording recording(config);
  { FLAMELET_SCOPE("work"); }
  flamelet_frame();
  const recorder_test::Recovered recovered(path);
  REQUIRE(recovered.result == FLAMELET_OK);
  CHECK(build_of(recovered.capture).find("Flamelet 0.1.0, ") == 0);
  CHECK(note_of(recovered.capture) == "rocks 1.2");
}
#endif
