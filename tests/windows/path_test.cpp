// SPDX-License-Identifier: MIT
//
// Paths are UTF-8, whatever the code page of the process is.
#include <doctest/doctest.h>

#include <cwchar>
#include <filesystem>
#include <string>
#include <vector>

#include "desktop/platform/system.h"
#include "flamelet/capture_file.h"
#include "flamelet/flamelet.h"
#include "flamelet/perf.h"
#include "flamelet/perf_log.h"
#include "platform/windows/windows.h"
#include "support/loaded.h"
#include "temporary_folder.h"

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

// wine takes long paths without the prefix, too, which Windows does not: so the prefix itself is looked at.
TEST_CASE("path: one that is longer than 260 characters gets the prefix that the system wants") {
  const std::string name(100, 'n');
  const auto wide = [](const std::string& path) { return std::wstring(flamelet::WidePath(path.c_str()).text()); };
  const std::wstring long_name(100, L'n');
  CHECK(wide("C:/" + name + "/../" + name) == L"C:/" + long_name + L"/../" + long_name);
  CHECK(wide("C:/" + name + "/./" + name + "/" + name) ==
        L"\\\\?\\C:\\" + long_name + L"\\" + long_name + L"\\" + long_name);
  CHECK(wide("//server/share/" + name + "/" + name + "/" + name) ==
        L"\\\\?\\UNC\\server\\share\\" + long_name + L"\\" + long_name + L"\\" + long_name);
  const std::string device = "\\\\.\\pipe\\" + name + name + name;
  CHECK(wide(device) == std::wstring(device.begin(), device.end()));
  CHECK(wide(name + "/" + name + "/" + name).substr(0, 4) == L"\\\\?\\");
  CHECK_FALSE(flamelet::WidePath(std::string(5000, 'n').c_str()).good());
}

TEST_CASE("path: rings and captures lie at the end of a path of 500 characters") {
  const TemporaryFolder folder;
  std::vector<std::string> folders = {folder.path()};
  while (folders.back().size() < 500) {
    folders.push_back(folders.back() + "/" + std::string(100, 'd'));
    REQUIRE(CreateDirectoryW(flamelet::WidePath(folders.back().c_str()).text(), nullptr) != 0);
  }
  const std::string& deep = folders.back();
  const std::string ring = deep + "/ring", saved = deep + "/game.flamelet";
  flamelet_config config = flamelet_config_default();
  config.ring_path = ring.c_str();
  REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  { FLAMELET_SCOPE("work"); }
  CHECK(flamelet_shutdown() == FLAMELET_OK);
  {
    Recovered recovered(ring);
    REQUIRE(recovered.result == FLAMELET_OK);
    REQUIRE(flamelet_capture_save(recovered.capture, INT64_MIN, INT64_MAX, saved.c_str()) == FLAMELET_OK);
  }
  flamelet_capture* loaded = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, saved.c_str(), &loaded, nullptr) == FLAMELET_OK);
  flamelet_capture_destroy(loaded);
  for (const std::string& file : {ring, saved}) CHECK(DeleteFileW(flamelet::WidePath(file.c_str()).text()) != 0);
  for (; folders.size() > 1; folders.pop_back())
    CHECK(RemoveDirectoryW(flamelet::WidePath(folders.back().c_str()).text()) != 0);
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

TEST_CASE("path: the user's folder for settings is in UTF-8, whatever the user is called") {
  const std::wstring before = _wgetenv(L"APPDATA");
  _wputenv_s(L"APPDATA", L"C:\\users\\\u65e5\u672c \U0001F600");
  CHECK(flamelet::desktop::user_folder() == "C:\\users\\\u65e5\u672c \U0001F600");
  _wputenv_s(L"APPDATA", L"C:\\users\\\xD83D half a character");
  CHECK(flamelet::desktop::user_folder() == "C:\\users\\\uFFFD half a character");
  _wputenv_s(L"APPDATA", L"");
  CHECK(flamelet::desktop::user_folder().empty());
  _wputenv_s(L"APPDATA", before.c_str());
}
