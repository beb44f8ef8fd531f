// SPDX-License-Identifier: MIT
//
// retried.h: a system call that a signal interrupts is made again: an engine's timers and profilers send signals at any
// time. Not for close(): whatever it answers, the descriptor is gone, and a second call could close another thread's.
#ifndef FLAMELET_PLATFORM_RETRIED_H
#define FLAMELET_PLATFORM_RETRIED_H

#include <errno.h>

namespace flamelet {

template <class Call>
auto retried(Call call) {
  for (;;) {
    const auto answer = call();
    if (answer >= 0 || errno != EINTR) return answer;
  }
}

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_RETRIED_H
