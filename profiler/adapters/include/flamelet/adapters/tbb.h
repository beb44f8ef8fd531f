// SPDX-License-Identifier: MIT
//
// flamelet/adapters/tbb.h: names oneTBB's worker threads, and shows when they are in an arena. C++.
//
//   flamelet::TbbThreads threads;          // of the calling thread's arena, or
//   flamelet::TbbThreads threads(arena);   // of this one
//
// A worker is named "tbb 1", "tbb 2", ... in the order in which they come. Between its entry and its exit there is a scope
// "tbb::arena" of the category "tbb": your scopes inside are tasks, and the rest of it is waiting and stealing.
// The object has to live as long as tasks run in the arena. A worker that is inside when it ends keeps its scope open
// until the thread's next exit or end.
// Threads:   make and end it on any thread; oneTBB calls it on the workers. Several arenas may have one each.
// Cost:      one scope for each stay of a worker in the arena, and its name at the first; nothing for a task.
#ifndef FLAMELET_ADAPTERS_TBB_H
#define FLAMELET_ADAPTERS_TBB_H

#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <cstdio>

#include "flamelet/scope.h"

namespace flamelet {

class TbbThreads : public tbb::task_scheduler_observer {
 public:
  FLAMELET_NOT_INSTRUMENTED_ TbbThreads() { observe(true); }
  FLAMELET_NOT_INSTRUMENTED_ explicit TbbThreads(tbb::task_arena& arena) : tbb::task_scheduler_observer(arena) {
    observe(true);
  }
  FLAMELET_NOT_INSTRUMENTED_ ~TbbThreads() override { observe(false); }

  FLAMELET_NOT_INSTRUMENTED_ void on_scheduler_entry(bool is_worker) override {
    if (!is_worker) return;  // a thread of the program has its own name, and its exit may come much later
    thread_local const unsigned number = next_number();
    char name[24];
    std::snprintf(name, sizeof name, "tbb %u", number);
    flamelet_set_thread_name(name);  // each time: a restart of the recorder forgets it
    scope() = flamelet_begin("tbb::arena", "tbb", nullptr);
  }
  FLAMELET_NOT_INSTRUMENTED_ void on_scheduler_exit(bool is_worker) override {
    if (!is_worker) return;
    flamelet_end(scope());
    scope() = 0;
  }

 private:
  FLAMELET_NOT_INSTRUMENTED_ static unsigned next_number() {
    static std::atomic<unsigned> count{0};
    return count.fetch_add(1, std::memory_order_relaxed) + 1;  // relaxed: a number, no more
  }
  FLAMELET_NOT_INSTRUMENTED_ static flamelet_id& scope() {
    thread_local flamelet_id id = 0;
    return id;
  }
};

}  // namespace flamelet

#endif  // FLAMELET_ADAPTERS_TBB_H
