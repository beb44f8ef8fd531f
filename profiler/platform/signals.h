// SPDX-License-Identifier: MIT
//
// signals.h: no signal handler runs on the calling thread while one of these stands. Nothing where there are no signals.
#ifndef FLAMELET_PLATFORM_SIGNALS_H
#define FLAMELET_PLATFORM_SIGNALS_H

namespace flamelet {

// Whether a handler can interrupt a thread and record on it.
#ifdef _WIN32
constexpr bool kHandlersInterrupt = false;
#else
constexpr bool kHandlersInterrupt = true;
#endif

class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
#ifndef _WIN32
  alignas(8) unsigned char before_[128];  // the signals that were blocked before
#endif
};

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_SIGNALS_H
