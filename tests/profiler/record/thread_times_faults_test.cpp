// SPDX-License-Identifier: MIT
//
// A frame mark that asks for the threads' times, and what may come between its system calls.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <algorithm>

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

namespace {

// How often marks in a row ask the system, in calls of which each mark that asks makes one for this thread alone.
int64_t asked_by_marks_in_a_row() {
  file_faults::begin({});
  for (int i = 0; i < 1000; ++i) flamelet_frame();
  const auto calls = file_faults::end();
  return std::count(calls.begin(), calls.end(), file_faults::Call::kRead);
}

}  // namespace

TEST_CASE_FIXTURE(Recording,
                  "frame mark: marks that follow each other fast ask the system once in 0.2 ms and not each") {
  { FLAMELET_SCOPE("Anything"); }
  flamelet_frame();  // opens a file
  const uint64_t begin = flamelet_now_ticks();
  const int64_t asked = asked_by_marks_in_a_row();
  const double seconds = static_cast<double>(flamelet_now_ticks() - begin) / flamelet_clock_info().ticks_per_second;
  CHECK(static_cast<double>(asked) <= 3 * (1 + 1.01 * seconds / 200e-6));  // three times where it was preempted
}

TEST_CASE("frame mark: without thread_times no mark asks the system") {
  Recording recording(with(small_config(), &flamelet_config::thread_times, false));
  { FLAMELET_SCOPE("Anything"); }
  CHECK(asked_by_marks_in_a_row() == 0);
}
