// SPDX-License-Identifier: MIT
//
// fiber.cpp: the stack of open scopes belongs to a fiber and moves with it. A switch swaps the stacks and writes the
// incoming one into the page as re-opened scopes, so that a page decodes alone, whatever threads a fiber visits.
#include <string.h>

#include "record/ring_reader.h"
#include "record/session.h"

namespace flamelet {
namespace {

constexpr uint32_t kNoFiber = UINT32_MAX;  // no fiber has this id

// The id says the place, so that a switch does not search: place + 1, and max_fibers more for each fiber that had it.
uint32_t next_id(SavedStack* place) {
  const uint32_t max_fibers = recorder.config.max_fibers;
  const uint32_t index = static_cast<uint32_t>(place - recorder.fibers);
  const uint32_t id = place->serial * max_fibers + index + 1;
  place->serial = (place->serial + 1) % ((kNoFiber - 1) / max_fibers);  // ids stay below kNoFiber
  return id;
}

SavedStack* find_fiber(uint32_t id) {
  if (id == 0 || id == kNoFiber || recorder.config.max_fibers == 0) return nullptr;
  SavedStack* place = &recorder.fibers[(id - 1) % recorder.config.max_fibers];
  // acquire: pairs with the release of the create. relaxed: claim() decides; an ended fiber only need not get that far.
  const bool found = __atomic_load_n(&place->id, __ATOMIC_ACQUIRE) == id && peek(&place->state) != kFiberFree;
  return found ? place : nullptr;
}

// Takes an idle fiber, to run or to end it. acquire: its stack is as the thread that it last ran on left it.
bool claim(SavedStack* fiber, uint32_t id) {
  uint32_t idle = kFiberIdle;
  if (!__atomic_compare_exchange_n(&fiber->state, &idle, static_cast<uint32_t>(kFiberRunning), false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return false;
  if (peek(&fiber->id) == id) return true;  // relaxed: nobody but the one who claimed it changes it
  __atomic_store_n(&fiber->state, static_cast<uint32_t>(kFiberIdle), __ATOMIC_RELEASE);  // ended since it was found
  return false;
}

// ---- What a fiber carries for others -----------------------------------------------------------------------------

struct FiberLocal {
  flamelet_fiber_local_ address;  // atomic: NULL = free
  size_t bytes;                   // atomic
};
FiberLocal fiber_locals[FLAMELET_MAX_FIBER_LOCALS_];  // of the process: it outlives a session

// use(address on this thread, place in the stack, bytes) for each slot in use.
template <class Use>
void for_each_local(char (*places)[FLAMELET_FIBER_LOCAL_BYTES_], Use use) {
  for (uint32_t i = 0; i < FLAMELET_MAX_FIBER_LOCALS_; ++i) {
    // acquire: pairs with the release in the add; the size is there.
    const flamelet_fiber_local_ address = __atomic_load_n(&fiber_locals[i].address, __ATOMIC_ACQUIRE);
    if (address != nullptr) use(address(), places[i], peek(&fiber_locals[i].bytes));
  }
}

void save_locals(SavedStack* stack) {
  for_each_local(stack->locals, [](const void* local, char* saved, size_t bytes) { memcpy(saved, local, bytes); });
}
void restore_locals(SavedStack* stack) {
  for_each_local(stack->locals, [](void* local, const char* saved, size_t bytes) { memcpy(local, saved, bytes); });
}

void forget_locals(uint32_t slot) {
  if (!begin_read()) return;
  for (uint32_t i = 0; i < recorder.config.max_fibers; ++i)
    memset(recorder.fibers[i].locals[slot], 0, FLAMELET_FIBER_LOCAL_BYTES_);
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS && recorder.home_stacks != nullptr; ++i)
    memset(recorder.home_stacks[i].locals[slot], 0, FLAMELET_FIBER_LOCAL_BYTES_);
  end_read();
}

// ---- Stacks --------------------------------------------------------------------------------------------------------

void save(Track* track, uint32_t depth, SavedStack* stack) {
  know_open_ticks(track, depth);
  const size_t bytes = sizeof(uint64_t) * depth;
  memcpy(stack->open + 1, track->head.open + 1, bytes);
  memcpy(stack->strings + 1, track->strings + 1, bytes);
  memcpy(stack->ticks + 1, track->known_ticks + 1, bytes);
  stack->depth = depth;
  save_locals(stack);
}

uint32_t restore(Track* track, SavedStack* stack) {
  const size_t bytes = sizeof(uint64_t) * stack->depth;
  memcpy(track->head.open + 1, stack->open + 1, bytes);
  memcpy(track->known_word + 1, stack->open + 1, bytes);
  memcpy(track->strings + 1, stack->strings + 1, bytes);
  memcpy(track->known_ticks + 1, stack->ticks + 1, bytes);
  restore_locals(stack);
  return stack->depth;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

uint32_t flamelet_fiber_create(const char* name) {
  if (!begin_read()) return 0;
  const uint32_t max_fibers = recorder.config.max_fibers;
  // relaxed: a hint. Each search begins behind the one before, where a free place is likely.
  uint32_t at = max_fibers == 0 ? 0 : __atomic_fetch_add(&recorder.next_fiber_place, 1u, __ATOMIC_RELAXED) % max_fibers;
  uint32_t id = 0;
  for (uint32_t i = 0; i < max_fibers && id == 0; ++i, at = at + 1 == max_fibers ? 0 : at + 1) {
    SavedStack* fiber = &recorder.fibers[at];
    uint32_t free = kFiberFree;
    // acquire: pairs with the release of the destroy.
    if (peek(&fiber->state) != kFiberFree ||
        !__atomic_compare_exchange_n(&fiber->state, &free, static_cast<uint32_t>(kFiberCreated), false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      continue;
    fiber->depth = 0;
    memset(fiber->locals, 0, sizeof fiber->locals);
    // No id while the name changes. release: get_track() loads the name with acquire and then the id again, so that it
    // never gives the new name to the fiber that was here before.
    put(&fiber->id, 0u);
    __atomic_store_n(&fiber->name, intern_string(name), __ATOMIC_RELEASE);
    id = next_id(fiber);
    __atomic_store_n(&fiber->id, id, __ATOMIC_RELEASE);  // pairs with the acquires in find_fiber and get_track()
    __atomic_store_n(&fiber->state, static_cast<uint32_t>(kFiberIdle), __ATOMIC_RELEASE);  // pairs with claim()
  }
  if (id == 0) count(&recorder.dropped_fiber);
  end_read();
  return id;
}

void flamelet_fiber_destroy(uint32_t id) {
  if (id == 0 || !begin_read()) return;
  SavedStack* fiber = find_fiber(id);
  if (fiber != nullptr && claim(fiber, id))
    __atomic_store_n(&fiber->state, static_cast<uint32_t>(kFiberFree), __ATOMIC_RELEASE);  // with that in the create
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
  if (from != track->fiber || to == from || out == nullptr || in == nullptr || (to != 0 && !claim(in, to))) {
    count(&recorder.fiber_misuse);
    leave(track, depth);
    return;
  }
  const uint64_t now = recorder.clock.now_ticks();
  const bool recorded = make_room_for_switch(track, depth, now, in->depth);
  save(track, depth, out);
  depth = restore(track, in);
  // release: pairs with the acquire in claim(), on the thread that this fiber runs on next.
  if (from != 0) __atomic_store_n(&out->state, static_cast<uint32_t>(kFiberIdle), __ATOMIC_RELEASE);
  track->fiber = to;
  if (recorded) append_switch(track, from, depth, now);
  leave(track, depth);
}

bool flamelet_fiber_local_add_(flamelet_fiber_local_ address, size_t bytes) {
  if (address == nullptr || bytes == 0 || bytes > FLAMELET_FIBER_LOCAL_BYTES_) return false;
  for (FiberLocal& local : fiber_locals) {
    size_t free = 0;
    // relaxed: only takes the slot; the address is stored with release.
    if (!__atomic_compare_exchange_n(&local.bytes, &free, bytes, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) continue;
    __atomic_store_n(&local.address, address, __ATOMIC_RELEASE);
    return true;
  }
  return false;
}

void flamelet_fiber_local_remove_(flamelet_fiber_local_ address) {
  for (uint32_t i = 0; i < FLAMELET_MAX_FIBER_LOCALS_; ++i) {
    FiberLocal& local = fiber_locals[i];
    if (peek(&local.address) != address) continue;
    put(&local.address, flamelet_fiber_local_{nullptr});
    forget_locals(i);
    put(&local.bytes, size_t{0});
  }
}
