// SPDX-License-Identifier: MIT
//
// flamelet/recorder.h: the event recorder. Start it with one memory budget, record from any thread, read with
// capture.h. Most code uses the macros in scope.h, which build on this header. An engine's own abstraction calls it
// directly.
//
// Threads:   any thread may make a call at any time, even during every other call (shutdown included), unless the
//            call's comment says otherwise.
// Lifetime:  names and categories must live as long as the program, as literals do, or come from flamelet_intern(). The
//            recorder copies them when it first sees them, so a plug-in may be unloaded.
// Units:     time is in ticks of the recorder's clock (flamelet_now_ticks); captures convert it to nanoseconds.
// Cost:      a scope costs two timestamps and 16 bytes. It takes no lock, allocates nothing and makes no system call.
// When off:  before init, after shutdown and while disabled, every recording call returns 0 at once. flamelet_frame()
//            marks frames even while disabled, so the frame bars go on.
// When full: the ring overwrites its oldest page, and readers count what they lost. Events that cannot be recorded (too
//            many threads, too deep, ...) are counted by cause in flamelet_stats.
#ifndef FLAMELET_RECORDER_H
#define FLAMELET_RECORDER_H

#include "flamelet/base.h"

FLAMELET_EXTERN_C_BEGIN

// ---- Limits that are part of the format -----------------------------------------------------------------------------

#define FLAMELET_PAGE_BYTES 4096u    // the ring's unit; one page belongs to one track at a time
#define FLAMELET_MAX_DEPTH 120u      // open scopes on one thread or fiber; deeper ones are dropped and counted
#define FLAMELET_MAX_TRACKS 256u     // threads and external tracks alive at one time
#define FLAMELET_MAX_FRAME_SETS 64u  // names of flamelet_frame_named() in one session
#define FLAMELET_MAX_SITES 65535u    // distinct sites (places in code) in one session

// ---- Set-up ---------------------------------------------------------------------------------------------------------

// Returns the time in ticks; must never go backwards on one thread. For tests, and platforms without a known counter. A time
// that is 73 years and 2^63 ticks after that of init went back beyond 0, and is taken for 0.
typedef uint64_t (*flamelet_clock_function)(void* user);

// Made by flamelet_config_default(), then changed. Every limit takes memory from the one budget.
typedef struct flamelet_config {
  uint32_t cookie;               // set by flamelet_config_default(), to detect a config that was not made by it
  bool start_disabled;           // start with recording off; flamelet_set_enabled() turns it on
  bool force_os_clock;           // never use the CPU's counter
  bool thread_times;             // frame marks ask the system how long every thread ran (default true): see
                                 // flamelet_capture_thread_time(); and what the machine did: FLAMELET_MACHINE_CATEGORY.
                                 // Keeps a file descriptor a thread open on Linux, of at most a quarter of those
                                 // that the process may open (flamelet_stats.thread_times_missed).
                                 // A library that marks steps of its own may turn it off
  bool thread_states;            // when each thread ran, on which processor, was taken off it, and slept (default
                                 // false): see flamelet_state_cursor. Linux. A switch costs about 1 us more. The
                                 // environment variable FLAMELET_THREAD_STATES overrides it with "on" or "off";
                                 // `flamelet record --states` sets it. Ignored as that of ring_path_from_environment
  flamelet_allocator allocator;  // used once by init and once by shutdown; both functions, or neither
  size_t budget_bytes;           // all the memory that the recorder takes, in one block (default 16 MiB, up to 1 TiB;
                                 // where a size_t has 32 bits, 2 GiB)
  uint32_t max_tracks;           // threads and external tracks alive at one time, 1 .. FLAMELET_MAX_TRACKS
  uint32_t max_fibers;           // fibers alive at one time, up to 65,536 (about 5.5 KB each); 0 if you have none
  uint32_t max_sites;            // 1 .. FLAMELET_MAX_SITES (default 4,096). A quarter is kept for macros
  uint32_t max_strings;          // distinct strings, 16 .. 2^21 - 1 (default 32,768)
  size_t string_bytes;           // room for all their text, from 1 KiB to below the budget's limit (default 2 MiB)
                                 // A quarter of both is kept for names and threads, an eighth for macros and threads
  uint32_t max_submit_events;    // events that one flamelet_submit() call can hold, 1 .. 2^24
  uint32_t max_submit_open;      // begins and ends on each external track that may wait for their partner, 0 .. 2^14
  flamelet_clock_function clock;  // NULL = the best clock of this machine
  void* clock_user;
  double clock_ticks_per_second;  // of `clock`, 1 to 10^15; ignored without one
  // If not NULL, the recorder's memory is a new file of budget_bytes + 8 KiB instead of the allocator's. So the
  // recording outlives a crash: flamelet_capture_recover() (capture_file.h). The path must not exist. The caller
  // removes the file, also after a shutdown. The system writes it to the disk in the background; on Linux, /dev/shm
  // avoids the disk for a file that need not survive a reboot. In a browser the file lies in the page's memory and
  // ends with it.
  const char* ring_path;
  // The environment variable FLAMELET_RING_FILE overrides ring_path. If its file exists, because another process or an
  // earlier session made it, the next one takes FILE-2, and so on to FILE-16. If none can be made, FLAMELET_RING_FILE_ELSE
  // names another; without that file all is as without the variables, and an empty file FILE-failed-ERRNO-MIB says so.
  // `flamelet record` sets both. Ignored in a program that runs with more rights than its user. Off by default, because a
  // library should not create files that its program does not know.
  bool ring_path_from_environment;
  const char* note;  // text that captures keep, such as the game's version, up to 127 bytes; copied; may be NULL
} flamelet_config;

// By another name, which has the number of the config's layout: a program built with other headers does not link.
#define flamelet_config_default flamelet_config_default_abi3
FLAMELET_API flamelet_config flamelet_config_default(void);
// 4 MiB, for consoles and handhelds: 2,048 sites, 8,192 strings in 512 KiB, submits of 1,024 events. Some 730 pages hold
// 180,000 scopes. With flamelet_capture_config_small(), flamelet_flight_config_small() and overlay_config_small() it is a
// whole profiler in 16 MiB.
#define flamelet_config_small flamelet_config_small_abi3
FLAMELET_API flamelet_config flamelet_config_small(void);

// Counters of the machine. With config.thread_times, unless config.clock is set, frame marks ask the system ten times a
// second, which takes 10 to 30 us on Linux. What has changed is recorded as counters of this category on the calling thread,
// if that has recorded something. FLAMELET_MACHINE_COUNTERS=off in the environment turns them off. `flamelet why` reads
// them. The times are those since the reading before, of all processors together.
#define FLAMELET_MACHINE_CATEGORY "machine"
#define FLAMELET_MACHINE_MEMORY "Memory, MiB"  // of the process; Linux, Windows
#define FLAMELET_MACHINE_CLOCK "Clock, MHz"    // of the processor of the calling thread; Linux
#define FLAMELET_MACHINE_LIMITED \
  "Throttled, ms"  // threads held back by the CPU limit of a container or another control group; Linux
#define FLAMELET_MACHINE_HOST "Steal, ms"         // of a virtual machine (steal time); Linux
#define FLAMELET_MACHINE_STALLED "Mem stall, ms"  // threads of the machine waited for memory (PSI); Linux

// Whether the states of threads are recorded, or why not.
typedef enum flamelet_thread_states {
  FLAMELET_THREAD_STATES_OFF = 0,        // flamelet_config.thread_states is false
  FLAMELET_THREAD_STATES_RECORDED,       // they are
  FLAMELET_THREAD_STATES_NOT_HERE,       // not on this system
  FLAMELET_THREAD_STATES_NOT_IN_KERNEL,  // Linux without perf events
  FLAMELET_THREAD_STATES_PARANOID,       // kernel.perf_event_paranoid is above 2
  FLAMELET_THREAD_STATES_FILTERED,       // a filter of system calls, such as a container's
  FLAMELET_THREAD_STATES_OPEN_FILES,     // the process may open no more files
  FLAMELET_THREAD_STATES_LOCKED_MEMORY,  // the user may lock no more memory
  FLAMELET_THREAD_STATES_OWN_CLOCK,      // flamelet_config.clock, to which the system's times cannot be compared
  FLAMELET_THREAD_STATES_FAILED,         // anything else
  FLAMELET_THREAD_STATES_COUNT
} flamelet_thread_states;

// A sentence for it, in static storage, with the command that allows it where there is one. Any number is accepted.
FLAMELET_API const char* flamelet_thread_states_message(int states);

// The smallest budget_bytes for the limits of `config`; 0 if the config is invalid. A larger budget gives more ring
// pages.
FLAMELET_API size_t flamelet_memory_required(const flamelet_config* config);

// Starts recording. Takes the budget in one allocation and touches all of it. Any thread, but one at a time. With a
// ring_path also FLAMELET_ERROR_FILE_OPEN and FLAMELET_ERROR_FILE_WRITE; errno says why. EEXIST: the file exists,
// perhaps because of a crash. Recover it, then remove it. A NULL config is the default one.
FLAMELET_API flamelet_result flamelet_init(const flamelet_config* config);

// Stops recording and frees the memory in one call of the allocator. Threads may still record: recording is switched
// off first, and the memory is freed when every thread has left the recorder. If one does not leave within a second,
// the memory is kept, and the result is FLAMELET_ERROR_THREADS_RUNNING: call again. Captures stay valid, because they
// own their memory. Any thread; FLAMELET_ERROR_BUSY if another one is inside init or shutdown. On macOS, on the web and
// where system calls are filtered, other threads that have recorded have to exit first.
FLAMELET_API flamelet_result flamelet_shutdown(void);

// Switches recording on and off. A recorded scope that is open meanwhile still gets its end; an unrecorded one gets
// none. Frames are marked meanwhile, too: each is flagged partial, as the current one is. Any thread.
// Waits for an init or shutdown.
FLAMELET_API void flamelet_set_enabled(bool enabled);
FLAMELET_API bool flamelet_enabled(void);

// ---- Categories -----------------------------------------------------------------------------------------------------

#define FLAMELET_MAX_CATEGORIES 256u

// Switches a category on or off while the program runs; NULL: all of them, also those that come later. All are on at
// first. What belongs to a category that is off is not recorded: scopes, instants, counters, intervals, and events that
// are submitted. Everything that began before still gets its end, and what is not recorded has none: no end is missing
// or extra, and nothing is counted as dropped. flamelet_next() and FLAMELET_NEXT() to such a scope only end. Flows, frames
// and names of threads have no category. The current frame is flagged partial.
// Holds for the process: before flamelet_init() and over restarts, too. A scope whose category is on costs what it cost
// before; one of a macro that is off costs a call that returns at once, one by call still compares its texts.
// FLAMELET_ERROR_LIMIT: FLAMELET_MAX_CATEGORIES are known, or the room for their texts (16 KiB) is full, and this is a
// further one (it is recorded as NULL says). Any thread, not for signal handlers. Takes 5 us with the default
// limits, and 20 ns more for each name by call that the session has met.
FLAMELET_API flamelet_result flamelet_category_set_enabled(const char* category, bool enabled);
// NULL: those that nobody switched by name. Any thread, also in a signal handler; one look-up of a text.
FLAMELET_API bool flamelet_category_enabled(const char* category);

// Switches several, from left to right: "-physics,+audio", or "-*,+render" for that one alone. Spaces around a name are
// ignored. FLAMELET_ERROR_CATEGORY_LIST: it is none; nothing was switched. FLAMELET_ERROR_LIMIT: as above; those before it
// in the list were switched. Threads and cost: as above. The first flamelet_init() of the process applies the environment
// variable FLAMELET_CATEGORIES, if it is set, and returns these errors; ignored in a program that runs with more rights
// than its user.
FLAMELET_API flamelet_result flamelet_categories_apply(const char* list);

typedef struct flamelet_category {
  const char* name;  // lives as long as the process; "" for scopes without a category
  bool enabled;
} flamelet_category;

// The categories that were switched, or had an event, since the process began. Fills `list` (NULL with capacity 0) and
// returns how many there are. Any thread.
FLAMELET_API uint32_t flamelet_categories(flamelet_category* list, uint32_t capacity);

// ---- Scopes ---------------------------------------------------------------------------------------------------------

// Identifies one open scope. 0 = nothing was recorded; ending 0 does nothing.
typedef uint64_t flamelet_id;

// Begins a scope on the calling thread, or on the fiber that runs on it. `object` names the instance and may be NULL.
// If it does not come from flamelet_intern(), it is interned here, which is slower and counted (interned_on_the_spot).
FLAMELET_API flamelet_id flamelet_begin(const char* name, const char* category, const char* object);

// Ends the scope `id`, and every open scope inside it, which is flagged "missing end". An id that is not open here is
// ignored and counted ("extra end"). Scopes of one site that begin inside each other within one tick of the CPU's counter
// have one id on the fast path: end those innermost first. That takes a counter with coarse ticks, as ARM64 has; by any
// other clock, the ids of open scopes always differ.
FLAMELET_API void flamelet_end(flamelet_id id);

// Ends `id` and begins its sibling with the same timestamp, which makes it the cheapest scope. Returns the new scope's
// id. If `id` is 0 or not open here, it only begins a scope.
FLAMELET_API flamelet_id flamelet_next(flamelet_id id, const char* name, const char* category);

// Ends the scope of the innermost flamelet_begin() or flamelet_next() that has no end yet, for hooks whose "leave" has
// neither name nor handle. If that scope was not recorded (switched off, or too deep), no other scope ends. If none is
// open, the call is ignored and counted ("extra end").
FLAMELET_API void flamelet_end_top(void);

// A point in time.
FLAMELET_API void flamelet_instant(const char* name, const char* category, const char* object);

// A value over time; the overlay draws it as a line. Not-a-number and infinities are recorded as they are: exporters flag
// them, the overlay leaves them out.
FLAMELET_API void flamelet_counter(const char* name, const char* category, double value);

// An interval that may overlap others and end on another thread. The id pairs its begin and end. The overlay draws
// it in a lane of its category. A capture ignores a second end and counts it ("extra end").
FLAMELET_API flamelet_id flamelet_interval_begin(const char* name, const char* category, const char* object);
FLAMELET_API void flamelet_interval_end(flamelet_id id);

// A flow leads from who asks for work to who does it, or waits for it: from a job's submitter to its worker, say. It is
// two points in time on the calling threads, in the scopes that are open there. `id` is your own, for example the job's
// address: it pairs each end with the newest begin of the same id before it. A flow may have any number of ends, and an
// id may be used again. Nothing is checked here: flamelet_capture_read_flows() flags what does not pair. Takes 16 bytes.
FLAMELET_API void flamelet_flow_begin(uint64_t id);
FLAMELET_API void flamelet_flow_end(uint64_t id);

// Marks the end of a frame and the beginning of the next. Call it once a frame, from one thread. A call during another
// one is ignored and counted (dropped_frame). It also does the recorder's housekeeping: clock calibration, old pages. Cost:
// some 30 ns, and with config.thread_times system calls of about 1 us a thread; after 1,024 page faults of the process also
// about 15 us for each thread that ran since the last time. Marks that follow each other within 100 us a thread (200 us at
// least, 2 ms at most) make no system call.
FLAMELET_API void flamelet_frame(void);

// With config.thread_states the system notes the switches of threads in memory of its own, 8,192 a processor; what finds no
// room there is lost, and counted. Frame marks and updates of captures copy them into the ring. This call does the same, for a
// program that does neither for a while. Returns how many were copied; 0 also while another thread does it. Any thread; 20
// ns each, and about 0.2 us a processor.
FLAMELET_API size_t flamelet_drain_switches(void);

// Marks a frame of another set, such as the physics steps inside a frame or a server's ticks. Each name is a set with
// frames of its own; a mark ends one frame and begins the next. Any thread, even several for one set. The mark is an
// event of the calling thread like an instant: nothing is marked while disabled, and a frame in which recording was
// switched off is partial. Marks beyond FLAMELET_MAX_FRAME_SETS names are dropped and counted (dropped_frame). Read the
// frames with flamelet_capture_read_frames().
FLAMELET_API void flamelet_frame_named(const char* name);

// ---- Strings --------------------------------------------------------------------------------------------------------

// Copies a string for the life of the recorder. The same content always gives the same pointer. NULL gives "(null)". If
// the table is full, the result is "(overflow)", and strings_overflowed counts it. Any bytes are accepted; text of more
// than 65,535 bytes is cut at a UTF-8 boundary. Returns "" while no recorder runs. Lock-free; the cost grows with the
// length.
FLAMELET_API const char* flamelet_intern(const char* text);
FLAMELET_API const char* flamelet_intern_bytes(const char* text, size_t size);

// ---- Threads and fibers ---------------------------------------------------------------------------------------------

// A thread registers itself with its first event, and its slot is free again after it exits. No call is needed.

// Names the calling thread or, by its id from flamelet_thread_id(), any other; even while disabled. The name is copied.
// It is valid until the shutdown: name a thread again after each flamelet_init(). A thread without one has the name that
// the system knows (Linux, macOS, Windows 10), if that is not the process's; it is looked up as the thread takes pages.
// On Linux a thread begins with the name of the thread that started it.
FLAMELET_API void flamelet_set_thread_name(const char* name);
FLAMELET_API void flamelet_set_track_name(uint32_t track, const char* name);

// The calling thread's track: from 1, never reused in a session. 0 while nothing is recorded.
FLAMELET_API uint32_t flamelet_thread_id(void);

// A signal handler may record. If it interrupts the recorder on its own thread, its events are dropped and counted
// (dropped_nested). Between these two calls, its events go to a track of their own instead, named "signal handler".
// Call enter at the handler's start and leave at every return, on the same thread (C++: FLAMELET_SIGNAL_GUARD() in
// scope.h); the handler must not leave by siglongjmp(). Between the calls, scopes that began outside cannot end. Leave
// ends the open scopes that began inside (missing_ends).
// The first enter on a thread takes a track out of max_tracks; the thread's exit frees it. A handler that interrupts
// another one takes a further track, up to 8 for each thread. The calls have no effect if no track is left, while
// disabled, or on a thread that has not recorded yet.
// These two, the recording calls and flamelet_intern() are async-signal-safe, if a clock in the config is. Init,
// shutdown and flamelet_set_enabled() are not. errno does not change.
FLAMELET_API void flamelet_signal_enter(void);
FLAMELET_API void flamelet_signal_leave(void);

// Registers a fiber (or a coroutine) by name. 0 if config.max_fibers are alive (counted: dropped_fiber). The name
// outlives the fiber: a capture still gets it if it is updated before another fiber reuses the slot. Slots are reused
// in turn.
FLAMELET_API uint32_t flamelet_fiber_create(const char* name);
// The scopes that are still open in it end here (counted: missing_ends). One that runs is not destroyed (fiber_misuse).
FLAMELET_API void flamelet_fiber_destroy(uint32_t fiber);

// Call it when the calling thread stops running `from` and starts running `to` (0 = the thread's own stack). Swaps the
// stack of open scopes: a scope belongs to its fiber, on whatever thread the fiber runs. An unknown fiber, a wrong
// `from` or a fiber that runs elsewhere changes nothing and is counted (fiber_misuse).
FLAMELET_API void flamelet_fiber_switch(uint32_t from, uint32_t to);

// ---- External tracks: GPU queues, servers, DSPs ---------------------------------------------------------------------

typedef enum flamelet_track_kind FLAMELET_ANY_ENUM_ {
  FLAMELET_TRACK_THREAD = 0,
  FLAMELET_TRACK_GPU = 1,
  FLAMELET_TRACK_EXTERNAL = 2,
} flamelet_track_kind;

// Registers a source of events with a clock of its own. 0 if no track is free (counted), if no recorder runs, if the
// kind is neither GPU nor external, or if the rate is not above 0 and at most 10^15. The track lives until it is
// destroyed or until the shutdown.
FLAMELET_API uint32_t flamelet_track_create(const char* name, flamelet_track_kind kind, double clock_ticks_per_second);
FLAMELET_API void flamelet_track_destroy(uint32_t track);

// Tells that the source's clock was at `source_ticks` when flamelet_now_ticks() was `recorder_ticks`. Call it before
// the first submit, and again every second or so: each submit uses the newest pair.
FLAMELET_API flamelet_result flamelet_track_calibrate(uint32_t track, uint64_t source_ticks, uint64_t recorder_ticks);

// The public form of one event: what flamelet_submit() takes.
typedef struct flamelet_event {
  uint64_t time_ticks;   // in the track's clock
  uint64_t id;           // GPU: the id of the CPU scope that submitted the work; else a number of your own
  const char* name;      // ignored for 'E'
  const char* category;  // may be NULL
  const char* object;    // may be NULL
  uint32_t track;        // ignored by flamelet_submit()
  char type;             // 'B' begin, 'E' end, 'I' instant
  bool missing_end;      // set by flamelet_events_copy() (events.h); ignored by flamelet_submit()
  uint16_t pair;         // a 'B' and its 'E' have the same `id` and `pair`
} flamelet_event;

// Records events of an external source, in any order and late, too. A begin and its end have the same `id` and `pair`,
// not both 0. They may come in different calls, even the end first. Several passes of one CPU scope share its id and
// have different pair numbers. Both numbers are free again when the pair is complete.
// An event without a partner waits. If more than config.max_submit_open wait on a track, the oldest is dropped. Also
// dropped are duplicates, ends before their begins, times more than an hour from now, and unknown types. dropped_submit
// counts all of them. A lane's spans nest: one that overlaps another in part stands on a lane beside the track's, "GPU, 2",
// which is a track, too; so may one that comes later than 64 newer ones of a lane. There are up to 7 lanes beside while fewer
// than half of max_tracks live; beyond that the span is cut (FLAMELET_SPAN_CUT; submit_cut counts it), and so is what a new
// calibration alone lets overlap, by up to 100 us, which is not counted. Returns how many events were
// recorded or wait. One thread at a time per track; a second one gets 0 (counted), and so does a call that waits 100 ms
// for one on another track. Cost: sorts the events and interns their names.
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

// How ticks become nanoseconds. Each frame mark and capture update compares the CPU's counter with the OS clock. The
// rate is final two seconds after init (error about 0.1 ppm on a quiet machine).
typedef struct flamelet_clock {
  flamelet_clock_kind kind;
  bool rate_is_final;
  uint64_t origin_ticks;    // ticks at init
  uint64_t origin_unix_ns;  // wall-clock time at init, for file headers only
  double ticks_per_second;
} flamelet_clock;

FLAMELET_API flamelet_clock flamelet_clock_info(void);

// ---- Numbers --------------------------------------------------------------------------------------------------------

// The recorder's state and counts. All counts start at 0 at init. Any thread. The counts are read one by one, so they
// are exact only while no thread records.
typedef struct flamelet_stats {
  flamelet_clock_kind clock;
  bool enabled;
  size_t budget_bytes;      // taken from the allocator
  size_t page_bytes_total;  // the part of it that is ring pages
  uint32_t page_count;
  uint32_t tracks_live;  // threads and external tracks now
  uint32_t tracks_limit;
  uint32_t fibers_live, fibers_limit;
  uint32_t submit_waiting;       // submitted begins and ends that wait for their partners now, on all external tracks
  uint32_t submit_waiting_most;  // of them, on the track where most wait
  uint32_t submit_waiting_limit;
  uint32_t frame_sets_used, frame_sets_limit;  // names of flamelet_frame_named()
  uint32_t categories_used, categories_limit;  // of the process
  uint32_t sites_used, sites_limit;
  uint32_t strings_used, strings_limit;
  size_t string_bytes_used, string_bytes_limit;
  flamelet_thread_states thread_states;
  size_t thread_states_bytes;     // mapped for it by init, beside budget_bytes
  uint32_t thread_states_missed;  // threads that ran before init, and would have taken too many open files
  uint32_t thread_times_missed;   // threads that would have: of them only how long they ran is known
  uint64_t frames;                // flamelet_frame() calls recorded
  uint64_t events_recorded;       // all tracks, since init
  // Dropped: never recorded, by cause.
  // Events of more threads than max_tracks: a scope is two, its begin and its end; below it is one. Tracks that could not
  // be created.
  uint64_t dropped_no_track;
  uint64_t dropped_no_page;   // no page could be taken; events_recorded counts them, too, and readers see them as lost
  uint64_t dropped_depth;     // deeper than FLAMELET_MAX_DEPTH
  uint64_t dropped_nested;    // from a signal handler that interrupted the recorder on the same thread
  uint64_t dropped_fiber;     // fiber table full
  uint64_t dropped_frame;     // flamelet_frame() inside another, or too many sets of named frames
  uint64_t dropped_submit;    // flamelet_submit() events, also those that found no partner
  uint64_t dropped_switches;  // of threads; they found no room in the system's memory
  // Repaired or noticed.
  uint64_t missing_ends;  // scopes closed by an outer end
  uint64_t extra_ends;    // ends of scopes that were not open
  uint64_t submit_cut;    // flamelet_submit() spans without a lane of their own: cut where they overlap others in part
  uint64_t fiber_misuse;  // wrong or unknown fibers in flamelet_fiber_switch()
  uint64_t strings_overflowed;
  uint64_t sites_overflowed;
  uint64_t interned_on_the_spot;
} flamelet_stats;

FLAMELET_API void flamelet_get_stats(flamelet_stats* stats);

// How a scope was recorded, which decides what it costs.
typedef enum flamelet_scope_kind FLAMELET_ANY_ENUM_ {
  FLAMELET_SCOPE_KIND_MACRO = 0,          // by a macro, or at a site that was made at run time (site.h)
  FLAMELET_SCOPE_KIND_WITH_TEXT,          // ... with an object or a dynamic name
  FLAMELET_SCOPE_KIND_BY_CALL,            // flamelet_begin()
  FLAMELET_SCOPE_KIND_BY_CALL_WITH_TEXT,  // ... with an object
  FLAMELET_SCOPE_KINDS,
} flamelet_scope_kind;

// Times a few thousand scopes of this kind on the real record path in a scratch page. Returns nanoseconds per scope
// (begin and end), for names and objects that are short and were recorded before. Returns 0 if no recorder runs, the
// clock is config.clock, there is no such kind, another thread measures now, or, of a kind by call, the category "" is
// off. Any thread. Takes well under a millisecond.
FLAMELET_API double flamelet_measure_scope_ns(flamelet_scope_kind kind);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_RECORDER_H
