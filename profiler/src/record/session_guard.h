// SPDX-License-Identifier: MIT
//
// session_guard.h: keeps the session's memory alive. Whoever reads pages or tables outside the record path holds one.
// Exported for the libraries on top of the recorder.
#ifndef FLAMELET_SRC_SESSION_GUARD_H
#define FLAMELET_SRC_SESSION_GUARD_H

#include "flamelet/base.h"

namespace flamelet {

// False: no recorder runs. Else the shutdown waits for the release. Any thread; does not wait.
FLAMELET_API bool hold_session();
FLAMELET_API void release_session();

class SessionGuard {
 public:
  SessionGuard() : held_(hold_session()) {}
  ~SessionGuard() {
    if (held_) release_session();
  }
  SessionGuard(const SessionGuard&) = delete;
  SessionGuard& operator=(const SessionGuard&) = delete;
  explicit operator bool() const { return held_; }

 private:
  const bool held_;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_SESSION_GUARD_H
