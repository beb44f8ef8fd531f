// SPDX-License-Identifier: MIT
//
// fibers.cpp: fibers that are known by their names alone, and never said to end; and the open scopes, which move with them.
#include <string.h>

#include "flamelet/detail/hash.h"
#include "flamelet/detail/on_top.h"
#include "flamelet_shim/calls.h"
#include "flamelet_shim/open_scopes.h"
#include "platform/thread_local.h"
#include "spin_lock.h"

namespace flamelet {
namespace {

constexpr uint32_t kMaxFibers = 4096;  // a power of two; places stay taken

struct Fiber {
  const char* name;  // NULL: free
  uint32_t id;
  uint32_t text_hash;
  uint32_t session;
};
Fiber fibers[kMaxFibers];
uint32_t fiber_count = 0;
Atomic<uint32_t> lock;

// What runs on this thread now, and in which session that was.
FLAMELET_THREAD_LOCAL_ uint32_t running;
FLAMELET_THREAD_LOCAL_ uint32_t running_session;

// The fiber of this name in this session; 0: there is no room.
uint32_t fiber_of(const char* name, uint32_t session) {
  const uint32_t hash = flamelet::fnv_of_text<uint32_t>(name, strlen(name));
  const SpinGuard guard(lock);
  uint32_t place = static_cast<uint32_t>(flamelet::spread_key(reinterpret_cast<uintptr_t>(name)) >> 40);
  place &= kMaxFibers - 1;
  while (fibers[place].name != nullptr && fibers[place].name != name) place = (place + 1) & (kMaxFibers - 1);
  Fiber* fiber = &fibers[place];
  if (fiber->name == name && fiber->session == session && fiber->text_hash == hash && fiber->id != 0) return fiber->id;
  if (fiber->name == nullptr) {
    if (fiber_count == kMaxFibers - 1) return 0;
    ++fiber_count;
  } else if (fiber->session == session && fiber->id != 0) {
    flamelet_fiber_destroy(fiber->id);  // another name at the same address
  }
  *fiber = {name, flamelet_fiber_create(name), hash, session};
  return fiber->id;
}

void run(uint32_t fiber, uint32_t session) {
  const uint32_t from = running_session == session ? running : 0;
  if (from != fiber) flamelet_fiber_switch(from, fiber);
  running = fiber;
  running_session = session;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

void flamelet_shim_fiber_enter(const char* name) {
  if (name == nullptr || !flamelet_enabled()) return;
  const uint32_t session = flamelet_session_();
  const uint32_t fiber = fiber_of(name, session);
  if (fiber == 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_FIBERS_);
  run(fiber, session);
}

void flamelet_shim_fiber_leave(void) {
  if (running != 0) run(0, flamelet_session_());
}

// ---- open scopes

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
