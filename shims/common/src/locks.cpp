// SPDX-License-Identifier: MIT
//
// locks.cpp: who waits for a lock, and how long it is held.
#include <stdlib.h>
#include <string.h>

#include "flamelet/scope.h"
#include "flamelet_shim/calls.h"
#include "spin_lock.h"

using namespace flamelet;

struct flamelet_shim_lock_own_name {
  flamelet_shim_lock_own_name* before;
  char text[1];
};

namespace {

const char* name_of(const flamelet_shim_lock* lock) {
  // acquire: pairs with the release in flamelet_shim_lock_name().
  const flamelet_shim_lock_own_name* own = as_atomic(lock->own_name).load_acquire();
  return own != nullptr ? own->text : lock->name;
}

flamelet_id begin_hold(const flamelet_shim_lock* lock) {
  return flamelet_is_off_() ? 0 : flamelet_interval_begin(name_of(lock), "lock", nullptr);
}

}  // namespace

flamelet_id flamelet_shim_lock_wait(const flamelet_shim_lock* lock) {
  return flamelet_begin(name_of(lock), FLAMELET_WAIT_CATEGORY, nullptr);
}

void flamelet_shim_lock_held(flamelet_shim_lock* lock) {
  if (lock->depth++ == 0) lock->hold = begin_hold(lock);
}

void flamelet_shim_lock_freed(flamelet_shim_lock* lock) {
  if (lock->depth == 0 || --lock->depth != 0) return;
  flamelet_interval_end(lock->hold);
  lock->hold = 0;
}

void flamelet_shim_lock_shared_held(flamelet_shim_lock* lock) {
  const SpinGuard guard(as_atomic(lock->readers_lock));
  if (lock->readers++ == 0) lock->shared_hold = begin_hold(lock);
}

void flamelet_shim_lock_shared_freed(flamelet_shim_lock* lock) {
  const SpinGuard guard(as_atomic(lock->readers_lock));
  if (lock->readers == 0 || --lock->readers != 0) return;
  flamelet_interval_end(lock->shared_hold);
  lock->shared_hold = 0;
}

void flamelet_shim_lock_mark(const flamelet_shim_lock* lock, const char* function) {
  if (!flamelet_is_off_()) flamelet_instant(name_of(lock), "lock", flamelet_intern(function));
}

void flamelet_shim_lock_name(flamelet_shim_lock* lock, const char* text, size_t size) {
  auto* name = static_cast<flamelet_shim_lock_own_name*>(malloc(sizeof(flamelet_shim_lock_own_name) + size));
  if (name == nullptr) return;
  if (size != 0) memcpy(name->text, text, size);
  name->text[size] = 0;
  const SpinGuard guard(as_atomic(lock->readers_lock));
  name->before = lock->own_name;
  as_atomic(lock->own_name).store_release(name);
}

void flamelet_shim_lock_end(flamelet_shim_lock* lock) {
  while (flamelet_shim_lock_own_name* name = lock->own_name) {
    lock->own_name = name->before;
    free(name);
  }
}
