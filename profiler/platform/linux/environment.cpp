// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <sys/auxv.h>

#include "platform/process.h"

namespace flamelet {

const char* environment_of_user(const char* name) {
  if (getauxval(AT_SECURE) != 0) return nullptr;  // also for file capabilities, which no user id tells
  const char* value = getenv(name);
  return value != nullptr && value[0] != 0 ? value : nullptr;
}

}  // namespace flamelet
