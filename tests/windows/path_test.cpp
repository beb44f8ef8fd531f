// SPDX-License-Identifier: MIT
//
// Paths are UTF-8, whatever the code page of the process is.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "flamelet/capture_file.h"
#include "flamelet/flamelet.h"
#include "flamelet/perf.h"
#include "flamelet/perf_log.h"
#include "profiler/record/recovered.h"
#include "temporary_folder.h"

#include <windows.h>

using namespace recorder_test;

namespace {

// "кадр 日本 é 😀" and an ending.
std::string name_of_many_scripts(const char* ending) {
  return std::string("\u043a\u0430\u0434\u0440 \u65e5\u672c \u00e9 \U0001F600") + ending;
}

bool exists(const std::string& path) {
  return std::filesystem::exists(std::filesystem::u8path(path));
}

}  // namespace

TEST_CASE("path: rings, captures and logs are found under the UTF-8 names that they were given") {
  const TemporaryFolder folder;
  const std::string ring = folder.file(name_of_many_scripts(".ring"));
  const std::string saved = folder.file(name_of_many_scripts(".flamelet"));
  const std::string written = folder.file(name_of_many_scripts(".log"));
  flamelet_config config = flamelet_config_default();
  config.ring_path = ring.c_str();
  REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  flamelet_perf_log_config log_config = flamelet_perf_log_config_default();
  log_config.path = written.c_str();
  flamelet_perf_log* log = nullptr;
  REQUIRE(flamelet_perf_log_create(&log_config, &log) == FLAMELET_OK);
  { PERF_BLOCK(work); }
  flamelet_perf_log_destroy(log);
  CHECK(flamelet_shutdown() == FLAMELET_OK);
  CHECK(exists(ring));
  CHECK(exists(written));

  Recovered recovered(ring);
  REQUIRE(recovered.result == FLAMELET_OK);
  for (int i = 0; i < 2; ++i)  // the second replaces the first
    REQUIRE(flamelet_capture_save(recovered.capture, INT64_MIN, INT64_MAX, saved.c_str()) == FLAMELET_OK);
  CHECK(exists(saved));
  CHECK(folder.count() == 3);
  flamelet_capture* loaded = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, saved.c_str(), &loaded, nullptr) == FLAMELET_OK);
  flamelet_capture_destroy(loaded);
}

TEST_CASE("path: what is no UTF-8 is refused") {
  const TemporaryFolder folder;
  flamelet_config config = flamelet_config_default();
  const std::string ring = folder.file("\xff.ring");
  config.ring_path = ring.c_str();
  CHECK(flamelet_init(&config) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(folder.count() == 0);
}

TEST_CASE("path: the environment's is UTF-8, too") {
  const TemporaryFolder folder;
  const std::filesystem::path ring = std::filesystem::u8path(folder.file(name_of_many_scripts(".ring")));
  REQUIRE(SetEnvironmentVariableW(L"FLAMELET_RING_FILE", ring.c_str()) != 0);
  flamelet_config config = flamelet_config_default();
  config.ring_path_from_environment = true;
  CHECK(flamelet_init(&config) == FLAMELET_OK);
  CHECK(flamelet_shutdown() == FLAMELET_OK);
  CHECK(std::filesystem::exists(ring));
}
