// SPDX-License-Identifier: MIT
//
// c_locks.cpp: locks of C programs. They tell what happened after it happened: so there is a flow from who gives it
// back only if the next thread does not have it yet.
#define TRACY_MANUAL_LIFETIME
#define TRACY_ENABLE
#include <stdlib.h>

#include "flamelet/lock.h"
#include "platform/thread_local.h"
#include "tracy/TracyC.h"

struct flamelet_shim_lock {
  flamelet_lock lock;
  flamelet_shim_lock_names names;
};

namespace {

FLAMELET_THREAD_LOCAL_ flamelet_wait waiting;

flamelet_shim_lock* announce(const ___tracy_source_location_data* place) {
  flamelet_shim_lock* lock = static_cast<flamelet_shim_lock*>(calloc(1, sizeof(flamelet_shim_lock)));
  if (lock != nullptr) lock->lock.name = place->name != nullptr ? place->name : place->function;
  return lock;
}

void terminate(flamelet_shim_lock* lock) {
  if (lock != nullptr) flamelet_shim_lock_end(&lock->names);
  free(lock);
}

int32_t before_lock(flamelet_shim_lock* lock, flamelet_wait_kind kind) {
  if (lock == nullptr) return 0;
  waiting = flamelet_wait_begin(&lock->lock, kind);
  return 1;
}

void after_lock(flamelet_shim_lock* lock) {
  if (lock == nullptr) return;
  flamelet_wait_end(&lock->lock, waiting, true);
  waiting = {};
  flamelet_lock_taken(&lock->lock);
}

}  // namespace

// Tracy has them by other names for a lock that can be shared, and for a hold that is.
#define LOCK_FUNCTIONS(Context, kind)                                                         \
  Context ___tracy_announce_##kind##_ctx(const ___tracy_source_location_data* place) {        \
    return announce(place);                                                                   \
  }                                                                                           \
  void ___tracy_terminate_##kind##_ctx(Context lock) {                                        \
    terminate(lock);                                                                          \
  }                                                                                           \
  void ___tracy_mark_##kind##_ctx(Context lock, const ___tracy_source_location_data* place) { \
    if (lock != nullptr) flamelet_shim_lock_mark(&lock->lock, place->function);               \
  }                                                                                           \
  void ___tracy_custom_name_##kind##_ctx(Context lock, const char* name, size_t size) {       \
    if (lock != nullptr) flamelet_shim_lock_name(&lock->lock, &lock->names, name, size);      \
  }
#define HOLD_FUNCTIONS(Context, kind, wait_kind)                              \
  int32_t ___tracy_before_lock_##kind##_ctx(Context lock) {                   \
    return before_lock(lock, wait_kind);                                      \
  }                                                                           \
  void ___tracy_after_lock_##kind##_ctx(Context lock) {                       \
    after_lock(lock);                                                         \
  }                                                                           \
  void ___tracy_after_unlock_##kind##_ctx(Context lock) {                     \
    if (lock != nullptr) flamelet_lock_shared_freed(&lock->lock);             \
  }                                                                           \
  void ___tracy_after_try_lock_##kind##_ctx(Context lock, int32_t acquired) { \
    if (lock != nullptr && acquired != 0) flamelet_lock_taken(&lock->lock);   \
  }
LOCK_FUNCTIONS(TracyCLockCtx, lockable)
LOCK_FUNCTIONS(TracyCSharedLockCtx, shared_lockable)
HOLD_FUNCTIONS(TracyCLockCtx, lockable, FLAMELET_WAIT_LOCK)
HOLD_FUNCTIONS(TracyCSharedLockCtx, shared_lockable, FLAMELET_WAIT_LOCK)
HOLD_FUNCTIONS(TracyCSharedLockCtx, shared_shared_lockable, FLAMELET_WAIT_SHARED_LOCK)
