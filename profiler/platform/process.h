// SPDX-License-Identifier: MIT
//
// process.h: what the system gives to a process and its threads, beside files: memory, clocks, threads, signals,
// the environment.
#ifndef FLAMELET_PLATFORM_PROCESS_H
#define FLAMELET_PLATFORM_PROCESS_H

#include <stddef.h>
#include <stdint.h>

namespace flamelet {

// Lets another thread run.
void yield_thread();

// A variable of the environment; NULL if it is empty, not there, or if the program runs with more rights than its user.
// In UTF-8, until the next call; one thread at a time.
const char* environment_of_user(const char* name);

// From now on `run` is called in every child that fork() makes. Once a process; false: it will not be called. Where there
// is no fork() there is nothing to do.
bool call_in_forked_child(void (*run)());

// One more thread. No signal handler runs on it.
class Thread {
 public:
  // Calls run(user) on it. False: there is none to be had, or there are no threads here.
  bool start(void (*run)(void* user), void* user);
  // Waits for its end. Once for each start.
  void join();

  void call() { run_(user_); }  // the new thread's own call

 private:
  void (*run_)(void* user) = nullptr;
  void* user_ = nullptr;
  uint64_t handle_ = 0;
};

// Signals blocked: no signal handler runs on the calling thread while one of these stands. Nothing where there are no
// signals.

// Whether a handler can interrupt a thread and record on it.
#ifdef _WIN32
constexpr bool kHandlersInterrupt = false;
#else
constexpr bool kHandlersInterrupt = true;
#endif

class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
#ifndef _WIN32
  alignas(8) unsigned char before_[128];  // the signals that were blocked before
#endif
};

// Process barrier: makes every running thread of the process pass a full memory barrier, at no cost to those threads
// before and after.

// Before the first barrier. False: this system has none.
bool prepare_process_barrier();
// False: not every thread has passed one.
bool process_barrier();

// Process symbol: what other libraries of the process export.

// The address of this name, or NULL: also where the system cannot be asked.
void* symbol_of_process(const char* name);

// How the functions of a graphics driver are called. 32-bit Windows has a convention of its own for them; 64-bit Windows
// accepts the word and ignores it.
#ifdef _WIN32
#define FLAMELET_DRIVER_CALL_ __stdcall
#else
#define FLAMELET_DRIVER_CALL_
#endif

// Aligned memory: memory of the C library at any alignment that is a power of two.

// Exactly that large, so that AddressSanitizer sees its end. NULL: there is no more.
void* allocate_aligned(size_t size, size_t alignment);
void free_aligned(void* memory);
// The same for a block that is touched at once: it asks for huge pages where the system has them, so that touching
// 32 MiB takes 16 page faults instead of 8192.
void* allocate_huge_pages(size_t size, size_t alignment);

// System clock: the clocks of the operating system, in nanoseconds.

uint64_t os_clock_ns();    // monotonic; its origin means nothing
uint64_t unix_clock_ns();  // since 1970, as somebody set it

// Thread exit: a call on each thread as it exits.

// `at_exit` is called on every thread that was watched, when it exits. One function a process; setting it again changes
// nothing. False: the system has no room for it. One thread at a time.
bool set_thread_exit(void (*at_exit)());
// The calling thread is watched from now on. Also in a signal handler: it allocates nothing.
void watch_thread_exit();

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_PROCESS_H
