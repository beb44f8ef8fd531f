// SPDX-License-Identifier: MIT
//
// A page without -pthread has one thread. Its files lie in memory, so that a frame waits for no disk.
#include "platform/thread.h"

namespace flamelet {

bool start_thread(void (*)(void*), void*, std::thread*) {
  return false;
}

}  // namespace flamelet
