// SPDX-License-Identifier: MIT
//
// The recorder's memory in a file, as POSIX systems have files and processes.
#include <doctest/doctest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <vector>

#include "record/ring_file.h"
#include "support/forked.h"
#include "support/loaded.h"
#include "support/read.h"
#include "support/recording.h"
#include "temporary_folder.h"

using namespace recorder_test;

namespace {

int exit_code_of(pid_t child) {
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Where a recorder with small_config() says why it has no file.
std::string word_of(const std::string& path, int why) {
  return path + "-failed-" + std::to_string(why) + "-" +
         std::to_string((small_config().budget_bytes + (1u << 20) - 1) >> 20);
}

}  // namespace

TEST_CASE_FIXTURE(TemporaryFolder, "ring file: a process that exits without a shutdown leaves everything") {
  const std::string path = file("ring");
  const pid_t child = fork();
  if (child == 0) {
    const flamelet_config config = with(small_config(), &flamelet_config::ring_path, path.c_str());
    if (flamelet_init(&config) != FLAMELET_OK) _exit(1);
    flamelet_begin("outer", "", nullptr);
    for (int i = 0; i < 100; ++i) FLAMELET_SCOPE("inner");
    _exit(0);
  }
  REQUIRE(exit_code_of(child) == 0);
  Recovered recovered(path);
  REQUIRE(recovered.result == FLAMELET_OK);
  CHECK(!recovered.report.shut_down);
  const std::vector<flamelet_span> spans = read_spans(recovered.capture, 0);
  REQUIRE(spans.size() == 101);
  CHECK(spans[0].flags == FLAMELET_SPAN_OPEN);
  for (size_t i = 1; i <= 100; ++i) CHECK((spans[i].flags == 0 && spans[i].parent == 0));
  CHECK(std::string(flamelet_capture_string(recovered.capture, spans[100].name).text) == "inner");
}

TEST_CASE_FIXTURE(TemporaryFolder, "ring file: a path that exists is refused, also as a link, and left as it is") {
  flamelet_config config = small_config();
  const std::string taken = file("taken"), link = file("link"), target = file("target");
  std::ofstream(taken) << "precious";
  REQUIRE(symlink(target.c_str(), link.c_str()) == 0);
  for (const std::string& path : {taken, link}) {
    config.ring_path = path.c_str();
    CHECK(flamelet_init(&config) == FLAMELET_ERROR_FILE_OPEN);
    CHECK(errno == EEXIST);
    CHECK(!flamelet_enabled());
  }
  CHECK(read_file(taken) == "precious");
  CHECK(count() == 2);
  config.ring_path = nullptr;
  Recording recording(config);  // and the recorder can still be started
}

TEST_CASE_FIXTURE(TemporaryFolder,
                  "ring file: only the user can read it, and it is as large as the budget and its header") {
  flamelet_config config = small_config();
  const std::string path = file("ring");
  config.ring_path = path.c_str();
  config.allocator = {[](void*, size_t, size_t) -> void* { return nullptr; }, [](void*, void*, size_t, size_t) {},
                      nullptr};
  Recording recording(config);  // without the allocator
  struct stat status;
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0600);
  CHECK(static_cast<size_t>(status.st_size) == config.budget_bytes + flamelet::kRingHeaderBytes);
  CHECK(stats().budget_bytes == config.budget_bytes);
}

TEST_CASE_FIXTURE(TemporaryFolder, "ring file: without the space for it, init fails and leaves no file") {
  const std::string path = file("ring");
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit = {100000, 100000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
    const flamelet_config config = with(small_config(), &flamelet_config::ring_path, path.c_str());
    if (flamelet_init(&config) != FLAMELET_ERROR_FILE_WRITE) _exit(2);
    _exit(errno == EFBIG ? 0 : 3);
  }
  CHECK(exit_code_of(child) == 0);
  CHECK(count() == 0);
}

TEST_CASE_FIXTURE(TemporaryFolder, "ring file: the environment's path counts only where the config allows it") {
  const std::string path = file("ring");
  setenv("FLAMELET_RING_FILE", path.c_str(), 1);
  flamelet_config config = small_config();
  { Recording recording(config); }
  CHECK(count() == 0);
  config.ring_path_from_environment = true;
  {
    Recording recording(config);
    FLAMELET_SCOPE("a");
  }
  CHECK(count() == 1);
  const std::string before = read_file(path);
  {
    Recording recording(config);  // as in a process that the first one started
    FLAMELET_SCOPE("b");
  }
  CHECK(read_file(path) == before);
  CHECK(Recovered(path + "-2").result == FLAMELET_OK);
  for (int i = 3; i < 20; ++i) Recording recording(config);  // from 17 on with ordinary memory
  CHECK(count() == 17);
  CHECK(Recovered(path + "-16").result == FLAMELET_OK);
  CHECK(access(word_of(path, EEXIST).c_str(), F_OK) == 0);
  unsetenv("FLAMELET_RING_FILE");
}

TEST_CASE_FIXTURE(
    TemporaryFolder,
    "ring file: where that of the environment cannot be made the program goes on, and a file's name says why") {
  const std::string path = file("ring"), elsewhere = file("no/ring");
  const auto init_with_limit = [](rlim_t bytes, bool other_path) {
    const rlimit limit = {bytes, bytes};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    flamelet_config config = small_config();
    config.ring_path_from_environment = true;
    if (other_path) config.ring_path = "/no/such/folder/ring";
    if (flamelet_init(&config) != FLAMELET_OK) return 2;
    FLAMELET_SCOPE("a");
    return flamelet_shutdown() == FLAMELET_OK ? 0 : 3;
  };
  setenv("FLAMELET_RING_FILE", path.c_str(), 1);
  setenv("FLAMELET_RING_FILE_ELSE", elsewhere.c_str(), 1);
  CHECK(forked([&] { return init_with_limit(0, false); }) == 0);
  CHECK(forked([&] { return init_with_limit(0, true); }) == 2);  // the program's own path is its own affair
  CHECK(count() == 1);
  CHECK(access(word_of(path, EFBIG).c_str(), F_OK) == 0);

  setenv("FLAMELET_RING_FILE", elsewhere.c_str(), 1);  // as for a daemon, after `flamelet record` has ended
  CHECK(forked([&] { return init_with_limit(RLIM_INFINITY, false); }) == 0);
  CHECK(count() == 1);
  setenv("FLAMELET_RING_FILE_ELSE", path.c_str(), 1);
  CHECK(forked([&] { return init_with_limit(RLIM_INFINITY, false); }) == 0);
  CHECK(Recovered(path).result == FLAMELET_OK);
  unsetenv("FLAMELET_RING_FILE");
  unsetenv("FLAMELET_RING_FILE_ELSE");
}

TEST_CASE_FIXTURE(TemporaryFolder, "ring file: a forked child does not write into its parent's ring") {
  const std::string path = file("ring");
  Recording recording(with(small_config(), &flamelet_config::ring_path, path.c_str()));
  flamelet_begin("parent", "", nullptr);
  const std::string before = read_file(path);
  const pid_t child = fork();
  if (child == 0) {
    { FLAMELET_SCOPE("child, off"); }
    flamelet_set_thread_name("child");
    flamelet_config own = small_config();
    if (flamelet_init(&own) != FLAMELET_OK) _exit(1);
    for (int i = 0; i < 1000; ++i) FLAMELET_SCOPE("child");
    flamelet_frame();
    _exit(flamelet_shutdown() == FLAMELET_OK ? 0 : 2);
  }
  CHECK(exit_code_of(child) == 0);
  CHECK(read_file(path) == before);
}

TEST_CASE_FIXTURE(TemporaryFolder, "ring file: a forked child cannot submit on its parent's tracks") {
  const std::string path = file("ring");
  Recording recording(with(small_config(), &flamelet_config::ring_path, path.c_str()));
  const uint32_t track = flamelet_track_create("parent's", FLAMELET_TRACK_EXTERNAL, 1e9);
  REQUIRE(flamelet_track_calibrate(track, flamelet_now_ticks(), flamelet_now_ticks()) == FLAMELET_OK);
  const auto submit = [track] {
    const flamelet_event pass[] = {{flamelet_now_ticks(), 1, "pass", nullptr, nullptr, 0, 'B', false, 0},
                                   {flamelet_now_ticks(), 1, "pass", nullptr, nullptr, 0, 'E', false, 0}};
    return static_cast<int>(flamelet_submit(track, pass, 2));
  };
  REQUIRE(submit() == 2);
  CHECK(forked([&] {
          const flamelet_config own = small_config();
          return flamelet_init(&own) == FLAMELET_OK ? submit() : 100;
        }) == 0);
}
