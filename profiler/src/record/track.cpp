// SPDX-License-Identifier: MIT
//
// track.cpp: who has which track.
#include "record/track.h"

#include <string.h>

#include "platform/thread_account.h"
#include "record/names.h"
#include "record/ring_file.h"
#include "record/session.h"

namespace flamelet {

Track tracks[kTrackSlots] = {};
TrackTotals track_totals = {};

bool take_place(uint32_t events) {
  for (;;) {
    const uint32_t live = track_totals.live.load_relaxed();
    if (live >= recorder.config.max_tracks) {
      recorder.counts.add(kDroppedNoTrack, events);
      return false;
    }
    // relaxed: a count; the slot's own state orders its reuse.
    if (track_totals.live.cas_relaxed(live, live + 1)) return true;
  }
}

uint32_t new_track_id() {
  uint32_t id;
  do {
    // seq_cst: a later id tells that the slots of the earlier ones are counted in used_slots.
    id = track_totals.newest_id.fetch_add_seq_cst(1) + 1;
  } while (id == 0 || id >= kSwitchTrack);  // after 2^32 threads
  return id;
}

void set_up(Track* track, flamelet_track_kind kind, uint32_t id) {
  track->head.open[0] = 0;
  track->page = nullptr;
  track->fiber = 0;
  track->raised_ticks = 0;
  track->calibrated = false;
  track->holder = {};
  track->system_name = 0;
  track->pages = 0;
  track->source.store_relaxed(0);
  track->base_ticks.store_relaxed(0);
  track->unrecorded.clear();
  track->counts.clear();
  // No id while the rest changes. release: get_track() loads each of these with acquire and then the id again, so that
  // it does not take anything of the new track for the old one's.
  track->id.store_relaxed(0);
  as_atomic(track->head.cursor).store_release(static_cast<uint64_t*>(nullptr));
  track->first_event.store_release(0);
  track->other_words.store_release(0);
  track->name.store_release(0);
  track->kind.store_release(static_cast<uint32_t>(kind));
  track->session.store_release(recorder.session.load_relaxed());
  track->id.store_release(id);
  share_track(*track);
}

void settle(Track* track) {
  for (;;) {
    const uint32_t mode = recorder.mode.load_seq_cst();
    const bool fast = mode == FLAMELET_MODE_CALLS_ && recorder.clock.is_inline() && track->page != nullptr &&
                      track->kind.load_relaxed() == FLAMELET_TRACK_THREAD;
    const uint32_t sites = recorder.site_number.load_seq_cst();
    as_atomic(track->head.gate).store_seq_cst(fast ? sites : closed_gate(mode));
    as_atomic(track->head.mode).store_seq_cst(fast ? FLAMELET_MODE_INLINE_ : mode);
    if (recorder.mode.load_seq_cst() == mode && recorder.site_number.load_seq_cst() == sites) return;
  }
}

// Before the track has its id.
static void count_used_slot(uint32_t slot) {
  for (;;) {
    const uint32_t used = track_totals.used_slots.load_relaxed();
    if (used > slot || track_totals.used_slots.cas_release(used, slot + 1)) return;
  }
}

Track* claim_track(flamelet_track_kind kind, uint32_t events) {
  if (!take_place(events)) return nullptr;
  for (;;) {
    Track* best = nullptr;
    uint64_t released_at = 0;  // of the best
    for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
      Track* track = &tracks[i];
      if (track->state.load_relaxed() != kTrackFree) continue;
      const uint64_t released = track->released_at.load_relaxed();
      if (best != nullptr && released >= released_at) continue;
      best = track;
      released_at = released;
    }
    if (best == nullptr) {  // threads of earlier sessions still hold slots, or one that exits just now
      recorder.counts.add(kDroppedNoTrack, events);
      track_totals.live.fetch_sub_relaxed(1);
      return nullptr;
    }
    // acquire: pairs with the release of the last user.
    if (!best->state.cas_acquire(kTrackFree, kTrackClaimed)) continue;
    // Another thread may have used it since, and just ended: what is known of that one would be overwritten too early.
    if (best->released_at.load_relaxed() != released_at) {
      best->state.store_release(kTrackFree);
      continue;
    }
    // seq_cst: set_enabled() stores the mode and then walks the live tracks; either it finds this one, or settle() finds
    // its mode.
    best->state.store_seq_cst(kTrackLive);
    count_used_slot(static_cast<uint32_t>(best - tracks));
    best->system_thread.store_relaxed(0);  // the last user's
    set_up(best, kind, new_track_id());
    as_atomic(best->head.depth).store_relaxed(0);
    settle(best);
    return best;
  }
}

void release_track(Track* track) {
  close_page(track, recorder.clock.now_ticks());
  share_track(*track, true);
  track_totals.ended_events.fetch_add_relaxed(track->first_event.load_relaxed());
  // The id first, and release behind it: pairs with slot_ends().
  track->ended_id.store_relaxed(track->id.load_relaxed());
  track->ended_events.fetch_add_release(track->first_event.load_relaxed());
  track_totals.ended_counts.add(track->counts);
  track->released_at.store_relaxed(track_totals.releases.fetch_add_relaxed(1) + 1);
  track_totals.live.fetch_sub_relaxed(1);
  as_atomic(track->head.gate).store_relaxed(uint64_t{FLAMELET_GATE_OFF_});
  as_atomic(track->head.mode).store_relaxed(FLAMELET_MODE_OFF_);
  as_atomic(track->head.depth).store_release(0);  // pairs with the shutdown's wait
  track->state.store_release(kTrackFree);         // pairs with the acquire in claim_track
}

void end_all(Track* track, uint32_t depth) {
  if (depth == 0) return;
  append(track, depth, event_ticks(track, recorder.clock.now_ticks()), make_code(WordType::kEndTo, kEndToMissing));
  track->counts.add(kMissingEnds, depth);
}

void give_back(Track* track) {
  flamelet_track_head_* head = &track->head;
  const uint32_t depth = static_cast<uint32_t>(as_atomic(head->depth).load_relaxed());
  as_atomic(head->depth).store_relaxed(uint64_t{FLAMELET_DEPTH_BUSY_});
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (as_atomic(head->mode).load_relaxed() != FLAMELET_MODE_OFF_ &&
      track->session.load_relaxed() == recorder.session.load_relaxed()) {
    // Busy: the thread was cancelled inside the recorder, or left it by a jump. How much is open is not known any more.
    if (depth != FLAMELET_DEPTH_BUSY_) end_all(track, depth);
    release_track(track);
  } else {
    // The session that this track belonged to is over, and its pages with it.
    as_atomic(head->depth).store_release(0);
    track->state.store_release(kTrackFree);  // pairs with the acquire in claim_track
  }
}

}  // namespace flamelet

using namespace flamelet;

void flamelet_set_track_name(uint32_t id, const char* name) {
  const SessionGuard guard;
  if (id == 0 || !guard) return;
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
    if (tracks[i].state.load_acquire() != kTrackLive || tracks[i].id.load_relaxed() != id) continue;
    tracks[i].name.store_release(intern_string(name));
    share_track(tracks[i]);
  }
}

namespace flamelet {

// ---- What it writes into the ring ---------------------------------------------------------------------------------

// What a track does to the ring: take a page, re-open the open scopes in it, append, close.
//
// The first word of an event is stored last, though the cursor commits it for readers in this process: it is the commit
// for those who find the page in a file (ring_file.h).

PageRing page_ring = {};

void know_open_ticks(Track* track, uint32_t depth) {
  // A scope that was open at the last page change still has the same word in the same place. Any other one began in
  // the current page, so the page's base gives its time.
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
    *words++ = word;  // so that readers keep the scope's id
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

// A thread that the program gave no name has the system's. It may get that after its first event, so it is asked at its
// first page, its second, its fourth and so on.
static void take_system_name(Track* track) {
  if ((track->pages & (track->pages + 1)) != 0 || track->kind.load_relaxed() != FLAMELET_TRACK_THREAD) return;
  char name[kThreadNameBytes];
  uint32_t known = track->name.load_relaxed();
  if (known != track->system_name || !this_thread_name(name)) return;
  const uint32_t string = intern_string(name);
  // Only from what it was: whoever names the track meanwhile wins. release: pairs with the acquire in get_track().
  if (known == string || !track->name.cas_release(known, string)) return;
  track->system_name = string;
  share_track(*track);
}

bool new_page(Track* track, uint32_t depth, uint64_t now_ticks) {
  if (track->state.load_relaxed() == kTrackMeasured) return false;  // it has its one page
  know_open_ticks(track, depth);
  close_page(track, now_ticks);
  share_clock();
  take_system_name(track);
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
    header.fiber = track->fiber;
    header.open_count = depth;
    header.slot = static_cast<uint32_t>(track - tracks);
    header.session = track->session.load_relaxed();
    if (ring_file != nullptr) memset(page->words, 0, sizeof page->words);
    uint64_t* words = write_reopened(track, depth, page->words);
    track->page = page;
    track->ticket = ticket;
    track->open_count = depth;
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
  track->counts.add(kDroppedNoPage);
  track->first_event.store_relaxed(track->first_event.load_relaxed() + 1);
  return false;
}

bool append(Track* track, uint32_t depth, uint64_t ticks, uint64_t code, const uint64_t* payload,
            uint32_t payload_words) {
  if (!make_room(track, depth, ticks, 1 + payload_words)) return false;
  uint64_t* cursor = as_atomic(track->head.cursor).load_relaxed();
  for (uint32_t i = 0; i < payload_words; ++i) cursor[1 + i] = payload[i];
  const uint64_t word = ticks + code;
  as_atomic(*cursor).store_release(word != 0 ? word : 1);  // 0 would be an end at tick 0
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
  first[1] = uint64_t{from} | uint64_t{track->fiber} << 32;
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
