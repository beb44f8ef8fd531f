// SPDX-License-Identifier: MIT
//
// fiber.cpp: the stack of open scopes belongs to a fiber and moves with it. A switch swaps the stacks and writes the
// incoming one into the page as re-opened scopes, so that a page decodes alone, whatever threads a fiber visits.
#include <string.h>

#include "record/names.h"
#include "record/session.h"
#include "record/thread.h"

namespace flamelet {

Fibers fibers = {};
namespace {

constexpr uint32_t kNoFiber = UINT32_MAX;  // no fiber has this id

// The id says the place, so that a switch does not search: place + 1, and max_fibers more for each fiber that had it.
uint32_t next_id(SavedStack* place) {
  const uint32_t max_fibers = recorder.config.max_fibers;
  const uint32_t index = static_cast<uint32_t>(place - fibers.places);
  const uint32_t id = place->serial * max_fibers + index + 1;
  place->serial = (place->serial + 1) % ((kNoFiber - 1) / max_fibers);  // ids stay below kNoFiber
  return id;
}

}  // namespace

SavedStack* find_fiber(uint32_t id) {
  if (id == 0 || id == kNoFiber || recorder.config.max_fibers == 0) return nullptr;
  SavedStack* place = &fibers.places[(id - 1) % recorder.config.max_fibers];
  // acquire: pairs with the release of the create. relaxed: claim() decides; an ended fiber only need not get that far.
  const bool found = place->id.load_acquire() == id && place->state.load_relaxed() != kFiberFree;
  return found ? place : nullptr;
}

namespace {

// Takes an idle fiber, to run or to end it. acquire: its stack is as the thread that it last ran on left it.
bool claim(SavedStack* fiber, uint32_t id) {
  if (!fiber->state.cas_acquire(kFiberIdle, kFiberRunning)) return false;
  if (fiber->id.load_relaxed() == id) return true;  // relaxed: nobody but the one who claimed it changes it
  fiber->state.store_release(kFiberIdle);           // ended since it was found
  return false;
}

// ---- What a fiber carries for others -----------------------------------------------------------------------------

struct FiberLocal {
  Atomic<flamelet_fiber_local_> address;  // NULL = free
  Atomic<flamelet_fiber_local_copy_> copy;
  Atomic<size_t> bytes;
};
FiberLocal small_local, large_local;  // of the process: they outlive a session
constexpr FiberLocal* kFiberLocals[] = {&small_local, &large_local};

// The calling thread's bytes; NULL: the slot is free.
void* local_here(const FiberLocal& local) {
  // acquire: pairs with the release in the add; the rest of the slot is there.
  const flamelet_fiber_local_ address = local.address.load_acquire();
  return address == nullptr ? nullptr : address();
}

void copy_local(const FiberLocal& local, void* to, const void* from) {
  const flamelet_fiber_local_copy_ copy = local.copy.load_relaxed();
  if (copy != nullptr)
    copy(to, from);
  else
    memcpy(to, from, local.bytes.load_relaxed());
}

void save_locals(SavedStack* stack) {
  if (const void* here = local_here(small_local)) copy_local(small_local, stack->small_local, here);
  if (const void* here = local_here(large_local)) copy_local(large_local, stack->local, here);
}
void restore_locals(const SavedStack* stack) {
  if (void* here = local_here(small_local)) copy_local(small_local, here, stack->small_local);
  if (void* here = local_here(large_local)) copy_local(large_local, here, stack->local);
}

void forget_local(SavedStack* stack, bool is_small) {
  if (is_small)
    memset(stack->small_local, 0, sizeof stack->small_local);
  else
    memset(stack->local, 0, sizeof stack->local);
}

void forget_locals(bool is_small) {
  const SessionGuard guard;
  if (!guard) return;
  for (uint32_t i = 0; i < recorder.config.max_fibers; ++i) forget_local(&fibers.places[i], is_small);
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS && fibers.homes != nullptr; ++i)
    forget_local(&fibers.homes[i], is_small);
}

// ---- Stacks --------------------------------------------------------------------------------------------------------

void save(Track* track, uint32_t depth, SavedStack* stack) {
  know_open_ticks(track, depth);
  const size_t bytes = sizeof(uint64_t) * depth;
  memcpy(stack->open + 1, track->head.open + 1, bytes);
  memcpy(stack->strings + 1, track->strings + 1, bytes);
  memcpy(stack->ticks + 1, track->known_ticks + 1, bytes);
  stack->depth = depth;
  stack->top_word.store_relaxed(depth == 0 ? 0 : stack->open[depth]);
  stack->top_strings.store_relaxed(stack->strings[depth]);
  stack->top_ticks.store_relaxed(stack->ticks[depth]);
  stack->has_run = true;
  track->unrecorded.save(track->head.open, depth, stack->unrecorded);
  save_locals(stack);
}

uint32_t restore(Track* track, SavedStack* stack) {
  for (uint32_t i = 1; i <= stack->depth; ++i) {
    as_atomic(track->head.open[i]).store_relaxed(stack->open[i]);
    as_atomic(track->known_word[i]).store_relaxed(stack->open[i]);
    as_atomic(track->strings[i]).store_relaxed(stack->strings[i]);
    as_atomic(track->known_ticks[i]).store_relaxed(stack->ticks[i]);
  }
  track->unrecorded.restore(track->head.open, stack->depth, stack->unrecorded);
  restore_locals(stack);
  return stack->depth;
}

// Its open scopes end now. Also without any: a reader that lost the fiber's last run sees that there are none.
void record_end(const SavedStack& fiber, uint32_t id) {
  track_totals.ended_counts.add(kMissingEnds, fiber.depth);
  uint32_t depth;
  Track* track = enter(Entry::kFinish, &depth);
  if (track == nullptr) return;
  const uint64_t payload = uint64_t{id} | uint64_t{fiber.depth} << 32;
  append(track, depth, recorder.clock.now_ticks(), make_code(WordType::kMore, make_more_id(MoreType::kFiberEnd, 1)),
         &payload, 1);
  leave(track, depth);
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

uint32_t flamelet_fiber_create(const char* name) {
  const SessionGuard guard;
  if (!guard) return 0;
  const uint32_t max_fibers = recorder.config.max_fibers;
  // relaxed: a hint. Each search begins behind the one before, where a free place is likely.
  uint32_t at = max_fibers == 0 ? 0 : fibers.next_place.fetch_add_relaxed(1u) % max_fibers;
  uint32_t id = 0;
  for (uint32_t i = 0; i < max_fibers && id == 0; ++i, at = at + 1 == max_fibers ? 0 : at + 1) {
    SavedStack* fiber = &fibers.places[at];
    // acquire: pairs with the release of the destroy.
    if (fiber->state.load_relaxed() != kFiberFree || !fiber->state.cas_acquire(kFiberFree, kFiberCreated)) continue;
    fiber->depth = 0;
    fiber->top_word.store_relaxed(0u);
    fiber->has_run = false;
    fiber->unrecorded[0] = 0;
    forget_local(fiber, true);
    forget_local(fiber, false);
    // No id while the name changes. release: get_track() loads the name with acquire and then the id again, so that it
    // never gives the new name to the fiber that was here before.
    fiber->id.store_relaxed(0u);
    fiber->name.store_release(intern_string(name));
    id = next_id(fiber);
    fiber->id.store_release(id);             // pairs with the acquires in find_fiber and get_track()
    fiber->state.store_release(kFiberIdle);  // pairs with claim()
    fibers.live.fetch_add_relaxed(1u);       // a number for statistics
  }
  if (id == 0) count_drop(kDroppedFiber);
  return id;
}

void flamelet_fiber_destroy(uint32_t id) {
  const SessionGuard guard;
  if (id == 0 || !guard) return;
  SavedStack* fiber = find_fiber(id);
  if (fiber == nullptr || !claim(fiber, id)) {
    count_drop(kFiberMisuse);
    return;
  }
  if (fiber->has_run) record_end(*fiber, id);
  fiber->state.store_release(kFiberFree);  // pairs with the acquire in the create
  fibers.live.fetch_sub_relaxed(1u);
}

void flamelet_fiber_switch(uint32_t from, uint32_t to) {
  uint32_t depth;
  Track* track = enter(Entry::kFinish, &depth);
  if (track == nullptr) return;
  SavedStack* home = fibers.homes == nullptr ? nullptr : &fibers.homes[track - tracks];
  SavedStack* out = from == 0 ? home : find_fiber(from);
  SavedStack* in = to == 0 ? home : find_fiber(to);
  if (from != track->head.fiber || to == from || out == nullptr || in == nullptr || (to != 0 && !claim(in, to))) {
    count_drop(kFiberMisuse);
    leave(track, depth);
    return;
  }
  const uint64_t now = recorder.clock.now_ticks();
  const bool recorded = make_room_for_switch(track, depth, now, in->depth);
  save(track, depth, out);
  depth = restore(track, in);
  // release: pairs with the acquire in claim(), on the thread that this fiber runs on next.
  if (from != 0) out->state.store_release(kFiberIdle);
  as_atomic(track->head.fiber).store_relaxed(to);
  if (recorded) append_switch(track, from, depth, now);
  leave(track, depth);
}

bool flamelet_fiber_local_add_(flamelet_fiber_local_ address, size_t bytes, flamelet_fiber_local_copy_ copy) {
  if (address == nullptr || bytes == 0) return false;
  for (FiberLocal* local : kFiberLocals) {
    const size_t room = local == &small_local ? FLAMELET_SMALL_FIBER_LOCAL_BYTES_ : FLAMELET_FIBER_LOCAL_BYTES_;
    // relaxed: only takes the slot; the address is stored with release.
    if (bytes > room || !local->bytes.cas_relaxed(0, bytes)) continue;
    local->copy.store_relaxed(copy);
    local->address.store_release(address);
    return true;
  }
  return false;
}

void flamelet_fiber_local_remove_(flamelet_fiber_local_ address) {
  for (FiberLocal* local : kFiberLocals) {
    if (local->address.load_relaxed() != address) continue;
    local->address.store_relaxed(nullptr);
    forget_locals(local == &small_local);
    local->bytes.store_relaxed(0);
  }
}
