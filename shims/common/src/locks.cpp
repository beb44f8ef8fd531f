// SPDX-License-Identifier: MIT
//
// locks.cpp: names of locks that are given at run time, and marks.
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

void flamelet_shim_lock_mark(const flamelet_lock* lock, const char* function) {
  if (flamelet_is_off_()) return;
  // acquire: pairs with the release in flamelet_shim_lock_name().
  flamelet_instant(as_atomic(lock->name).load_acquire(), "lock", flamelet_intern(function));
}

void flamelet_shim_lock_name(flamelet_lock* lock, flamelet_shim_lock_names* names, const char* text, size_t size) {
  auto* name = static_cast<flamelet_shim_lock_own_name*>(malloc(sizeof(flamelet_shim_lock_own_name) + size));
  if (name == nullptr) return;
  if (size != 0) memcpy(name->text, text, size);
  name->text[size] = 0;
  const SpinGuard guard(as_atomic(names->lock));
  name->before = names->newest;
  names->newest = name;
  as_atomic(lock->name).store_release(name->text);
}

void flamelet_shim_lock_end(flamelet_shim_lock_names* names) {
  while (flamelet_shim_lock_own_name* name = names->newest) {
    names->newest = name->before;
    free(name);
  }
}
