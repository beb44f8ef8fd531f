// SPDX-License-Identifier: MIT
//
// held_lock.h: what is recorded where a lock is not free, without the time that a thread would wait.
#ifndef FLAMELET_BENCH_HELD_LOCK_H
#define FLAMELET_BENCH_HELD_LOCK_H

#include <mutex>
#include <thread>

#include "flamelet/lock.h"

namespace flamelet_bench {

// Another thread holds it, in a scope, and sleeps.
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

#endif  // FLAMELET_BENCH_HELD_LOCK_H
