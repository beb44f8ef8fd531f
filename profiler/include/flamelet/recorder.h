// SPDX-License-Identifier: MIT
//
// flamelet/recorder.h: the event recorder. Start it with one memory budget, record from any thread, read it back with
// capture.h. The macros that most code uses are in scope.h; this header is what they stand on, and what an engine's own
// abstraction calls.
//
// Threads:   "any thread" means also concurrently with every other call, shutdown included. A call that is not for any
//            thread says so.
// Lifetime:  names and categories are string literals, or otherwise live as long as the program, or come from
//            flamelet_intern(). They are copied into the recorder's table the first time they are seen, so unloading a
//            plug-in harms nothing that was recorded.
// Units:     time is in ticks of the recorder's clock (flamelet_now_ticks); captures convert to nanoseconds.
// Cost:      a scope is two timestamps, 16 bytes, and nothing that waits: no lock, no allocation, no system call.
// When off:  before init, after shutdown and while disabled, every recording call returns at once and returns 0. Frames
//            are marked while disabled, too: the game goes on, and its frame bars with it.
// When full: the newest events win. The ring overwrites its oldest page and readers count what they lost. What could not
//            be recorded at all (too many threads, too deep, ...) is counted by cause in flamelet_stats.
#ifndef FLAMELET_RECORDER_H
#define FLAMELET_RECORDER_H

#include "flamelet/base.h"

FLAMELET_EXTERN_C_BEGIN

// ---- Limits that are part of the format -----------------------------------------------------------------------------

#define FLAMELET_PAGE_BYTES 4096u    // the ring's unit; one page belongs to one track at a time
#define FLAMELET_MAX_DEPTH 120u      // open scopes on one thread or fiber; deeper ones are dropped, in pairs, counted
#define FLAMELET_MAX_TRACKS 256u     // threads and external tracks alive at one time
#define FLAMELET_MAX_FRAME_SETS 64u  // names of flamelet_frame_named() in one session
#define FLAMELET_MAX_SITES 65535u    // distinct sites (places in code) in one session

// ---- Set-up ---------------------------------------------------------------------------------------------------------

// Returns the time in ticks; must never go backwards on one thread. For tests, and platforms without a known counter.
typedef uint64_t (*flamelet_clock_function)(void* user);

// Made by flamelet_config_default(), then changed. Every limit takes memory from the one budget.
typedef struct flamelet_config {
  uint32_t cookie;                // set by flamelet_config_default(); tells a made config from an unset one
  bool start_disabled;            // start with recording off; flamelet_set_enabled() turns it on
  bool force_os_clock;            // do not use the CPU's counter even where it is trustworthy
  flamelet_allocator allocator;   // used once by init and once by shutdown
  size_t budget_bytes;            // all the memory that the recorder takes, in one block (default 32 MiB, up to 1 TiB)
  uint32_t max_tracks;            // threads and external tracks alive at one time, 1 .. FLAMELET_MAX_TRACKS
  uint32_t max_fibers;            // fibers alive at one time (about 3 KiB each); 0 if you have none
  uint32_t max_sites;             // 1 .. FLAMELET_MAX_SITES
  uint32_t max_strings;           // distinct strings, 16 .. 2^21 - 1 (default 32,768)
  size_t string_bytes;            // room for the text of all strings (default 2 MiB)
                                  // A quarter of both is kept for sites and threads: interned text gets the rest
  uint32_t max_submit_events;     // events that one flamelet_submit() call can hold
  uint32_t max_submit_open;       // begins and ends that an external track keeps until their partner is submitted
  flamelet_clock_function clock;  // NULL = the best clock of this machine
  void* clock_user;
  double clock_ticks_per_second;  // of `clock`; ignored without one
  // Not NULL: the memory is not the allocator's but a new file of budget_bytes and 8 KiB, so that what was recorded
  // outlives a crash: flamelet_capture_recover() (capture_file.h). The path must not exist. The file is the caller's,
  // also after the shutdown. Where files go to a disk, the system writes it there in the background; on Linux /dev/shm is
  // the place for one that need not outlive the machine. POSIX only.
  const char* ring_path;
  // FLAMELET_RING_FILE, if it is set and that file does not exist, goes before ring_path: `flamelet record` sets it.
  // Ignored in a program that runs with more rights than its user. Off by default: a library has no business with files
  // that its program does not know of.
  bool ring_path_from_environment;
} flamelet_config;

FLAMELET_API flamelet_config flamelet_config_default(void);

// The least budget_bytes that `config`'s limits can run with, or 0 if the config is invalid. The same function computes
// the layout, so a budget of exactly this size works; everything above it becomes ring pages.
FLAMELET_API size_t flamelet_memory_required(const flamelet_config* config);

// Starts recording. Takes the budget in one allocation and touches all of it. Calls the allocator once. Any thread, but
// one at a time. With a ring_path: FLAMELET_ERROR_FILE_OPEN or FLAMELET_ERROR_FILE_WRITE, and errno says why (EEXIST: the
// file is there, perhaps that of a crash: recover it, then remove it).
FLAMELET_API flamelet_result flamelet_init(const flamelet_config* config);

// Stops recording and gives the memory back in one free. Threads may still be recording: they are turned off first, and
// the memory is freed only when every one of them has left the recorder. If one has not left after a bounded wait, the
// memory is kept and FLAMELET_ERROR_THREADS_RUNNING says so: call again. Captures stay valid: they own their memory.
// Any thread; FLAMELET_ERROR_BUSY if another one is inside init or shutdown.
FLAMELET_API flamelet_result flamelet_shutdown(void);

// Turns recording on and off. A scope that is open while the flag changes ends the way it began: recorded scopes get
// their end, unrecorded ones none. The current frame is flagged partial. Any thread.
FLAMELET_API void flamelet_set_enabled(bool enabled);
FLAMELET_API bool flamelet_enabled(void);

// ---- Scopes ---------------------------------------------------------------------------------------------------------

// Names one open scope. 0 = nothing was recorded; ending 0 is a no-op.
typedef uint64_t flamelet_id;

// Begins a scope on the calling thread (or on the fiber that runs on it). `object` says which instance and may be NULL;
// if it did not come from flamelet_intern() it is interned on the spot (slower, and counted in stats).
FLAMELET_API flamelet_id flamelet_begin(const char* name, const char* category, const char* object);

// Ends the scope `id` and every scope that was begun inside it and not ended (each is flagged "missing end"). An id
// that is not open here is ignored and counted ("extra end").
FLAMELET_API void flamelet_end(flamelet_id id);

// Ends `id` and begins its sibling with the same timestamp: the cheapest scope there is. Returns the new scope. If `id`
// is 0 or not open here, this is flamelet_begin().
FLAMELET_API flamelet_id flamelet_next(flamelet_id id, const char* name, const char* category);

// Ends the scope of the innermost flamelet_begin() or flamelet_next() that has no end yet, for hooks whose "leave" carries
// neither name nor handle. If that one was not recorded (switched off, or too deep), nothing else ends. With nothing open
// it is ignored and counted ("extra end").
FLAMELET_API void flamelet_end_top(void);

// A point in time.
FLAMELET_API void flamelet_instant(const char* name, const char* category, const char* object);

// A value over time. It is recorded, saved and exported; the overlay does not draw it. Not-a-number and infinities are
// recorded as they are; exporters flag them.
FLAMELET_API void flamelet_counter(const char* name, const char* category, double value);

// An interval that may overlap others and end on another thread, paired by id. It is saved and exported; the overlay does
// not draw it. A second end is ignored, and counted by the capture ("extra end").
FLAMELET_API flamelet_id flamelet_interval_begin(const char* name, const char* category, const char* object);
FLAMELET_API void flamelet_interval_end(flamelet_id id);

// Marks the end of a frame and the beginning of the next. Call it once a frame, from one thread. A call that meets
// another one inside is ignored and counted. Also the recorder's housekeeping: clock calibration, old pages.
FLAMELET_API void flamelet_frame(void);

// Marks a frame of another set: a physics step inside the frames, a server tick across them. The sets are told apart by
// name, each has frames of its own, and a mark ends one and begins the next. Any thread, also several for one set. An
// event of the calling thread like an instant: nothing is marked while disabled, and the frame that was switched off in
// is partial. More than FLAMELET_MAX_FRAME_SETS names: dropped, and counted (dropped_frame). Read back with
// flamelet_capture_read_frames().
FLAMELET_API void flamelet_frame_named(const char* name);

// ---- Strings --------------------------------------------------------------------------------------------------------

// Copies a string for the life of the recorder. The same content always gives the same pointer. NULL gives "(null)". A
// full table gives "(overflow)" and is counted. Any bytes are accepted; more than 65,535 bytes are cut on a UTF-8
// boundary. Returns "" while no recorder runs. Lock-free; cost grows with the length.
FLAMELET_API const char* flamelet_intern(const char* text);
FLAMELET_API const char* flamelet_intern_bytes(const char* text, size_t size);

// ---- Threads and fibers ---------------------------------------------------------------------------------------------

// A thread is registered by its first event, and its slot is recycled after it exits. Nothing has to be called.

// Names the calling thread, or, with an id from flamelet_thread_id(), any other; also while disabled. The name is copied,
// and holds for this session: a thread that was named before flamelet_init() has to be named again after it.
FLAMELET_API void flamelet_set_thread_name(const char* name);
FLAMELET_API void flamelet_set_track_name(uint32_t track, const char* name);

// The calling thread's track: from 1, never reused in a session. 0 while nothing is recorded.
FLAMELET_API uint32_t flamelet_thread_id(void);

// A signal handler may record. If it interrupts the recorder itself on its thread, its events are dropped and counted
// (dropped_nested), unless they stand between these two: then they go to a track of the handler's own, named "signal
// handler", and none is dropped for what was interrupted. Call the first at the handler's start and the second on every
// way out, on the same thread (C++: FLAMELET_SIGNAL_GUARD() in scope.h); a siglongjmp() is no way out. Scopes that are
// open outside cannot be ended inside; those that were begun inside are ended by the leave if nothing else did
// (missing_ends). The first enter on a thread claims the track, out of max_tracks, and the thread's exit gives it back; a
// handler that interrupts another one has the next track, up to 8. Without a track left, while disabled, and on a thread
// that has not recorded yet, it is as without the guard. Async-signal-safe, as are the recording calls and
// flamelet_intern() (with a clock of your own, if that is); init, shutdown and flamelet_set_enabled() are not. errno is
// left alone.
FLAMELET_API void flamelet_signal_enter(void);
FLAMELET_API void flamelet_signal_leave(void);

// Registers a fiber (or a coroutine) by name; 0 when config.max_fibers are alive already (counted). The name outlives the
// fiber: a capture that is updated before another fiber takes its place, which are taken in turn, still learns it.
FLAMELET_API uint32_t flamelet_fiber_create(const char* name);
FLAMELET_API void flamelet_fiber_destroy(uint32_t fiber);

// Call when the calling thread stops running `from` and starts running `to` (0 = the thread's own stack). Swaps the
// stack of open scopes: a scope belongs to its fiber, whichever threads the fiber runs on. Unknown fibers, a wrong
// `from` and a fiber that runs elsewhere are counted and change nothing.
FLAMELET_API void flamelet_fiber_switch(uint32_t from, uint32_t to);

// ---- External tracks: GPU queues, servers, DSPs ---------------------------------------------------------------------

typedef enum flamelet_track_kind {
  FLAMELET_TRACK_THREAD = 0,
  FLAMELET_TRACK_GPU = 1,
  FLAMELET_TRACK_EXTERNAL = 2,
} flamelet_track_kind;

// Registers a source of events with a clock of its own. 0 when the tracks are used up (counted), when no recorder runs,
// for any kind but GPU and external, and for a rate that is not above 0 and at most 10^15. The track
// lives until destroyed or until shutdown.
FLAMELET_API uint32_t flamelet_track_create(const char* name, flamelet_track_kind kind, double clock_ticks_per_second);
FLAMELET_API void flamelet_track_destroy(uint32_t track);

// Says that the source's clock read `source_ticks` when flamelet_now_ticks() was `recorder_ticks`. Call it once before
// the first submit and again every second or so: the newest pair places what is submitted after it.
FLAMELET_API flamelet_result flamelet_track_calibrate(uint32_t track, uint64_t source_ticks, uint64_t recorder_ticks);

// The public form of one event: what flamelet_submit() takes.
typedef struct flamelet_event {
  uint64_t time_ticks;   // in the track's clock
  uint64_t id;           // for GPU work the link: the id of the CPU scope that submitted it; else a number of your own
  const char* name;      // ignored for 'E'
  const char* category;  // may be NULL
  const char* object;    // may be NULL
  uint32_t track;        // ignored by flamelet_submit()
  char type;             // 'B' begin, 'E' end, 'I' instant
  bool missing_end;      // set by flamelet_copy(); ignored by flamelet_submit()
  uint16_t pair;         // tells apart what has the same id: `id` and `pair` together pair 'B' with 'E'
} flamelet_event;

// Records events of an external source, in any order, late or not. A begin and its end have the same id and pair number,
// not both 0, and may come in different calls, the end first if need be; several passes of one CPU scope have its id and
// pair numbers of their own. Both numbers may be used again once a pair is complete. An event without a partner waits: up
// to config.max_submit_open on each track, then the oldest goes. What cannot be trusted is kept out and counted: what
// waited and never found its partner, a duplicate, an end before its begin, a time more than an hour from now, an unknown
// type. Overlapping spans are cut to nest. Returns how many events were taken: recorded, or waiting. One thread at a time
// per track; a second one gets 0 (counted). Cost: a sort of the events; names are interned.
FLAMELET_API size_t flamelet_submit(uint32_t track, const flamelet_event* events, size_t count);

// ---- Time -----------------------------------------------------------------------------------------------------------

typedef enum flamelet_clock_kind {
  FLAMELET_CLOCK_NONE = 0,
  FLAMELET_CLOCK_TSC,       // x86 time stamp counter, invariant
  FLAMELET_CLOCK_CNTVCT,    // ARM64 virtual counter
  FLAMELET_CLOCK_OS,        // the operating system's monotonic clock, in nanoseconds
  FLAMELET_CLOCK_INJECTED,  // config.clock
} flamelet_clock_kind;

// Now, on the recorder's clock; 0 when no recorder runs. Any thread.
FLAMELET_API uint64_t flamelet_now_ticks(void);

// How ticks become nanoseconds. The rate of a CPU counter is measured against the OS clock from init on, a little at
// each frame mark and capture update, and is final after two seconds (about 0.1 ppm on a quiet machine).
typedef struct flamelet_clock {
  flamelet_clock_kind kind;
  bool rate_is_final;
  uint64_t origin_ticks;    // ticks at init
  uint64_t origin_unix_ns;  // wall-clock time at init, for file headers only
  double ticks_per_second;
} flamelet_clock;

FLAMELET_API flamelet_clock flamelet_clock_info(void);

// ---- Numbers --------------------------------------------------------------------------------------------------------

// What the recorder knows of itself. All counts start at 0 at init. Any thread; the counts are read one by one while
// others record, so they are exact only when nobody does.
typedef struct flamelet_stats {
  flamelet_clock_kind clock;
  bool enabled;
  size_t budget_bytes;      // taken from the allocator
  size_t page_bytes_total;  // of it: ring pages
  uint32_t page_count;
  uint32_t tracks_live;  // threads and external tracks now
  uint32_t tracks_limit;
  uint32_t submit_waiting;  // submitted begins and ends that wait for their partner now
  uint32_t sites_used, sites_limit;
  uint32_t strings_used, strings_limit;
  size_t string_bytes_used, string_bytes_limit;
  uint64_t frames;           // flamelet_frame() calls recorded
  uint64_t events_recorded;  // all tracks, since init
  // Dropped: never recorded, by cause.
  uint64_t dropped_no_track;  // more threads than max_tracks
  uint64_t dropped_no_page;   // no page could be taken; part of events_recorded, because readers see them as lost
  uint64_t dropped_depth;     // deeper than FLAMELET_MAX_DEPTH
  uint64_t dropped_nested;    // from a signal handler that interrupted the recorder on the same thread
  uint64_t dropped_fiber;     // fiber table full
  uint64_t dropped_frame;     // flamelet_frame() inside another, or too many sets of named frames
  uint64_t dropped_submit;    // flamelet_submit() events kept out, also those that waited in vain
  // Repaired or noticed.
  uint64_t missing_ends;  // scopes closed by an outer end
  uint64_t extra_ends;    // ends of scopes that were not open
  uint64_t fiber_misuse;  // wrong or unknown fibers in flamelet_fiber_switch()
  uint64_t strings_overflowed;
  uint64_t sites_overflowed;
  uint64_t interned_on_the_spot;
} flamelet_stats;

FLAMELET_API void flamelet_get_stats(flamelet_stats* stats);

// Times a few thousand scopes of the real record path, into a scratch page, and returns nanoseconds per scope (begin +
// end). Takes well under a millisecond; 0 when no recorder runs or the clock is injected.
FLAMELET_API double flamelet_measure_scope_ns(void);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_RECORDER_H
