// SPDX-License-Identifier: MIT
//
// shared_module.h: what the bench finds in the plug-in, as the symbol "flamelet_bench_module".
#ifndef FLAMELET_BENCH_SHARED_MODULE_H
#define FLAMELET_BENCH_SHARED_MODULE_H

#include <cstdint>

namespace flamelet_bench {

struct SharedModule {
  bool (*start)();
  void (*flat)(uint32_t scopes);
  void (*function_calls)(uint32_t scopes);
  uint64_t (*events)();
};

}  // namespace flamelet_bench

#endif  // FLAMELET_BENCH_SHARED_MODULE_H
