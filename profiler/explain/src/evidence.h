// SPDX-License-Identifier: MIT
//
// evidence.h: what was found out about each candidate for a cause, and the steps that find it out. None of them decides:
// the table of verdicts (below) does, once, when all is known. A step that has to know what the rest says so far asks
// verdict_of().
//
// Two readers fill it in. This frame: causes.cpp (where the time went), stop.cpp (whether the whole program stood still),
// lost_time.cpp (who had no processor, and who slept), lock_turns.cpp (who held a lock, or filled a GPU queue). History:
// jobs.cpp (what a job does in the usual frames before, whether or not it is waited for, and when and where it does that).
#ifndef FLAMELET_EXPLAIN_SRC_EVIDENCE_H
#define FLAMELET_EXPLAIN_SRC_EVIDENCE_H

#include <algorithm>

#include "baseline.h"
#include "flamelet/explain.h"

namespace flamelet::explain {

// Verdicts: facts about a candidate, and the table that says what they mean. docs/why.md has the same rows, and
// tests/explain/verdicts_test.cpp looks at each by itself.

enum Fact : uint32_t {
  kLostProcessor = 1u << 0,  // its thread could have run and had no processor, for longer than usual
  kOnGpu = 1u << 1,
  kInNoScope = 1u << 2,
  kOfProfiler = 1u << 3,
  kIsWait = 1u << 4,          // the wait's own time: nobody was found for whom
  kIsRare = 1u << 5,          // on the critical path of few frames of the baseline
  kBeganEarlier = 1u << 6,    // was waited for, and began before the frame before this one did
  kIsProbable = 1u << 7,      // was waited for, and no flow says so
  kIsUsualJob = 1u << 8,      // runs in the usual frames just before, whoever waited, and is not as usual here
  kMoreOnPath = 1u << 9,      // called more often on the critical path, by the larger factor
  kMoreOnAll = 1u << 10,      // called more often on all threads together, by the larger factor
  kIsOwnTime = 1u << 11,      // of a scope that has others
  kTookAsUsual = 1u << 12,    // each call took as long as usual on its lane, whoever waited
  kTookFaults = 1u << 13,     // page faults say what its own time was
  kStoodStill = 1u << 14,     // no thread of the program did anything or ran, and several stopped at once
  kNotBegun = 1u << 15,       // work that was asked for, and that no thread had begun
  kInOtherOrder = 1u << 16,   // before what usually runs before it, or on fewer threads
  kHeldLock = 1u << 18,       // was waited for in a wait for a lock
  kIsFile = 1u << 19,         // a call to a file: nobody is waited for but the system
  kEndedUsualJob = 1u << 20,  // who waited did so until a usual job around it had ended
  kAllSlower = 1u << 21,      // everything on the critical path took longer, by the same factor
  kFillsBudget = 1u << 17,    // took most of a frame over its budget, as in other frames
};

// A part of a frame.
struct WorkWindow {
  int64_t begin_ns, end_ns;
};

// Of the frames before, in blocks of so many: which a path took less and less in, from the newest one back, but for some chance,
// and in no single step.
constexpr uint32_t kGrowthBlock = 8;
struct Growth {
  uint32_t blocks;  // 0: it has not grown; else five or more
  double from_ns, to_ns;
  uint64_t since;  // the index of a frame
};

struct Evidence : flamelet_cause {
  uint32_t facts;
  bool was_found;               // one call of another lane, beside the critical path
  bool is_late_told;            // what kept its work from beginning is a candidate of its own
  bool knows_states;            // what its thread did in its pieces on the critical path that are no waits:
  flamelet_state_times states;  // all of it
  uint32_t spinner;             // the lane that waited for it awake, kNoIndex: none did
  WorkWindow spun;
  Growth growth;  // of each call
  bool has(uint32_t wanted) const { return (facts & wanted) == wanted; }
};

// One of which nothing is known yet.
inline Evidence no_evidence() {
  Evidence evidence = {};
  evidence.waiting = evidence.nearest_wait = evidence.rival_path = evidence.others_path = evidence.inner_path =
      evidence.begun_path = evidence.job_path = FLAMELET_NO_PATH;
  evidence.usual_lane = evidence.rival_lane = evidence.others_lane = evidence.begun_lane = evidence.spinner = kNoIndex;
  return evidence;
}

// A row of the table: the first one whose facts are all there, and none of the others, has the verdict.
struct VerdictRow {
  uint32_t needs, excludes;
  flamelet_verdict verdict;
  const char* rule;  // as docs/why.md says it
};

inline constexpr VerdictRow kVerdictRows[] = {
    {kStoodStill, 0, FLAMELET_VERDICT_STOPPED, "no thread did anything, and several stopped at once"},
    {kAllSlower, 0, FLAMELET_VERDICT_SLOWED, "everything took longer, by the same factor"},
    {kFillsBudget, 0, FLAMELET_VERDICT_AS_USUAL,
     "the frame is over its budget, and this took most of it, as in others"},
    {kLostProcessor, 0, FLAMELET_VERDICT_PREEMPTED, "its thread could have run and had no processor"},
    {kOnGpu, kTookAsUsual, FLAMELET_VERDICT_GPU_BOUND, "it is work of a GPU queue, and took longer"},
    {kNotBegun, 0, FLAMELET_VERDICT_WAIT, "it is a wait for work that was asked for, and not begun"},
    {kInNoScope, 0, FLAMELET_VERDICT_UNINSTRUMENTED, "no scope was open"},
    {kOfProfiler, 0, FLAMELET_VERDICT_RECORDING, "it is the profiler's own work"},
    {kIsFile, 0, FLAMELET_VERDICT_WAIT, "it is a call to a file that blocked"},
    {kIsWait, 0, FLAMELET_VERDICT_WAIT, "it is a wait, and nobody was found for whom"},
    {kIsRare | kHeldLock, kIsUsualJob, FLAMELET_VERDICT_WAIT, "it is rare, and held a lock that was waited for"},
    {kIsRare | kBeganEarlier, kIsUsualJob, FLAMELET_VERDICT_CARRIED_OVER,
     "it is rare, was waited for, and began before the frame before did"},
    {kIsRare | kIsProbable, kIsUsualJob | kEndedUsualJob, FLAMELET_VERDICT_WAIT,
     "it is rare, was probably waited for, and is no part of a usual job that was waited for"},
    {kIsRare, kIsUsualJob, FLAMELET_VERDICT_NEW, "it is rare"},
    {kMoreOnAll, 0, FLAMELET_VERDICT_MORE_CALLS, "a usual job has more calls on all threads together"},
    {kMoreOnPath, kIsUsualJob, FLAMELET_VERDICT_MORE_CALLS,
     "it has more calls on the critical path, and no scope in it grew by more and has the time"},
    {kTookAsUsual | kInOtherOrder, 0, FLAMELET_VERDICT_ORDER,
     "it took as long as usual, and ran in another order or on fewer threads"},
    {kTookAsUsual, 0, FLAMELET_VERDICT_WAIT, "it took as long as usual, and more of it was waited for"},
    {kIsOwnTime, kTookFaults, FLAMELET_VERDICT_UNINSTRUMENTED, "it is own time of a scope that has others"},
    {0, 0, FLAMELET_VERDICT_SLOWER_CALLS, "none of these"},
};

inline flamelet_verdict verdict_of(const Evidence& evidence) {
  const VerdictRow* row = kVerdictRows;
  while (!evidence.has(row->needs) || (evidence.facts & row->excludes) != 0) ++row;  // the last one fits all
  return row->verdict;
}

// Work that nobody waited for, and that another thread usually does, has a usual time of its own there.
inline bool may_have_moved(const Evidence& evidence) {
  const flamelet_verdict verdict = verdict_of(evidence);
  return evidence.waiting == FLAMELET_NO_PATH && evidence.calls != 0 &&
         (verdict == FLAMELET_VERDICT_SLOWER_CALLS || verdict == FLAMELET_VERDICT_UNINSTRUMENTED);
}

// Explain data: what lies in the caller's memory, and the steps of an explanation.

// For one cursor at a time.
union CursorItems {
  flamelet_state states[FLAMELET_CURSOR_LEAST];
  flamelet_processor_run runs[FLAMELET_CURSOR_LEAST];
  flamelet_point points[FLAMELET_CURSOR_LEAST];
};

}  // namespace flamelet::explain

struct flamelet_explain {
  flamelet_explain_config config;
  bool knows_main;
  uint32_t main_id;  // of its thread
  uint32_t random;
  int64_t usual_limit_ns;  // longer frames were unusual when the last one was explained
  // flamelet_explain_update() reads a frame once the capture has read so many events.
  uint64_t next_sample_events;
  flamelet::explain::PathTable paths;
  flamelet::explain::FrameLanes lanes;
  flamelet::explain::CriticalPath path{&lanes, &paths};
  flamelet::explain::Baseline baseline;
  flamelet_cause causes[FLAMELET_EXPLAIN_MAX_CAUSES];
  // While causes are looked for: the paths of the frame as a tree, each with its surplus.
  uint32_t* first_child;
  uint32_t* next_sibling;
  flamelet::explain::CursorItems* items;
};

namespace flamelet::explain {

// The outermost scope around a path.
inline uint32_t root_of(const flamelet_explain& explain, uint32_t path) {
  while (explain.paths[path].parent != FLAMELET_NO_PATH) path = explain.paths[path].parent;
  return path;
}

// Only a damaged file has longer frames. Nobody who adds times of a shorter one has to think of overflow.
constexpr int64_t kLongestFrame = int64_t{1} << 53;  // 104 days

// The lane whose frames these are, kNoIndex if no thread has a scope in them.
uint32_t find_main_lane(flamelet_explain* explain, const flamelet_capture* capture, size_t position);

// Fills in causes, and what they leave, from the critical path that was walked last and the frames that were picked.
void find_causes(flamelet_explain* explain, const flamelet_capture* capture, const Usual& usual,
                 flamelet_explanation* why);

// `least_of` says what it took at least in most frames of a block, of which 0 is the newest. It is asked for no more than are needed.
template <class LeastOf>
Growth growth_in(uint32_t blocks, const LeastOf& least_of) {
  constexpr uint32_t kLeast = 5, kMost = 64, kPatience = 4, kNewest = 3, kMany = 16;
  double took[kMost];
  uint32_t known = 0;
  // What made blocks longer by chance, most of all the newest, is no growth: then it is looked for in those before.
  for (uint32_t newest = 0; newest < kNewest; ++newest) {
    double step_ns = 0;
    uint32_t last = newest, less = 1;  // the block with the least so far, and how many had less than all newer ones
    for (uint32_t block = newest; block < std::min(blocks, kMost) && block <= last + last / 2 + kPatience; ++block) {
      if (block == known) took[known++] = least_of(block);
      // Where it grew by less than three eighths of what it grew by since, it did not yet.
      const double least_ns = took[last], each_ns = (took[newest] - least_ns) / std::max(last - newest, 1u);
      if (least_ns - took[block] <= std::max(0.02 * least_ns, each_ns * 3 / 8)) continue;
      step_ns = std::max(step_ns, least_ns - took[block]);
      last = block;
      ++less;
    }
    const uint32_t since = last + 1 - newest;
    if (since < kLeast || step_ns * 2 > took[newest] - took[last]) continue;
    uint32_t fell = 0;  // pairs of blocks in which the newer one took no more
    for (uint32_t older = newest + 1; older <= last; ++older)
      for (uint32_t newer = newest; newer < older; ++newer) fell += took[newer] <= took[older];
    const uint32_t pairs = since * (since - 1) / 2;
    if (fell + 1 <= pairs / 10 || (since >= kMany && less * 8 >= since * 3))
      return {last + 1, took[last], took[newest], 0};
  }
  return {};
}
struct Question;
// Of a path on the critical path of the baseline's frames.
Growth growth_of(flamelet_explain* explain, uint32_t path, bool is_own, uint32_t frames);
// Of each call of a job, or its own time, on whichever threads (jobs.cpp).
Growth growth_of_job(const Question& question, uint32_t path, bool is_own);

// Notes what frames before say of one at this position, whose causes are known: a period, a growth.
void note_time(flamelet_explain* explain, const flamelet_capture* capture, size_t position, flamelet_explanation* why);

// The candidates of one frame. If there are too many, the largest stay.
struct EvidenceList {
  Evidence items[FLAMELET_EXPLAIN_MAX_CAUSES];
  uint32_t count;

  Evidence* begin() { return items; }
  Evidence* end() { return items + count; }
  const Evidence* begin() const { return items; }
  const Evidence* end() const { return items + count; }
  void add(const Evidence& evidence);
  // Leaves out those that explain no more than that.
  void leave_out(double least_ns) {
    const auto is_small = [least_ns](const Evidence& e) { return static_cast<double>(e.surplus_ns) <= least_ns; };
    count = static_cast<uint32_t>(std::remove_if(begin(), end(), is_small) - begin());
  }
};

// The frame that is explained, which is in explain->lanes. Who reads other frames puts it back, but what was taken of the lanes
// before is gone then.
struct Question {
  flamelet_explain* explain;
  const flamelet_capture* capture;
  const flamelet_explanation& why;
  size_t position;
  double least_ns;  // a surplus that explains less is none

  void read(int64_t begin_ns, int64_t end_ns) const { explain->lanes.start(capture, begin_ns, end_ns); }
};
class OtherFrames {
 public:
  explicit OtherFrames(const Question& question) : question_(question) {}
  OtherFrames(const OtherFrames&) = delete;
  ~OtherFrames() { question_.read(question_.why.frame.begin_ns, question_.why.frame.end_ns); }

 private:
  const Question& question_;
};

// ---- This frame: a stop of the whole program (stop.cpp) -------------------------------------------------------------

// Where no thread did anything, whether or not that is a stop, and for how long none can have run in that time.
struct Stillness {
  WorkWindow window;
  int64_t most_ns;
};
// Looks at the longest times without an event. Takes a stop from the times of the path, and adds it.
constexpr uint32_t kMostStill = 4;
void look_for_stop(const Question& question, EvidenceList* list, Stillness* still);

// ---- This frame: what its thread did in the meantime (lost_time.cpp) ------------------------------------------------

// Notes how much of each candidate's own pieces was what, where states of threads are known.
void note_states(const Question& question, EvidenceList* list);
// The longest sleep of a lane that ends in a window, with the state that it has afterwards. False: it has none.
bool find_longest_sleep(const Question& question, uint32_t lane, const WorkWindow& window, flamelet_state* sleep,
                        flamelet_state* after);
// Notes who had the processors of a thread that was taken off them. False if nobody knows.
bool note_who_ran(const Question& question, Evidence* evidence);
// The same of a thread that had slept: who had the processor on which it went on, for as long as it had none.
bool note_who_kept(const Question& question, Evidence* evidence);

// ---- This frame: time in which a thread did not run though it had work to do (lost_time.cpp) ------------------------
// The system tells it once a frame and thread, and not which scope it hit. It is kept beside the paths of a frame, so that
// the baseline knows what is usual.

// How long a lane's thread had no processor in the frame after it had slept; 0 if states of threads are not known.
int64_t woken_ready_ns(const Question& question, uint32_t lane);
// Whether a path is this one, or below it.
bool is_under(const flamelet_explain& explain, uint32_t path, uint32_t root);
// What a lane did of a frame in scopes that do not wait.
int64_t busy_ns(FrameLanes* lanes, const LaneSpans& lane, const flamelet_frame_info& frame);
// How long a thread usually runs in a frame: the median of the frames just before; negative: nobody knows.
double usual_ran_ns(const Question& question, uint32_t lane);
// How long a lane's thread ran in the frame and usually runs, and how long it had no processor or slept. False: nobody knows.
struct LaneTimes {
  int64_t ran_ns, usual_ran_ns, ready_ns, off_ns;
};
bool times_of(const Question& question, uint32_t lane, LaneTimes* times);
// Notes the figures of each thread in the frame at this position, which was walked last.
void note_lost_time(flamelet_explain* explain, const flamelet_capture* capture, size_t position);
// What more calls add if each takes as long as usual, and the thread had a processor for so long. 0 for other verdicts.
int64_t more_calls_ns(const Question& question, const Evidence& evidence);
// The most that a candidate's scope can have lost, as far as its thread ran in the frame: elsewhere it ran as usual, and for
// what other candidates took longer.
int64_t most_lost_ns(const Question& question, const Evidence& evidence, int64_t others_ns);
// Where a thread lost more time than usual, that part of its scopes' surplus becomes a candidate of its own, and what is
// left of them has to stand out still.
void charge_lost_time(const Question& question, EvidenceList* list);
// The same of each candidate by itself: what states of threads say of it, and what the times say of who began late.
void charge_states(const Question& question, EvidenceList* list);
// Work that was asked for and not begun: what kept the lane that began it at last from it is the candidate instead.
void look_for_busy(const Question& question, Evidence* evidence);
// Notes how much of what a thread lost in a frame it lost in the path that is named, where states tell and that is not nearly
// all.
void note_lost_here(const Question& question, const EvidenceList& list, Evidence* evidence);
// Adds to each lost processor the threads of the program itself that had the processors meanwhile.
void note_rivals(const Question& question, EvidenceList* list);
// Adds what the counters of the machine say: a limit of processor time, a virtual machine's host, a slower clock (machine.cpp).
void note_machine(const Question& question, EvidenceList* list);
// Adds the page faults of its thread to each, where they are more than usual.
void note_page_faults(flamelet_explain* explain, EvidenceList* list);

// ---- This frame: a thread that another lane held up (other_work.cpp, lock_turns.cpp) ---------------------------------

// Notes how long a thread must have slept in a scope that is not marked as a wait. If that is most of the surplus, and a
// lane is found whose unusual work ended when the thread can have woken, that work is the candidate instead. If the thread
// slept that long, but perhaps in another one of its scopes, only unusual work of a GPU queue is.
void look_for_sleep(const Question& question, const EvidenceList& list, Evidence* evidence);
// Where states are not known: if the thread can have slept for most of the surplus, and new work of another thread ended as
// the scope did, that work is the candidate instead. Asked before lost time is, which would take that for its own.
void look_for_new_work(const Question& question, const EvidenceList& list, Evidence* evidence);
// A thread that ran all the time in a scope that is usually short, until work of another lane ended that is longer than
// usual: it probably spun. That work is the candidate instead. A scope that usually ends with a job of another thread, as it
// did here, is a wait for that job: what kept its thread from it is the candidate, if it began late.
void look_for_spin(const Question& question, Evidence* evidence);
// What another thread began when most of a wait was over, and whether it was idle until then.
void set_begun(const Question& question, uint32_t lane, uint32_t path, const WorkWindow& before, Evidence* wait);
// Notes the job of another thread that ended as a wait did, and for which that waits in the frames before, if it began when most
// of the wait was over.
void note_begun_late(const Question& question, Evidence* wait);
// If the GPU queue that its thread fills held the thread up there, the queue's work is the candidate instead.
void look_for_full_queue(const Question& question, Evidence* evidence);
// A queue that had nothing to do for most of a wait, though what it did next had been handed over before: another program
// had the GPU, or the driver held it back. That work is the candidate instead. It is so probably, if the work does not say
// who handed it over: who waits for a queue has done so. Who may not have waited has to be told by the work.
bool pass_to_late_queue(const Question& question, const WorkWindow& window, bool is_wait, Evidence* evidence);
// Makes one of those that name the same work of a lane: a thread waits for a slow pass of a queue first in a call, for room,
// and then where it presents.
void join_same_work(EvidenceList* list);

// ---- This frame: threads that held in turn what another one waited for (lock_turns.cpp) -----------------------------

// Who waited himself, and then held it no longer than usual, is not to blame. Makes one candidate of them, which is the wait.
void join_turns(const Question& question, EvidenceList* list);
// Of work that held a recorded lock which was waited for: notes how many threads did in the frame, one after the other.
void note_turns(const Question& question, Evidence* evidence);

// A span of another lane in it.
struct Work {
  uint32_t lane, span;  // kNoIndex: none
  int64_t overlap_ns;
  uint32_t calls;  // one after the other; of the first one is the span
};
// What a lane did in a window before it began work of a kind: the outermost span with most time, or the first of many of one
// scope that have more than this together; or those of that kind on another thread. Its lane is kNoIndex if there is none.
Work work_before(const Question& question, uint32_t lane, uint32_t kind, int64_t least_ns, const WorkWindow& window);
// The part of its frame that the longest call took.
WorkWindow window_of(const flamelet_cause& cause, const flamelet_frame_info& frame);
int64_t overlap_ns(const flamelet_span& span, const WorkWindow& window);
// From a span to the innermost one that has most of its time there, or to the first of many calls that have it together.
Work innermost_of(FrameLanes* lanes, const Work& work, const WorkWindow& window);
// The candidate's lane waited for this one.
void pass_lane(const Question& question, uint32_t lane, Evidence* evidence);
// If the work, or the innermost scope with most of its time, took longer than usual by at least half of the surplus, it is
// the candidate instead. Else false.
bool pass_to(const Question& question, const Work& work, const WorkWindow& window, Evidence* evidence);

// A recorded wait: whoever ended it, as a flow says, is the candidate instead, if he was at that for half of the surplus.
bool pass_to_waker(const Question& question, Evidence* evidence);

// ---- History (jobs.cpp) --------------------------------------------------------------------------------------

struct JobUsual {
  double calls;         // in a frame; 0: it is in less than half of them
  double call_ns;       // each
  double self_ns;       // of each, without what it called
  double work_ns;       // of each, without waits in it
  double longest_ns;    // the same of the longest one of a frame
  double longest_self;  // self_ns of the longest
  int64_t first_ns;     // of one frame: when the first one began; INT64_MAX: there is none
  uint32_t frames;      // of a job that is seldom done: that have it
};
// Medians of the eight last frames before this one that ended before `until_ns` and were not unusual themselves.
JobUsual usual_job(const Question& question, uint32_t path, int64_t until_ns);
// The same of a job that is not done in each frame: of those frames of the last 128 that have it, at least three.
JobUsual seldom_job(const Question& question, uint32_t path, int64_t until_ns);
// How much longer than usual the frame's thread was in a path, in all of its calls; 0 within what is usual, kLongestFrame if
// nobody knows, or a fiber was switched in one.
double path_surplus_ns(const Question& question, uint32_t path);
// How many of the frames just before had none of it; at most eight.
uint32_t frames_without(const Question& question, uint32_t path);
// Lanes that did something nearly as long as the frame took. Returns how many.
size_t find_late_lanes(const Question& question, flamelet_late_lane* late);
// Adds those whose work of each frame took longer beside the first cause. What the machine did made many longer.
void note_late_beside(const Question& question, flamelet_explanation* why);
// Notes those of them that are of no cause, and do that in each frame.
void note_late_lanes(const Question& question, const flamelet_late_lane* late, size_t count, flamelet_explanation* why);
// The same of the frame itself, on whichever lane.
JobUsual job_in_frame(const Question& question, uint32_t path);
// Of work that took longer or lost its processor: notes what all threads together did more of, it or what is around it; and
// the lane that always did the job in which it is.
void note_job(const Question& question, flamelet_cause* cause);
// Notes on which other lane a new scope usually is, and how deep a scope calls itself, from the three frames before.
void note_usual_places(const Question& question, Evidence* const* asked, uint32_t count);
// Notes for each in how many frames of the baseline its scope was open, on whichever lane.
void note_frames_with(const Question& question, Evidence* const* asked, uint32_t count);
// Reads the last `look_back` frames that ended before a time, are whole and were not unusual, and calls take(frame) for each.
template <class Take>
void for_each_frame_before(const Question& question, size_t look_back, int64_t until_ns, Take take) {
  flamelet_explain* const explain = question.explain;
  const OtherFrames put_back(question);
  size_t read = 0;
  for (size_t i = question.position;
       i != 0 && i + explain->config.baseline_frames > question.position && read < look_back; --i) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(question.capture, i - 1, &frame) || frame.flags != 0 || frame.end_ns > until_ns ||
        frame.end_ns - frame.begin_ns > explain->usual_limit_ns)
      continue;
    question.read(frame.begin_ns, frame.end_ns);
    take(frame);
    ++read;
  }
}

// ---- History: when and where a job is done that took as long as usual (jobs.cpp) --------------------------------

// If it ran before others that usually come first, or its thread did all of it because another one was kept busy, that is
// noted. What kept that one busy is the candidate instead.
void note_order(const Question& question, Evidence* evidence);

}  // namespace flamelet::explain

#endif  // FLAMELET_EXPLAIN_SRC_EVIDENCE_H
