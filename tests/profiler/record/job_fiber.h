// SPDX-License-Identifier: MIT
//
// A fiber of Boost.Context that tells Flamelet when it runs, and the sanitizers, which have to know each stack.
#pragma once

#ifdef _WIN32
#include "job_fiber_windows.h"
#else

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <boost/context/preallocated.hpp>
#include <utility>

#include "flamelet/recorder.h"

#if defined(__SANITIZE_ADDRESS__)
#define FLAMELET_TESTS_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define FLAMELET_TESTS_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FLAMELET_TESTS_ASAN 1
#elif __has_feature(thread_sanitizer)
#define FLAMELET_TESTS_TSAN 1
#endif
#endif
#if FLAMELET_TESTS_ASAN
#include <sanitizer/common_interface_defs.h>
#elif FLAMELET_TESTS_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace recorder_test {

// What a sanitizer wants to hear around each switch between two stacks.
class StackSwitch {
 public:
#if FLAMELET_TESTS_ASAN
  void to_fiber(const void* bottom, size_t size) {
    __sanitizer_start_switch_fiber(&caller_, bottom, size);
  }
  void on_caller() {
    __sanitizer_finish_switch_fiber(caller_, nullptr, nullptr);
  }
  void to_caller(bool last) {
    __sanitizer_start_switch_fiber(last ? nullptr : &fiber_, caller_bottom_, caller_size_);
  }
  void on_fiber() {
    __sanitizer_finish_switch_fiber(fiber_, &caller_bottom_, &caller_size_);
  }

 private:
  void* caller_ = nullptr;
  void* fiber_ = nullptr;
  const void* caller_bottom_ = nullptr;
  size_t caller_size_ = 0;
#elif FLAMELET_TESTS_TSAN
  // Both told on the caller's side: each entry to an instrumented function and each exit, those of a fiber that has
  // ended among them, then falls to the stack that counts it. Inlined, so that they are no such functions themselves:
  // the exit of one that was entered on another stack takes from an empty one, and the next entry writes below it.
  StackSwitch() : fiber_(__tsan_create_fiber(0)) {}
  ~StackSwitch() {
    __tsan_destroy_fiber(fiber_);
  }
  __attribute__((always_inline)) void to_fiber(const void*, size_t) {
    caller_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber_, 0);
  }
  __attribute__((always_inline)) void on_caller() {
    __tsan_switch_to_fiber(caller_, 0);
  }
  void to_caller(bool) {}
  void on_fiber() {}

 private:
  void* caller_ = nullptr;
  void* fiber_;
#else
  void to_fiber(const void*, size_t) {}
  void on_caller() {}
  void to_caller(bool) {}
  void on_fiber() {}
#endif
};

class JobFiber {
 public:
  explicit JobFiber(void (*work)(JobFiber*)) : id_(flamelet_fiber_create("job")) {
    boost::context::fixedsize_stack allocator;
    boost::context::stack_context stack = allocator.allocate();
    stack_bottom_ = static_cast<char*>(stack.sp) - stack.size;
    stack_size_ = stack.size;
    fiber_ = boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
                                   allocator, [this, work](boost::context::fiber&& caller) {
                                     switch_.on_fiber();
                                     caller_ = std::move(caller);
                                     work(this);
                                     done_ = true;
                                     switch_.to_caller(true);
                                     return std::move(caller_);
                                   });
  }
  ~JobFiber() { flamelet_fiber_destroy(id_); }
  JobFiber(const JobFiber&) = delete;
  JobFiber& operator=(const JobFiber&) = delete;

  // Runs on the calling thread until it yields or is done. To be called until it is done.
  void run() {
    flamelet_fiber_switch(0, id_);
    switch_.to_fiber(stack_bottom_, stack_size_);
    fiber_ = std::move(fiber_).resume();
    switch_.on_caller();
    flamelet_fiber_switch(id_, 0);
  }
  // By the work itself.
  void yield() {
    switch_.to_caller(false);
    caller_ = std::move(caller_).resume();
    switch_.on_fiber();
  }
  bool done() const { return done_; }

 private:
  uint32_t id_;
  bool done_ = false;
  const void* stack_bottom_ = nullptr;
  size_t stack_size_ = 0;
  StackSwitch switch_;
  boost::context::fiber fiber_;
  boost::context::fiber caller_;
};

}  // namespace recorder_test

#endif  // not Windows
