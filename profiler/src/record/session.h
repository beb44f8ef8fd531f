// SPDX-License-Identifier: MIT
//
// session.h: the state of the recorder: one static Recorder, constant-initialized, so that an event before main(), after
// exit or in a TLS destructor finds it valid. What a session needs beyond it lies in the one block of memory.
//
// Tracks are static and never freed: a thread's pointer to its track is always good. Pages are freed by the shutdown,
// which is why every use of them stands between enter and leave (record.h) or between begin_read and end_read.
#ifndef FLAMELET_SRC_SESSION_H
#define FLAMELET_SRC_SESSION_H

#include "flamelet/detail/fiber_local.h"
#include "record/clock.h"
#include "record/intern_table.h"
#include "record/page.h"
#include "record/page_ring.h"
#include "record/ring_file.h"

namespace flamelet {

// Who writes a field, unless it says otherwise: the track's thread, between enter and leave.
struct Track {
  flamelet_track_head_ head;

  // What the re-open block of the next page needs beyond head.open. [i] belongs to head.open[i].
  uint64_t strings[FLAMELET_MAX_DEPTH + 1];      // of kBeginWith
  uint64_t known_word[FLAMELET_MAX_DEPTH + 1];   // open[i] when known_ticks[i] was worked out
  uint64_t known_ticks[FLAMELET_MAX_DEPTH + 1];  // full ticks of its begin

  Page* page;            // owned; NULL = none could be taken
  uint64_t ticket;       // of page
  uint64_t base_ticks;   // atomic: of page; the age sweep reads it
  uint64_t first_event;  // atomic: sequence number of the page's first event; statistics read it
  uint32_t other_words;  // atomic: words of the page that are not an event's first
  uint32_t open_count;   // of page
  uint32_t starts;       // of intervals, also by those who had the slot before
  uint32_t fiber;        // that runs now
  uint32_t session;      // atomic: that this track was set up for

  // Identity, for readers.
  uint32_t state;         // atomic: kFree, kLive
  uint32_t id;            // atomic
  uint32_t kind;          // atomic: flamelet_track_kind
  uint32_t name;          // atomic: string id; any thread
  uint32_t ended_id;      // atomic: the newest track of this slot that has ended
  uint64_t ended_events;  // atomic: of all its tracks that have
  uint64_t released_at;   // atomic: order of release, so that the slot that was free longest is taken first

  // External tracks only.
  uint64_t source;  // atomic: id and lock, see submit.cpp; 0 for threads
  double source_rate;
  uint64_t source_ticks;
  uint64_t recorder_ticks;
  bool calibrated;

  // Counts, relaxed atomics: one writer each, or exact by fetch_add.
  uint64_t missing_ends;
  uint64_t extra_ends;
  uint64_t dropped_depth;
  uint64_t dropped_no_page;
  uint64_t dropped_nested;
};

enum : uint32_t { kTrackFree = 0, kTrackLive = 1 };

enum class State : uint32_t { kStopped, kStopping, kRunning };

// A fiber's, or a thread's own, stack of open scopes while something else runs.
struct SavedStack {
  uint32_t id;      // atomic: stays behind with the name when the fiber ends, so that a later reader finds them
  uint32_t state;   // atomic: kFiberFree, ...
  uint32_t serial;  // how many fibers had this place
  uint32_t name;    // atomic: string id
  uint32_t depth;
  uint64_t open[FLAMELET_MAX_DEPTH + 1];
  uint64_t strings[FLAMELET_MAX_DEPTH + 1];
  uint64_t ticks[FLAMELET_MAX_DEPTH + 1];
  char locals[FLAMELET_MAX_FIBER_LOCALS_][FLAMELET_FIBER_LOCAL_BYTES_];  // detail/fiber_local.h
};
enum : uint32_t { kFiberFree = 0, kFiberCreated = 1, kFiberIdle = 2, kFiberRunning = 3 };

// A name and category as pointers → their site, so that flamelet_begin() does not hash text every time. It compares the
// text, because a plug-in that is loaded where another one was has other names at the same addresses.
struct PointerSite {
  uint32_t state;  // atomic: 0 free, 1 being written, else site id + 2
  const char* name;
  const char* category;
  const char* name_text;  // interned
  const char* category_text;
};

struct Recorder {
  uint32_t state;    // atomic State
  uint32_t mode;     // atomic: the go that tracks should have: off (not running), ends (disabled), slow (recording)
  uint32_t control;  // atomic: 1 while a thread is inside init, shutdown or set_enabled
  uint32_t session;  // atomic; counts inits
  uint32_t users;    // atomic: calls inside begin_read()..end_read()
  uint32_t barrier_works;  // the process-wide barrier of the shutdown exists here

  flamelet_config config;
  size_t memory_bytes;
  char* memory;
  RingFileHeader* ring_file;  // in front of `memory`; NULL = the memory is the allocator's

  Page* pages;
  uint64_t* log;  // atomic, one for each page: what became of its newest ticket
  uint32_t page_count;
  alignas(64) uint64_t head;  // atomic: next ticket
  alignas(64) InternTable strings;
  InternTable sites;
  Clock clock;
  PointerSite* pointer_sites;
  uint32_t pointer_mask;
  SavedStack* fibers;       // config.max_fibers
  SavedStack* home_stacks;  // one for each track, if there are fibers
  uint32_t* submit_order;   // scratch of flamelet_submit, two for each event
  uint32_t submit_lock;     // atomic: the scratch is in use

  uint32_t next_track_id;     // atomic
  uint32_t next_fiber_place;  // atomic: where the search for a free one begins
  uint32_t tracks_live;       // atomic
  uint64_t release_counter;   // atomic
  uint64_t retired_events;    // atomic: recorded on tracks that were released
  uint64_t last_sweep_ticks;  // atomic
  uint32_t measure_lock;      // atomic

  uint32_t frame_lock;     // atomic
  uint32_t frame_partial;  // atomic: the running frame is partial
  uint64_t frames;         // atomic

  // Counts of what belongs to no track; relaxed atomics.
  uint64_t dropped_no_track, dropped_fiber, dropped_frame, dropped_submit, fiber_misuse;
  uint64_t strings_overflowed, sites_overflowed, interned_on_the_spot;
  // ... and of tracks that were released.
  uint64_t missing_ends, extra_ends, dropped_depth, dropped_no_page, dropped_nested;
};

extern Recorder recorder;

// Where the words of page_ring.h are.
struct Ring {
  static uint32_t page_count() { return recorder.page_count; }
  static uint64_t& head() { return recorder.head; }
  static uint64_t& state(uint32_t index) { return recorder.pages[index].header.state; }
  static uint64_t& commit(uint32_t index) { return recorder.pages[index].header.commit; }
  static uint64_t& log(uint32_t index) { return recorder.log[index]; }
};
using Steps = PageSteps<Protocol, Ring>;

constexpr uint32_t kFrameSlot = FLAMELET_MAX_TRACKS;  // the frame marks' own track

extern Track tracks[FLAMELET_MAX_TRACKS + 1];
// What unregistered threads point at: closed gate, busy depth. go says whether it is worth asking.
extern flamelet_track_head_ unregistered_head;

// Strings that every session starts with.
enum : uint32_t { kStringEmpty = 0, kStringNull = 1, kStringOverflow = 2 };
constexpr uint32_t kSiteOverflow = 0;

// ---- Counting --------------------------------------------------------------------------------------------------

// relaxed: counts order nothing.
inline void count(uint64_t* counter, uint64_t amount = 1) {
  __atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
}
template <class Number>
inline Number peek(const Number* number) {
  return __atomic_load_n(number, __ATOMIC_RELAXED);
}
template <class Number>
inline void put(Number* number, Number value) {
  __atomic_store_n(number, value, __ATOMIC_RELAXED);
}

// Lets another thread run; for the calls that may wait, none of which records.
void yield_thread();
// Waits for a condition, not longer than that; false if it never held.
template <class Condition>
bool wait_for(uint64_t limit_ns, Condition condition) {
  const uint64_t start = os_clock_ns();
  while (!condition()) {
    if (os_clock_ns() - start > limit_ns) return false;
    yield_thread();
  }
  return true;
}

// ---- A thread's slow path (thread.cpp) ---------------------------------------------------------------------------

inline Track* track_of(flamelet_track_head_* head) {
  return reinterpret_cast<Track*>(head);
}

enum class Entry {
  kNew,     // something begins: only while recording
  kEnd,     // something that the calling thread began ends: also while switched off
  kFinish,  // something that any thread began ends
};
// The calling thread's track with its depth busy until leave(). NULL: nothing can be recorded now (off, no slot, nested
// in a signal handler); what is dropped by that is counted.
Track* enter(Entry entry, uint32_t* depth);
void leave(Track* track, uint32_t depth);

// What the calling thread points at, and whether that is a thread's track, or what stands for one while it is claimed.
flamelet_track_head_* current_head();
void set_current_head(flamelet_track_head_* head);
bool is_recording_head(const flamelet_track_head_* head);

// Claims a track that the calling thread gives back when it exits. NULL: not recording, or none left (counted).
Track* claim_for_this_thread(bool while_disabled);

// Is it one of the calling thread's: its own, or one of its signal handlers' (signal.cpp)?
bool is_own_track(const Track* track);
// For the exit: leaves the handlers that the calling thread ends in; then takes the tracks that handlers had, one by one,
// until there is none (NULL).
void leave_signal_handlers();
Track* take_signal_track();

// Gives threads a way to say that they exit; once in the process. False: the system has none left.
bool watch_thread_exits();

// Makes a track that nobody reads or writes now a new one with this id.
void set_up(Track* track, flamelet_track_kind kind, uint32_t id);
// Takes a free slot, or NULL (counted). The calling thread holds begin_read().
Track* claim_track(flamelet_track_kind kind);
void release_track(Track* track);
// Ends all open scopes of an entered track; counted, as ends that are missing.
void end_all(Track* track, uint32_t depth);
// Closes what is open on a track of the calling thread, which does not point at it any more, and gives the track back.
void give_back(Track* track);

// The gate of a thread that does not record by the inlined path: is it worth asking?
inline uint64_t closed_gate(uint32_t mode) {
  return mode == FLAMELET_GO_SLOW_ ? FLAMELET_GATE_SHUT_ : FLAMELET_GATE_OFF_;
}
// Gives the track the gate and the go that the recorder's mode asks for, whatever changes meanwhile.
void settle(Track* track);

// For the shutdown, after go was cleared everywhere: true once no thread is inside the record path. `barrier`: the
// process-wide barrier was passed since.
bool threads_are_outside(bool barrier);
// In the child of a fork: the other threads do not exist.
void forget_other_threads();

// ---- What a track does to the ring (track.cpp) -------------------------------------------------------------------

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
// Then the event from `from` to track->fiber, with the incoming stack.
void append_switch(Track* track, uint32_t from, uint32_t depth, uint64_t ticks);
// Works out known_ticks for open[1 .. depth].
void know_open_ticks(Track* track, uint32_t depth);

// Events recorded so far on a track; exact when called by its own thread.
uint64_t events_of(const Track& track);

// ---- The ring's file (ring_file.cpp); all of these do nothing if there is none -------------------------------------

// FLAMELET_RING_FILE; NULL if it is not set.
const char* ring_path_of_environment();
void begin_ring_file();
// The clock's rate, as far as it is known by now.
void share_clock();
// Who has the track's slot; `ended`: and that there will be no more events.
void share_track(const Track& track, bool ended = false);
// The recorder is being shut down.
void end_ring_file();

// ---- Frames (frame.cpp) ------------------------------------------------------------------------------------------

// Under the frame lock, or before anyone else can call.
void mark_frame(uint64_t index, bool ended_partial);
// Threads that record rarely may sit on a page for hours. Called with the frame marks, and by readers.
void sweep_old_pages();

// ---- Names (names.cpp) -------------------------------------------------------------------------------------------

// Ids for text. The calling thread is entered or holds begin_read(). Never fail: a full table gives the overflow entry, and counts.
uint32_t intern_string(const char* text, size_t size);
uint32_t intern_string(const char* text);
// The id of an object: 0 for NULL, found by address if it came from flamelet_intern(), else interned on the spot.
uint32_t object_string(const char* text);
// Site id of a static site; sets site->word.
uint32_t register_site(flamelet_site* site);
// Site id of a name and category.
uint32_t pointer_site(const char* name, const char* category);

}  // namespace flamelet

#endif  // FLAMELET_SRC_SESSION_H
