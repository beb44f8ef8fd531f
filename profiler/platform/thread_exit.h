// SPDX-License-Identifier: MIT
//
// thread_exit.h: a call on each thread as it exits.
#ifndef FLAMELET_PLATFORM_THREAD_EXIT_H
#define FLAMELET_PLATFORM_THREAD_EXIT_H

namespace flamelet {

// `at_exit` is called on every thread that was watched, when it exits. One function a process; setting it again changes
// nothing. False: the system has no room for it. One thread at a time.
bool set_thread_exit(void (*at_exit)());
// The calling thread is watched from now on. Also in a signal handler: it allocates nothing.
void watch_thread_exit();

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_THREAD_EXIT_H
