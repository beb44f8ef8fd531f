// SPDX-License-Identifier: MIT
//
// C++20 coroutines as fibers: a scope that was opened in a coroutine closes in it, on whichever thread it is resumed.
#include <doctest/doctest.h>

#include <coroutine>
#include <exception>
#include <thread>
#include <utility>

#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "record/session.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

// A coroutine that tells Flamelet when it runs.
class Task {
 public:
  struct promise_type {
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle), fiber_(flamelet_fiber_create("task")) {}
  // Moved nowhere, but clang++ 14 asks for it where a coroutine returns its object.
  Task(Task&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), fiber_(std::exchange(other.fiber_, 0u)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
    flamelet_fiber_destroy(fiber_);
  }
  void resume() {
    flamelet_fiber_switch(0, fiber_);
    handle_.resume();
    flamelet_fiber_switch(fiber_, 0);
  }
  bool done() const { return handle_.done(); }

 private:
  std::coroutine_handle<promise_type> handle_;
  uint32_t fiber_;
};

Task work(int steps) {
  FLAMELET_SCOPE("coroutine");
  for (int i = 0; i < steps; ++i) {
    FLAMELET_SCOPE_OBJECT("step", "object");
    co_await std::suspend_always();
    FLAMELET_BEGIN(part, "first part");
    co_await std::suspend_always();
    FLAMELET_NEXT(part, "second part");
  }
}

}  // namespace

TEST_CASE_ON_EACH_CLOCK_OF(with_fibers(4, 400),
                           "coroutine: scopes in it close in it, although others run in between on the same thread") {
  {
    Task a = work(1), b = work(1);
    while (!a.done()) {
      a.resume();
      b.resume();
    }
  }
  CHECK(own_events(&log) ==
        "@0>1() +coroutine +step{object} @1>0() @0>2() +coroutine +step{object} @2>0() "
        "@0>1(coroutine,step{object}) +first part @1>0() @0>2(coroutine,step{object}) +first part @2>0() "
        "@0>1(coroutine,step{object},first part) ~second part - - - @1>0() "
        "@0>2(coroutine,step{object},first part) ~second part - - - @2>0() x2(0) x1(0)");
  CHECK(stats().extra_ends + stats().missing_ends + stats().fiber_misuse == 0);
}

TEST_CASE_ON_EACH_CLOCK_OF(with_fibers(4, 400), "coroutine: scopes in it close in it on another thread each time") {
  EventReader reader;
  {
    Task task = work(50);
    while (!task.done()) std::thread([&task] { task.resume(); }).join();
  }
  CHECK(reader.read_problem() == "");
  CHECK(stats().extra_ends + stats().missing_ends + stats().fiber_misuse == 0);
  CHECK(reader.total_read() == 1 + 2 + 50 * 5 + 2 * 101 + 1);
}
