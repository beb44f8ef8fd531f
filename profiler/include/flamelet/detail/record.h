// SPDX-License-Identifier: MIT
//
// flamelet/detail/record.h: the record path, inlined into the code that is measured. Not part of the API:
// include scope.h. The number of the layout that this header and the library must agree on is in names that every scope
// needs (..._abi2), so modules built against another layout do not link: the linker names what is missing.
//
// One event is one 8-byte word, `ticks + (code << 44)` modulo 2^64, where code is `type:4 | site:16`, written at the
// thread's cursor. The page's header has full ticks from less than 2^43 before, so the low 44 bits give the time, and
// the word less the time gives the code (page.h decodes). Adding instead of masking saves the masking.
//   begin   ticks + site | FLAMELET_WORD_BEGIN_    the word is also the scope's id, kept in open[depth]
//   end     ticks                                  ends the innermost scope; anything else takes the slow path
//   next    ticks + site | FLAMELET_WORD_NEXT_     an end and a begin
//
// Order of steps, and why (the same for every event):
//   1. gate ^ site->word is negative where nothing begins at all: off, or never started. Its low bits are 0 only where
//      the track records, by this path, and the site registered in this session and since categories were switched: both
//      carry the number of that. So two branches on one value cover everything else: unregistered thread, unregistered
//      site, category that is off, other session, other clock.
//   2. depth = FLAMELET_DEPTH_BUSY_, and then the mode must be "inline". A signal handler that interrupts this path on this thread
//      finds the busy depth, takes the slow path, and its event is dropped and counted: nothing is torn.
//      flamelet_shutdown() clears the mode, issues a process-wide barrier, and waits until no depth is busy: whoever it did
//      not see busy sees the mode cleared.
//   3. The word, then the cursor with release: that store is the commit, and pairs with the reader's acquire in
//      page_ring.h.
//   4. A cursor on a page boundary means that the page is full. Checked after the write, so that there is no check
//      before it: the cursor always has room for one word.
//   5. The new depth with release: pairs with the acquire of the shutdown.
#ifndef FLAMELET_DETAIL_RECORD_H
#define FLAMELET_DETAIL_RECORD_H

#include "flamelet/recorder.h"

#define FLAMELET_WORD_END_ 0u
#define FLAMELET_WORD_BEGIN_ 1u
#define FLAMELET_WORD_BEGIN_WITH_ 2u
#define FLAMELET_WORD_NEXT_ 3u
#define FLAMELET_WORD_BEGIN_TO_NEXT_ UINT64_C(2)  // the difference
#define FLAMELET_CODE_SHIFT_ 44
#define FLAMELET_TYPE_SHIFT_ (FLAMELET_CODE_SHIFT_ + 16)

// One place in code. A static of constant initialization: no constructor, no guard.
typedef struct flamelet_site {
  uint64_t word;  // atomic: FLAMELET_WORD_BEGIN_ << 60 | id << 44 | FLAMELET_SITE_OFF_ or not | number; first 0
  const char* name;
  const char* category;
  const char* file;
  const char* function;
  uint32_t line;
  uint32_t color;  // 0xRRGGBB; 0 = chosen by the viewer
} flamelet_site;

// In a site's word: its category is off. So it matches no gate, and the slow path returns at once.
#define FLAMELET_SITE_OFF_ 0x80000000u
#define FLAMELET_GATE_SHUT_ 0xFFFFFFFFull         // no session: take the slow path
#define FLAMELET_GATE_OFF_ 0x80000000FFFFFFFFull  // nothing begins; no site's word is negative
// An index that is always there, so that an end needs no check before it looks at open[depth]: it finds 0, and no id.
#define FLAMELET_DEPTH_BUSY_ (FLAMELET_MAX_DEPTH + 1)
#define FLAMELET_MODE_OFF_ 0u     // nothing is recorded
#define FLAMELET_MODE_INLINE_ 1u  // recorded by the inlined path
#define FLAMELET_MODE_ENDS_ 2u    // switched off: open scopes still get their ends, by the slow path
#define FLAMELET_MODE_CALLS_ 3u   // recorded by the slow path: unregistered thread, other clock, old page

// The part of a track that the inlined code touches. Written by its own thread only, except gate and mode.
// Threads without a track share a dummy whose gate matches nothing and whose depth stays busy.
typedef struct flamelet_track_head_ {
  uint64_t* cursor;  // atomic: where the next word goes
  uint64_t gate;     // atomic: the number, or FLAMELET_GATE_*
  uint32_t mode;     // atomic: FLAMELET_MODE_*
  uint32_t fiber;    // atomic: that runs now; 0: none
  uint64_t depth;    // atomic: open scopes
  // atomic; open[1 .. depth]: ids of the open scopes; the first and the last are 0. A thread that waits for a lock looks at
  // those of who holds it (src/record/holder.cpp).
  uint64_t open[FLAMELET_MAX_DEPTH + 2];
} flamelet_track_head_;

// What each thread has. The counts are for flamelet_end_top(): see src/record/track.h. Two, because a single one,
// changed by a begin and by its end, would make each of them wait for the store of the other.
typedef struct flamelet_thread_ {
  flamelet_track_head_* head;
  uint64_t begun_unrecorded;  // begins by call that gave 0
  uint64_t ended_unrecorded;  // the part of them that has ended
} flamelet_thread_;

FLAMELET_EXTERN_C_BEGIN

#define flamelet_scope_begin_slow_ flamelet_scope_begin_slow_abi2
FLAMELET_API flamelet_id flamelet_scope_begin_slow_(flamelet_site* site);
FLAMELET_API void flamelet_scope_end_slow_(flamelet_id id);
FLAMELET_API flamelet_id flamelet_scope_next_slow_(flamelet_id id, flamelet_site* site);
FLAMELET_API flamelet_id flamelet_scope_begin_with_slow_(flamelet_site* site, const char* name, const char* object);
FLAMELET_API void flamelet_site_instant_slow_(flamelet_site* site, const char* object);
FLAMELET_API void flamelet_site_counter_slow_(flamelet_site* site, double value);
FLAMELET_API flamelet_track_head_* flamelet_this_track_call_(void);
// Step 4, and 5. Returns open[depth].
FLAMELET_API flamelet_id flamelet_new_page_(flamelet_track_head_* track, uint64_t depth);

#if defined(__GNUC__) && (defined(__x86_64__) || (defined(__aarch64__) && defined(__ELF__)))
#define FLAMELET_INLINE_RECORD_ 1
// Two words, if `text` is interned. `word` is that of flamelet_scope_begin_(), of this thread's track.
FLAMELET_API flamelet_id flamelet_scope_begin_object_call_(flamelet_track_head_* track, uint64_t word,
                                                           const char* object, flamelet_site* site);
FLAMELET_API flamelet_id flamelet_scope_begin_dynamic_call_(flamelet_track_head_* track, uint64_t word,
                                                            const char* name, flamelet_site* site);
// What is left of flamelet_begin() and flamelet_end(): the last one for an id of 0 that no counted begin gave.
// A category is no NULL here.
FLAMELET_API flamelet_id flamelet_begin_call_(const char* name, const char* category, const char* object,
                                              flamelet_track_head_* track);
FLAMELET_API void flamelet_end_call_(flamelet_id id);
FLAMELET_API void flamelet_end_none_(void);
#ifdef _WIN32
// GCC's __thread is a call on Windows. So what a thread has is in slots of TlsAlloc(), one behind the other, which the
// inlined path finds in the thread's own block. A new thread's are 0: no head means flamelet_no_track_.
#define FLAMELET_THREAD_IN_SLOTS_ 1
#define FLAMELET_LAST_SLOT_IN_BLOCK_ (63u - 2u)
#define flamelet_thread_slot_ flamelet_thread_slot_abi2
#define flamelet_no_track_ flamelet_no_track_abi2
extern FLAMELET_API uint64_t flamelet_thread_slot_;  // the first; if it is behind the block, finding it is a call
extern FLAMELET_API flamelet_track_head_ flamelet_no_track_;
FLAMELET_API flamelet_thread_* flamelet_thread_call_(void);
#else
#define flamelet_current_ flamelet_current_abi2
extern FLAMELET_API __thread flamelet_thread_ flamelet_current_ __attribute__((tls_model("initial-exec")));
#endif
#endif

FLAMELET_EXTERN_C_END

#ifdef FLAMELET_INLINE_RECORD_

#define FLAMELET_LIKELY_(x) __builtin_expect(!!(x), 1)
#define FLAMELET_UNLIKELY_(x) __builtin_expect(!!(x), 0)
#define FLAMELET_FORCE_INLINE_ static inline __attribute__((always_inline, no_instrument_function))
#ifdef __cplusplus
#define FLAMELET_SIGNED_(word) static_cast<int64_t>(word)
#define FLAMELET_LOW_HALF_(word) static_cast<uint32_t>(word)
#define FLAMELET_ADDRESS_(pointer) reinterpret_cast<uintptr_t>(pointer)
#else
#define FLAMELET_SIGNED_(word) ((int64_t)(word))
#define FLAMELET_LOW_HALF_(word) ((uint32_t)(word))
#define FLAMELET_ADDRESS_(pointer) ((uintptr_t)(pointer))
#endif

FLAMELET_FORCE_INLINE_ uint64_t flamelet_counter_ticks_(void) {
#ifdef __x86_64__
  return __builtin_ia32_rdtsc();
#else
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#endif
}

// What belongs to the calling thread. Asked for anew after every call, for a fiber may come back from one on another
// thread. Compilers keep a thread-local's address in a register over calls: clang 16 on x86-64, all of them on ARM64.
// There inline assembly reads it. Only its offset, which is the same on every thread, may be kept. g++ on x86-64
// addresses each access by the thread's register (fs), and needs no help.
#if defined(FLAMELET_THREAD_IN_SLOTS_)
FLAMELET_FORCE_INLINE_ flamelet_thread_* flamelet_this_thread_(void) {
  uint64_t slot = flamelet_thread_slot_;
  if (FLAMELET_UNLIKELY_(slot > FLAMELET_LAST_SLOT_IN_BLOCK_)) return flamelet_thread_call_();
  flamelet_thread_* here;
  __asm__ volatile(
      "{movq %%gs:0x30, %0; leaq 0x1480(%0,%1,8), %0|mov %0, qword ptr gs:[0x30]; lea %0, [%0+%1*8+0x1480]}"
      : "=&r"(here)
      : "r"(slot));
  return here;
}
FLAMELET_FORCE_INLINE_ flamelet_track_head_* flamelet_head_(void) {
  flamelet_track_head_* head;
  uint64_t slot = flamelet_thread_slot_;
  if (FLAMELET_LIKELY_(slot <= FLAMELET_LAST_SLOT_IN_BLOCK_))
    __asm__ volatile("{movq %%gs:0x1480(,%1,8), %0|mov %0, qword ptr gs:[%1*8+0x1480]}" : "=r"(head) : "r"(slot));
  else
    head = flamelet_thread_call_()->head;
  return FLAMELET_LIKELY_(head) ? head : &flamelet_no_track_;
}
#elif defined(__clang__) && defined(__x86_64__) && defined(__LP64__) && defined(__ELF__)
FLAMELET_FORCE_INLINE_ uintptr_t flamelet_offset_(void) {
  uintptr_t offset;
  __asm__(
      "{movq flamelet_current_abi2@gottpoff(%%rip), %0"
      "|mov %0, qword ptr flamelet_current_abi2@gottpoff[rip]}"
      : "=r"(offset));
  return offset;
}
FLAMELET_FORCE_INLINE_ flamelet_thread_* flamelet_this_thread_(void) {
  flamelet_thread_* here;
  __asm__ volatile("{movq %%fs:0, %0; addq %1, %0|mov %0, qword ptr fs:[0]; add %0, %1}"
                   : "=&r"(here)
                   : "r"(flamelet_offset_()));
  return here;
}
FLAMELET_FORCE_INLINE_ flamelet_track_head_* flamelet_head_(void) {
  flamelet_track_head_* head;
  __asm__ volatile("{movq %%fs:(%1), %0|mov %0, qword ptr fs:[%1]}" : "=r"(head) : "r"(flamelet_offset_()));
  return head;
}
#elif defined(__aarch64__)
FLAMELET_FORCE_INLINE_ flamelet_thread_* flamelet_this_thread_(void) {
  flamelet_thread_* here;
  uintptr_t offset;
  __asm__(
      "adrp %0, :gottprel:flamelet_current_abi2\n\t"
      "ldr %0, [%0, :gottprel_lo12:flamelet_current_abi2]"
      : "=r"(offset));
  __asm__ volatile("mrs %0, tpidr_el0\n\tadd %0, %0, %1" : "=&r"(here) : "r"(offset));
  return here;
}
FLAMELET_FORCE_INLINE_ flamelet_track_head_* flamelet_head_(void) {
  return flamelet_this_thread_()->head;
}
#else
FLAMELET_FORCE_INLINE_ flamelet_thread_* flamelet_this_thread_(void) {
  return &flamelet_current_;
}
FLAMELET_FORCE_INLINE_ flamelet_track_head_* flamelet_head_(void) {
  return flamelet_current_.head;
}
#endif

// Step 2. False: take the slow path; nothing has changed.
FLAMELET_FORCE_INLINE_ bool flamelet_enter_(flamelet_track_head_* track, uint64_t depth) {
  // relaxed: the compiler keeps the order (signal fence), and the shutdown's barrier makes the CPU keep it.
  __atomic_store_n(&track->depth, FLAMELET_DEPTH_BUSY_, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (FLAMELET_LIKELY_(__atomic_load_n(&track->mode, __ATOMIC_RELAXED) == FLAMELET_MODE_INLINE_)) return true;
  __atomic_store_n(&track->depth, depth, __ATOMIC_RELEASE);
  return false;
}

// A relaxed store. g++ adds an instruction to its own, for the address; ThreadSanitizer must see that.
FLAMELET_FORCE_INLINE_ void flamelet_store_(uint64_t* place, uint64_t word) {
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
  __asm__("{movq %1, %0|mov %0, %1}" : "=m"(*place) : "r"(word));
#else
  __atomic_store_n(place, word, __ATOMIC_RELAXED);
#endif
}

// Steps 3 to 5. Returns `innermost`, which is what open[depth] is.
FLAMELET_FORCE_INLINE_ flamelet_id flamelet_commit_(flamelet_track_head_* track, uint64_t word, uint64_t depth,
                                                    flamelet_id innermost) {
  // relaxed: only this thread writes its cursor.
  uint64_t* cursor = __atomic_load_n(&track->cursor, __ATOMIC_RELAXED);
  *cursor++ = word;
  __atomic_store_n(&track->cursor, cursor, __ATOMIC_RELEASE);
  // It does the rest, and nothing here is used after it, so no register has to be kept over a call.
  if (FLAMELET_UNLIKELY_((FLAMELET_ADDRESS_(cursor) & (FLAMELET_PAGE_BYTES - 1)) == 0))
    return flamelet_new_page_(track, depth);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&track->depth, depth, __ATOMIC_RELEASE);
  return innermost;
}

// relaxed: a track that is switched on meanwhile begins with its next event.
FLAMELET_FORCE_INLINE_ bool flamelet_is_off_(void) {
  return FLAMELET_SIGNED_(__atomic_load_n(&flamelet_head_()->gate, __ATOMIC_RELAXED)) < 0;
}

FLAMELET_FORCE_INLINE_ flamelet_id flamelet_scope_begin_(flamelet_site* site) {
  flamelet_track_head_* track = flamelet_head_();
  // relaxed: step 2 decides; the site's strings are in the table before its word is set, and no reader
  // looks here.
  uint64_t word = __atomic_load_n(&site->word, __ATOMIC_RELAXED) ^ __atomic_load_n(&track->gate, __ATOMIC_RELAXED);
  if (FLAMELET_UNLIKELY_(FLAMELET_SIGNED_(word) < 0)) return 0;
  if (FLAMELET_LIKELY_(FLAMELET_LOW_HALF_(word) == 0)) {
    uint64_t depth = __atomic_load_n(&track->depth, __ATOMIC_RELAXED);
    if (FLAMELET_LIKELY_(depth < FLAMELET_MAX_DEPTH) && FLAMELET_LIKELY_(flamelet_enter_(track, depth))) {
      word += flamelet_counter_ticks_();
      flamelet_store_(&track->open[depth + 1], word);
      return flamelet_commit_(track, word, depth + 1, word);
    }
  }
  return flamelet_scope_begin_slow_(site);
}

FLAMELET_FORCE_INLINE_ void flamelet_scope_end_(flamelet_id id) {
  if (id == 0) return;
  flamelet_track_head_* track = flamelet_head_();
  uint64_t depth = __atomic_load_n(&track->depth, __ATOMIC_RELAXED);
  if (FLAMELET_LIKELY_(track->open[depth] == id) && FLAMELET_LIKELY_(flamelet_enter_(track, depth))) {
    flamelet_commit_(track, flamelet_counter_ticks_(), depth - 1, 0);
    return;
  }
  flamelet_scope_end_slow_(id);
}

FLAMELET_FORCE_INLINE_ flamelet_id flamelet_scope_next_(flamelet_id id, flamelet_site* site) {
  flamelet_track_head_* track = flamelet_head_();
  uint64_t word = __atomic_load_n(&site->word, __ATOMIC_RELAXED) ^ __atomic_load_n(&track->gate, __ATOMIC_RELAXED);
  uint64_t depth = __atomic_load_n(&track->depth, __ATOMIC_RELAXED);
  if (FLAMELET_LIKELY_(FLAMELET_LOW_HALF_(word) == 0 && track->open[depth] == id && id != 0) &&
      FLAMELET_LIKELY_(flamelet_enter_(track, depth))) {
    word += flamelet_counter_ticks_() + (FLAMELET_WORD_BEGIN_TO_NEXT_ << FLAMELET_TYPE_SHIFT_);
    flamelet_store_(&track->open[depth], word);
    return flamelet_commit_(track, word, depth, word);
  }
  if (id == 0 && FLAMELET_SIGNED_(word) < 0) return 0;
  return flamelet_scope_next_slow_(id, site);
}

// A scope with an object, a dynamic name, or both. NULL: without.
FLAMELET_FORCE_INLINE_ flamelet_id flamelet_scope_begin_with_(flamelet_site* site, const char* name,
                                                              const char* object) {
  flamelet_track_head_* track = flamelet_head_();
  uint64_t word = __atomic_load_n(&site->word, __ATOMIC_RELAXED) ^ __atomic_load_n(&track->gate, __ATOMIC_RELAXED);
  if (FLAMELET_UNLIKELY_(FLAMELET_SIGNED_(word) < 0)) return 0;
  if (__builtin_constant_p(!name) && !name) return flamelet_scope_begin_object_call_(track, word, object, site);
  if (__builtin_constant_p(!object) && !object) return flamelet_scope_begin_dynamic_call_(track, word, name, site);
  return flamelet_scope_begin_with_slow_(site, name, object);
}

// By one instruction where that is possible: what a signal handler counts in between is not lost then.
FLAMELET_FORCE_INLINE_ void flamelet_count_(uint64_t* count) {
#if defined(__x86_64__) && defined(__clang__)
  __asm__("{addq $1, %0|add qword ptr %0, 1}" : "+m"(*count) : : "cc");
#elif defined(__x86_64__)
  __asm__("{addq $1, %0|add %0, 1}" : "+m"(*count) : : "cc");
#else
  ++*count;
#endif
}

// flamelet_begin() and flamelet_end(). While nothing is recorded, they make no call.
FLAMELET_FORCE_INLINE_ flamelet_id flamelet_begin_(const char* name, const char* category, const char* object) {
  flamelet_track_head_* track = flamelet_head_();
  // relaxed: as in flamelet_is_off_().
  if (FLAMELET_SIGNED_(__atomic_load_n(&track->gate, __ATOMIC_RELAXED)) >= 0)
    return flamelet_begin_call_(name, category ? category : "", object, track);
  flamelet_count_(&flamelet_this_thread_()->begun_unrecorded);
  return 0;
}
FLAMELET_FORCE_INLINE_ void flamelet_end_(flamelet_id id) {
  if (FLAMELET_LIKELY_(id != 0)) {
    flamelet_end_call_(id);
    return;
  }
  flamelet_thread_* thread = flamelet_this_thread_();
  if (thread->ended_unrecorded < thread->begun_unrecorded)
    flamelet_count_(&thread->ended_unrecorded);
  else
    flamelet_end_none_();
}

// Plain calls of these functions are inlined, except in the library, which defines them; their addresses are those of the
// library's.
#if defined(__cplusplus) && !defined(FLAMELET_BUILDING)
#define FLAMELET_INLINED_CALL_ extern inline __attribute__((gnu_inline, always_inline, no_instrument_function))
FLAMELET_EXTERN_C_BEGIN
FLAMELET_INLINED_CALL_ flamelet_id flamelet_begin(const char* name, const char* category, const char* object) {
  return flamelet_begin_(name, category, object);
}
FLAMELET_INLINED_CALL_ void flamelet_end(flamelet_id id) {
  flamelet_end_(id);
}
FLAMELET_EXTERN_C_END
#elif !defined(__cplusplus)  // C forbids static functions in those
#define flamelet_begin(name, category, object) flamelet_begin_((name), (category), (object))
#define flamelet_end(id) flamelet_end_(id)
#endif

#else  // no inlined record path on this compiler or CPU: every event is a call

#define FLAMELET_FORCE_INLINE_ static inline FLAMELET_NOT_INSTRUMENTED_
FLAMELET_FORCE_INLINE_ flamelet_id flamelet_scope_begin_(flamelet_site* site) {
  return flamelet_scope_begin_slow_(site);
}
FLAMELET_FORCE_INLINE_ void flamelet_scope_end_(flamelet_id id) {
  flamelet_scope_end_slow_(id);
}
FLAMELET_FORCE_INLINE_ flamelet_id flamelet_scope_next_(flamelet_id id, flamelet_site* site) {
  return flamelet_scope_next_slow_(id, site);
}
FLAMELET_FORCE_INLINE_ flamelet_id flamelet_scope_begin_with_(flamelet_site* site, const char* name,
                                                              const char* object) {
  return flamelet_scope_begin_with_slow_(site, name, object);
}
FLAMELET_FORCE_INLINE_ flamelet_id flamelet_begin_(const char* name, const char* category, const char* object) {
  return flamelet_begin(name, category, object);
}
FLAMELET_FORCE_INLINE_ void flamelet_end_(flamelet_id id) {
  flamelet_end(id);
}
FLAMELET_FORCE_INLINE_ bool flamelet_is_off_(void) {
  return false;  // the calls see
}

#endif

// What stands for the calling thread where it holds a lock.
FLAMELET_FORCE_INLINE_ flamelet_track_head_* flamelet_this_track_(void) {
#ifdef FLAMELET_INLINE_RECORD_
  return flamelet_head_();
#else
  return flamelet_this_track_call_();
#endif
}

FLAMELET_FORCE_INLINE_ void flamelet_site_instant_(flamelet_site* site, const char* object) {
  if (!flamelet_is_off_()) flamelet_site_instant_slow_(site, object);
}
FLAMELET_FORCE_INLINE_ void flamelet_site_counter_(flamelet_site* site, double value) {
  if (!flamelet_is_off_()) flamelet_site_counter_slow_(site, value);
}

#endif  // FLAMELET_DETAIL_RECORD_H
