// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <cstdio>

#include "frames.h"
#include "shared_module.h"

namespace flamelet_bench {

std::vector<Row> shared_library_rows() {
  // Never closed: the rows are used until the process ends.
  void* library = dlopen(FLAMELET_BENCH_MODULE, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "left out: the shared library (%s)\n", dlerror());
    return {};
  }
  const SharedModule* module = static_cast<const SharedModule*>(dlsym(library, "flamelet_bench_module"));
  if (module == nullptr || !module->start()) {
    std::fprintf(stderr, "left out: the shared library (its recorder does not start)\n");
    return {};
  }
  constexpr uint32_t kPairs = 2 * kScopesPerFrame;
  return {
      {"shared library, flat", module->flat, limit_flat, nullptr, module->events, kPairs, nullptr, 1, 1.20},
      {"shared library, _begin() and _end()", module->function_calls, limit_flat, nullptr, module->events, kPairs},
  };
}

}  // namespace flamelet_bench
