// SPDX-License-Identifier: MIT
//
// thread_local.h: FLAMELET_THREAD_LOCAL_, a variable of each thread that a signal handler may use: it lies in the thread's
// static block, so its first use allocates nothing. Where the compiler cannot promise that, there are no signals either.
#ifndef FLAMELET_PLATFORM_THREAD_LOCAL_H
#define FLAMELET_PLATFORM_THREAD_LOCAL_H

#if defined(__GNUC__) && !defined(_WIN32)
#define FLAMELET_THREAD_LOCAL_ __thread __attribute__((tls_model("initial-exec")))
#else
#define FLAMELET_THREAD_LOCAL_ thread_local
#endif

#endif  // FLAMELET_PLATFORM_THREAD_LOCAL_H
