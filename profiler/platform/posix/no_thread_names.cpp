// SPDX-License-Identifier: MIT
#include "platform/thread_account.h"

namespace flamelet {

void know_process_name() {}

bool this_thread_name(char (&)[kThreadNameBytes]) {
  return false;
}

}  // namespace flamelet
