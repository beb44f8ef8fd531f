// SPDX-License-Identifier: MIT
//
// process_symbol.h: what other libraries of the process export.
#ifndef FLAMELET_PLATFORM_PROCESS_SYMBOL_H
#define FLAMELET_PLATFORM_PROCESS_SYMBOL_H

namespace flamelet {

// The address of this name, or NULL: also where the system cannot be asked.
void* symbol_of_process(const char* name);

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_PROCESS_SYMBOL_H
