// SPDX-License-Identifier: MIT
#include "platform/process.h"

namespace flamelet {

void* symbol_of_process(const char*) {
  return nullptr;
}

}  // namespace flamelet
