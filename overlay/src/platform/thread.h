// SPDX-License-Identifier: MIT
//
// thread.h: whether work can be done beside the frames.
#ifndef FLAMELET_OVERLAY_SRC_PLATFORM_THREAD_H
#define FLAMELET_OVERLAY_SRC_PLATFORM_THREAD_H

#include <thread>

namespace flamelet {

// Calls run(user) on a thread of its own. False: there are no threads here.
bool start_thread(void (*run)(void* user), void* user, std::thread* thread);

}  // namespace flamelet

#endif  // FLAMELET_OVERLAY_SRC_PLATFORM_THREAD_H
