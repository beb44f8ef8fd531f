// SPDX-License-Identifier: MIT
//
// file_limit.h: a write behind the limit of a file's size (RLIMIT_FSIZE) is an error, EFBIG, and no end of the process. The
// signal that comes with it, SIGXFSZ, ends a program that knows nothing of it.
#ifndef FLAMELET_PLATFORM_FILE_LIMIT_H
#define FLAMELET_PLATFORM_FILE_LIMIT_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>

namespace flamelet {

// Holds the signal back from the calling thread, and takes it if the calls meanwhile brought it. Keeps errno.
class HoldFileLimitSignal {
 public:
#if defined(__EMSCRIPTEN__)  // which has neither the limit nor signals
  HoldFileLimitSignal() {}
  ~HoldFileLimitSignal() {}
#else
  HoldFileLimitSignal() {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
    was_pending_ = is_pending();
  }
  ~HoldFileLimitSignal() {
    const int why = errno;
    if (!was_pending_ && is_pending()) {
      sigset_t held;
      sigemptyset(&held);
      sigaddset(&held, SIGXFSZ);
      int number;
      sigwait(&held, &number);
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = why;
  }
#endif
  HoldFileLimitSignal(const HoldFileLimitSignal&) = delete;
  HoldFileLimitSignal& operator=(const HoldFileLimitSignal&) = delete;

#if !defined(__EMSCRIPTEN__)
 private:
  static bool is_pending() {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
  }

  sigset_t before_;
  bool was_pending_;
#endif
};

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_FILE_LIMIT_H
