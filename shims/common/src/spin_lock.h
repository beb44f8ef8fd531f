// SPDX-License-Identifier: MIT
//
// spin_lock.h: guards a few loads and stores. Zero is unlocked, so static ones need no constructor.
#pragma once

#include <stdint.h>

#include "platform/atomic.h"
#include "platform/process.h"

namespace flamelet {

class SpinGuard {
 public:
  // acquire and release: what the lock guards passes from one holder to the next.
  explicit SpinGuard(Atomic<uint32_t>& lock) : lock_(lock) {
    while (!lock_.cas_acquire(0, 1)) yield_thread();
  }
  ~SpinGuard() { lock_.store_release(0); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  Atomic<uint32_t>& lock_;
};

}  // namespace flamelet
