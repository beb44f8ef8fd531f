// SPDX-License-Identifier: MIT
//
// forked.h: what is true in a child of fork(). (POSIX)
#pragma once

#include <sys/wait.h>
#include <unistd.h>

namespace recorder_test {

// What check() returns in a child, from 0 to 255; -1 if the child does not exit by itself.
template <class Check>
int forked(Check check) {
  const pid_t child = fork();
  if (child == 0) _exit(check());
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace recorder_test
