// SPDX-License-Identifier: MIT
//
// frames.h: what is timed. A frame is a function that records `scopes` scopes in a loop; every contender has one, and
// with it the frame of the limit that has the same shape.
#ifndef FLAMELET_BENCH_FRAMES_H
#define FLAMELET_BENCH_FRAMES_H

#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "flamelet/lock.h"

namespace flamelet_bench {

constexpr uint32_t kScopesPerFrame = 1000;

struct Row {
  const char* name;
  void (*frame)(uint32_t scopes);
  void (*limit)(uint32_t scopes);
  void (*before_frame)() = nullptr;     // not timed
  uint64_t (*events)() = nullptr;       // recorded so far, in all; NULL = cannot be asked
  uint32_t events_per_frame = 0;        // what it must grow by: a contender that records less is not one
  void (*set_enabled)(bool) = nullptr;  // not NULL: measured while this is false
  uint32_t threads = 1;                 // that run the frame at the same time, each pinned
  double goal = 0;                      // ratio to the limit; 0 = none
};

// The limit's frames.
void limit_flat(uint32_t scopes);
void limit_nested(uint32_t scopes);
void limit_work(uint32_t scopes);
// Gives the calling thread its ring for the limit, and takes it back.
void open_limit_ring();
void close_limit_ring();
// Whether the newest events of the calling thread's ring are those of a frame that began at `begin_ticks`.
bool limit_recorded(uint64_t begin_ticks);

// Rows of Flamelet itself; the recorder runs. `cpus`: how many there are.
std::vector<Row> flamelet_rows(std::size_t cpus);
// Through a shared library, if it was built: a plug-in that records into a Flamelet of its own.
std::vector<Row> shared_library_rows();
// By the macros of other profilers: recorded by Flamelet's shims, or by those themselves if CMake was told where they are.
std::vector<Row> other_rows();

// 27 ns of something that the CPU cannot do ahead of time: each step needs the one before.
extern uint32_t work_steps;
void calibrate_work();
__attribute__((always_inline)) inline void work(uint64_t* state) {
  uint64_t value = *state;
  for (uint32_t i = 0; i < work_steps; ++i) value = value * 0x5851F42D4C957F2Du + 1;
  *state = value;
}

// What the bench finds in the plug-in, as the symbol "flamelet_bench_module".
struct SharedModule {
  bool (*start)();
  void (*flat)(uint32_t scopes);
  void (*function_calls)(uint32_t scopes);
  uint64_t (*events)();
};

// What is recorded where a lock is not free, without the time that a thread would wait: another thread holds it, in a scope,
// and sleeps.
class HeldLock {
 public:
  HeldLock() {
    ready_.lock();
    done_.lock();
    holder_ = std::thread([this] {
      FLAMELET_SCOPE("holds");
      flamelet_lock_taken(&lock_);
      ready_.unlock();
      done_.lock();
    });
    ready_.lock();
  }
  ~HeldLock() {
    done_.unlock();
    holder_.join();
  }
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;

  // A wait with its hand-over: what two threads record.
  void wait() const {
    const flamelet_wait wait = flamelet_wait_begin(&lock_, FLAMELET_WAIT_LOCK);
    flamelet_notify(&lock_);
    flamelet_wait_end(&lock_, wait, true);
  }

 private:
  mutable flamelet_lock lock_ = {"lock", nullptr, 0, 0};
  std::mutex ready_, done_;
  std::thread holder_;
};

}  // namespace flamelet_bench

#endif  // FLAMELET_BENCH_FRAMES_H
