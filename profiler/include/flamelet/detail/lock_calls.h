// SPDX-License-Identifier: MIT
//
// flamelet/detail/lock_calls.h: the calls of flamelet/lock.h for C, without the standard library's locks. Include that one.
#ifndef FLAMELET_DETAIL_LOCK_CALLS_H
#define FLAMELET_DETAIL_LOCK_CALLS_H

#include "flamelet/scope.h"

// What is waited for: the name of the wait's site.
typedef enum flamelet_wait_kind FLAMELET_ANY_ENUM_ {
  FLAMELET_WAIT_LOCK = 0,
  FLAMELET_WAIT_SHARED_LOCK,  // to share it
  FLAMELET_WAIT_CONDITION,    // a condition variable
  FLAMELET_WAIT_SEMAPHORE,
  FLAMELET_WAIT_BARRIER,
  FLAMELET_WAIT_THREAD,  // its end
  FLAMELET_WAIT_KINDS
} flamelet_wait_kind;

#define FLAMELET_WAIT_FUNCTION_ "flamelet_wait_begin"  // the function of those sites, by which readers know them

#define FLAMELET_ANY_FIBER_ UINT32_MAX

// Begins as all 0, but for the name. A condition variable, a semaphore and so on has one, too: nobody holds it.
typedef struct flamelet_lock {
  const char* name;
  void* holder_;        // atomic: the thread that took it
  uint64_t hand_over_;  // atomic: id of the flow from the newest release or notify
  uint32_t waiting_;    // atomic: how many threads wait: to have it alone : 16 low bits, to share it : 16
  uint32_t fiber_;      // atomic: that ran there as it was taken; 0: none; FLAMELET_ANY_FIBER_: nobody knows
} flamelet_lock;

typedef struct flamelet_wait {
  flamelet_id id;  // of its scope; 0: nothing is recorded
  uint64_t hand_over_;
  uint32_t counted_;
} flamelet_wait;

FLAMELET_EXTERN_C_BEGIN

// Before a thread blocks, and after it. `got` false: it gave up. Of a kind that has no name, nothing is recorded.
FLAMELET_API flamelet_wait flamelet_wait_begin(flamelet_lock* lock, flamelet_wait_kind kind);
FLAMELET_API void flamelet_wait_end(flamelet_lock* lock, flamelet_wait wait, bool got);
FLAMELET_API void flamelet_hand_over_(flamelet_lock* lock);

FLAMELET_EXTERN_C_END

// A flow to those of `whom` that wait. relaxed: a thread that begins to wait in this moment has none.
FLAMELET_FORCE_INLINE_ void flamelet_notify_(flamelet_lock* lock, uint32_t whom) {
  if (__builtin_expect((__atomic_load_n(&lock->waiting_, __ATOMIC_RELAXED) & whom) != 0, 0)) flamelet_hand_over_(lock);
}
// The calling thread wakes one that waits, or all of them: called before it does.
FLAMELET_FORCE_INLINE_ void flamelet_notify(flamelet_lock* lock) {
  flamelet_notify_(lock, UINT32_MAX);
}
// The calling thread holds the lock now.
FLAMELET_FORCE_INLINE_ void flamelet_lock_taken(flamelet_lock* lock) {
  flamelet_track_head_* const track = flamelet_this_track_();
  __atomic_store_n(&lock->fiber_, __atomic_load_n(&track->fiber, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  __atomic_store_n(&lock->holder_, track, __ATOMIC_RELAXED);
}
// Before the lock is given back.
FLAMELET_FORCE_INLINE_ void flamelet_lock_freed(flamelet_lock* lock) {
  flamelet_notify(lock);
  __atomic_store_n(&lock->holder_, FLAMELET_NULL_, __ATOMIC_RELAXED);
}
// The same for one of several who share it: those who wait to share it do not wait for that.
FLAMELET_FORCE_INLINE_ void flamelet_lock_shared_freed(flamelet_lock* lock) {
  flamelet_notify_(lock, 0xFFFF);
  if (__atomic_load_n(&lock->holder_, __ATOMIC_RELAXED) == flamelet_this_track_())
    __atomic_store_n(&lock->holder_, FLAMELET_NULL_, __ATOMIC_RELAXED);
}

#endif  // FLAMELET_DETAIL_LOCK_CALLS_H
