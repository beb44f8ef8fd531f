// SPDX-License-Identifier: MIT
//
// The performance log in a file, as POSIX systems have files: rights, links, pipes and limits.
#include "perf_logs.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "support/taken_files.h"

using namespace perf_test;

TEST_CASE_FIXTURE(LogFile, "perf log: only the user can read the file") {
  { Log log(with(flamelet_perf_log_config_default(), &flamelet_perf_log_config::path, path.c_str())); }
  struct stat status;
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE_FIXTURE(LogFile, "perf log: links, folders, pipes and paths that do not exist are refused") {
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = path.c_str();
  flamelet_perf_log* log = nullptr;
  REQUIRE(symlink("/tmp/elsewhere", path.c_str()) == 0);
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(errno == ELOOP);
  std::remove(path.c_str());
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_FILE_OPEN);
  config.path = "/tmp";
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_FILE_OPEN);
  config.path = "/no/such/folder/perf.log";
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(errno == ENOENT);
  CHECK(log == nullptr);
}

TEST_CASE_FIXTURE(LogFile,
                  "perf log: when the disk is full, the file ends with a whole frame, and goes on when there is room") {
  Log log(with(flamelet_perf_log_config_default(), &flamelet_perf_log_config::path, path.c_str()));
  named_block("first", 1);
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_OK);
  const std::string first = read();
  CHECK(first == "Frame : first on thread \"main\"\n1,first,1,0,1\n");

  // A limit on the size of files stands for the full disk. Its signal, which would end the process, does not come.
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit full = before;
  full.rlim_cur = first.size() + 20;
  setrlimit(RLIMIT_FSIZE, &full);
  named_block("second", 1);
  named_block("third", 1);
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_ERROR_FILE_WRITE);
  CHECK(read() == first);
  CHECK(log.stats().frames_unwritten == 2);
  CHECK(log.stats().last_errno == EFBIG);
  CHECK(log.stats().frames == 3);
  CHECK(log.routine("second").frame_count == 1);  // statistics do not depend on the disk

  setrlimit(RLIMIT_FSIZE, &before);
  named_block("fourth", 1);
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_OK);
  CHECK(read() == first + "Frame : fourth on thread \"main\"\n1,fourth,1,3,4\n");
}

TEST_CASE_FIXTURE(LogFile,
                  "perf log: a descriptor that the program has closed, and opened for itself, is not touched") {
  recorder_test::TakenFiles files;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = path.c_str();
  {
    Log log(config);
    named_block("first", 1);
    CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_OK);
    REQUIRE(files.take() >= 1);
    named_block("second", 1);
    CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_ERROR_FILE_WRITE);
    CHECK(log.stats().last_errno == EBADF);
    CHECK(log.stats().frames_unwritten == 1);
  }
  CHECK(files.damaged() == 0);
  CHECK(read() == "Frame : first on thread \"main\"\n1,first,1,0,1\n");
}
