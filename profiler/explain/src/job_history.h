// SPDX-License-Identifier: MIT
//
// job_history.h: what a call path or a scope did in the usual frames just before, on whichever lane, and whether or not
// anybody waited for it.
#ifndef FLAMELET_EXPLAIN_SRC_JOB_HISTORY_H
#define FLAMELET_EXPLAIN_SRC_JOB_HISTORY_H

#include "explain_data.h"

namespace flamelet::why {

struct JobUsual {
  double calls;    // in a frame; 0: it is in less than half of them
  double call_ns;  // each
  double self_ns;  // of each, without what it called
};

// Medians of the eight last frames before this position that ended before `until_ns` and were not unusual themselves. Reads
// them into explain->lanes: what was there is gone.
JobUsual usual_job(flamelet_explain* explain, const flamelet_capture* capture, size_t position, uint32_t path,
                   int64_t until_ns);

// How often a path was called in a frame, on whichever lane. explain->lanes has that frame afterwards.
uint32_t calls_in(flamelet_explain* explain, const flamelet_capture* capture, const flamelet_frame_info& frame,
                  uint32_t path);

// Fills in on which other lane the scopes of causes that are new usually are, and how deep scopes call themselves, from
// the three frames before this one. explain->lanes has this frame afterwards.
void note_usual_places(flamelet_explain* explain, const flamelet_capture* capture, const flamelet_frame_info& frame,
                       size_t position, flamelet_cause* const* causes, uint32_t count);

}  // namespace flamelet::why

#endif  // FLAMELET_EXPLAIN_SRC_JOB_HISTORY_H
