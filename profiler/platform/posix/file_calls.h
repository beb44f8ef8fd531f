// SPDX-License-Identifier: MIT
//
// file_calls.h: what calls on files need: another try after a signal, which file it was, limits.
#ifndef FLAMELET_PLATFORM_FILE_CALLS_H
#define FLAMELET_PLATFORM_FILE_CALLS_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>

#include "platform/file.h"

namespace flamelet {

// Retried: a system call that a signal interrupts is made again: an engine's timers and profilers send signals at any
// time. Not for close(): whatever it answers, the descriptor is gone, and a second call could close another thread's.

template <class Call>
auto retried(Call call) {
  for (;;) {
    const auto answer = call();
    if (answer >= 0 || errno != EINTR) return answer;
  }
}

// Same file: whether a descriptor is still what it was opened to (FileIdentity).

inline FileIdentity identity_of(const struct stat& status) {
  return {static_cast<uint64_t>(status.st_dev), static_cast<uint64_t>(status.st_ino)};
}

// What a descriptor was opened to just now. All 0: the system does not tell.
inline FileIdentity identity_of(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? identity_of(status) : FileIdentity{};
}

// False, with errno EBADF: it is another file. An identity that the system did not tell is that of any file.
inline bool is_same_file(const struct stat& status, const FileIdentity& identity) {
  const FileIdentity now = identity_of(status);
  if ((identity.device == 0 && identity.file == 0) || (now.device == identity.device && now.file == identity.file))
    return true;
  errno = EBADF;
  return false;
}
// Also where it is closed.
inline bool is_same_file(int descriptor, const FileIdentity& identity) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? is_same_file(status, identity) : errno != EBADF;
}

// File limit: a write behind the limit of a file's size (RLIMIT_FSIZE) is an error, EFBIG, and no end of the process. The
// signal that comes with it, SIGXFSZ, ends a program that knows nothing of it.

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

#endif  // FLAMELET_PLATFORM_FILE_CALLS_H
