// SPDX-License-Identifier: MIT
//
// The performance log in a file.
#include "perf_logs.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <string>

using namespace perf_test;

TEST_CASE("perf log: a file is made for its owner only, and appended to") {
  const LogFile file;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = file.path.c_str();
  for (int run = 0; run < 2; ++run) {
    Log log(config);
    named_block("routine", 1);
  }
  CHECK(file.read() ==
        "Frame : routine on thread \"main\"\n1,routine,1,0,1\nFrame : routine on thread \"main\"\n1,routine,1,0,1\n");
  struct stat status;
  REQUIRE(stat(file.path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
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

TEST_CASE("perf log: links, folders, pipes and paths that do not exist are refused") {
  const LogFile file;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = file.path.c_str();
  flamelet_perf_log* log = nullptr;
  REQUIRE(symlink("/tmp/elsewhere", file.path.c_str()) == 0);
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(errno == ELOOP);
  std::remove(file.path.c_str());
  REQUIRE(mkfifo(file.path.c_str(), 0600) == 0);
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_FILE_OPEN);
  config.path = "/tmp";
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_FILE_OPEN);
  config.path = "/no/such/folder/perf.log";
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(errno == ENOENT);
  CHECK(log == nullptr);
}

TEST_CASE("perf log: when the disk is full, the file ends with a whole frame, and goes on when there is room") {
  const LogFile file;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = file.path.c_str();
  Log log(config);
  named_block("first", 1);
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_OK);
  const std::string first = file.read();
  CHECK(first == "Frame : first on thread \"main\"\n1,first,1,0,1\n");

  // A limit on the size of files stands for the full disk.
  signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit full = before;
  full.rlim_cur = first.size() + 20;
  setrlimit(RLIMIT_FSIZE, &full);
  named_block("second", 1);
  named_block("third", 1);
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_ERROR_FILE_WRITE);
  CHECK(file.read() == first);
  CHECK(log.stats().frames_unwritten == 2);
  CHECK(log.stats().last_errno == EFBIG);
  CHECK(log.stats().frames == 3);
  CHECK(log.routine("second").frame_count == 1);  // statistics do not depend on the disk

  setrlimit(RLIMIT_FSIZE, &before);
  named_block("fourth", 1);
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_OK);
  CHECK(file.read() == first + "Frame : fourth on thread \"main\"\n1,fourth,1,3,4\n");
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
