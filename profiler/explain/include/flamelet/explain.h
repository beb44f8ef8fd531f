// SPDX-License-Identifier: MIT
//
// flamelet/explain.h: why was this frame slow? Finds a frame's critical path, compares it with that of the frames before
// it, and says what was unusual: as data, as text, and as JSON. Link flamelet::explain.
//
//   flamelet_explain_config config = flamelet_explain_config_default();
//   size_t bytes = flamelet_explain_memory_required(&config);
//   flamelet_explain* explain;
//   if (flamelet_explain_create(&config, my_allocate(bytes), bytes, &explain)) ...
//   flamelet_explanation why;
//   if (flamelet_explain_frame(explain, capture, position, &why) == FLAMELET_OK) {
//     char text[2048];
//     flamelet_explain_text(explain, capture, &why, text, sizeof text);
//   }
//
// The critical path is walked back from the frame's end on the main thread, which is the one that marks frames. Inside
// work, the innermost scope has the time. Inside a scope that waits (FLAMELET_SCOPE_WAIT), the time belongs to whoever
// was waited for: the lane to which a flow leads back (flamelet_flow_begin()); without a flow, the lane that ends something
// where such waits end in nearly all frames; else the lane whose work ended where this one did, which is "probably"; else it
// stays a wait. A fiber that was left with scopes open waits until it goes
// on: for a flow's lane, for what its thread did until then, or for whoever ended there. Before that, the path follows it
// to the thread where it was left. The pieces tile the frame: their sum is its time.
//
// Usual is the median over the baseline, spread the median of the distances from it (MAD), times 1.4826. Neither minds a
// few bad frames, and no distribution is assumed.
//
// Threads:   one thread at a time per flamelet_explain. No global state.
// Lifetime:  everything lies in the caller's memory; there is nothing to destroy. An explanation's pieces and causes, and
//            the ids of paths, are valid until the next call that takes a capture.
// Units:     nanoseconds of the capture.
// Memory:    flamelet_explain_memory_required(): about 12 MiB by default. No call allocates.
// Cost:      each frame is read once: in proportion to the spans of the lanes that its critical path visits. To explain
//            a frame whose baseline is known takes that, and a search for each of its call paths in each frame.
// When full: see flamelet_explanation.flags.
#ifndef FLAMELET_EXPLAIN_H
#define FLAMELET_EXPLAIN_H

#include "flamelet/capture.h"
#include "flamelet/flight.h"
#include "flamelet/io.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_explain flamelet_explain;

#define FLAMELET_EXPLAIN_GUESS_LANE UINT32_MAX

// Made by flamelet_explain_config_default(), then changed. Each limit is 1 .. 2^24, if it tells no other.
typedef struct flamelet_explain_config {
  uint32_t cookie;           // set by flamelet_explain_config_default()
  uint32_t baseline_frames;  // how many frames before the one in question are its baseline (default 240; 1 .. 4096)
  uint32_t max_spans;        // of one frame, on the lanes that its critical path visits (default 65536)
  uint32_t max_flows;        // ends of flows in one frame; and as many times that a fiber is left (default 16384)
  uint32_t max_lanes;        // (default 1024; up to 65,536)
  uint32_t max_paths;        // call paths of all frames (default 4096; at least 2)
  uint32_t max_samples;      // times of one path in one frame, of all baseline frames (default 131072)
  uint32_t max_pieces;       // of one critical path (default 65536)
  int64_t tolerance_ns;      // "where the wait ended" (default 50,000; 0 .. 10^9)
  uint32_t main_lane;        // index of the lane that marks frames; FLAMELET_EXPLAIN_GUESS_LANE (default): the thread
                             // that marked the frame's end. Where the capture does not say who did: the one whose
                             // outermost scopes fill the frames without crossing their borders
  int64_t budget_ns;  // of a frame; 0 (default) = none. A frame that takes longer is explained though it be usual
} flamelet_explain_config;

FLAMELET_API flamelet_explain_config flamelet_explain_config_default(void);
// 0 if the config is invalid.
FLAMELET_API size_t flamelet_explain_memory_required(const flamelet_explain_config* config);
// `memory` needs no alignment. FLAMELET_ERROR_INVALID_ARGUMENT: a NULL, or a config for which memory_required returns 0.
// FLAMELET_ERROR_BUDGET_TOO_SMALL: memory_bytes is less than memory_required. *explain is NULL after an error.
FLAMELET_API flamelet_result flamelet_explain_create(const flamelet_explain_config* config, void* memory,
                                                     size_t memory_bytes, flamelet_explain** explain);
// Forgets every frame and path. Call it when the capture is another one, or was restarted.
FLAMELET_API void flamelet_explain_clear(flamelet_explain* explain);

// ---- The answer -----------------------------------------------------------------------------------------------------

typedef enum flamelet_verdict FLAMELET_ANY_ENUM_ {
  FLAMELET_VERDICT_NEW = 0,         // on the critical path of less than a tenth of the baseline
  FLAMELET_VERDICT_MORE_CALLS,      // more often, and each not that much longer
  FLAMELET_VERDICT_SLOWER_CALLS,    // longer, and not that much more often
  FLAMELET_VERDICT_WAIT,            // a lock or a wait; nothing tells for whom, or a lane that usually holds up nobody
  FLAMELET_VERDICT_GPU_BOUND,       // work of a GPU queue
  FLAMELET_VERDICT_CARRIED_OVER,    // new, and it began before the frame before this one did
  FLAMELET_VERDICT_UNINSTRUMENTED,  // no scope, or none inside a scope that has others: add scopes there
  FLAMELET_VERDICT_RECORDING,       // the profiler's own work
  FLAMELET_VERDICT_PREEMPTED,       // the thread did not run though it had work: others had the processors. The path is
  // the one that was hit most; time_ns and usual_ns are what the thread lost in a frame
  FLAMELET_VERDICT_STOPPED,  // the whole program stood still: a signal, a debugger, a machine that slept, or no processor
  // for any of its threads. The path is the one that the main thread was in; the span is the stop
  FLAMELET_VERDICT_ORDER,  // each call took as long as usual, but ran before others that usually come first, or all of
  // them on fewer threads
  FLAMELET_VERDICT_AS_USUAL,  // of a frame over its budget: it took most of the frame, as it does in others
  FLAMELET_VERDICT_SLOWED,  // each scope took longer by about the same factor: the processors or the memory were slower.
  // The path is the one with the most time; calls are those of all paths
  FLAMELET_VERDICT_COUNT,
} flamelet_verdict;

// "more calls", say. "" for another number.
FLAMELET_API const char* flamelet_verdict_name(flamelet_verdict verdict);

enum {
  // Nobody was found for whom the thread waited.
  FLAMELET_PIECE_WAIT = 1,
  // Of a lane that no flow names, or of one that such a lane waited for.
  FLAMELET_PIECE_PROBABLY = 2,
  // No scope was open.
  FLAMELET_PIECE_OUTSIDE = 4,
  // Of a cause: time and calls are those of all that its path calls, none of which stands out.
  FLAMELET_CAUSE_INSIDE = 8,
  // A wait for work that a flow had asked for, and that no thread had begun.
  FLAMELET_PIECE_NOT_BEGUN = 16,
  // Of a cause: each call took as long as usual, and more of it was waited for.
  FLAMELET_CAUSE_AS_USUAL = 32,
  // Of a wait: `threads` threads held in turn what it waited for.
  FLAMELET_CAUSE_IN_TURN = 64,
  // Of a stop: the threads could have run, and had no processor.
  FLAMELET_CAUSE_HAD_WORK = 128,
  // States of threads say that rival_lane had the processor for rivals_ns; UINT32_MAX: another program.
  FLAMELET_CAUSE_TAKEN_OFF = 256,
  // Of a preempted thread: the program's threads together ran less of the frame than usual, so another program had the
  // processors.
  FLAMELET_CAUSE_OTHERS_RAN = 512,
  // asleep_ns is what states of threads say, and not the least that can be.
  FLAMELET_CAUSE_SLEEP_KNOWN = 1024,
  // It held the lock that nearest_wait has the name of.
  FLAMELET_CAUSE_HELD_LOCK = 2048,
  // A call to a file that blocked; `object` is the file's name.
  FLAMELET_CAUSE_FILE = 4096,
  // Of a GPU queue: it had been handed over, and the queue began it time_ns later.
  FLAMELET_CAUSE_BEGAN_LATE = 8192,
  // Of a lane that no flow names, and that such waits are for in nearly all frames.
  FLAMELET_PIECE_USUALLY = 16384,
  // A wait for no lock that flamelet/lock.h or `flamelet record --locks` recorded, and that no thread they know of ended.
  FLAMELET_PIECE_NO_WAKER = 65536,
  // Of a wait: the frame came too late for a tick of usual_ns, such as the display's, and waited for the next. It stands
  // behind what made the frame late; with FLAMELET_CAUSE_FOR_UNKNOWN first, as nothing that is known did.
  FLAMELET_CAUSE_NEXT_TICK = 32768,
  // A fact is missing. Its thread waited, or slept for most of the time, and nothing that is recorded says for what; or, with
  // FLAMELET_CAUSE_AS_USUAL, why more of the work was waited for.
  FLAMELET_CAUSE_FOR_UNKNOWN = 131072,
  // usual_ns is of whole calls in the frames just before, whether they were waited for or not.
  FLAMELET_CAUSE_USUAL_JOB = 262144,
  // With FLAMELET_CAUSE_TAKEN_OFF: the thread had slept, and did not get the processor that rival_lane had until it ran there.
  FLAMELET_CAUSE_KEPT_OFF = 524288,
  // Of time without a processor: that it was in this scope is a guess. The system tells it once a frame, and no states are
  // known.
  FLAMELET_CAUSE_PLACE_UNSURE = 1048576,
  // It slept, or the whole program was stopped: no thread did anything meanwhile, and states of threads are not known.
  FLAMELET_CAUSE_MAY_HAVE_STOPPED = 2097152,
  // Of a wait: that it was for begun_path is a guess. Nothing but the frames before says so.
  FLAMELET_CAUSE_MAY_HAVE_BEGUN = 4194304,
  // Of a wait: begun_lane was in marked waits until then, which were not for the same.
  FLAMELET_CAUSE_BEGUN_BY_IDLE = 8388608,
  // Of a wait: begun_lane slept until then, in no scope.
  FLAMELET_CAUSE_BEGUN_AFTER_SLEEP = 16777216,
  // A flow says that the thread that waited for it, or the last one of a chain, did so.
  FLAMELET_PIECE_BY_FLOW = 33554432,
};

#define FLAMELET_NO_PATH UINT32_MAX

// A part of the critical path: one lane in one call path.
typedef struct flamelet_piece {
  int64_t begin_ns;
  int64_t end_ns;
  int64_t span_begin_ns;  // of the innermost span, which it is a part of; its own without a span
  int64_t span_end_ns;
  uint32_t lane;     // index in the capture
  uint32_t path;     // flamelet_explain_path()
  uint32_t waiting;  // path of the wait that led here from the main thread, or FLAMELET_NO_PATH
  // Path of the wait of whoever waited for this lane itself; `waiting` if that was the main thread.
  uint32_t nearest_wait;
  uint32_t object;  // flamelet_capture_string() of the span; 0 = none
  uint32_t flags;
} flamelet_piece;

#define FLAMELET_EXPLAIN_MAX_VIA 3u

// What took more time on the critical path than usual.
typedef struct flamelet_cause {
  flamelet_verdict verdict;
  uint32_t path;
  uint32_t lane;          // of its longest piece; the one with most of the time, if several share it
  uint32_t waiting;       // of that piece
  uint32_t nearest_wait;  // the same
  uint32_t object;        // of the span with most of the time
  uint32_t flags;         // FLAMELET_PIECE_*, of any of its pieces, and FLAMELET_CAUSE_*
  uint32_t calls;         // spans of it on the critical path; of "more calls" that threads share, all in the frame
  double usual_calls;
  int64_t time_ns;       // in this frame
  int64_t usual_ns;      // of the path; if others seldom waited for it: in the frames just before, of as many calls
                         // unless there are more calls
  int64_t spread_ns;     // 0 then
  int64_t surplus_ns;    // beyond what the critical path usually spends in it
  int64_t waited_ns;     // how long the main thread waited in `waiting`; 0: nobody waited
  uint32_t seen_frames;  // of the baseline, in which it was on the critical path
  // Of work that is new or rare there: of the newest `read_frames` of the baseline, so many had it on any lane, whether or not
  // anybody waited for it.
  uint32_t ran_frames;
  uint32_t read_frames;
  // What a path that is new or rare took in those frames (the median); 0: there are none. Of a lock or longer work: what
  // that work takes where it is done, whoever waits.
  int64_t usual_there_ns;
  // Page faults of its lane's thread in this frame: those that read from a disk, and the others, which give new memory.
  // 0 if as usual, or too few to matter.
  uint32_t major_faults;
  uint32_t minor_faults;
  // Its thread was preempted, and other threads of the program ran more than usual, by at least half of the surplus: by
  // how much, and the lane of the one that did so most. UINT32_MAX: they did not, or nobody knows. How much is 0 where their
  // scopes alone say it (probably): threads that ended before the frame did.
  int64_t rivals_ns;
  uint32_t rival_lane;
  uint32_t rival_path;  // what that lane did most in the frame; FLAMELET_NO_PATH: nobody knows
  // The other lane that had a scope in most of the frames just before, if it is new on its lane. UINT32_MAX: none.
  uint32_t usual_lane;
  // A scope calls itself deeper than usual: how many of it were open at once, on its lane, and in the frames just before
  // on any. 0 otherwise.
  uint32_t recursion_depth;
  uint32_t usual_recursion_depth;
  // How much of time_ns its thread slept at least, in no scope that waits; 0 = none, or unknown.
  int64_t asleep_ns;
  // How much of time_ns its thread had no processor: that is the surplus of a cause of its own, and not of this one.
  int64_t no_processor_ns;
  uint32_t threads;  // a stop: how many were at work. A lock: how many held it in turn, also of work that
                     // held one. Taken off: by how many of the
                     // program's own threads. Slower or more calls: on how many lanes, each with a tenth of
                     // the time, if there are two or more. 0 otherwise
  // It kept its lane from a job: meanwhile that job's other lane did `others_calls` of it. Or it ran before that job
  // (verdict ORDER), or in its place (0 calls). FLAMELET_NO_PATH: nothing of that.
  uint32_t others_path;
  uint32_t others_lane;
  uint32_t others_calls;
  uint32_t idle_frames;  // so many frames just before had none of it, though it is usual
  // Of work that took longer or lost its processor: what all threads together did more often meanwhile, itself or around it,
  // how often, and how often in usual frames. FLAMELET_NO_PATH: nothing
  uint32_t job_path;
  uint32_t job_calls;
  double usual_job_calls;
  int64_t span_begin_ns;  // of the span with most of the time: what to highlight
  int64_t span_end_ns;
  int64_t others_ns;  // beside the program's own threads (rivals_ns), another program had its processor for so long
  int64_t files_ns;   // of its time, in calls to files inside of it, if that is half of it or more; else 0
  // The innermost scope of new work that has nine tenths of its time. FLAMELET_NO_PATH: none.
  uint32_t inner_path;
  // Of a lost processor, where the system tells it of the whole frame: what states of threads say of its path alone, or with
  // FLAMELET_CAUSE_PLACE_UNSURE the most that it can be; 0: all of it, or nobody knows.
  int64_t lost_here_ns;
  int64_t probably_asleep_ns;  // asleep_ns, if the thread ran as long as usual elsewhere in the frame; without states
  // What the recorder's counters of the machine say (FLAMELET_MACHINE_CATEGORY), if it accounts for half of the surplus;
  // else 0. Of all the processors together, in the readings that the frame lies in.
  int64_t limited_ns;  // the program had used up its limit of processor time: a container's or another control group's
  int64_t host_ns;     // the virtual machine's host gave the processors to others
  double processor_mhz;  // of "all slower": the processor's clock, if it was lower than in the ten seconds before
  double usual_processor_mhz;
  // Whom the main thread waited for, who waited for another one, and so on: the last of these waited for `lane`, in the scope
  // nearest_wait. If there are more, those behind the first ones are left out. via_count 0: the main thread itself did.
  uint32_t via_lanes[FLAMELET_EXPLAIN_MAX_VIA];
  uint32_t via_count;
  // Of a wait: what another lane began when most of it was over, and the rest was for. FLAMELET_NO_PATH: nobody knows.
  uint32_t begun_path;
  uint32_t begun_lane;
} flamelet_cause;

// Its verdict as the sentence says it: for "new" also "rare", "new here" or "more levels".
FLAMELET_API const char* flamelet_cause_verdict(const flamelet_cause* cause);

enum {
  // Said first: what makes the answer less sure.
  FLAMELET_EXPLAIN_LOSSY = 1,            // events of the frame were lost
  FLAMELET_EXPLAIN_PARTIAL = 2,          // recording was off in it, or in a part of it
  FLAMELET_EXPLAIN_NO_MAIN_THREAD = 4,   // no thread has a scope in the frame, or it took 104 days: there is nothing to
                                         // explain
  FLAMELET_EXPLAIN_LITTLE_BASELINE = 8,  // less than FLAMELET_EXPLAIN_MIN_BASELINE whole frames to compare with
  FLAMELET_EXPLAIN_OVER_LIMITS =
      16,  // more spans, paths, flows or pieces than there is room for: the rest is "outside"
  // The frame took clearly longer than usual; without it, causes are not worth a look.
  FLAMELET_EXPLAIN_UNUSUAL = 32,
  FLAMELET_EXPLAIN_SAMPLED = 64,       // the baseline is some of the frames in its range
  FLAMELET_EXPLAIN_OVER_BUDGET = 128,  // it took longer than config.budget_ns
  // Every second frame is much shorter, as where two places mark frames in turn: the baseline is every second frame.
  FLAMELET_EXPLAIN_IN_TURN = 256,
  // Frames behind it are in the baseline, too, because there are few before it.
  FLAMELET_EXPLAIN_AROUND = 512,
  // With FLAMELET_EXPLAIN_NO_MAIN_THREAD: the thread that marked the frame has no lane, because it recorded nothing else.
  // Another lane can be named by config.main_lane.
  FLAMELET_EXPLAIN_SILENT_MARKER = 1024,
  // growth_path has grown, and the frames have not, or otherwise, as where they have a limit: growth_from_ns and growth_to_ns
  // are what it took.
  FLAMELET_EXPLAIN_SCOPE_GREW = 2048,
};

#define FLAMELET_EXPLAIN_MIN_BASELINE 30u
#define FLAMELET_EXPLAIN_MAX_CAUSES 16u

// A lane that is the next one to be waited for. The frame did not wait for it, and it took nearly as long; or its work of each
// frame took longer, beside the first cause, by half as much as that or more.
typedef struct flamelet_late_lane {
  uint32_t lane;
  uint32_t path;     // of its longest work, which it does in each frame
  int64_t work_ns;   // of that, without waits
  int64_t usual_ns;  // of the same, if it took longer beside the first cause; else 0
} flamelet_late_lane;

#define FLAMELET_EXPLAIN_MAX_LATE_LANES 4u

typedef struct flamelet_explanation {
  flamelet_frame_info frame;
  uint32_t flags;            // FLAMELET_EXPLAIN_*
  uint32_t main_lane;        // UINT32_MAX: there is none
  uint32_t baseline_frames;  // whole ones
  uint64_t baseline_range;   // frames from the first of these on, whether they were read or not
  int64_t usual_ns;          // of the baseline's frames, as are the next two
  int64_t spread_ns;
  int64_t nearly_all_ns;   // 98 % of them took no longer; of fewer than 50, all
  int64_t limit_ns;        // longer frames are unusual
  int64_t surplus_ns;      // of the frame
  int64_t unexplained_ns;  // of it; what the causes leave
  // By time, without a gap or overlap, from the frame's begin to its end. None without a main thread.
  const flamelet_piece* pieces;
  size_t piece_count;
  // Largest surplus first, until 90 % of the frame's surplus is explained, and 90 % of what is not "preempted"; of a usual
  // frame, those that stand out.
  const flamelet_cause* causes;
  size_t cause_count;
  // Lanes that were nearly as late: only where the frame is unusual, or over its budget.
  flamelet_late_lane late[FLAMELET_EXPLAIN_MAX_LATE_LANES];
  size_t late_count;
  uint32_t period_frames;  // those so many frames ago, and twice and three times as many, were unusual, too; 0 = no
  uint32_t period_path;    // or had this, and no other frame had: a cause that is rare; else FLAMELET_NO_PATH
  // Frames that have become longer and longer: since the frame of this index, from how long to how long, and the path on
  // the critical path that grew most in the baseline, or FLAMELET_NO_PATH. 0, and 0: they have not.
  uint64_t growth_since;
  int64_t growth_from_ns;
  int64_t growth_to_ns;
  uint32_t growth_path;
} flamelet_explanation;

// Explains the frame at this position (flamelet_capture_frame()) against those of flamelet_explain_baseline(). Partial and
// lossy frames are no baseline. Frames that were read before, by this or the next call, are not read again.
// FLAMELET_ERROR_INVALID_ARGUMENT: no such frame.
FLAMELET_API flamelet_result flamelet_explain_frame(flamelet_explain* explain, const flamelet_capture* capture,
                                                    size_t position, flamelet_explanation* explanation);
// What a frame is compared with: those at [*first, *first + *count), without itself; of those at [from, end), which may be 0
// and SIZE_MAX. These are the config.baseline_frames before it. Where less than FLAMELET_EXPLAIN_MIN_BASELINE of them are
// whole, as at a game's start or after losses, the whole frames behind it, then those further before, make up for that.
FLAMELET_API void flamelet_explain_baseline(const flamelet_explain* explain, const flamelet_capture* capture,
                                            size_t position, size_t from, size_t end, size_t* first, size_t* count);
// Opens what a flight recorder keeps at this position (flamelet_flight_get()), and explains the frame that triggered against
// those that are kept with it; the answer is that of the same file. Forgets what was read of other captures. Destroy
// *capture when the answer has been used; NULL after an error, one of flamelet_flight_open().
FLAMELET_API flamelet_result flamelet_explain_hitch(flamelet_explain* explain, const flamelet_flight* flight,
                                                    size_t position, flamelet_capture** capture,
                                                    flamelet_explanation* explanation);
// The same as flamelet_explain_frame(), against the whole frames at [first, first + count) but itself; of these, the first
// 2 * config.baseline_frames.
FLAMELET_API flamelet_result flamelet_explain_frame_against(flamelet_explain* explain, const flamelet_capture* capture,
                                                            size_t position, size_t first, size_t count,
                                                            flamelet_explanation* explanation);
// The same, against the frames that were read so far, of those before this one; reads no other. With the next call it
// explains a frame of a live capture at once, against a few frames of a long time (FLAMELET_EXPLAIN_SAMPLED).
FLAMELET_API flamelet_result flamelet_explain_frame_sampled(flamelet_explain* explain, const flamelet_capture* capture,
                                                            size_t position, flamelet_explanation* explanation);
// For a live capture, after each of its updates: keeps a baseline of a few frames, in a twentieth of the time that the
// updates take. To read a frame takes up to 20 times as long as to take it in, so it reads about one of 400, by chance.
FLAMELET_API void flamelet_explain_update(flamelet_explain* explain, const flamelet_capture* capture);
// Reads the frame at this position, unless it was read before: to spread the reading of a baseline over several calls.
FLAMELET_API void flamelet_explain_read_frame(flamelet_explain* explain, const flamelet_capture* capture,
                                              size_t position);

// A call path: its parent or FLAMELET_NO_PATH, and its scope. False if there is none with this id.
typedef struct flamelet_explain_scope {
  uint32_t parent;
  uint32_t site;  // flamelet_capture_site()
  uint32_t name;  // flamelet_capture_string()
  uint32_t lane;  // of a path that stands for "no scope on this lane"; UINT32_MAX of all others
} flamelet_explain_scope;
FLAMELET_API bool flamelet_explain_path(const flamelet_explain* explain, uint32_t path, flamelet_explain_scope* info);

// ---- In words -------------------------------------------------------------------------------------------------------

// One sentence, and at most five lines, as UTF-8 with '\n' between them: what makes the answer unsure, how long the frame
// took and how long frames usually take, then the causes. Writes at most `size` bytes and a zero, and returns the length
// of the whole text. The capture must be the one that was explained.
FLAMELET_API size_t flamelet_explain_text(const flamelet_explain* explain, const flamelet_capture* capture,
                                          const flamelet_explanation* explanation, char* text, size_t size);

// Its first line alone, the sentence.
FLAMELET_API size_t flamelet_explain_sentence(const flamelet_explain* explain, const flamelet_capture* capture,
                                              const flamelet_explanation* explanation, char* text, size_t size);

// Where a cause is: "Worker 2: Job > Plan all paths {beacon 1}". "" of one that is everywhere (FLAMELET_VERDICT_SLOWED).
FLAMELET_API size_t flamelet_explain_place(const flamelet_explain* explain, const flamelet_capture* capture,
                                           const flamelet_cause* cause, char* text, size_t size);

// All of it as one JSON object (docs/slow-frames.md names its parts). False if the sink failed.
FLAMELET_API bool flamelet_explain_json(const flamelet_explain* explain, const flamelet_capture* capture,
                                        const flamelet_explanation* explanation, flamelet_sink sink);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_EXPLAIN_H
