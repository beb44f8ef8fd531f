// SPDX-License-Identifier: MIT
//
// flamelet_scope_loop KIND SCOPES
//
// Records that many scopes and ends: count_instructions.cmake counts the instructions of two runs and takes the
// difference, so that start and stop do not count. The ten sites in a row leave a third of an instruction of the loop.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "flamelet/capture.h"
#include "flamelet/flamelet.h"
#include "flamelet/lock.h"
#include "measure.h"

using flamelet_bench::forget;
using flamelet_bench::HeldLock;
using flamelet_bench::limit_record;

namespace {

const char limit_site = 0;
const char* name = "";

// clang-format off
#define FLAMELET_TEN_TIMES(statement) \
  statement; statement; statement; statement; statement; statement; statement; statement; statement; statement
// clang-format on

void run_limit(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; i += 10) {
    FLAMELET_TEN_TIMES({
      limit_record(&limit_site);
      limit_record(nullptr);
      forget();
    });
  }
}

void run_flat(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; i += 10) {
    FLAMELET_TEN_TIMES({
      { FLAMELET_SCOPE("scope"); }
      forget();
    });
  }
}

void run_next(uint32_t scopes) {
  FLAMELET_BEGIN(scope, "first");
  for (uint32_t i = 0; i < scopes; i += 10) {
    FLAMELET_TEN_TIMES({
      FLAMELET_NEXT(scope, "next");
      forget();
    });
  }
}

void run_object(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; i += 10) {
    FLAMELET_TEN_TIMES({
      { FLAMELET_SCOPE_OBJECT("scope", name); }
      forget();
    });
  }
}

void run_dynamic(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; i += 10) {
    FLAMELET_TEN_TIMES({
      { FLAMELET_SCOPE_DYNAMIC(name); }
      forget();
    });
  }
}

void run_call(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; i += 10) {
    FLAMELET_TEN_TIMES({
      flamelet_end(flamelet_begin("call", "bench", nullptr));
      forget();
    });
  }
}

void run_site(uint32_t scopes) {
  flamelet_site* const site = flamelet_site_create("site", "function", "file", 1, "bench", 0);
  for (uint32_t i = 0; i < scopes; i += 10) {
    FLAMELET_TEN_TIMES({
      flamelet_site_end(flamelet_site_begin(site));
      forget();
    });
  }
}

// Names as engines have them: a thousand, of 100 characters, which differ at the end. The first pass is not measured:
// count_instructions.cmake takes the difference of two runs.
constexpr uint32_t kNames = 1000;
char names[kNames][101];

void make_names() {
  for (uint32_t i = 0; i < kNames; ++i) std::snprintf(names[i], sizeof(names[i]), "%096u%04u", 0u, i);
}

void run_names(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; i += 10) {
    const char(*ten)[101] = &names[i % kNames];
    FLAMELET_TEN_TIMES({
      flamelet_end(flamelet_begin(*ten++, "bench", nullptr));
      forget();
    });
  }
}

void run_disabled(uint32_t scopes) {
  flamelet_set_enabled(false);
  run_flat(scopes);
}

void run_disabled_call(uint32_t scopes) {
  flamelet_set_enabled(false);
  run_call(scopes);
}

// The thread records something else, as a game's threads do.
void run_category_off(uint32_t scopes) {
  flamelet_instant("another", "another", nullptr);
  flamelet_category_set_enabled("", false);
  run_flat(scopes);
}

void run_category_off_call(uint32_t scopes) {
  flamelet_instant("another", "another", nullptr);
  flamelet_category_set_enabled("bench", false);
  run_call(scopes);
}

// Both ends: two events, as of a scope.
void run_flow(uint32_t flows) {
  for (uint32_t i = 0; i < flows; i += 10) {
    FLAMELET_TEN_TIMES({
      FLAMELET_FLOW_BEGIN(i);
      FLAMELET_FLOW_END(i);
      forget();
    });
  }
}

// Locks that are free: taken and given back.
template <class Lock>
void run_lock(uint32_t locks) {
  flamelet_instant("a track", "", nullptr);
  static Lock lock;
  for (uint32_t i = 0; i < locks; i += 10) {
    FLAMELET_TEN_TIMES({
      lock.lock();
      forget();
      lock.unlock();
    });
  }
}

// What is recorded where a lock is not free: the wait, with its holder, and the hand-over.
void run_wait(uint32_t waits) {
  const HeldLock held;
  for (uint32_t i = 0; i < waits; ++i) held.wait();
}

void run_frame(uint32_t marks) {
  for (uint32_t i = 0; i < marks; ++i) flamelet_frame();
}

// Updates of a capture, each with the mark of a frame in which nothing was recorded.
void run_update(uint32_t updates) {
  const flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture* capture;
  if (flamelet_capture_create(&config, &capture) != FLAMELET_OK) std::exit(1);
  for (uint32_t i = 0; i < updates; ++i) {
    flamelet_frame();
    flamelet_capture_update(capture);
  }
  flamelet_capture_destroy(capture);
}

struct Kind {
  const char* name;
  void (*run)(uint32_t count);
  void (*prepare)() = nullptr;
};
const Kind kKinds[] = {
    {"site", run_site},
    {"limit", run_limit, flamelet_bench::open_limit_ring},
    {"flat", run_flat},
    {"next", run_next},
    {"object", run_object},
    {"dynamic", run_dynamic},
    {"call", run_call},
    {"names", run_names, make_names},
    {"disabled", run_disabled},
    {"disabled_call", run_disabled_call},
    {"frame", run_frame},
    {"flow", run_flow},
    {"std_mutex", run_lock<std::mutex>},
    {"mutex", run_lock<flamelet::Mutex>},
    {"wait", run_wait},
    {"update", run_update},
    {"category_off", run_category_off},
    {"category_off_call", run_category_off_call},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = 8u << 20;  // less to touch
  config.thread_times = false;     // asks the system, whose instructions are not counted
  if (flamelet_init(&config) != FLAMELET_OK) return 1;
  const uint32_t clock = flamelet_clock_info().kind;
  if (clock != FLAMELET_CLOCK_TSC && clock != FLAMELET_CLOCK_CNTVCT) {
    std::printf("the clock is not the CPU's counter\n");
    return 3;
  }
  name = flamelet_intern("name");
  for (const Kind& kind : kKinds) {
    if (std::strcmp(kind.name, argv[1]) != 0) continue;
    if (kind.prepare != nullptr) kind.prepare();
    kind.run(static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 10)));
    return flamelet_shutdown() == FLAMELET_OK ? 0 : 1;
  }
  return 2;
}
