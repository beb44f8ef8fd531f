// SPDX-License-Identifier: MIT
#include "jobs.h"

#include <flamelet/flamelet.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <string>

namespace demo {
namespace {

// oneTBB starts its threads when it needs them and tells only through an observer.
class NameWorkers : public tbb::task_scheduler_observer {
 public:
  explicit NameWorkers(tbb::task_arena& arena) : tbb::task_scheduler_observer(arena) { observe(true); }
  ~NameWorkers() override { observe(false); }

  void on_scheduler_entry(bool is_worker) override {
    thread_local bool named = false;
    if (!is_worker || named) return;
    named = true;
    const std::string name = "Worker " + std::to_string(count_.fetch_add(1, std::memory_order_relaxed) + 1);
    FLAMELET_THREAD_NAME(name.c_str());
  }

 private:
  std::atomic<int> count_{0};  // relaxed: only its own value counts
};

}  // namespace

struct Jobs::Arena {
  explicit Arena(int workers)
      : limit(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(workers) + 1),
        arena(workers + 1, 1),
        names(arena) {}

  tbb::global_control limit;  // without it oneTBB never starts more threads than there are cores
  tbb::task_arena arena;
  NameWorkers names;
  tbb::task_group group;
};

Jobs::Jobs(int workers) : arena_(std::make_unique<Arena>(workers)) {}
Jobs::~Jobs() = default;

void Jobs::run(std::function<void()> job) {
  FLAMELET_FLOW_BEGIN(this);
  arena_->arena.execute([&] {
    arena_->group.run([this, job = std::move(job)] {
      FLAMELET_FLOW_END(this);
      job();
      FLAMELET_FLOW_BEGIN(arena_.get());
    });
  });
}

void Jobs::join() {
  arena_->arena.execute([&] { arena_->group.wait(); });
  FLAMELET_FLOW_END(arena_.get());
}

void Jobs::for_each(size_t count, const std::function<void(size_t)>& body) {
  FLAMELET_FLOW_BEGIN(&body);
  arena_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<size_t>(0, count, 1),
        [&](const tbb::blocked_range<size_t>& range) {
          FLAMELET_FLOW_END(&body);
          for (size_t i = range.begin(); i != range.end(); ++i) body(i);
        },
        tbb::simple_partitioner());
  });
}

}  // namespace demo
