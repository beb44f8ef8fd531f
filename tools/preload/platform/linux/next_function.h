// SPDX-License-Identifier: MIT
//
// next_function.h: what stands in front of functions of glibc, and how it finds the real ones.
#pragma once

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "flamelet/detail/preload.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace flamelet_preload {

// The thread is in the recorder or the loader: what it calls meanwhile is theirs.
extern __thread bool is_inside __attribute__((tls_model("initial-exec")));

class Inside {
 public:
  Inside() { is_inside = true; }
  ~Inside() { is_inside = false; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

// Calls to files are recorded from now on, those that take so many microseconds or longer.
void connect_files(const flamelet_preload_calls_* calls, const char* microseconds);

// "town.pak" of "/game/data/town.pak".
inline const char* last_part(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr && slash[1] != 0 ? slash + 1 : path;
}

// The next one of this name, of this version if it has several.
template <class Function>
Function next_function(Function* known, const char* name, const char* version) {
  Function function = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (function != nullptr) return function;
  void* found = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : nullptr;
  if (found == nullptr) found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) abort();
  function = reinterpret_cast<Function>(found);
  __atomic_store_n(known, function, __ATOMIC_RELAXED);
  return function;
}
#define NEXT_VERSION(function, version)                                 \
  ([]() {                                                               \
    static decltype(&function) known = nullptr;                         \
    return flamelet_preload::next_function(&known, #function, version); \
  }())
#define NEXT(function) NEXT_VERSION(function, nullptr)

}  // namespace flamelet_preload
