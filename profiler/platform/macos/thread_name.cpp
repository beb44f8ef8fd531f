// SPDX-License-Identifier: MIT
#include "platform/thread_account.h"

#include <pthread.h>

namespace flamelet {

void know_process_name() {}

bool this_thread_name(char (&name)[kThreadNameBytes]) {
  return pthread_getname_np(pthread_self(), name, sizeof name) == 0 && name[0] != 0;
}

}  // namespace flamelet
