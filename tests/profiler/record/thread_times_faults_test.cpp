// SPDX-License-Identifier: MIT
//
// A frame mark that asks for the threads' times, and what may come between its system calls.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "flamelet/scope.h"
#include "profiler/capture/file_faults.h"
#include "support/recording.h"

using namespace recorder_test;

TEST_CASE("file faults: a fork in the middle of a frame mark leaves the child the files that it had") {
  while (fcntl(0, F_GETFD) < 0) REQUIRE(open("/dev/null", O_RDONLY) >= 0);
  Recording recording;
  { FLAMELET_SCOPE("Anything"); }
  static int forks, lost;
  forks = lost = 0;
  file_faults::Plan plan;
  plan.before = [](file_faults::Call call) {
    if (call != file_faults::Call::kOpen) return;
    const pid_t child = fork();
    if (child == 0) _exit(fcntl(0, F_GETFD) >= 0 ? 0 : 1);
    int status = 1;
    ++forks;
    lost += waitpid(child, &status, 0) != child || status != 0;
  };
  file_faults::begin(plan);
  flamelet_frame();
  file_faults::end();
  CHECK(forks >= 1);
  CHECK(lost == 0);
}
