// SPDX-License-Identifier: MIT
//
// fast_calls.cpp: the calls that hot code makes, for what the recorder has met before: the steps of the inlined path
// (detail/record.h), in the same order. Whatever is not as expected leaves the depth as it was and goes to record.cpp.
#include <string.h>

#include "record/names.h"
#include "record/thread.h"

#ifdef FLAMELET_INLINE_RECORD_

namespace flamelet {
namespace {

// The last two words of a page are left to the slow path, which also takes the next page.
bool is_near_page_end(const uint64_t* cursor) {
  constexpr uintptr_t kTwoWords = 2 * sizeof(uint64_t);
  return ((reinterpret_cast<uintptr_t>(cursor) + kTwoWords) & (FLAMELET_PAGE_BYTES - kTwoWords)) == 0;
}

// What `text` is in the strings word: kShift says whether a name or an object.
template <uint32_t kShift>
__attribute__((always_inline)) inline flamelet_id begin_with_interned(flamelet_track_head_* head, uint64_t word,
                                                                      const char* text, flamelet_site* site) {
  const auto slow = [=] {
    return flamelet_scope_begin_with_slow_(site, kShift == 0 ? text : nullptr, kShift == 0 ? nullptr : text);
  };
  const uint64_t depth = as_atomic(head->depth).load_relaxed();
  if (FLAMELET_UNLIKELY_(FLAMELET_LOW_HALF_(word) != 0) || FLAMELET_UNLIKELY_(depth >= FLAMELET_MAX_DEPTH) ||
      FLAMELET_UNLIKELY_(!flamelet_enter_(head, depth)))
    return slow();
  Track* track = track_of(head);
  uint64_t* cursor = as_atomic(head->cursor).load_relaxed();
  uint32_t string;
  if (FLAMELET_UNLIKELY_(!names.strings.find_id(text, &string)) || FLAMELET_UNLIKELY_(is_near_page_end(cursor))) {
    as_atomic(head->depth).store_release(depth);  // pairs with the shutdown's wait
    return slow();
  }
  const uint64_t strings = uint64_t{string} << kShift;
  const flamelet_id id =
      word + flamelet_counter_ticks_() + (make_code(WordType::kBeginWith, 0) - make_code(WordType::kBegin, 0));
  flamelet_store_(&head->open[depth + 1], id);
  flamelet_store_(&track->strings[depth + 1], strings);
  cursor[1] = strings;
  as_atomic(*cursor).store_release(id);  // last: see track.cpp
  track->other_words.store_relaxed(track->other_words.load_relaxed() + 1);
  as_atomic(head->cursor).store_release(cursor + 2);  // the commit; pairs with the reader's acquire
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  as_atomic(head->depth).store_release(depth + 1);
  return id;
}

// Begins at a site on a track whose depth is busy.
__attribute__((always_inline)) inline flamelet_id begin_at(flamelet_track_head_* head, uint64_t depth, uint32_t code) {
  const flamelet_id id = (uint64_t{code} << FLAMELET_CODE_SHIFT_) + flamelet_counter_ticks_();
  flamelet_store_(&head->open[depth + 1], id);
  return flamelet_commit_(head, id, depth + 1, id);
}

flamelet_id begin_unknown(const char* name, const char* category, flamelet_track_head_* head, uint64_t depth) {
  as_atomic(head->depth).store_release(depth);  // pairs with the shutdown's wait
  return begin_by_name(name, category, nullptr);
}

// The place has no site that is recorded: it is free, or the category of its site is off.
flamelet_id begin_elsewhere(const char* name, const char* category, flamelet_track_head_* head, uint64_t depth,
                            const PointerSite* place) {
  // Anew, with acquire: another thread may have made the place since the caller looked, and its category may be on.
  const uint32_t code = place->code.load_acquire();
  if ((code & kPlaceOff) == 0 || place->name != name || place->category != category ||
      strcmp(name, place->name_text) != 0 || strcmp(category, place->category_text.text) != 0)
    return begin_unknown(name, category, head, depth);
  as_atomic(head->depth).store_release(depth);  // pairs with the shutdown's wait
  count_unrecorded();
  return 0;
}

// Begins a scope with a long name. It is a function of its own, so that the other names need no registers kept over its
// calls.
__attribute__((noinline)) flamelet_id begin_as_string(const char* name, const char* category,
                                                      flamelet_track_head_* head, uint64_t depth,
                                                      const PointerSite* place) {
  if (strcmp(name, place->name_text) != 0 || strcmp(category, place->category_text.text) != 0)
    return begin_unknown(name, category, head, depth);
  return begin_at(head, depth, place->code.load_relaxed());
}

// The site's place is this one, or behind it: behind the last place is always a free one. Not a loop, because the first
// place is nearly always the right one, and a loop needs more registers.
flamelet_id begin_from_next(const char* name, const char* category, flamelet_track_head_* head, uint64_t depth,
                            const PointerSite* place);
__attribute__((always_inline)) inline flamelet_id begin_from(const char* name, const char* category,
                                                             flamelet_track_head_* head, uint64_t depth,
                                                             const PointerSite* place) {
  // acquire: pairs with the release in pointer_site().
  if (FLAMELET_UNLIKELY_(static_cast<int32_t>(place->code.load_acquire()) <= static_cast<int32_t>(kPlaceBusy)))
    return begin_elsewhere(name, category, head, depth, place);
  if (FLAMELET_LIKELY_(place->name == name) && FLAMELET_LIKELY_(place->category == category)) {
    const Same same = compare(name, place->name_text, place->name_steps, category, place->category_text);
    if (FLAMELET_LIKELY_(same == Same::kYes)) return begin_at(head, depth, place->code.load_relaxed());
    if (same == Same::kUnknown) return begin_as_string(name, category, head, depth, place);
  }
  return begin_from_next(name, category, head, depth, place + 1);
}
__attribute__((noinline)) flamelet_id begin_from_next(const char* name, const char* category,
                                                      flamelet_track_head_* head, uint64_t depth,
                                                      const PointerSite* place) {
  return begin_from(name, category, head, depth, place);
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

flamelet_id flamelet_scope_begin_object_call_(flamelet_track_head_* head, uint64_t word, const char* object,
                                              flamelet_site* site) {
  return begin_with_interned<kStringIdBits>(head, word, object, site);
}

flamelet_id flamelet_scope_begin_dynamic_call_(flamelet_track_head_* head, uint64_t word, const char* name,
                                               flamelet_site* site) {
  return begin_with_interned<0>(head, word, name, site);
}

flamelet_id flamelet_begin_call_(const char* name, const char* category, const char* object,
                                 flamelet_track_head_* head) {
  const uint64_t depth = as_atomic(head->depth).load_relaxed();
  if (FLAMELET_UNLIKELY_(object != nullptr) || FLAMELET_UNLIKELY_(depth >= FLAMELET_MAX_DEPTH) ||
      FLAMELET_UNLIKELY_(!flamelet_enter_(head, depth)))
    return begin_by_name(name, category, object);
  return begin_from(name, category, head, depth, names.first_place(name));
}

void flamelet_end_call_(flamelet_id id) {
  if (id == 0) __builtin_unreachable();  // the caller has looked
  flamelet_scope_end_(id);
}

flamelet_id flamelet_begin(const char* name, const char* category, const char* object) {
  return flamelet_begin_(name, category, object);
}

void flamelet_end(flamelet_id id) {
  flamelet_end_(id);
}

#else

flamelet_id flamelet_begin(const char* name, const char* category, const char* object) {
  return flamelet::begin_by_name(name, category, object);
}

void flamelet_end(flamelet_id id) {
  if (id != 0) return flamelet_scope_end_slow_(id);
  flamelet::ends_unrecorded();
}

#endif
