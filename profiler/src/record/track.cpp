// SPDX-License-Identifier: MIT
//
// track.cpp: who has which track.
#include "record/track.h"

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
      count_drop(kDroppedNoTrack, events);
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
  as_atomic(track->head.fiber).store_relaxed(0);
  track->calibrated = false;
  track->holder = {};
  track->system_name.store_relaxed(0);
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
      count_drop(kDroppedNoTrack, events);
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
  append(track, depth, recorder.clock.now_ticks(), make_code(WordType::kEndTo, kEndToMissing));
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
    take_system_name(track);
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
    share_name(tracks[i]);
  }
}
