// SPDX-License-Identifier: MIT
#include "platform/thread.h"

namespace flamelet {

bool start_thread(void (*run)(void*), void* user, std::thread* thread) {
  *thread = std::thread(run, user);
  return true;
}

}  // namespace flamelet
