// SPDX-License-Identifier: MIT
//
// c_locks.cpp: locks of C programs. They tell what happened after it happened, when another thread may have the lock
// already: so what a thread waits for and holds is in its own memory.
#define TRACY_MANUAL_LIFETIME
#define TRACY_ENABLE
#include <stdlib.h>

#include "flamelet/scope.h"
#include "platform/thread_local.h"
#include "tracy/TracyC.h"

namespace {

constexpr uint32_t kMaxHeld = 16;

struct Hold {
  flamelet_shim_lock* lock;  // NULL: free
  flamelet_id id;
};
FLAMELET_THREAD_LOCAL_ Hold held[kMaxHeld];
FLAMELET_THREAD_LOCAL_ flamelet_id waiting;

flamelet_shim_lock* announce(const ___tracy_source_location_data* place) {
  flamelet_shim_lock* lock = static_cast<flamelet_shim_lock*>(calloc(1, sizeof(flamelet_shim_lock)));
  if (lock != nullptr) lock->name = place->name != nullptr ? place->name : place->function;
  return lock;
}

void terminate(flamelet_shim_lock* lock) {
  if (lock != nullptr) flamelet_shim_lock_end(lock);
  free(lock);
}

int32_t before_lock(const flamelet_shim_lock* lock) {
  if (lock == nullptr) return 0;
  waiting = flamelet_shim_lock_wait(lock);
  return 1;
}

void take(flamelet_shim_lock* lock) {
  for (Hold& hold : held) {
    if (hold.lock != nullptr) continue;
    flamelet_shim_lock name_only = *lock;
    name_only.depth = 0;
    flamelet_shim_lock_held(&name_only);
    hold = {lock, name_only.hold};
    return;
  }
}

void after_lock(flamelet_shim_lock* lock) {
  if (lock == nullptr) return;
  flamelet_end(waiting);
  waiting = 0;
  take(lock);
}

// The newest hold first.
void after_unlock(const flamelet_shim_lock* lock) {
  for (uint32_t i = kMaxHeld; lock != nullptr && i-- > 0;) {
    if (held[i].lock != lock) continue;
    flamelet_interval_end(held[i].id);
    held[i].lock = nullptr;
    return;
  }
}

void mark(const flamelet_shim_lock* lock, const ___tracy_source_location_data* place) {
  if (lock != nullptr) flamelet_shim_lock_mark(lock, place->function);
}

void set_name(flamelet_shim_lock* lock, const char* name, size_t size) {
  if (lock != nullptr) flamelet_shim_lock_name(lock, name, size);
}

}  // namespace

TracyCLockCtx ___tracy_announce_lockable_ctx(const ___tracy_source_location_data* place) {
  return announce(place);
}
void ___tracy_terminate_lockable_ctx(TracyCLockCtx lock) {
  terminate(lock);
}
int32_t ___tracy_before_lock_lockable_ctx(TracyCLockCtx lock) {
  return before_lock(lock);
}
void ___tracy_after_lock_lockable_ctx(TracyCLockCtx lock) {
  after_lock(lock);
}
void ___tracy_after_unlock_lockable_ctx(TracyCLockCtx lock) {
  after_unlock(lock);
}
void ___tracy_after_try_lock_lockable_ctx(TracyCLockCtx lock, int32_t acquired) {
  if (lock != nullptr && acquired != 0) take(lock);
}
void ___tracy_mark_lockable_ctx(TracyCLockCtx lock, const ___tracy_source_location_data* place) {
  mark(lock, place);
}
void ___tracy_custom_name_lockable_ctx(TracyCLockCtx lock, const char* name, size_t size) {
  set_name(lock, name, size);
}

TracyCSharedLockCtx ___tracy_announce_shared_lockable_ctx(const ___tracy_source_location_data* place) {
  return announce(place);
}
void ___tracy_terminate_shared_lockable_ctx(TracyCSharedLockCtx lock) {
  terminate(lock);
}
int32_t ___tracy_before_lock_shared_lockable_ctx(TracyCSharedLockCtx lock) {
  return before_lock(lock);
}
void ___tracy_after_lock_shared_lockable_ctx(TracyCSharedLockCtx lock) {
  after_lock(lock);
}
void ___tracy_after_unlock_shared_lockable_ctx(TracyCSharedLockCtx lock) {
  after_unlock(lock);
}
void ___tracy_after_try_lock_shared_lockable_ctx(TracyCSharedLockCtx lock, int32_t acquired) {
  if (lock != nullptr && acquired != 0) take(lock);
}
int32_t ___tracy_before_lock_shared_shared_lockable_ctx(TracyCSharedLockCtx lock) {
  return before_lock(lock);
}
void ___tracy_after_lock_shared_shared_lockable_ctx(TracyCSharedLockCtx lock) {
  after_lock(lock);
}
void ___tracy_after_unlock_shared_shared_lockable_ctx(TracyCSharedLockCtx lock) {
  after_unlock(lock);
}
void ___tracy_after_try_lock_shared_shared_lockable_ctx(TracyCSharedLockCtx lock, int32_t acquired) {
  if (lock != nullptr && acquired != 0) take(lock);
}
void ___tracy_mark_shared_lockable_ctx(TracyCSharedLockCtx lock, const ___tracy_source_location_data* place) {
  mark(lock, place);
}
void ___tracy_custom_name_shared_lockable_ctx(TracyCSharedLockCtx lock, const char* name, size_t size) {
  set_name(lock, name, size);
}
