// SPDX-License-Identifier: MIT
#include "platform/process_symbol.h"

#include <dlfcn.h>

// Before glibc 2.34 it is in a library of its own, which a program need not link.
#pragma weak dlsym

namespace flamelet {

void* symbol_of_process(const char* name) {
  return &dlsym != nullptr ? dlsym(nullptr, name) : nullptr;  // NULL: all that is loaded
}

}  // namespace flamelet
