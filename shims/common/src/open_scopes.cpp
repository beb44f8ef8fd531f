// SPDX-License-Identifier: MIT
#include "flamelet_shim/open_scopes.h"

#include <string.h>

#include "flamelet/detail/on_top.h"

#ifdef __ELF__
extern "C" {
extern __thread flamelet_shim_open_scopes flamelet_shim_open_;
}
__thread flamelet_shim_open_scopes flamelet_shim_open_;
#else
static thread_local flamelet_shim_open_scopes flamelet_shim_open_ = {};
#endif

__attribute__((noinline)) flamelet_shim_open_scopes*(flamelet_shim_open_here_)(void) {
  __asm__ volatile("");  // else the compiler may take two calls for one, where it sees the whole program
  return &flamelet_shim_open_;
}

// What is open moves with its fiber.
static_assert(sizeof(flamelet_shim_open_scopes) <= FLAMELET_FIBER_LOCAL_BYTES_, "a slot holds it");
static void* open_scopes() {
  return flamelet_shim_open_here_();
}
// Most fibers have a few scopes open, and there is room for FLAMELET_MAX_DEPTH.
static void copy_open_scopes(void* to, const void* from) {
  auto* const copy = static_cast<flamelet_shim_open_scopes*>(to);
  const auto* const open = static_cast<const flamelet_shim_open_scopes*>(from);
  const uint32_t depth = open->depth;
  copy->depth = depth;
  memcpy(copy->ids, open->ids, depth * sizeof(open->ids[0]));
  memcpy(copy->unrecorded, open->unrecorded, (depth + 1) * sizeof(open->unrecorded[0]));
}
static const struct OpenScopesOfFiber {
  OpenScopesOfFiber() { flamelet_fiber_local_add_(open_scopes, sizeof(flamelet_shim_open_scopes), copy_open_scopes); }
  ~OpenScopesOfFiber() { flamelet_fiber_local_remove_(open_scopes); }
} fiber_local;

// The recorder has no more than FLAMELET_MAX_DEPTH open, so one of these ended with a scope around it, without an end of its
// own. Which one is not known: the outermost is forgotten.
void flamelet_shim_push_full_(flamelet_id id) {
  flamelet_shim_open_scopes* const open = flamelet_shim_open_here_();
  constexpr uint32_t kLast = FLAMELET_MAX_DEPTH - 1;
  memmove(open->ids, open->ids + 1, kLast * sizeof(open->ids[0]));
  memmove(open->unrecorded, open->unrecorded + 1, FLAMELET_MAX_DEPTH * sizeof(open->unrecorded[0]));
  open->ids[kLast] = id;
  open->unrecorded[FLAMELET_MAX_DEPTH] = 0;
}

void flamelet_shim_extra_end_(void) {
  flamelet_end(1);  // no site has the number 0, so no scope has this id
}
