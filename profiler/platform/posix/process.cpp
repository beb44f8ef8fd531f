// SPDX-License-Identifier: MIT
#include "platform/process.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

namespace flamelet {

void yield_thread() {
  sched_yield();
}

bool call_in_forked_child(void (*run)()) {
  return pthread_atfork(nullptr, nullptr, run) == 0;
}

// The system's own type is a number or a pointer.
bool Thread::start(void (*run)(void*), void* user) {
  run_ = run;
  user_ = user;
  const auto begin = [](void* self) -> void* {
    static_cast<Thread*>(self)->call();
    return nullptr;
  };
  pthread_t thread;
  static_assert(sizeof thread <= sizeof handle_, "process.h keeps room for it");
  const SignalsBlocked inherited;
  if (pthread_create(&thread, nullptr, begin, this) != 0) return false;
  memcpy(&handle_, &thread, sizeof thread);
  return true;
}

void Thread::join() {
  pthread_t thread;
  memcpy(&thread, &handle_, sizeof thread);
  pthread_join(thread, nullptr);
}

SignalsBlocked::SignalsBlocked() {
  static_assert(sizeof(sigset_t) <= sizeof before_, "process.h keeps room for it");
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  memcpy(before_, &before, sizeof before);
}

SignalsBlocked::~SignalsBlocked() {
  sigset_t before;
  memcpy(&before, before_, sizeof before);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// ---- aligned memory

void* allocate_aligned(size_t size, size_t alignment) {
  void* memory = nullptr;  // posix_memalign() and not aligned_alloc(), which wants a multiple of the alignment
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}

void free_aligned(void* memory) {
  free(memory);
}

// ---- system clock

namespace {

uint64_t read_clock(clockid_t id) {
  timespec time;
  clock_gettime(id, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

uint64_t os_clock_ns() {
  return read_clock(CLOCK_MONOTONIC);
}

uint64_t unix_clock_ns() {
  return read_clock(CLOCK_REALTIME);
}

// A key and not a thread_local with a destructor: registering that one allocates, and a thread's first event may come
// from a signal handler. The first 32 keys of a process have their place in the thread itself.

namespace {

pthread_key_t exit_key;
bool exit_key_exists = false;  // atomic
void (*run_at_exit)() = nullptr;

void end_thread(void*) {
  run_at_exit();
}

// If this library is unloaded while threads go on, none of them may call into it when it exits.
__attribute__((destructor)) void stop_watching() {
  if (!exit_key_exists) return;
  __atomic_store_n(&exit_key_exists, false, __ATOMIC_RELAXED);
  pthread_key_delete(exit_key);
}

}  // namespace

bool set_thread_exit(void (*at_exit)()) {
  if (exit_key_exists) return true;
  run_at_exit = at_exit;
  // relaxed: whoever publishes that threads may be watched publishes this, too.
  __atomic_store_n(&exit_key_exists, pthread_key_create(&exit_key, end_thread) == 0, __ATOMIC_RELAXED);
  return exit_key_exists;
}

// relaxed: a thread that comes after the unloading must not take a key that the system has given to somebody else. One
// that comes during it still can, between these two calls; a lock is nothing for a signal handler.
void watch_thread_exit() {
  if (__atomic_load_n(&exit_key_exists, __ATOMIC_RELAXED)) pthread_setspecific(exit_key, &exit_key);  // any but NULL
}

}  // namespace flamelet
