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
// Lanes:     of two sorts. A lane of begins and ends takes them by time, at most FLAMELET_MAX_DEPTH deep; an earlier time
//            counts as the latest one so far (time_clamped). It is exact about what happens in one nanosecond, and a
//            scope takes 16 bytes. A lane of whole spans takes them in any order, and nests them by their times where
//            they are read; a span takes 40 bytes, and its depth may be anything (65,535 is the largest that is told).
//            Lanes do not wait for each other.
// Threads:   one at a time.
// Units:     nanoseconds since the capture's origin, at most 2^61 to either side: 73 years (time_clamped beyond).
// Memory:    that of one capture (config.budget_bytes) and a page for each lane. When it is full, the oldest pages go,
//            as in every capture; flamelet_capture_stats counts them.
// Errors:    no call fails after creation. What has no room is left out and counted.
#ifndef FLAMELET_CAPTURE_BUILDER_H
#define FLAMELET_CAPTURE_BUILDER_H

#include "flamelet/capture.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_capture_builder flamelet_capture_builder;

typedef struct flamelet_capture_builder_stats {
  uint64_t events;             // recorded
  uint64_t time_clamped;       // earlier than the one before on their lane, or more than 73 years from the origin
  uint64_t dropped_depth;      // begins deeper than FLAMELET_MAX_DEPTH, and the ends of these
  uint64_t dropped_lane;       // of lane 0 or one that was not made, or of the sort that does not take this event
  uint64_t extra_ends;         // with nothing open; left out
  uint64_t names_dropped;      // sites, strings or lanes beyond the config's limits
  uint64_t intervals_dropped;  // with an id that was there already
  uint64_t frames_dropped;     // whose index or time does not rise
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
// A lane of its own with each call, from 1; 0 if there is no room. Of threads: of begins and ends; of GPU queues and
// external sources: of whole spans. A fiber that begins and ends scopes is a lane of a thread here.
FLAMELET_API uint32_t flamelet_capture_builder_lane(flamelet_capture_builder* builder, flamelet_lane_kind kind,
                                                    uint32_t name);
// A lane of whole spans, of any kind, also of fibers. `id` is the one that the capture will show; one that is taken, or
// 0, becomes the next that is free. Of two spans that begin together the longer one is the parent; with `in_order` they
// stand as they come: parents first.
FLAMELET_API uint32_t flamelet_capture_builder_span_lane(flamelet_capture_builder* builder, flamelet_lane_kind kind,
                                                         uint32_t id, uint32_t name, bool in_order);
// Names a lane anew, for traces that tell it late.
FLAMELET_API void flamelet_capture_builder_name_lane(flamelet_capture_builder* builder, uint32_t lane, uint32_t name);
// Where a lane stands among the others once the capture is made. Its own number is its place until it is told; lanes of
// one place stand as they were made.
FLAMELET_API void flamelet_capture_builder_place_lane(flamelet_capture_builder* builder, uint32_t lane, uint32_t place);
// The wall clock at time 0, in nanoseconds since 1970.
FLAMELET_API void flamelet_capture_builder_set_origin(flamelet_capture_builder* builder, uint64_t origin_unix_ns);

// ---- Events ---------------------------------------------------------------------------------------------------------

// On lanes of begins and ends. `name` (dynamic, instead of the site's) and `object` are string ids or 0. begin returns the
// scope's id.
FLAMELET_API flamelet_id flamelet_capture_builder_begin(flamelet_capture_builder* builder, uint32_t lane,
                                                        int64_t time_ns, uint32_t site, uint32_t name, uint32_t object);
FLAMELET_API void flamelet_capture_builder_end(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns);
// On lanes of whole spans: what flamelet_capture_read_spans() says of one. Its times, id, site, name (0 or the site's own:
// the site's), object and flags are taken; the rest follows from the times. Only of a span without a length they do not
// tell whether it lies inside of what begins or ends there: `depth` says it, or FLAMELET_DEPTH_UNKNOWN.
#define FLAMELET_DEPTH_UNKNOWN UINT16_MAX
FLAMELET_API void flamelet_capture_builder_span(flamelet_capture_builder* builder, uint32_t lane,
                                                const flamelet_span* span);
// On any lane. A counter is called as its site: it has no name of its own.
FLAMELET_API void flamelet_capture_builder_counter(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns,
                                                   uint32_t site, double value);
FLAMELET_API void flamelet_capture_builder_instant(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns,
                                                   uint32_t site, uint32_t name, uint32_t object);
// An interval that overlaps others. Any order. The tracks are ids of threads, as the capture shows them; an end_track of
// 0 says that it was open until end_ns, a begin_track of 0 that its begin is missing. `id` is the importer's and must be
// new each time; beyond config.max_intervals the newest win.
FLAMELET_API void flamelet_capture_builder_interval(flamelet_capture_builder* builder, uint32_t begin_track,
                                                    int64_t begin_ns, uint32_t end_track, int64_t end_ns,
                                                    flamelet_id id, uint32_t site, uint32_t name, uint32_t object);
// A frame as the trace has it, in the order of their indices. Beyond config.max_frames the newest win. `flags` are
// FLAMELET_FRAME_*.
FLAMELET_API void flamelet_capture_builder_frame(flamelet_capture_builder* builder, uint64_t index, int64_t begin_ns,
                                                 int64_t end_ns, uint32_t flags);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_CAPTURE_BUILDER_H
