// SPDX-License-Identifier: MIT
//
// track.h: a sequence of events, and who has it: a thread, a signal handler of one, or an external source. Tracks are
// static and never freed: a thread's pointer to its track is always good.
#ifndef FLAMELET_SRC_TRACK_H
#define FLAMELET_SRC_TRACK_H

#include <stdint.h>
#include <string.h>

#include "flamelet/detail/preload.h"
#include "flamelet/detail/record.h"
#include "record/page.h"
#include "record/page_ring.h"
#include "record/session.h"

namespace flamelet {

// The session's pages, and where the words of page_ring.h are.

struct PageRing {
  Page* pages;
  Atomic<uint64_t>* outcomes;  // one for each page: what became of its newest ticket
  uint32_t page_count;
  alignas(64) Atomic<uint64_t> next_ticket;  // alone on its line: every thread that takes a page writes it
  alignas(64) char after[64];
};

extern PageRing page_ring;

struct Ring {
  static uint32_t page_count() { return page_ring.page_count; }
  static Atomic<uint64_t>& next_ticket() { return page_ring.next_ticket; }
  static Atomic<uint64_t>& state(uint32_t index) { return as_atomic(page_ring.pages[index].header.state); }
  static Atomic<uint64_t>& commit(uint32_t index) { return as_atomic(page_ring.pages[index].header.commit); }
  static Atomic<uint64_t>& outcome(uint32_t index) { return page_ring.outcomes[index]; }
};
using Steps = PageSteps<Protocol, Ring>;

// Who holds a lock, in words, for the scope of a thread that waits for it.

// The newest answer, of one thread or fiber in one session. Begins as all 0.
struct HolderCache {
  uint64_t thread, scope;
  uint32_t string;
};

// "Loader in Compact log": the thread's name, and the innermost scope that is open there; of a fiber that does not run, its
// own. The string's id; 0: not known. `holder` is a flamelet_this_track_() of any thread, perhaps of one that ended, and
// `fiber` what ran there. The calling thread is entered.
uint32_t holder_string(const void* holder, uint32_t fiber, HolderCache* cache);
// "end of Loader", of a thread that another one joins.
uint32_t end_string(const void* thread);

// Gives the recorder to a library that was preloaded (flamelet/detail/preload.h), if there is one.
void connect_preload();
// See flamelet/detail/preload.h.
flamelet_wait begin_join_since(flamelet_lock* lock, flamelet_file_call since);

// Unrecorded: begins by call that were not recorded (switched off, too deep, ...) and whose ends are still to come.
// flamelet_end_top() names no scope, so it has to know whether the innermost begin is one of those. Kept for each thread
// and fiber, as a count for each depth of open scopes.
//
// While recording is off, a thread only counts such begins and their ends (flamelet_thread_). They are those inside the
// scope that is innermost then: that can change only by the slow path, which begins by moving the counts here (enter()).

// `depth` is how many scopes are open, and `open` their ids, as in the track's head.
class UnrecordedBegins {
 public:
  void begun(const uint64_t* open, uint64_t depth, uint64_t count) {
    if (around_[depth] != open[depth]) counts_[depth] = 0;
    around_[depth] = open[depth];
    counts_[depth] += static_cast<uint32_t>(count);
  }
  // Whether an end belongs to one of them.
  bool ended(const uint64_t* open, uint64_t depth) {
    if (counts_[depth] == 0 || around_[depth] != open[depth]) return false;
    --counts_[depth];
    return true;
  }

  void clear() { memset(counts_, 0, sizeof counts_); }
  // What is inside the scopes that are open, and no more: `counts` has depth + 1 elements.
  void save(const uint64_t* open, uint64_t depth, uint32_t* counts) const {
    for (uint64_t i = 0; i <= depth; ++i) counts[i] = around_[i] == open[i] ? counts_[i] : 0;
  }
  void restore(const uint64_t* open, uint64_t depth, const uint32_t* counts) {
    const size_t levels = static_cast<size_t>(depth) + 1;
    memcpy(around_, open, sizeof(*around_) * levels);
    memcpy(counts_, counts, sizeof(*counts_) * levels);
  }

 private:
  // [i] counts the begins directly inside open scope number i, and is void as soon as another scope is number i: a begin
  // that was not recorded ends with the scope around it.
  uint64_t around_[FLAMELET_MAX_DEPTH + 1];
  uint32_t counts_[FLAMELET_MAX_DEPTH + 1];
};

// Who writes a field, unless it says otherwise: the track's thread, between enter() and leave().
// Whole pairs of cache lines, which processors fetch together: no two threads write to the same ones.
struct alignas(128) Track {
  flamelet_track_head_ head;

  // What the re-open block of the next page needs beyond head.open. [i] belongs to head.open[i]. An id that is not the
  // scope's word (kSameWordStep) has its known_ticks from the begin on.
  uint64_t strings[FLAMELET_MAX_DEPTH + 1];      // of kBeginWith
  uint64_t known_word[FLAMELET_MAX_DEPTH + 1];   // open[i] when known_ticks[i] was worked out
  uint64_t known_ticks[FLAMELET_MAX_DEPTH + 1];  // full ticks of its begin

  Page* page;                    // owned; NULL = none could be taken
  uint64_t ticket;               // of page
  Atomic<uint64_t> base_ticks;   // of page; the age sweep reads it
  Atomic<uint64_t> first_event;  // sequence number of the page's first event; statistics read it
  Atomic<uint32_t> other_words;  // words of the page that are not an event's first
  uint32_t starts;               // of intervals, also by those who had the slot before
  uint32_t hand_overs;           // of locks
  HolderCache holder;            // of the lock that it last waited for
  flamelet_id wait;              // the scope of its newest wait for a lock or so; it may have ended
  Atomic<uint32_t> session;      // that this track was set up for

  // Identity, for readers.
  Atomic<uint32_t> state;  // kTrackFree, ...
  Atomic<uint32_t> id;
  Atomic<uint32_t> system_thread;  // this_thread_number() of its thread; 0 = not known
  Atomic<uint32_t> kind;           // flamelet_track_kind
  Atomic<uint32_t> name;           // string id; any thread
  Atomic<uint32_t> system_name;    // string id of what was taken from the system; 0 = nothing yet; any thread
  uint32_t pages;                  // it has had so many
  Atomic<uint32_t> ended_id;       // the newest track of this slot that has ended
  Atomic<uint64_t> ended_events;   // of all its tracks that have
  Atomic<uint64_t> released_at;    // order of release, so that the slot that was free longest is taken first

  // External tracks only.
  Atomic<uint64_t> source;  // id and lock, see submit.cpp; 0 for threads
  double source_rate;
  uint64_t source_ticks;
  uint64_t recorder_ticks;
  bool calibrated;
  uint32_t waiting;  // place in submit_state.waiting

  UnrecordedBegins unrecorded;
  TrackCounts counts;
};

// kTrackMeasured: of flamelet_measure_scope_ns(), outside the ring. kTrackClaimed: nobody's yet, but about to be.
enum : uint32_t { kTrackFree = 0, kTrackLive = 1, kTrackMeasured = 2, kTrackClaimed = 3 };
// Behind those of threads and sources: the frame marks' own track, and that of the switches.
constexpr uint32_t kFrameSlot = FLAMELET_MAX_TRACKS;
constexpr uint32_t kSwitchSlot = FLAMELET_MAX_TRACKS + 1;
static_assert(kTrackSlots == kSwitchSlot + 1, "as readers know it");

extern Track tracks[kTrackSlots];

// What all tracks of the session share.
struct TrackTotals {
  Atomic<uint32_t> used_slots;  // the first of them have had tracks; of all sessions
  Atomic<uint32_t> newest_id;
  Atomic<uint32_t> live;
  Atomic<uint64_t> releases;
  Atomic<uint64_t> names_asked_ticks;  // by take_system_names()
  Atomic<uint64_t> names_wait_ticks;   // from then on; 0 = it has not asked
  Atomic<uint64_t> ended_events;       // recorded on tracks that were released
  TrackCounts ended_counts;            // of those
};
extern TrackTotals track_totals;

// Slots from there on never had a track. acquire: whoever knows a track's id, from its page or from that of a newer track,
// finds its slot below.
inline uint32_t used_slots() {
  return track_totals.used_slots.load_acquire();
}

inline Track* track_of(flamelet_track_head_* head) {
  return reinterpret_cast<Track*>(head);
}

// ---- Who has it (track.cpp) ------------------------------------------------------------------------------------------

// One of config.max_tracks places, or false; then that many events are counted.
bool take_place(uint32_t events);
uint32_t new_track_id();
// Makes a track that nobody reads or writes now a new one with this id.
void set_up(Track* track, flamelet_track_kind kind, uint32_t id);
// Takes a free slot, or NULL (that many events are counted). The calling thread holds a SessionGuard.
Track* claim_track(flamelet_track_kind kind, uint32_t events);
void release_track(Track* track);
// The system's name for a thread that the program gave none: its thread asks ...
void take_system_name(Track* track);
// ... and captures ask for all that live, once a second at most.
void take_system_names();
// Ends all open scopes of an entered track; counted, as ends that are missing.
void end_all(Track* track, uint32_t depth);
// Closes what is open on a track of the calling thread, which does not point at it any more, and gives the track back.
void give_back(Track* track);

// The gate of a thread that does not record by the inlined path: is it worth asking?
inline uint64_t closed_gate(uint32_t mode) {
  return mode == FLAMELET_MODE_CALLS_ ? FLAMELET_GATE_SHUT_ : FLAMELET_GATE_OFF_;
}
// Gives the track the gate and the mode that the recorder asks for, whatever changes meanwhile.
void settle(Track* track);

// ---- What it writes into the ring (track.cpp) ---------------------------------------------------------------------------

// Takes a new page for an entered track and re-opens `depth` scopes in it. False: none could be had.
bool new_page(Track* track, uint32_t depth, uint64_t now_ticks);
// Closes the page of a track that will write no more, or take another.
void close_page(Track* track, uint64_t now_ticks);
// Appends one event of an entered track (or of an external one under its lock). `depth` is that before the event.
// False: there is no page; counted. The caller calls roll_if_full() once the new depth stands.
bool append(Track* track, uint32_t depth, uint64_t ticks, uint64_t code = 0, const uint64_t* payload = nullptr,
            uint32_t payload_words = 0);
void roll_if_full(Track* track, uint32_t depth);
// A switch of fibers and the stack behind it must be in one page: better a new page early than half a stack. So first
// this, while the outgoing stack is there. False: there is no page; counted.
bool make_room_for_switch(Track* track, uint32_t depth, uint64_t ticks, uint32_t depth_after);
// Then the event from `from` to track->head.fiber, with the incoming stack.
void append_switch(Track* track, uint32_t from, uint32_t depth, uint64_t ticks);
// Works out known_ticks for open[1 .. depth].
void know_open_ticks(Track* track, uint32_t depth);

// Events recorded so far on a track; exact when called by its own thread.
uint64_t events_of(const Track& track);

}  // namespace flamelet

#endif  // FLAMELET_SRC_TRACK_H
