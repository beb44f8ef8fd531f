// SPDX-License-Identifier: MIT
//
// A capture says which categories were off, because what is not recorded leaves no trace.
#include <doctest/doctest.h>

#include <string.h>

#include <string>

#include "capture/capture_format.h"
#include "capture/file_chunks.h"
#include "flamelet/capture_file.h"
#include "profiler/record/categories_guard.h"
#include "support/building.h"
#include "support/capture.h"
#include "support/loaded.h"
#include "support/recording.h"
#include "temporary_folder.h"

namespace {

using namespace flamelet;
using namespace recorder_test;

std::string off_in(const flamelet_capture* capture) {
  return flamelet_capture_categories_off(capture).text;
}
std::string off_in_file(const std::string& bytes, flamelet_load_report* report = nullptr) {
  flamelet_capture* loaded = nullptr;
  REQUIRE(flamelet_capture_load_bytes(nullptr, bytes.data(), bytes.size(), &loaded, report) == FLAMELET_OK);
  const std::string off = off_in(loaded);
  CHECK(save(loaded) == bytes);
  flamelet_capture_destroy(loaded);
  return off;
}

}  // namespace

TEST_CASE_FIXTURE(CategoriesGuard,
                  "categories off: a capture names those that were off at some time, and keeps it in its file") {
  flamelet_category_set_enabled("physics", false);
  const Recording recording(small_config());
  Capture capture(Captured::kNow);
  CHECK(off_in(capture) == "physics");
  flamelet_category_set_enabled("physics", true);
  flamelet_category_set_enabled("", false);
  flamelet_category_set_enabled("ai", false);
  capture.update();
  CHECK(off_in(capture) == "physics, (no category), ai");
  flamelet_category_set_enabled(nullptr, false);
  flamelet_category_set_enabled("render", true);
  capture.update();
  CHECK(off_in(capture) == "physics, (no category), ai, *");
  CHECK(off_in_file(save(capture)) == off_in(capture));
}

TEST_CASE_FIXTURE(CategoriesGuard,
                  "categories off: names with commas, and names of what is said of the others, can be told apart") {
  const Recording recording(small_config());
  for (const char* name : {"net, http", "net", "a\\b", "*", "...", "(no category)", "(no category", ".."})
    flamelet_category_set_enabled(name, false);
  Capture capture(Captured::kNow);
  CHECK(off_in(capture) == R"(net\, http, net, a\\b, \*, \..., \(no category), (no category, ..)");
  CHECK(off_in_file(save(capture)) == off_in(capture));
}

TEST_CASE_FIXTURE(
    CategoriesGuard,
    "categories off: a name that needs more room with its backslashes than there is left is left out whole") {
  const Recording recording(small_config());
  flamelet_category_set_enabled(std::string(250, 'n').c_str(), false);
  flamelet_category_set_enabled(std::string(128, ',').c_str(), false);
  flamelet_category_set_enabled("after", false);
  Capture capture(Captured::kNow);
  CHECK(off_in(capture) == std::string(250, 'n') + ", ...");
}

TEST_CASE_FIXTURE(CategoriesGuard,
                  "categories off: of another session nothing is kept, and where none was off the file has no chunk") {
  Capture capture;
  {
    const Recording recording(small_config());
    flamelet_category_set_enabled("physics", false);
    capture.update();
    CHECK(off_in(capture) == "physics");
    flamelet_category_set_enabled("physics", true);
  }
  const Recording recording(small_config());
  capture.update();
  CHECK(off_in(capture).empty());
  CHECK(save(capture).find("CATS") == std::string::npos);
  CHECK(off_in(nullptr).empty());
  Building building;
  building.lane(FLAMELET_LANE_THREAD, "Main");
  CHECK(off_in(building.finish()).empty());
}

TEST_CASE_FIXTURE(CategoriesGuard,
                  "categories off: more names than there is room for end in dots, and those before them are whole") {
  const Recording recording(small_config());
  const std::string name(90, 'n');
  for (const char* number : {"1", "2", "3", "4", "5", "6", "7"})
    flamelet_category_set_enabled((name + number).c_str(), false);
  Capture capture(Captured::kNow);
  const std::string off = off_in(capture);
  CHECK(off.substr(off.size() - 9) == "nnn5, ...");
  CHECK(off.size() == 5 * 93 + 3);
  flamelet_category_set_enabled("a", false);
  capture.update();
  CHECK(off_in(capture) == off);
}

TEST_CASE_FIXTURE(CategoriesGuard,
                  "categories off: a damaged chunk of it is counted, and of two the first one counts") {
  const Recording recording(small_config());
  flamelet_category_set_enabled("physics", false);
  Capture capture(Captured::kNow);
  std::string bytes = save(capture);
  const size_t name = bytes.find("physics");
  REQUIRE(name != std::string::npos);
  bytes[name] = '\xFF';  // and the checksum is another one
  flamelet_capture* loaded = nullptr;
  flamelet_load_report report;
  REQUIRE(flamelet_capture_load_bytes(nullptr, bytes.data(), bytes.size(), &loaded, &report) == FLAMELET_OK);
  CHECK(report.chunks_damaged == 1);
  CHECK(off_in(loaded).empty());
  flamelet_capture_destroy(loaded);

  bytes[name] = 'p';
  const size_t begin = name - sizeof(ChunkHeader), size = sizeof(ChunkHeader) + sizeof(CategoryNames);
  std::string other = bytes.substr(begin, size);
  other[sizeof(ChunkHeader)] = 'q';
  ChunkHeader header;
  memcpy(&header, other.data(), sizeof header);
  header.payload_crc = crc32c(&other[sizeof header], sizeof(CategoryNames));
  header.header_crc = crc32c(&header, offsetof(ChunkHeader, header_crc));
  memcpy(&other[0], &header, sizeof header);
  bytes.insert(begin + size, other);
  REQUIRE(flamelet_capture_load_bytes(nullptr, bytes.data(), bytes.size(), &loaded, &report) == FLAMELET_OK);
  CHECK(report.chunks_damaged == 0);
  CHECK(report.duplicates == 1);
  CHECK(off_in(loaded) == "physics");
  flamelet_capture_destroy(loaded);
}

#ifndef _WIN32
TEST_CASE_FIXTURE(CategoriesGuard,
                  "categories off: a ring file names them, too, also those that are switched off later") {
  const TemporaryFolder place;
  const std::string path = place.path() + "/ring";
  const flamelet_config config = with(small_config(), &flamelet_config::ring_path, path.c_str());
  flamelet_category_set_enabled("physics", false);
  const Recording recording(config);
  flamelet_category_set_enabled("ai", false);
  flamelet_frame();
  const Recovered recovered(path);
  REQUIRE(recovered.result == FLAMELET_OK);
  CHECK(off_in(recovered.capture) == "physics, ai");
}
#endif
