// SPDX-License-Identifier: MIT
//
// flamelet/capture.h: recorded events as spans. A capture holds copies of ring pages and of the tables that name them,
// in memory of its own. While it is updated, it is a live window on the ring; otherwise it is frozen. Readers of a
// capture need not know how events are stored.
//
// Threads:   one thread at a time uses a capture, also where an overlay and a flight recorder share it. Different threads
//            may update different captures at the same time while all threads record: a reader never blocks a writer.
// Lifetime:  a capture outlives the recorder. Its strings live until it is destroyed, or until an update finds that the
//            recorder was restarted. Everything else is copied out.
// Units:     nanoseconds since the recorder's init, signed. Windows are half open: [begin, end).
// Memory:    one allocation of budget_bytes at creation, by default enough for the recorder's whole ring. The newest 328 pages
//            take 4 KiB each. Older ones are packed, without loss, in about a third of that, or less: how many fit depends on
//            what is recorded. A full capture evicts its oldest pages (flamelet_capture_stats counts them). No other call
//            allocates.
// Cost:      update: in proportion to what is new. Packing takes two thirds of it. read: in proportion to the pages that overlap the window.
#ifndef FLAMELET_CAPTURE_H
#define FLAMELET_CAPTURE_H

#include "flamelet/recorder.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_capture flamelet_capture;

// Made by flamelet_capture_config_default(), then changed. "0 = the ring's" means: as much as the recorder holds that
// runs at creation, but at least the number that follows. If no recorder runs, or if budget_bytes is given, the value
// is that number. The largest budget is flamelet_config's, the largest limit 2^24 if it tells no other.
typedef struct flamelet_capture_config {
  uint32_t cookie;  // set by flamelet_capture_config_default()
  flamelet_allocator allocator;
  size_t budget_bytes;  // 0 = the ring's, 16 MiB (default); for importers 64 MiB
  uint32_t max_frames;  // frame headers kept, beyond the pages' own life (default 4096; at least 1)
  // Tracks and fibers with a lane, also those that ended. If there are more, the newest keep theirs, threads before
  // fibers. 0 = the ring's, 1024 (default); up to 16384. The least is 2 * FLAMELET_MAX_TRACKS, so that every live track
  // has a lane.
  uint32_t max_tracks;
  uint32_t max_sites;         // 0 = the ring's, 16384 (default); up to FLAMELET_MAX_SITES + 1
  uint32_t max_strings;       // 0 = the ring's, 32768 (default); up to 2^21
  size_t string_bytes;        // 0 = the ring's, 2 MiB (default); up to the largest budget
  uint32_t max_fiber_runs;    // stretches of fibers on threads, for the fibers' lanes (default 32768; 0 = no fibers)
  uint32_t max_intervals;     // flamelet_interval_begin(), flamelet_interval_end() (default 4096; 0 = none)
  uint32_t max_named_frames;  // flamelet_frame_named(): the newest of all sets (default 4096; 0 = none)
  // flamelet_capture_thread_time(): the newest, one a thread and frame, 40 bytes each (default 16384; 0 = none)
  uint32_t max_thread_times;
  // States of threads: the newest switches, 32 bytes each. 0 = 65,536, or a part of budget_bytes, if a recorder runs at
  // creation that records them; else 1024
  uint32_t max_switches;
} flamelet_capture_config;

FLAMELET_API flamelet_capture_config flamelet_capture_config_default(void);
// 4.25 MiB, for a recorder with flamelet_config_small(): its tables are an eighth to a quarter of the default's, and what
// remains holds some 1,500 pages, or 370,000 scopes.
FLAMELET_API flamelet_capture_config flamelet_capture_config_small(void);
// The smallest budget_bytes for the config's limits; 0 if the config is invalid.
FLAMELET_API size_t flamelet_capture_memory_required(const flamelet_capture_config* config);
FLAMELET_API flamelet_result flamelet_capture_create(const flamelet_capture_config* config, flamelet_capture** capture);
FLAMELET_API void flamelet_capture_destroy(flamelet_capture* capture);  // NULL is fine

// Copies what was recorded since the last update. FLAMELET_ERROR_NOT_INITIALIZED if no recorder runs; the capture stays
// readable. If the recorder was restarted, the capture starts anew.
FLAMELET_API flamelet_result flamelet_capture_update(flamelet_capture* capture);

// While it is held, flamelet_capture_update() copies nothing and returns FLAMELET_OK. What is recorded meanwhile waits in the
// ring, as long as it has room there. An overlay holds the capture that it shares while it is paused or saves.
FLAMELET_API void flamelet_capture_hold(flamelet_capture* capture, bool hold);
FLAMELET_API bool flamelet_capture_is_held(const flamelet_capture* capture);

// A number that changes with the content. While it stays the same, every call below returns the same.
FLAMELET_API uint64_t flamelet_capture_version(const flamelet_capture* capture);

// ---- Frames ---------------------------------------------------------------------------------------------------------

enum {
  // Recording was off in this frame, or in a part of it. Or it is frame 0, from the recorder's start to the first mark.
  FLAMELET_FRAME_PARTIAL = 1,
  // Events of this frame were overwritten before they were read, or were evicted, or its damaged file lacks them.
  FLAMELET_FRAME_LOSSY = 2,
  // Times of threads in this frame were dropped for newer ones (max_thread_times). Not of named frames.
  FLAMELET_FRAME_TIMES_DROPPED = 4,
  // The clock went back in this frame, or forward by more than an hour: nobody knows how long the frame took. Partial, too.
  // While the clock is behind a time that it had, all frames are such, and in a damaged file those of hours. Not of named
  // frames.
  FLAMELET_FRAME_CLOCK_JUMPED = 8,
};

typedef struct flamelet_frame_info {
  uint64_t index;  // counts flamelet_frame() calls since init
  int64_t begin_ns;
  int64_t end_ns;
  uint32_t flags;
  uint32_t thread;  // id of the thread whose mark ended it (flamelet_lane_info.id); 0 = not known, as in older files
} flamelet_frame_info;

// Complete frames, oldest first: `position` counts from 0 to count - 1 and is valid until the next update.
FLAMELET_API size_t flamelet_capture_frame_count(const flamelet_capture* capture);
FLAMELET_API bool flamelet_capture_frame(const flamelet_capture* capture, size_t position, flamelet_frame_info* frame);
// The position of the frame with this index, or at this time; SIZE_MAX if there is none.
FLAMELET_API size_t flamelet_capture_find_frame(const flamelet_capture* capture, uint64_t index);
FLAMELET_API size_t flamelet_capture_frame_at(const flamelet_capture* capture, int64_t time_ns);

// Makes these the frames of a capture that was loaded, imported or built, in place of its own: the calls of a scope, say.
// They are copied; times of threads in frames are forgotten. FLAMELET_ERROR_INVALID_ARGUMENT, and nothing is changed: indices
// do not rise, a frame begins before the one before it ends, or the capture is live.
FLAMELET_API flamelet_result flamelet_capture_set_frames(flamelet_capture* capture, const flamelet_frame_info* frames,
                                                         size_t count);

// The sets of flamelet_frame_named(). Writes the names' string ids (flamelet_capture_string()) in rising order, and
// returns how many there are. `sets` may be NULL with capacity 0.
FLAMELET_API size_t flamelet_capture_frame_sets(const flamelet_capture* capture, uint32_t* sets, size_t capacity);
// Writes the complete frames of a set that overlap [begin_ns, end_ns), by index, which counts the set's marks. Returns
// how many there are. A frame without one of its marks is left out. FLAMELET_FRAME_LOSSY: some of its pages were
// evicted.
FLAMELET_API size_t flamelet_capture_read_frames(const flamelet_capture* capture, uint32_t set, int64_t begin_ns,
                                                 int64_t end_ns, flamelet_frame_info* frames, size_t capacity);

// The time that the capture's pages cover. False if it holds no page.
FLAMELET_API bool flamelet_capture_extent(const flamelet_capture* capture, int64_t* begin_ns, int64_t* end_ns);
// The time in which most of its events are: the same, unless it is longer than an hour, and more than half of the events
// begin within a thousandth of it, with a gap on both sides. *outside counts the others; traces of other programs have
// some with a time of 0 among times since 1970. Cost: nothing up to an hour, else that of reading all, a few times.
FLAMELET_API bool flamelet_capture_main_extent(const flamelet_capture* capture, int64_t* begin_ns, int64_t* end_ns,
                                               uint64_t* outside);
// The time that a file was saved for, where that is not all of its capture. Its pages are whole: frames and spans may reach
// beyond it, or lie beside it. INT64_MIN and INT64_MAX: as far as there is anything. False: there is no window.
FLAMELET_API bool flamelet_capture_window(const flamelet_capture* capture, int64_t* begin_ns, int64_t* end_ns);

// ---- Tracks ---------------------------------------------------------------------------------------------------------

typedef enum flamelet_lane_kind FLAMELET_ANY_ENUM_ {
  FLAMELET_LANE_THREAD = 0,
  FLAMELET_LANE_GPU,
  FLAMELET_LANE_EXTERNAL,
  FLAMELET_LANE_FIBER,
} flamelet_lane_kind;

// A lane has a stack of spans: a thread, a GPU queue, an external source or a fiber.
// A thread's lane shows what ran on the thread, fibers included.
// A fiber's lane shows what the fiber ran on any thread.
// What overlaps other spans of a queue or a source in part stands on a lane beside its own: "GPU, 2" beside "GPU".
// The lane of a thread that ended is removed after the last of its pages, and only if its place is needed.
typedef struct flamelet_lane_info {
  uint32_t id;  // the track's or fiber's id; unique together with kind
  flamelet_lane_kind kind;
  flamelet_string name;  // never empty: "thread 3", say, without a name
  uint64_t events_read;  // of this track; 0 for fibers, because their threads count their events
  uint64_t events_lost;  // overwritten before this capture read them: recorded = read + lost, exactly
  uint64_t events_held;  // read, and still there
} flamelet_lane_info;

FLAMELET_API size_t flamelet_capture_lane_count(const flamelet_capture* capture);
FLAMELET_API bool flamelet_capture_lane(const flamelet_capture* capture, size_t lane, flamelet_lane_info* info);
// The lane beside which a lane of a queue or a source stands: that of "GPU" for "GPU, 2". SIZE_MAX: beside none. What a queue
// did is on its lane and on those beside it, where its work may overlap.
FLAMELET_API size_t flamelet_capture_lane_beside(const flamelet_capture* capture, size_t lane);
// Whether an importer made it, also if it was saved since: threads have whole spans then, and the lanes stand in the order of
// the trace.
FLAMELET_API bool flamelet_capture_is_imported(const flamelet_capture* capture);

// ---- Did it run at all? ---------------------------------------------------------------------------------------------

enum {  // which figures the system told; the others are 0 and mean nothing
  FLAMELET_TIME_RAN = 1,
  FLAMELET_TIME_READY = 2,
  FLAMELET_TIME_SWITCHES = 4,
  FLAMELET_TIME_MAJOR_FAULTS = 8,
  FLAMELET_TIME_MINOR_FAULTS = 16,
};

// What the system did with a thread in one frame. In the time that is neither, the thread slept or was blocked. Linux
// tells all of it, Windows the time on a processor, other systems nothing.
typedef struct flamelet_thread_time {
  int64_t ran_ns;         // on a processor
  int64_t ready_ns;       // could have run, and had no processor; a stretch counts in the frame in which it ends
  uint32_t switches;      // times it was put on a processor
  uint32_t major_faults;  // page faults that had to read from a disk
  uint32_t minor_faults;  // the others, most of which give memory that is touched for the first time. Counted when the
                          // process has had 1024, so a few may count some frames late
  uint32_t known;         // FLAMELET_TIME_*
  uint32_t lane;          // index of the thread's lane
} flamelet_thread_time;

// The times of a lane's thread in the frame at this position, as exact as the frame's marks: it was asked there. Where the
// mark before came too soon after another one to ask, up to a sixteenth of the frame's length is from before it.
// False, and all 0, if nothing is known: no thread's lane; its first frame; a frame in which recording was off; one so
// short that its mark did not ask (flamelet_frame());
// flamelet_config.thread_times is off, or the program has a clock of its own; more than 167 threads; dropped for newer
// ones (max_thread_times). Cost: a search among the frames, then among the threads.
FLAMELET_API bool flamelet_capture_thread_time(const flamelet_capture* capture, size_t position, size_t lane,
                                               flamelet_thread_time* time);
// Writes those of all threads in the frame of which something is known and that have a lane. Returns how many there are;
// never more than FLAMELET_MAX_TRACKS.
FLAMELET_API size_t flamelet_capture_read_thread_times(const flamelet_capture* capture, size_t position,
                                                       flamelet_thread_time* times, size_t capacity);

// ---- What a thread did at each moment -------------------------------------------------------------------------------

// With flamelet_config.thread_states.
typedef enum flamelet_state_kind FLAMELET_ANY_ENUM_ {
  FLAMELET_STATE_UNKNOWN = 0,  // before the first switch of the thread that is known, and where switches are lost
  FLAMELET_STATE_RUNNING,
  FLAMELET_STATE_TAKEN_OFF,  // it could have run on
  FLAMELET_STATE_ASLEEP,     // it waited for something, and then perhaps for a processor; or it has ended
  FLAMELET_STATE_COUNT
} flamelet_state_kind;

// In the place of a lane: who else ran.
#define FLAMELET_BY_OTHERS UINT32_MAX         // another program, or the kernel
#define FLAMELET_BY_UNKNOWN (UINT32_MAX - 1)  // a thread of this program that has no lane

typedef struct flamelet_state {
  int64_t begin_ns;
  int64_t end_ns;
  uint32_t kind;       // flamelet_state_kind
  uint32_t processor;  // on which it runs, or ran last; 0 if the kind is unknown
  uint32_t by;         // taken off: index of the lane of the thread that ran there meanwhile, or FLAMELET_BY_*; else 0
} flamelet_state;

// Hands out the states of a thread's lane that overlap [begin_ns, end_ns), by time, without a gap, up to the newest time in
// the capture. The times are true even outside the window, but an unknown state begins at the window's begin at the
// earliest. A state is handed out in parts if one thread after the other ran instead. A lane of another kind is unknown.
// Errors and lifetime as of a flamelet_span_cursor. Cost: 20 ns a state; and those of all threads meanwhile, if it was taken
// off, unless without_owners is set after the start: then that is one state, by FLAMELET_BY_UNKNOWN.
typedef struct flamelet_state_cursor {
  flamelet_state* states;
  size_t count;
  flamelet_result result;
  bool without_owners;
  bool has_begun_, is_at_end_;
  const flamelet_capture* capture_;
  uint64_t version_;
  size_t lane_, capacity_;
  int64_t begin_ns_, end_ns_;
  uint64_t next_ticks_;
} flamelet_state_cursor;

FLAMELET_API void flamelet_state_cursor_start(flamelet_state_cursor* cursor, const flamelet_capture* capture,
                                              size_t lane, int64_t begin_ns, int64_t end_ns, flamelet_state* states,
                                              size_t capacity);
FLAMELET_API bool flamelet_state_cursor_next(flamelet_state_cursor* cursor);

// How much of [begin_ns, end_ns) was what: ns[FLAMELET_STATE_RUNNING], say. Their sum is end_ns - begin_ns. False, and all of
// it unknown, if nothing is known. Cost: a search, and 10 ns a switch of the thread in between.
typedef struct flamelet_state_times {
  int64_t ns[FLAMELET_STATE_COUNT];
} flamelet_state_times;

FLAMELET_API bool flamelet_capture_state_times(const flamelet_capture* capture, size_t lane, int64_t begin_ns,
                                               int64_t end_ns, flamelet_state_times* times);

// Who was on a processor, as far as that is known.
typedef struct flamelet_processor_run {
  int64_t begin_ns;
  int64_t end_ns;
  uint32_t processor;
  uint32_t by;    // index of the thread's lane, or FLAMELET_BY_*: by others only while a thread of this program waits
  uint32_t left;  // flamelet_state_kind: how the thread left; FLAMELET_STATE_UNKNOWN: it ran on, or others did
} flamelet_processor_run;

#define FLAMELET_MAX_PROCESSORS 512u  // those with higher numbers are left out

// Hands out who ran on the processors in [begin_ns, end_ns), cut at both ends, by the time at which each went: so those of one
// processor in their order. Where nothing is handed out, the processor was idle or ran another program: that is not known.
// One that began at the newest time in the capture has no length yet.
// Errors and lifetime as of a flamelet_span_cursor. Cost: 20 ns a switch of any thread.
typedef struct flamelet_processor_cursor {
  flamelet_processor_run* runs;
  size_t count;
  flamelet_result result;
  bool has_begun_, is_at_end_;
  const flamelet_capture* capture_;
  uint64_t version_;
  size_t capacity_;
  int64_t begin_ns_, end_ns_;
  uint64_t next_;
  uint64_t since_[FLAMELET_MAX_PROCESSORS];
  uint32_t thread_[FLAMELET_MAX_PROCESSORS], waiting_[FLAMELET_MAX_PROCESSORS];
} flamelet_processor_cursor;

FLAMELET_API void flamelet_processor_cursor_start(flamelet_processor_cursor* cursor, const flamelet_capture* capture,
                                                  int64_t begin_ns, int64_t end_ns, flamelet_processor_run* runs,
                                                  size_t capacity);
FLAMELET_API bool flamelet_processor_cursor_next(flamelet_processor_cursor* cursor);

// ---- Spans and points -----------------------------------------------------------------------------------------------

enum {
  // Not ended yet: end_ns is the newest time in the capture, or the end of the window that it was saved with; of a damaged
  // file that lacks the end of its lane, the time of the last event there.
  FLAMELET_SPAN_OPEN = 1,
  FLAMELET_SPAN_MISSING_END = 2,    // ended by an outer scope's end, or by the last event before a gap in the recording
  FLAMELET_SPAN_MISSING_BEGIN = 4,  // its begin is not in this capture any more
  FLAMELET_SPAN_CUT = 8,            // external: shortened so that it nests in its parent
  // If a thread switches to another fiber while a scope is open, the thread's lane shows the scope in pieces: its time
  // on this thread. The fiber's own lane shows it whole.
  FLAMELET_SPAN_RESUMED = 16,    // begins where the thread switched back to the fiber
  FLAMELET_SPAN_SUSPENDED = 32,  // ends where the thread switched away from the fiber
  FLAMELET_SPAN_AGAIN = 64,      // of a cursor: in an earlier piece, too
};

#define FLAMELET_NO_PARENT UINT32_MAX

// A scope's begin and end. The times are true even outside the window that was asked for.
typedef struct flamelet_span {
  int64_t begin_ns;
  int64_t end_ns;
  int64_t self_ns;  // duration without the children in this answer. With FLAMELET_SPAN_AGAIN: minus those of this piece
  flamelet_id id;   // what flamelet_begin() returned; on a GPU lane the id of the CPU scope that submitted it
  uint32_t site;    // flamelet_capture_site()
  uint32_t name;    // flamelet_capture_string(): the site's name, or the scope's own dynamic name
  uint32_t object;  // flamelet_capture_string(); 0 = none
  uint32_t parent;  // index in this answer, or FLAMELET_NO_PARENT
  uint32_t subtree_end;  // index in this answer after the last descendant: descendants of i are in (i, subtree_end)
  uint16_t depth;        // 0 = outermost
  uint16_t flags;
} flamelet_span;

// The least capacity of a cursor's array.
#define FLAMELET_CURSOR_LEAST 1024

// Hands out the spans of a lane that overlap [begin_ns, end_ns), also those of zero length at begin_ns, by begin time,
// parents before children, in pieces that fit into an array of the caller. So memory is bounded, and no span is left out:
//
//   flamelet_span_cursor cursor;
//   flamelet_span_cursor_start(&cursor, capture, lane, begin_ns, end_ns, spans, 4096);
//   while (flamelet_span_cursor_next(&cursor)) use(cursor.spans, cursor.count);
//   if (cursor.result != FLAMELET_OK) complain(cursor.result);
//
// The first `again` spans of a piece are those of earlier pieces that may have children in this one, outermost first.
// They have FLAMELET_SPAN_AGAIN: count a span when it comes without. Their times are the same again. The self_ns of a
// span in all pieces add up to its self time.
// Memory:  the cursor and the array are the caller's, and nothing else is used. The next call needs the array as it is.
// Errors:  FLAMELET_ERROR_INVALID_ARGUMENT: a NULL, or no such lane. FLAMELET_ERROR_BUFFER_TOO_SMALL: the capacity is
//          less than FLAMELET_CURSOR_LEAST, or more than half of it nests (recorded threads and fibers never do):
//          flamelet_span_cursor_grow() goes on from there.
//          FLAMELET_ERROR_CHANGED: the capture was updated or destroyed in between: start again.
// Cost:    that of one read of the window, and of a few pages for each piece.
typedef struct flamelet_span_cursor {
  flamelet_span* spans;    // the piece, in the caller's array
  size_t count;            // 0 behind the last piece
  size_t again;            // of these, how many were handed out before
  flamelet_result result;  // after the last piece: FLAMELET_OK = these were all
  bool has_begun_, is_at_end_;
  const flamelet_capture* capture_;
  uint64_t version_;
  size_t lane_, capacity_;
  int64_t begin_ns_, end_ns_;
  uint64_t state_[768];
} flamelet_span_cursor;

FLAMELET_API void flamelet_span_cursor_start(flamelet_span_cursor* cursor, const flamelet_capture* capture, size_t lane,
                                             int64_t begin_ns, int64_t end_ns, flamelet_span* spans, size_t capacity);
// Reads the next piece. False behind the last one, and if cursor->result says what is wrong.
FLAMELET_API bool flamelet_span_cursor_next(flamelet_span_cursor* cursor);
// Where too many nest (FLAMELET_ERROR_BUFFER_TOO_SMALL): goes on in a larger array, to which the caller has moved the
// first one's content, as realloc() does. The next piece comes as if it had been as large before. False: nothing changed,
// because something else is wrong, or `capacity` is no larger.
FLAMELET_API bool flamelet_span_cursor_grow(flamelet_span_cursor* cursor, flamelet_span* spans, size_t capacity);

// All of them at once. *count (may be NULL) becomes how many there are. If there are more than `capacity`,
// FLAMELET_ERROR_BUFFER_TOO_SMALL: only the first `capacity` are written, and their subtree_end is at most `capacity`.
// FLAMELET_ERROR_INVALID_ARGUMENT: there is no such lane. `spans` may be NULL with capacity 0.
FLAMELET_API flamelet_result flamelet_capture_read_spans(const flamelet_capture* capture, size_t lane, int64_t begin_ns,
                                                         int64_t end_ns, flamelet_span* spans, size_t capacity,
                                                         size_t* count);
// How many there are. Costs as much as to read them.
FLAMELET_API size_t flamelet_capture_count_spans(const flamelet_capture* capture, size_t lane, int64_t begin_ns,
                                                 int64_t end_ns);

// How the scope of a span was recorded, for flamelet_measure_scope_ns(). By call: its site has neither file nor line. Of
// spans of threads and fibers; those of other lanes were submitted, and cost the game nothing here.
FLAMELET_API flamelet_scope_kind flamelet_capture_scope_kind(const flamelet_capture* capture,
                                                             const flamelet_span* span);

// Instants and counter values, by time.
typedef enum flamelet_point_kind { FLAMELET_POINT_INSTANT = 0, FLAMELET_POINT_COUNTER } flamelet_point_kind;

typedef struct flamelet_point {
  int64_t time_ns;
  double value;  // counters
  uint32_t site;
  uint32_t name;
  uint32_t object;
  uint32_t kind;  // flamelet_point_kind
} flamelet_point;

// The same for the points of a lane in [begin_ns, end_ns).
typedef struct flamelet_point_cursor {
  flamelet_point* points;
  size_t count;
  flamelet_result result;
  bool has_begun_, is_at_end_;
  const flamelet_capture* capture_;
  uint64_t version_;
  size_t lane_, capacity_;
  int64_t begin_ns_, end_ns_;
  uint64_t state_[32];
} flamelet_point_cursor;

FLAMELET_API void flamelet_point_cursor_start(flamelet_point_cursor* cursor, const flamelet_capture* capture,
                                              size_t lane, int64_t begin_ns, int64_t end_ns, flamelet_point* points,
                                              size_t capacity);
FLAMELET_API bool flamelet_point_cursor_next(flamelet_point_cursor* cursor);

FLAMELET_API flamelet_result flamelet_capture_read_points(const flamelet_capture* capture, size_t lane,
                                                          int64_t begin_ns, int64_t end_ns, flamelet_point* points,
                                                          size_t capacity, size_t* count);
FLAMELET_API size_t flamelet_capture_count_points(const flamelet_capture* capture, size_t lane, int64_t begin_ns,
                                                  int64_t end_ns);

// ---- Flows ----------------------------------------------------------------------------------------------------------

enum {
  FLAMELET_FLOW_IS_END = 1,         // an end of the flow; without it, its begin
  FLAMELET_FLOW_OPEN = 2,           // a begin to which no end in the answer belongs
  FLAMELET_FLOW_BEGUN_AGAIN = 4,    // an open begin that is followed by another one of the same id
  FLAMELET_FLOW_MISSING_BEGIN = 8,  // an end that has no begin before it in the answer
};

// One end of a flow: what flamelet_flow_begin() or flamelet_flow_end() marked.
typedef struct flamelet_flow {
  int64_t time_ns;
  uint64_t id;     // the user's
  uint32_t lane;   // index of the lane on which it was marked: of the thread, also where a fiber ran on it
  uint32_t begin;  // index in this answer of the begin to which it belongs (its own, of a begin), or FLAMELET_NO_PARENT
  uint32_t flags;
} flamelet_flow;

// The ends of flows in [begin_ns, end_ns), of all lanes, by id and then by time: a begin stands before its ends. An end
// belongs to the newest begin of its id that is not later. Ask for a longer window to find a begin from before. A piece
// has all ends of each id in it; if those of one id do not fit, FLAMELET_ERROR_BUFFER_TOO_SMALL. The array form pairs what
// it wrote. Cost: each piece in proportion to the pages in the window that have flows.
typedef struct flamelet_flow_cursor {
  flamelet_flow* flows;
  size_t count;
  flamelet_result result;
  bool has_begun_, is_at_end_;
  const flamelet_capture* capture_;
  uint64_t version_;
  size_t capacity_;
  int64_t begin_ns_, end_ns_;
  uint64_t newest_id_;
} flamelet_flow_cursor;

FLAMELET_API void flamelet_flow_cursor_start(flamelet_flow_cursor* cursor, const flamelet_capture* capture,
                                             int64_t begin_ns, int64_t end_ns, flamelet_flow* flows, size_t capacity);
FLAMELET_API bool flamelet_flow_cursor_next(flamelet_flow_cursor* cursor);

FLAMELET_API flamelet_result flamelet_capture_read_flows(const flamelet_capture* capture, int64_t begin_ns,
                                                         int64_t end_ns, flamelet_flow* flows, size_t capacity,
                                                         size_t* count);
FLAMELET_API size_t flamelet_capture_count_flows(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns);

// How many of an answer are what. Flows are kept as far as they are known, and whatever does not pair is counted here.
typedef struct flamelet_flow_counts {
  uint64_t begins;
  uint64_t ends;
  uint64_t open;            // begins without an end, those that were begun again included
  uint64_t begun_again;     // begins that another begin of the same id followed before any end
  uint64_t missing_begins;  // ends before any begin of their id
} flamelet_flow_counts;

FLAMELET_API void flamelet_count_flows(const flamelet_flow* flows, size_t count, flamelet_flow_counts* counts);

// ---- Intervals ------------------------------------------------------------------------------------------------------

// What flamelet_interval_begin() and flamelet_interval_end() marked. Intervals may overlap, and end on another thread.
typedef struct flamelet_interval {
  int64_t begin_ns;
  int64_t end_ns;
  flamelet_id id;  // what flamelet_interval_begin() returned
  uint32_t site;
  uint32_t name;
  uint32_t object;
  uint32_t begin_track;  // id of the thread that began it; 0 if its begin is lost: then nobody knows its site and name
  uint32_t end_track;    // id of the thread that ended it; 0 while it is open, or if its end is lost
  uint32_t flags;        // FLAMELET_SPAN_OPEN, FLAMELET_SPAN_MISSING_BEGIN
} flamelet_interval;

// Writes the intervals that overlap [begin_ns, end_ns), by begin time. Returns how many there are.
FLAMELET_API size_t flamelet_capture_read_intervals(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                                    flamelet_interval* intervals, size_t capacity);

// ---- Names ----------------------------------------------------------------------------------------------------------

typedef struct flamelet_site_info {
  flamelet_string name;
  flamelet_string category;
  flamelet_string file;
  flamelet_string function;
  uint32_t line;
  uint32_t color;  // 0xRRGGBB; 0 = none was given
} flamelet_site_info;

// An unknown id gives the text "(unknown)" (and false), so the answer can be shown without a check.
FLAMELET_API bool flamelet_capture_site(const flamelet_capture* capture, uint32_t site, flamelet_site_info* info);
FLAMELET_API flamelet_string flamelet_capture_string(const flamelet_capture* capture, uint32_t string);
// Ids are 0 .. count - 1, but some may be unknown. It rises until the recorder begins a new session.
FLAMELET_API size_t flamelet_capture_string_count(const flamelet_capture* capture);
FLAMELET_API size_t flamelet_capture_site_count(const flamelet_capture* capture);  // ids are 0 .. count - 1

// ---- Numbers --------------------------------------------------------------------------------------------------------

typedef struct flamelet_capture_stats {
  size_t budget_bytes;
  size_t used_bytes;                 // of them: the tables, and the pages that are held; an import touches no more
  uint32_t pages_held, pages_limit;  // the limit: about, if pages go on as those that are held
  // If the capture is from a file that was cut (flamelet_capture_save() with a window), the counts are about that file.
  uint64_t events_read;     // copied into this capture, all tracks, since creation
  uint64_t events_lost;     // overwritten in the ring before they were read
  uint64_t events_evicted;  // read, then evicted because the budget or the table of lanes was full
  uint64_t events_held;     // read, and still there; without frame marks
  uint64_t missing_ends;    // counted by the reads since creation
  uint64_t extra_ends;  // also second ends of an interval. flamelet_capture_dropped has those that were not recorded
  // Words that no recorder writes. The rest of their page is skipped, unless the word is an interval's second begin.
  uint64_t bad_words;
  uint64_t names_missing;         // sites and strings without room in the capture's tables; fibers without a lane
  uint64_t times_clamped;         // times earlier than the time before on their thread, replaced by that time
  uint64_t unknown_events;        // events of kinds that this version of the library does not know
  uint64_t frames_dropped;        // went for newer ones, as there were max_frames
  uint64_t thread_times_dropped;  // the same, of max_thread_times: one a thread and frame
  uint64_t intervals_dropped;     // the same, of max_intervals; files and imports have all that their pages tell
  uint64_t named_frames_dropped;  // the same, of max_named_frames
  flamelet_thread_states thread_states;  // of the recorder; FLAMELET_THREAD_STATES_OFF also in older files
  uint64_t switches_held;                // of threads, from which their states are known
  uint64_t switches_lost;                // that found no room in the system's memory; flamelet_stats counts some sooner
  uint64_t switches_evicted;             // that went for newer ones (max_switches)
} flamelet_capture_stats;

FLAMELET_API void flamelet_capture_get_stats(const flamelet_capture* capture, flamelet_capture_stats* stats);

// What the recorder itself dropped or could not name from its init to the newest update of the capture, by cause, as
// flamelet_stats counts it. It is no part of the counts above, but for dropped_no_page, which events_lost has, too. A file
// keeps it; one that was cut has that of the whole session. All 0 for imports and older files.
typedef struct flamelet_capture_dropped {
  uint64_t dropped_no_track;
  uint64_t dropped_no_page;
  uint64_t dropped_depth;
  uint64_t dropped_nested;
  uint64_t dropped_fiber;
  uint64_t dropped_frame;
  uint64_t dropped_submit;
  uint64_t strings_overflowed;
  uint64_t sites_overflowed;
  uint64_t submit_waiting;  // not dropped so far: submitted begins and ends without a partner. They are in no lane
  uint64_t extra_ends, fiber_misuse;
  uint64_t submit_cut;
} flamelet_capture_dropped;

FLAMELET_API void flamelet_capture_get_dropped(const flamelet_capture* capture, flamelet_capture_dropped* dropped);
FLAMELET_API flamelet_clock flamelet_capture_clock(const flamelet_capture* capture);

// How the recorder was built whose events these are ("Flamelet 0.1.0, g++ 12.2.0, x86-64, inlined scopes, optimized"),
// and its config's note. Empty if it is not known: nothing was captured yet, an import, an older file. Lives as long as the
// capture, and changes with an update that meets another session.
FLAMELET_API flamelet_string flamelet_capture_build(const flamelet_capture* capture);
FLAMELET_API flamelet_string flamelet_capture_note(const flamelet_capture* capture);

// The categories that were off, all the time or a part of it: "physics, ai"; "*" are all that were not switched by name;
// "..." those behind 500 bytes. In names, "\" stands before "," and "\", and before a name that is one of these texts (not in
// older files). Empty if none was, or nothing is known. Lives as long as the capture, and changes with its updates.
FLAMELET_API flamelet_string flamelet_capture_categories_off(const flamelet_capture* capture);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_CAPTURE_H
