// SPDX-License-Identifier: MIT
//
// evidence.h: what was found out about each candidate for a cause, and the steps that find it out. None of them decides:
// the table in verdicts.h does, once, when all is known. A step that has to know what the rest says so far asks
// verdict_of().
//
// Two readers fill it in. This frame: causes.cpp (where the time went), lost_time.cpp (who had no processor), sleep.cpp,
// full_queue.cpp. History: job_history.cpp (what a job does in the usual frames before, whether or not it is waited for).
#ifndef FLAMELET_EXPLAIN_SRC_EVIDENCE_H
#define FLAMELET_EXPLAIN_SRC_EVIDENCE_H

#include "explain_data.h"
#include "verdicts.h"

namespace flamelet::explain {

// The candidates of one frame. If there are too many, the largest stay.
struct EvidenceList {
  Evidence items[FLAMELET_EXPLAIN_MAX_CAUSES];
  uint32_t count;

  Evidence* begin() { return items; }
  Evidence* end() { return items + count; }
  const Evidence* begin() const { return items; }
  const Evidence* end() const { return items + count; }
  void add(const Evidence& evidence);
};

// The frame that is explained. Each of the steps below may read other frames into explain->lanes: what was there is gone.
struct Question {
  flamelet_explain* explain;
  const flamelet_capture* capture;
  const flamelet_explanation& why;
  size_t position;
  double least_ns;  // a surplus that explains less is none
};

// ---- This frame: time in which a thread did not run though it had work to do (lost_time.cpp) ------------------------
// The system tells it once a frame and thread, and not which scope it hit. It is kept beside the paths of a frame, so that
// the baseline knows what is usual.

// Notes the figures of each thread in the frame at this position, which was walked last.
void note_lost_time(flamelet_explain* explain, const flamelet_capture* capture, size_t position);
// What more calls add if each takes as long as usual: the thread ran all that time. 0 for other verdicts.
int64_t more_calls_ns(const Evidence& evidence);
// Where a thread lost more time than usual, that part of its scopes' surplus becomes a candidate of its own, and what is
// left of them has to stand out still.
void charge_lost_time(const Question& question, EvidenceList* list);
// Adds to each lost processor the threads of the program itself that had the processors meanwhile.
void note_rivals(const Question& question, EvidenceList* list);
// Adds the page faults of its thread to each, where they are more than usual.
void note_page_faults(flamelet_explain* explain, EvidenceList* list);

// ---- This frame: a thread that another lane held up (sleep.cpp, full_queue.cpp, other_work.cpp) ---------------------

// Notes how long a thread must have slept in a scope that is not marked as a wait. If that is most of the surplus, and a
// lane is found whose unusual work ended when the thread can have woken, that work is the candidate instead. If the thread
// slept that long, but perhaps in another one of its scopes, only unusual work of a GPU queue is.
void look_for_sleep(const Question& question, const EvidenceList& list, Evidence* evidence);
// If the GPU queue that its thread fills held the thread up there, the queue's work is the candidate instead.
void look_for_full_queue(const Question& question, Evidence* evidence);
// Makes one of those that name the same work of a GPU queue: a thread waits for a slow pass first in a call, for room in
// the queue, and then where it presents.
void join_queues(EvidenceList* list);

// A part of a frame, and in it a span of another lane.
struct WorkWindow {
  int64_t begin_ns, end_ns;
};
struct Work {
  uint32_t lane, span;  // kNoIndex: none
  int64_t overlap_ns;
};
// The part of its frame that the longest call took.
WorkWindow window_of(const flamelet_cause& cause, const flamelet_frame_info& frame);
int64_t overlap_ns(const flamelet_span& span, const WorkWindow& window);
// If the work, or the innermost scope with most of its time, took longer than usual by at least half of the surplus, it is
// the candidate instead. Else false.
bool pass_to(const Question& question, const Work& work, const WorkWindow& window, Evidence* evidence);

// ---- History (job_history.cpp) --------------------------------------------------------------------------------------

struct JobUsual {
  double calls;    // in a frame; 0: it is in less than half of them
  double call_ns;  // each
  double self_ns;  // of each, without what it called
};
// Medians of the eight last frames before this one that ended before `until_ns` and were not unusual themselves.
JobUsual usual_job(const Question& question, uint32_t path, int64_t until_ns);
// How often a path was called in the frame, on whichever lane. explain->lanes has that frame afterwards.
uint32_t calls_in_frame(const Question& question, uint32_t path);
// Notes on which other lane a new scope usually is, and how deep a scope calls itself, from the three frames before.
// explain->lanes has this frame afterwards.
void note_usual_places(const Question& question, Evidence* const* asked, uint32_t count);

}  // namespace flamelet::explain

#endif  // FLAMELET_EXPLAIN_SRC_EVIDENCE_H
