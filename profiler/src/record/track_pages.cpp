// SPDX-License-Identifier: MIT
//
// track_pages.cpp: what a track does to the ring: take a page, re-open the open scopes in it, append, close. A source of its
// own: beside who has which track, the compiler inlines more into append(), and each event takes twelve instructions more.
//
// The first word of an event is stored last, though the cursor commits it for readers in this process: it is the commit
// for those who find the page in a file (ring_file.h).
#include <string.h>
#include "platform/thread_account.h"
#include "record/names.h"
#include "record/ring_file.h"
#include "record/session.h"
#include "record/track.h"

namespace flamelet {

PageRing page_ring = {};

void know_open_ticks(Track* track, uint32_t depth) {
  // A scope that was open at the last page change still has the same id in the same place. Any other one began in the
  // current page, so the page's base gives its time.
  for (uint32_t i = 1; i <= depth; ++i) {
    const uint64_t word = track->head.open[i];
    if (track->known_word[i] == word) continue;
    as_atomic(track->known_word[i]).store_relaxed(word);
    as_atomic(track->known_ticks[i]).store_relaxed(word_ticks(word, track->base_ticks.load_relaxed()));
  }
}

// Two words for each open scope; their known_ticks are worked out.
static uint64_t* write_reopened(const Track* track, uint32_t depth, uint64_t* words) {
  for (uint32_t i = 1; i <= depth; ++i) {
    const uint64_t word = track->head.open[i];
    const uint64_t ticks = track->known_ticks[i];
    const uint32_t code = word_code(word, ticks);
    const WordType type = code_type(code);
    const uint64_t strings = type == WordType::kBeginWith ? track->strings[i] : 0;
    *words++ = ticks + make_code(type, code_id(code));  // the word that began it
    *words++ = make_reopen_strings(strings, type, ticks);
  }
  return words;
}

void close_page(Track* track, uint64_t now_ticks) {
  if (track->page == nullptr) return;
  PageHeader& header = track->page->header;
  const uint64_t* cursor = as_atomic(track->head.cursor).load_relaxed();
  const uint32_t words = static_cast<uint32_t>(cursor - track->page->words);
  const uint32_t events = words - track->other_words.load_relaxed();
  header.last_ticks = now_ticks;
  header.name = track->name.load_relaxed();
  Steps::leave(static_cast<uint32_t>(track->page - page_ring.pages), track->ticket, words);
  track->first_event.store_relaxed(track->first_event.load_relaxed() + events);
  track->other_words.store_relaxed(words);  // events_of() stays right until the next page
  track->page = nullptr;
}

// A thread that the program gave no name has the system's.
static bool wants_system_name(const Track* track, uint32_t known) {
  return track->kind.load_relaxed() == FLAMELET_TRACK_THREAD && known == track->system_name.load_relaxed();
}
static void set_system_name(Track* track, uint32_t known, const char* name) {
  const uint32_t string = intern_string(name);
  // Only from what it was: whoever names the track meanwhile wins. release: pairs with the acquire in get_track().
  if (known == string || !track->name.cas_release(known, string)) return;
  track->system_name.store_relaxed(string);
  share_name(*track);
}

void take_system_name(Track* track) {
  char name[kThreadNameBytes];
  const uint32_t known = track->name.load_relaxed();
  if (wants_system_name(track, known) && this_thread_name(name)) set_system_name(track, known, name);
}

void take_system_names() {
  const uint64_t now = recorder.clock.now_ticks();
  if (now - track_totals.names_asked_ticks.load_relaxed() < track_totals.names_wait_ticks.load_relaxed()) return;
  track_totals.names_asked_ticks.store_relaxed(now);
  track_totals.names_wait_ticks.store_relaxed(static_cast<uint64_t>(recorder.clock.ticks_per_second()));
  for (uint32_t slot = 0, slots = used_slots(); slot < slots; ++slot) {
    Track* const track = &tracks[slot];
    const uint32_t thread = track->system_thread.load_acquire(), id = track->id.load_relaxed();
    const uint32_t known = track->name.load_relaxed();
    char name[kThreadNameBytes];
    if (thread == 0 || track->state.load_relaxed() != kTrackLive || !wants_system_name(track, known)) continue;
    if (thread_name(thread, name) && track->id.load_relaxed() == id) set_system_name(track, known, name);
  }
}

bool new_page(Track* track, uint32_t depth, uint64_t now_ticks) {
  if (track->state.load_relaxed() == kTrackMeasured) return false;  // it has its one page
  know_open_ticks(track, depth);
  close_page(track, now_ticks);
  share_clock();
  // It may get its name after its first event, so it is asked at its first page, its second, its fourth and so on.
  if ((track->pages & (track->pages + 1)) == 0) take_system_name(track);
  ++track->pages;
  // Among page_count consecutive tickets, at most those of owned and pinned pages fail, and the ring has more pages than
  // tracks and readers (least_pages() in session.cpp). Others may take the good ones in between: then the next event
  // tries again.
  const bool taken = Steps::take([&](uint32_t index, uint64_t ticket) {
    Page* page = &page_ring.pages[index];
    PageHeader& header = page->header;
    header.base_ticks = now_ticks;
    header.first_event = track->first_event.load_relaxed();
    header.track = track->id.load_relaxed();
    header.fiber = track->head.fiber;
    header.open_count = depth;
    header.slot = static_cast<uint16_t>(track - tracks);
    header.kind = static_cast<uint16_t>(track->kind.load_relaxed());
    header.session = track->session.load_relaxed();
    if (ring_file != nullptr) memset(page->words, 0, sizeof page->words);
    uint64_t* words = write_reopened(track, depth, page->words);
    track->page = page;
    track->ticket = ticket;
    track->base_ticks.store_relaxed(now_ticks);
    track->other_words.store_relaxed(2 * depth);
    // release: pairs with the reader's acquire of the cursor.
    as_atomic(track->head.cursor).store_release(words);
  });
  // Without a page the inlined path must not run: it would write where the old one ended. settle() sees to it, and
  // enter() asks it again.
  if (!taken) settle(track);
  return taken;
}

// Makes sure of a page whose base the time of the event can be told from, and that has room for it. False: there is no
// page; counted, and the event has its number all the same, so that readers see a gap where an end may be missing. A new
// page begins at the event's own time, not at a later reading of the clock: the thread may have been
// stopped in between, for longer than kTickSlack.
static bool make_room(Track* track, uint32_t depth, uint64_t ticks, uint32_t words) {
  if (track->page != nullptr) {
    const uint64_t* end = track->page->words + kPageWords;
    // Unsigned: a clock that went back by more than the slack counts as a page too old.
    if (static_cast<uint32_t>(end - as_atomic(track->head.cursor).load_relaxed()) >= words &&
        ticks + kTickSlack - track->base_ticks.load_relaxed() <= kMaxPageAgeTicks + kTickSlack)
      return true;
  }
  if (new_page(track, depth, ticks)) return true;
  count_drop(track, kDroppedNoPage);
  track->first_event.store_relaxed(track->first_event.load_relaxed() + 1);
  return false;
}

bool append(Track* track, uint32_t depth, uint64_t ticks, uint64_t code, const uint64_t* payload,
            uint32_t payload_words) {
  if (!make_room(track, depth, ticks, 1 + payload_words)) return false;
  uint64_t* cursor = as_atomic(track->head.cursor).load_relaxed();
  for (uint32_t i = 0; i < payload_words; ++i) cursor[1 + i] = payload[i];
  as_atomic(*cursor).store_release(ticks + code);
  cursor += 1 + payload_words;
  track->other_words.store_relaxed(track->other_words.load_relaxed() + payload_words);
  as_atomic(track->head.cursor).store_release(cursor);  // the commit; pairs with the reader's acquire
  return true;
}

bool make_room_for_switch(Track* track, uint32_t depth, uint64_t ticks, uint32_t depth_after) {
  return make_room(track, depth, ticks, 2 + 2 * depth_after);
}

void append_switch(Track* track, uint32_t from, uint32_t depth, uint64_t ticks) {
  uint64_t* first = as_atomic(track->head.cursor).load_relaxed();
  first[1] = uint64_t{from} | uint64_t{track->head.fiber} << 32;
  uint64_t* cursor = write_reopened(track, depth, first + 2);
  as_atomic(*first).store_release(ticks + make_code(WordType::kFiber, depth));
  track->other_words.store_relaxed(track->other_words.load_relaxed() + 1 + 2 * depth);
  as_atomic(track->head.cursor).store_release(cursor);  // the commit; pairs with the reader's acquire
}

void roll_if_full(Track* track, uint32_t depth) {
  if (track->page != nullptr && as_atomic(track->head.cursor).load_relaxed() == track->page->words + kPageWords)
    new_page(track, depth, recorder.clock.now_ticks());
}

uint64_t events_of(const Track& track) {
  // acquire: pairs with the releases in set_up().
  const uint64_t first = track.first_event.load_acquire();
  const uint64_t* cursor = as_atomic(track.head.cursor).load_acquire();
  const uintptr_t at = reinterpret_cast<uintptr_t>(cursor);
  if (cursor == nullptr) return first;
  // A full page's cursor stands on the next page's first byte.
  const uintptr_t page = (at - 1) & ~uintptr_t{kPageBytes - 1};
  const uint64_t words = (at - page - sizeof(PageHeader)) / 8;
  const uint32_t other = track.other_words.load_acquire();
  return first + (words > other ? words - other : 0);
}

}  // namespace flamelet

// The inlined path filled a page. The depth is busy.
extern "C" flamelet_id flamelet_new_page_(flamelet_track_head_* head, uint64_t depth) {
  using namespace flamelet;
  Track* track = track_of(head);
  new_page(track, static_cast<uint32_t>(depth), recorder.clock.now_ticks());
  const flamelet_id innermost = head->open[depth];
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  as_atomic(head->depth).store_release(depth);  // pairs with the shutdown's wait
  return innermost;
}
