// SPDX-License-Identifier: MIT
//
// frames_flamelet.cpp: Flamelet's contenders. forget() stands behind each scope as it does behind the limit's; the
// events themselves are atomic stores and reads of the counter, which no compiler leaves out.
#include <cstdio>
#include <string>

#include "flamelet/flamelet.h"
#include "measure.h"

#ifdef FLAMELET_BENCH_MODULE
#include <dlfcn.h>
#endif

namespace flamelet_bench {
namespace {

constexpr uint32_t kLongNames = 1000;
char long_names[kLongNames][101];  // as engines have them; they differ at the end
flamelet_site* run_time_site;

constexpr uint32_t kNames = 64;
const char* interned_names[kNames];
std::string raw_names[kNames];

void make_names() {
  run_time_site = flamelet_site_create("site", "function", "file", 1, "bench", 0);
  for (uint32_t i = 0; i < kLongNames; ++i) std::snprintf(long_names[i], sizeof(long_names[i]), "%096u%04u", 0u, i);
  for (uint32_t i = 0; i < kNames; ++i) {
    char text[32];
    std::snprintf(text, sizeof(text), "agent number %u", i);
    raw_names[i] = text;
    interned_names[i] = flamelet_intern(text);
  }
}

void flat(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    { FLAMELET_SCOPE("flat"); }
    forget();
  }
}

// Ten in a row, so that one unlucky address of one jump, which can double what a disabled scope costs, is a tenth.
void ten_sites(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes / 10; ++i) {
#define FLAMELET_BENCH_SITE(name) \
  { FLAMELET_SCOPE(name); }       \
  forget()
    FLAMELET_BENCH_SITE("0");
    FLAMELET_BENCH_SITE("1");
    FLAMELET_BENCH_SITE("2");
    FLAMELET_BENCH_SITE("3");
    FLAMELET_BENCH_SITE("4");
    FLAMELET_BENCH_SITE("5");
    FLAMELET_BENCH_SITE("6");
    FLAMELET_BENCH_SITE("7");
    FLAMELET_BENCH_SITE("8");
    FLAMELET_BENCH_SITE("9");
#undef FLAMELET_BENCH_SITE
  }
}

void nested(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes / 8; ++i) {
    {
      FLAMELET_SCOPE("1");
      FLAMELET_SCOPE("2");
      FLAMELET_SCOPE("3");
      FLAMELET_SCOPE("4");
      FLAMELET_SCOPE("5");
      FLAMELET_SCOPE("6");
      FLAMELET_SCOPE("7");
      FLAMELET_SCOPE("8");
    }
    forget();
  }
}

void next(uint32_t scopes) {
  FLAMELET_BEGIN(scope, "first");
  for (uint32_t i = 1; i < scopes; ++i) {
    FLAMELET_NEXT(scope, "next");
    forget();
  }
}

void object(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    { FLAMELET_SCOPE_OBJECT("object", interned_names[i % kNames]); }
    forget();
  }
}

void dynamic_name(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    { FLAMELET_SCOPE_DYNAMIC(interned_names[i % kNames]); }
    forget();
  }
}

void dynamic_text(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    { FLAMELET_SCOPE_DYNAMIC(raw_names[i % kNames].c_str()); }
    forget();
  }
}

void function_calls(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    flamelet_end(flamelet_begin("call", "bench", nullptr));
    forget();
  }
}

void function_calls_names(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    flamelet_end(flamelet_begin(long_names[i % kLongNames], "bench", nullptr));
    forget();
  }
}

void site(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    flamelet_site_end(flamelet_site_begin(run_time_site));
    forget();
  }
}

void with_work(uint32_t scopes) {
  uint64_t state = 1;
  for (uint32_t i = 0; i < scopes; ++i) {
    {
      FLAMELET_SCOPE("work");
      work(&state);
    }
    forget();
  }
  __asm__ volatile("" ::"r"(state));
}

void only_work(uint32_t scopes) {
  uint64_t state = 1;
  for (uint32_t i = 0; i < scopes; ++i) {
    work(&state);
    forget();
  }
  __asm__ volatile("" ::"r"(state));
}

char other_memory[2 << 20];
void dirty_cache() {
  for (char& byte : other_memory) ++byte;
  forget();
}

uint64_t events() {
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  return stats.events_recorded;
}

}  // namespace

std::vector<Row> flamelet_rows(std::size_t cpus) {
  make_names();
  constexpr uint32_t kPairs = 2 * kScopesPerFrame;
  Row two_threads = {"flat, two threads at once", flat, limit_flat, nullptr, events, 2 * kPairs, nullptr, 2, 1.04};
  std::vector<Row> rows = {
      {"flat", flat, limit_flat, nullptr, events, kPairs, nullptr, 1, 1.01},
      {"nested, 8 deep", nested, limit_nested, nullptr, events, kPairs, nullptr, 1, 1.02},
      {"next", next, limit_flat, nullptr, events, kScopesPerFrame + 1, nullptr, 1, 0.52},
      {"run-time site", site, limit_flat, nullptr, events, kPairs, nullptr, 1, 1.10},
      {"object, interned", object, limit_flat, nullptr, events, kPairs, nullptr, 1, 1.02},
      {"dynamic name, interned", dynamic_name, limit_flat, nullptr, events, kPairs, nullptr, 1, 1.02},
      {"dynamic name, raw text", dynamic_text, limit_flat, nullptr, events, kPairs},
      {"flamelet_begin() and _end()", function_calls, limit_flat, nullptr, events, kPairs},
      {"... 1,000 names of 100 characters", function_calls_names, limit_flat, nullptr, events, kPairs, nullptr, 1,
       1.20},
      {"flat, ten sites", ten_sites, limit_flat, nullptr, events, kPairs},
      {"flat, 2 MB dirtied between frames", flat, limit_flat, dirty_cache, events, kPairs},
      {"flat, with 27 ns of work", with_work, limit_work, nullptr, events, kPairs},
      {"the 27 ns of work alone", only_work, limit_work},
      {"flat, disabled", ten_sites, limit_flat, nullptr, events, 0, flamelet_set_enabled},
      {"object, disabled", object, limit_flat, nullptr, events, 0, flamelet_set_enabled},
      {"_begin() and _end(), disabled", function_calls, limit_flat, nullptr, events, 0, flamelet_set_enabled},
  };
  if (cpus >= 2) rows.insert(rows.begin() + 2, two_threads);
  return rows;
}

#ifdef FLAMELET_BENCH_MODULE

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

#endif

}  // namespace flamelet_bench
