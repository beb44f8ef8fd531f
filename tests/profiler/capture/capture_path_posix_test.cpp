// SPDX-License-Identifier: MIT
//
// Captures in real files, as POSIX systems have files and processes: rights, links and pipes.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "profiler/capture/saved_capture.h"
#include "temporary_folder.h"

namespace flamelet {
namespace {

flamelet_result save_to(const flamelet_capture* capture, const std::string& path) {
  return flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path.c_str());
}

}  // namespace

TEST_CASE_FIXTURE(TemporaryFolder, "capture path: only the user can read what is saved") {
  FedCapture capture;
  const std::string path = file("a.flamelet");
  REQUIRE(save_to(capture.get(), path) == FLAMELET_OK);
  struct stat status;
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0600);
}

TEST_CASE_FIXTURE(TemporaryFolder, "capture path: a pipe is no capture, and is not waited for") {
  const std::string pipe = file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  flamelet_capture* loaded = nullptr;
  CHECK(flamelet_capture_load(nullptr, pipe.c_str(), &loaded, nullptr) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(errno == EINVAL);
}

TEST_CASE_FIXTURE(TemporaryFolder, "capture path: saving replaces a file, and a link instead of what it points to") {
  FedCapture capture;
  const std::string path = file("file"), link = file("link"), target = file("target");
  std::ofstream(path) << "old";
  std::ofstream(target) << "untouched";
  REQUIRE(symlink(target.c_str(), link.c_str()) == 0);
  for (const std::string& to : {path, link}) {
    CHECK(save_to(capture.get(), to) == FLAMELET_OK);
    CHECK(read_file(to) == save(capture.get()));
  }
  CHECK(read_file(target) == "untouched");
}

}  // namespace flamelet
