// SPDX-License-Identifier: MIT
//
// Captures in real files, as POSIX systems have files and processes: rights, links, pipes, limits and kills.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
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

// In a child, because the limit is the process's.
TEST_CASE_FIXTURE(TemporaryFolder,
                  "capture path: a file that cannot be written whole is not there, and the one before still is") {
  FedCapture capture;
  record_random(&capture, 5, 9000);
  const std::string path = file("file");
  std::ofstream(path) << "old";
  const rlim_t size = save(capture.get()).size();
  REQUIRE(size > 60000);
  const pid_t child = fork();
  if (child == 0) {
    const auto fails_at = [&](rlim_t limit) {
      const rlimit limits = {limit, RLIM_INFINITY};
      if (setrlimit(RLIMIT_FSIZE, &limits) != 0) _exit(1);
      if (save_to(capture.get(), path) != FLAMELET_ERROR_FILE_WRITE || errno != EFBIG) _exit(2);
      if (read_file(path) != "old" || count() != 1) _exit(3);
    };
    for (rlim_t limit = 0; limit < size; limit += 4001) fails_at(limit);
    fails_at(size - 1);
    const rlimit limits = {size, RLIM_INFINITY};
    if (setrlimit(RLIMIT_FSIZE, &limits) != 0 || save_to(capture.get(), path) != FLAMELET_OK) _exit(4);
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(read_file(path) == save(capture.get()));
}

}  // namespace flamelet
