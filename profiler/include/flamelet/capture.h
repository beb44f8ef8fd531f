// SPDX-License-Identifier: MIT
//
// flamelet/capture.h: what was recorded, as spans. A capture holds copies of ring pages and of the tables that name
// them, in memory of its own. Update it and it is a live window on the ring; stop updating it and it is frozen. Nothing
// that reads a capture knows how events are stored.
//
// Threads:   a capture is used by one thread at a time. Several captures may be updated at once, from different
//            threads, while every other thread records: a reader never blocks a writer.
// Lifetime:  a capture outlives the recorder. Strings that it returns live until it is destroyed, or until an update
//            finds that the recorder was restarted; everything else is copied out.
// Units:     nanoseconds since the recorder's init, signed. Windows are half open: [begin, end).
// Memory:    one allocation of budget_bytes at creation, by default enough for all that the recorder's ring holds. When it
//            is full, the oldest pages go (flamelet_capture_stats counts them); nothing else allocates.
// Cost:      update: in proportion to what is new. read: in proportion to the pages that overlap the window.
#ifndef FLAMELET_CAPTURE_H
#define FLAMELET_CAPTURE_H

#include "flamelet/recorder.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_capture flamelet_capture;

// Made by flamelet_capture_config_default(), then changed. Where it says "0 = the ring's": as much as the recorder that
// runs when the capture is created can hold, and at least the number that follows. That number alone counts if no
// recorder runs, or if a budget is given: then the tables have to fit into it.
typedef struct flamelet_capture_config {
  uint32_t cookie;  // set by flamelet_capture_config_default()
  flamelet_allocator allocator;
  size_t budget_bytes;  // 0 = the ring's, 64 MiB (default)
  uint32_t max_frames;  // frame headers kept, beyond the pages' own life (default 4096)
  // Tracks and fibers that have a lane, also those that ended. Where there are more, the newest win, and threads win over
  // fibers. 0 = the ring's, 1024 (default), up to 16384. Fewer than 2 * FLAMELET_MAX_TRACKS count as that many, so that
  // every track that lives has a lane.
  uint32_t max_tracks;
  uint32_t max_sites;         // 0 = the ring's, 16384 (default)
  uint32_t max_strings;       // 0 = the ring's, 32768 (default)
  size_t string_bytes;        // 0 = the ring's, 2 MiB (default)
  uint32_t max_fiber_runs;    // stretches of fibers on threads, for the fibers' lanes (default 32768; 0 = no fibers)
  uint32_t max_intervals;     // of flamelet_interval_begin() and flamelet_interval_end() (default 4096; 0 = none)
  uint32_t max_named_frames;  // of flamelet_frame_named(), the newest of all sets (default 4096; 0 = none)
} flamelet_capture_config;

FLAMELET_API flamelet_capture_config flamelet_capture_config_default(void);
// The least budget_bytes that the config's limits can run with, or 0 if the config is invalid.
FLAMELET_API size_t flamelet_capture_memory_required(const flamelet_capture_config* config);
FLAMELET_API flamelet_result flamelet_capture_create(const flamelet_capture_config* config, flamelet_capture** capture);
FLAMELET_API void flamelet_capture_destroy(flamelet_capture* capture);  // NULL is fine

// Copies what was recorded since the last update. FLAMELET_ERROR_NOT_INITIALIZED if no recorder runs: what the capture
// holds stays readable. After the recorder was restarted, the capture starts anew.
FLAMELET_API flamelet_result flamelet_capture_update(flamelet_capture* capture);

// A number that changes whenever the content changed; equal numbers mean equal answers to every call below.
FLAMELET_API uint64_t flamelet_capture_version(const flamelet_capture* capture);

// ---- Frames ---------------------------------------------------------------------------------------------------------

enum {
  // Recording was switched on or off inside this frame; or it is frame 0, which begins with the recorder and ends with the
  // first mark.
  FLAMELET_FRAME_PARTIAL = 1,
  FLAMELET_FRAME_LOSSY = 2,    // events of this frame were overwritten before they were read, or are gone again
};

typedef struct flamelet_frame_info {
  uint64_t index;  // counts flamelet_frame() calls since init
  int64_t begin_ns;
  int64_t end_ns;
  uint32_t flags;
} flamelet_frame_info;

// Complete frames, oldest first: `position` counts from 0 to count - 1 and is valid until the next update.
FLAMELET_API size_t flamelet_capture_frame_count(const flamelet_capture* capture);
FLAMELET_API bool flamelet_capture_frame(const flamelet_capture* capture, size_t position, flamelet_frame_info* frame);
// The position of the frame with this index, or of the frame at this time; SIZE_MAX if there is none.
FLAMELET_API size_t flamelet_capture_find_frame(const flamelet_capture* capture, uint64_t index);
FLAMELET_API size_t flamelet_capture_frame_at(const flamelet_capture* capture, int64_t time_ns);

// The frames of flamelet_frame_named(). Writes the names of the sets (flamelet_capture_string()), by id; returns how many
// there are. `sets` may be NULL with capacity 0.
FLAMELET_API size_t flamelet_capture_frame_sets(const flamelet_capture* capture, uint32_t* sets, size_t capacity);
// Writes the complete frames of a set that overlap [begin_ns, end_ns), by index, which counts the set's marks. Returns how
// many there are. A frame of which a mark was lost is left out. FLAMELET_FRAME_LOSSY: its pages are gone again in part.
FLAMELET_API size_t flamelet_capture_read_frames(const flamelet_capture* capture, uint32_t set, int64_t begin_ns,
                                                 int64_t end_ns, flamelet_frame_info* frames, size_t capacity);

// The time that the capture's pages cover. False if it holds no page.
FLAMELET_API bool flamelet_capture_extent(const flamelet_capture* capture, int64_t* begin_ns, int64_t* end_ns);

// ---- Tracks ---------------------------------------------------------------------------------------------------------

typedef enum flamelet_lane_kind {
  FLAMELET_LANE_THREAD = 0,
  FLAMELET_LANE_GPU,
  FLAMELET_LANE_EXTERNAL,
  FLAMELET_LANE_FIBER,
} flamelet_lane_kind;

// A lane is whatever has a stack of spans of its own: a thread, a GPU queue, an external source, a fiber. On a thread's
// lane stands what ran on the thread, fibers included; on a fiber's lane, what the fiber ran on any thread. Lanes that
// ended go when the last of their pages goes, and only if their place is needed.
typedef struct flamelet_lane_info {
  uint32_t id;  // the track's or fiber's id; unique together with kind
  flamelet_lane_kind kind;
  flamelet_string name;  // never empty: "thread 3" if it was not named
  uint64_t events_read;  // of this track (0 for fibers: their events are counted on the threads)
  uint64_t events_lost;  // overwritten before this capture read them: recorded = read + lost, exactly
  uint64_t events_held;  // read, and still there
} flamelet_lane_info;

FLAMELET_API size_t flamelet_capture_lane_count(const flamelet_capture* capture);
FLAMELET_API bool flamelet_capture_lane(const flamelet_capture* capture, size_t lane, flamelet_lane_info* info);

// ---- Spans and points -----------------------------------------------------------------------------------------------

enum {
  FLAMELET_SPAN_OPEN = 1,           // not ended yet: end_ns is the newest time in the capture
  FLAMELET_SPAN_MISSING_END = 2,    // ended by an outer scope's end, or by a gap in the recording
  FLAMELET_SPAN_MISSING_BEGIN = 4,  // began before anything this capture still holds
  FLAMELET_SPAN_CUT = 8,            // external: shortened so that it nests in its parent
  // On a thread's lane, a scope that was open while the thread switched to another fiber is shown in pieces: its time
  // on this thread. (On the fiber's own lane it is whole.)
  FLAMELET_SPAN_RESUMED = 16,    // begins where the thread switched back to it, and not where the scope began
  FLAMELET_SPAN_SUSPENDED = 32,  // ends where the thread switched away from it, and not where the scope ended
};

#define FLAMELET_NO_PARENT UINT32_MAX

// One matched begin and end. Times are true also where they lie outside the window that was asked for.
typedef struct flamelet_span {
  int64_t begin_ns;
  int64_t end_ns;
  int64_t self_ns;       // duration less that of the children that are in this answer
  flamelet_id id;        // what flamelet_begin() returned; on a GPU lane the link: the CPU scope that submitted it
  uint32_t site;         // flamelet_capture_site()
  uint32_t name;         // flamelet_capture_string(): the site's name, or the scope's own dynamic name
  uint32_t object;       // flamelet_capture_string(); 0 = none
  uint32_t parent;       // index in this answer, or FLAMELET_NO_PARENT
  uint32_t subtree_end;  // index in this answer after the last descendant: children of i are in (i, subtree_end)
  uint16_t depth;        // 0 = outermost
  uint16_t flags;
} flamelet_span;

// Writes the spans of a lane that overlap [begin_ns, end_ns) (spans of zero length at begin_ns included),
// parents before children, by begin time. Returns how many there are; if that is more than `capacity`, only
// the first `capacity` were written (their subtree_end is cut to what was written). `spans` may be NULL with
// capacity 0.
FLAMELET_API size_t flamelet_capture_read_spans(const flamelet_capture* capture, size_t lane, int64_t begin_ns,
                                                int64_t end_ns, flamelet_span* spans, size_t capacity);

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

FLAMELET_API size_t flamelet_capture_read_points(const flamelet_capture* capture, size_t lane, int64_t begin_ns,
                                                 int64_t end_ns, flamelet_point* points, size_t capacity);

// ---- Intervals ------------------------------------------------------------------------------------------------------

// What flamelet_interval_begin() and flamelet_interval_end() marked: they may overlap, and end on another thread.
typedef struct flamelet_interval {
  int64_t begin_ns;
  int64_t end_ns;
  flamelet_id id;  // what flamelet_interval_begin() returned
  uint32_t site;
  uint32_t name;
  uint32_t object;
  uint32_t begin_track;  // id of the thread that started it; 0 if its start is lost
  uint32_t end_track;    // id of the thread that finished it; 0 while it is open
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

// Unknown ids give "(unknown)" and false, so that the answer can be shown without a check.
FLAMELET_API bool flamelet_capture_site(const flamelet_capture* capture, uint32_t site, flamelet_site_info* info);
FLAMELET_API flamelet_string flamelet_capture_string(const flamelet_capture* capture, uint32_t string);
FLAMELET_API size_t flamelet_capture_site_count(const flamelet_capture* capture);  // ids are 0 .. count - 1

// ---- Numbers --------------------------------------------------------------------------------------------------------

typedef struct flamelet_capture_stats {
  size_t budget_bytes;
  uint32_t pages_held, pages_limit;
  // Of a file that was cut from a capture (flamelet_capture_save() with a window), all of these are of what it holds.
  uint64_t events_read;     // copied into this capture, all tracks, since creation
  uint64_t events_lost;     // overwritten in the ring before they were read
  uint64_t events_evicted;  // read, and gone again because the budget or the table of lanes is full
  uint64_t events_held;     // read, and still there; frame marks are not among them
  uint64_t missing_ends;    // counted by the reads since creation
  uint64_t extra_ends;      // also finishes of an interval that is finished already
  uint64_t
      bad_words;  // words that no recorder writes: their page's rest is skipped, but for an interval's second start
  uint64_t names_missing;   // tracks, sites or strings that did not fit this capture's tables
  uint64_t times_clamped;   // earlier than the one before on their thread, and taken for that one
  uint64_t unknown_events;  // of kinds that this version of the library does not know
} flamelet_capture_stats;

FLAMELET_API void flamelet_capture_get_stats(const flamelet_capture* capture, flamelet_capture_stats* stats);
FLAMELET_API flamelet_clock flamelet_capture_clock(const flamelet_capture* capture);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_CAPTURE_H
