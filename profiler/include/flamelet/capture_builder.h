// SPDX-License-Identifier: MIT
//
// flamelet/capture_builder.h: a capture made of events from elsewhere, for importers of other tools' traces. What comes
// out is a capture like any other: the overlay shows it, flamelet_capture_save() saves it.
//
//   flamelet_capture_builder_create(&config, &builder);
//   uint32_t name = flamelet_capture_builder_string(builder, "Update", 6);
//   uint32_t site = flamelet_capture_builder_site(builder, name, 0, 0, 0, 0, 0);
//   uint32_t lane = flamelet_capture_builder_lane(builder, FLAMELET_LANE_THREAD, name);
//   flamelet_capture_builder_begin(builder, lane, 1000, site, 0, 0);
//   flamelet_capture_builder_end(builder, lane, 2000);
//   flamelet_capture_builder_finish(builder, &capture);   // the builder is gone
//
// Order:     on one lane of threads: by time; an earlier time counts as the latest one so far (time_clamped). Lanes do
//            not wait for each other. GPU and external lanes take whole spans in any order, and nest them.
// Threads:   one at a time.
// Units:     nanoseconds from 0, which becomes the capture's origin; take the trace's first time off.
// Memory:    that of one capture (config.budget_bytes) and a page for each lane. When it is full, the oldest pages go,
//            as in every capture; flamelet_capture_stats counts them.
// Errors:    no call fails after creation. What has no room is left out and counted.
#ifndef FLAMELET_CAPTURE_BUILDER_H
#define FLAMELET_CAPTURE_BUILDER_H

#include "flamelet/capture.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_capture_builder flamelet_capture_builder;

typedef struct flamelet_capture_builder_stats {
  uint64_t events;         // recorded
  uint64_t time_clamped;   // earlier than the one before on their lane, or before 0
  uint64_t dropped_depth;  // begins deeper than FLAMELET_MAX_DEPTH, and the ends of these
  uint64_t dropped_lane;   // of lane 0 or one that was not made, or of a kind that does not take this event
  uint64_t extra_ends;     // with nothing open; left out
  uint64_t names_dropped;  // sites, strings or lanes beyond the config's limits
} flamelet_capture_builder_stats;

// `config` as for flamelet_capture_create(), which this calls; its limits are those of the result.
FLAMELET_API flamelet_result flamelet_capture_builder_create(const flamelet_capture_config* config,
                                                             flamelet_capture_builder** builder);
// Throws it away, unfinished. NULL is fine.
FLAMELET_API void flamelet_capture_builder_destroy(flamelet_capture_builder* builder);
// Ends the building: the capture is the caller's, the builder is gone. Open scopes stay open. The capture never changes: an
// update succeeds and does nothing.
FLAMELET_API void flamelet_capture_builder_finish(flamelet_capture_builder* builder, flamelet_capture** capture);
FLAMELET_API void flamelet_capture_builder_get_stats(const flamelet_capture_builder* builder,
                                                     flamelet_capture_builder_stats* stats);

// ---- Names: the same content gives the same id, so callers need no table of their own -------------------------------

// Text longer than 65,535 bytes is cut. 0, the empty string, if there is no room.
FLAMELET_API uint32_t flamelet_capture_builder_string(flamelet_capture_builder* builder, const char* text, size_t size);
// A site by the ids of its strings (category, file and function may be 0). At most FLAMELET_MAX_SITES; beyond that, and
// beyond the config's limit, the site 0 "(overflow)": give the name of the scope as its dynamic name then.
FLAMELET_API uint32_t flamelet_capture_builder_site(flamelet_capture_builder* builder, uint32_t name, uint32_t category,
                                                    uint32_t file, uint32_t function, uint32_t line, uint32_t color);
// A lane of its own with each call, from 1; 0 if there is no room. Fibers are lanes of threads here.
FLAMELET_API uint32_t flamelet_capture_builder_lane(flamelet_capture_builder* builder, flamelet_lane_kind kind,
                                                    uint32_t name);

// ---- Events ---------------------------------------------------------------------------------------------------------

// On lanes of threads. `name` (dynamic, instead of the site's) and `object` are string ids or 0. begin returns the
// scope's id.
FLAMELET_API flamelet_id flamelet_capture_builder_begin(flamelet_capture_builder* builder, uint32_t lane,
                                                        int64_t time_ns, uint32_t site, uint32_t name, uint32_t object);
FLAMELET_API void flamelet_capture_builder_end(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns);
FLAMELET_API void flamelet_capture_builder_counter(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns,
                                                   uint32_t site, double value);
// On any lane.
FLAMELET_API void flamelet_capture_builder_instant(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns,
                                                   uint32_t site, uint32_t name, uint32_t object);
// On GPU and external lanes. `id` is that of the CPU scope that submitted it, or 0.
FLAMELET_API void flamelet_capture_builder_span(flamelet_capture_builder* builder, uint32_t lane, int64_t begin_ns,
                                                int64_t end_ns, flamelet_id id, uint32_t site, uint32_t name,
                                                uint32_t object);
// An interval that overlaps others, from a lane of a thread to the same or another one. Any order. `id` is the
// importer's and must be new each time; beyond config.max_intervals the newest win.
FLAMELET_API void flamelet_capture_builder_interval(flamelet_capture_builder* builder, uint32_t begin_lane,
                                                    int64_t begin_ns, uint32_t end_lane, int64_t end_ns, flamelet_id id,
                                                    uint32_t site, uint32_t name, uint32_t object);
// A frame as the trace has it, in the order of their indices. Beyond config.max_frames the newest win. `flags` are
// FLAMELET_FRAME_*.
FLAMELET_API void flamelet_capture_builder_frame(flamelet_capture_builder* builder, uint64_t index, int64_t begin_ns,
                                                 int64_t end_ns, uint32_t flags);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_CAPTURE_BUILDER_H
