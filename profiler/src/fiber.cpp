// SPDX-License-Identifier: MIT
//
// fiber.cpp: the stack of open scopes belongs to a fiber and moves with it. A switch swaps the stacks and writes the
// incoming one into the page as re-opened scopes, so that a page decodes alone, whatever threads a fiber visits.
#include <string.h>

#include "ring_reader.h"
#include "session.h"

namespace flamelet {
namespace {

SavedStack* find_fiber(uint32_t id) {
  for (uint32_t i = 0; i < recorder.config.max_fibers; ++i)
    if (__atomic_load_n(&recorder.fibers[i].id, __ATOMIC_ACQUIRE) == id) return &recorder.fibers[i];
  return nullptr;
}

void save(Track* track, uint32_t depth, SavedStack* stack) {
  know_open_ticks(track, depth);
  const size_t bytes = sizeof(uint64_t) * depth;
  memcpy(stack->open + 1, track->head.open + 1, bytes);
  memcpy(stack->strings + 1, track->strings + 1, bytes);
  memcpy(stack->ticks + 1, track->known_ticks + 1, bytes);
  stack->depth = depth;
  stack->perf = flamelet_perf_current_;
}

uint32_t restore(Track* track, const SavedStack* stack) {
  const size_t bytes = sizeof(uint64_t) * stack->depth;
  memcpy(track->head.open + 1, stack->open + 1, bytes);
  memcpy(track->known_word + 1, stack->open + 1, bytes);
  memcpy(track->strings + 1, stack->strings + 1, bytes);
  memcpy(track->known_ticks + 1, stack->ticks + 1, bytes);
  flamelet_perf_current_ = stack->perf;
  return stack->depth;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

uint32_t flamelet_fiber_create(const char* name) {
  if (!begin_read()) return 0;
  uint32_t id = 0;
  for (uint32_t i = 0; i < recorder.config.max_fibers && id == 0; ++i) {
    SavedStack* fiber = &recorder.fibers[i];
    uint32_t expected = 0;
    // Reserved with an id that no fiber has, then published. acquire: pairs with the release of the destroy.
    if (peek(&fiber->id) != 0 ||
        !__atomic_compare_exchange_n(&fiber->id, &expected, UINT32_MAX, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      continue;
    fiber->depth = 0;
    fiber->perf = {};
    put(&fiber->name, intern_string(name));
    put(&fiber->state, static_cast<uint32_t>(kFiberIdle));
    id = __atomic_add_fetch(&recorder.next_fiber_id, 1u, __ATOMIC_RELAXED);
    __atomic_store_n(&fiber->id, id, __ATOMIC_RELEASE);  // pairs with the acquire in find_fiber
  }
  if (id == 0) count(&recorder.dropped_fiber);
  end_read();
  return id;
}

void flamelet_fiber_destroy(uint32_t id) {
  if (id == 0 || id == UINT32_MAX || !begin_read()) return;
  SavedStack* fiber = find_fiber(id);
  if (fiber != nullptr && __atomic_load_n(&fiber->state, __ATOMIC_ACQUIRE) == kFiberIdle)
    __atomic_store_n(&fiber->id, 0u, __ATOMIC_RELEASE);  // pairs with the acquire in the create
  else
    count(&recorder.fiber_misuse);
  end_read();
}

void flamelet_fiber_switch(uint32_t from, uint32_t to) {
  uint32_t depth;
  Track* track = enter(Entry::kFinish, &depth);
  if (track == nullptr) return;
  SavedStack* home = recorder.home_stacks == nullptr ? nullptr : &recorder.home_stacks[track - tracks];
  SavedStack* out = from == 0 ? home : find_fiber(from);
  SavedStack* in = to == 0 ? home : find_fiber(to);
  uint32_t idle = kFiberIdle;
  const bool valid = from == track->fiber && to != from && out != nullptr && in != nullptr &&
                     // Claims the incoming fiber. acquire: its stack is as the thread that it last ran on left it.
                     (to == 0 || __atomic_compare_exchange_n(&in->state, &idle, static_cast<uint32_t>(kFiberRunning),
                                                             false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
  if (!valid) {
    count(&recorder.fiber_misuse);
    leave(track, depth);
    return;
  }
  // The switch and the stack behind it must be in one page: better a new page early than half a stack.
  const uint32_t words = 2 + 2 * in->depth;
  if (track->page != nullptr &&
      static_cast<uint32_t>(track->page->words + kPageWords - peek(&track->head.cursor)) < words)
    new_page(track, depth, recorder.clock.now_ticks());
  save(track, depth, out);
  depth = restore(track, in);
  // release: pairs with the acquire above, on the thread that this fiber runs on next.
  if (from != 0) __atomic_store_n(&out->state, static_cast<uint32_t>(kFiberIdle), __ATOMIC_RELEASE);
  track->fiber = to;
  append_switch(track, from, depth, recorder.clock.now_ticks());
  leave(track, depth);
}
