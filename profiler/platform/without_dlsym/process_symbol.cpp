// SPDX-License-Identifier: MIT
#include "platform/process_symbol.h"

namespace flamelet {

void* symbol_of_process(const char*) {
  return nullptr;
}

}  // namespace flamelet
