// SPDX-License-Identifier: MIT
#include "record/this_thread.h"

#include "platform/atomic.h"
#include "platform/thread_words.h"

#define FLAMELET_CLOSED_HEAD_                                                 \
  {                                                                           \
    nullptr, FLAMELET_GATE_OFF_, FLAMELET_MODE_OFF_, FLAMELET_DEPTH_BUSY_, {} \
  }

#ifdef FLAMELET_THREAD_IN_SLOTS_

using namespace flamelet;

uint64_t flamelet_thread_slot_ = kNoThreadSlot;
flamelet_track_head_ flamelet_no_track_ = FLAMELET_CLOSED_HEAD_;

// Threads that have no memory for their own share this one, and record nothing.
static flamelet_thread_ nobody = {&exited_head, 0, 0};

flamelet_thread_* flamelet_thread_call_(void) {
  const uint32_t slot = static_cast<uint32_t>(flamelet_thread_slot_);
  uintptr_t* words = slot == kNoThreadSlot ? nullptr : thread_words(slot);
  return words == nullptr ? &nobody : reinterpret_cast<flamelet_thread_*>(words);
}

// In front of all that may record in constructors of this module.
__attribute__((constructor(101))) static void take_slots() {
  static_assert(sizeof(flamelet_thread_) % sizeof(uintptr_t) == 0, "whole slots");
  flamelet_thread_slot_ = take_thread_words(sizeof(flamelet_thread_) / sizeof(uintptr_t));
}

#else

namespace flamelet {
flamelet_track_head_ unregistered_head = FLAMELET_CLOSED_HEAD_;
}

#ifdef FLAMELET_INLINE_RECORD_
extern "C" {
// used: with link-time optimization the name in the assembly of flamelet_head_() may be all that the compiler sees of it.
__attribute__((used)) __thread flamelet_thread_ flamelet_current_
    __attribute__((tls_model("initial-exec"))) = {&flamelet::unregistered_head, 0, 0};
}
#else
static thread_local flamelet_thread_ flamelet_current_ = {&flamelet::unregistered_head, 0, 0};
#endif

#endif

namespace flamelet {

flamelet_track_head_ exited_head = FLAMELET_CLOSED_HEAD_;

bool prepare_threads() {
#ifdef FLAMELET_THREAD_IN_SLOTS_
  return flamelet_thread_slot_ != kNoThreadSlot;
#else
  return true;
#endif
}

flamelet_thread_* this_thread() {
#ifdef FLAMELET_THREAD_IN_SLOTS_
  flamelet_thread_* thread = flamelet_this_thread_();
  if (thread->head == nullptr) thread->head = &unregistered_head;  // a new thread's
  return thread;
#elif defined(FLAMELET_INLINE_RECORD_)
  return flamelet_this_thread_();
#else
  return &flamelet_current_;
#endif
}

// relaxed, here and below: see this_thread.h.
flamelet_track_head_* current_head() {
  return as_atomic(this_thread()->head).load_relaxed();
}

void set_current_head(flamelet_track_head_* head) {
  as_atomic(this_thread()->head).store_relaxed(head);
  // flamelet_head_() reads it in assembly that does not name it: volatile assembly keeps its order.
  __asm__ volatile("" ::: "memory");
}

flamelet_track_head_* exchange_current_head(flamelet_track_head_* head) {
  return as_atomic(this_thread()->head).exchange_relaxed(head);
}

void set_this_thread(const flamelet_thread_& now) {
  flamelet_thread_* thread = this_thread();
  thread->begun_unrecorded = now.begun_unrecorded;
  thread->ended_unrecorded = now.ended_unrecorded;
  set_current_head(now.head);
}

}  // namespace flamelet

void* flamelet_this_track_call_(void) {
  return flamelet::current_head();
}
