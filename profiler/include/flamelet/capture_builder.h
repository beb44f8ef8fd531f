// SPDX-License-Identifier: MIT
//
// flamelet/capture_builder.h: builds a capture from events of your own, for importers of other tools' traces. The
// result is a capture like any other: the overlay shows it, flamelet_capture_save() saves it.
//
//   flamelet_capture_builder_create(&config, &builder);
//   uint32_t name = flamelet_capture_builder_string(builder, "Update", 6);
//   uint32_t site = flamelet_capture_builder_site(builder, name, 0, 0, 0, 0, 0);
//   uint32_t lane = flamelet_capture_builder_lane(builder, FLAMELET_LANE_THREAD, name);
//   flamelet_capture_builder_begin(builder, lane, 1000, site, 0, 0);
//   flamelet_capture_builder_end(builder, lane, 2000);
//   flamelet_capture_builder_finish(builder, &capture);   // the builder is gone
//
// Lanes:     there are two kinds. A lane of begins and ends takes them in time order, at most FLAMELET_MAX_DEPTH deep.
//            A time that is too early is replaced by the latest one (time_clamped). Events in one nanosecond keep their
//            order. A scope takes 16 bytes. A lane of whole spans takes them in any order; readers nest them by their
//            times. A span takes 40 bytes. Its depth has no limit, but 65,535 is the largest that is reported. Each
//            lane has its own time order.
// Threads:   one at a time.
// Units:     nanoseconds since the capture's origin, at most 2^61 (73 years) before or after it (time_clamped beyond).
// Memory:    that of one capture (config.budget_bytes), and a page for each lane. A full capture evicts its oldest
//            pages (flamelet_capture_stats counts them).
// Errors:    no call fails after creation. What has no room is left out and counted.
#ifndef FLAMELET_CAPTURE_BUILDER_H
#define FLAMELET_CAPTURE_BUILDER_H

#include "flamelet/capture.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_capture_builder flamelet_capture_builder;

typedef struct flamelet_capture_builder_stats {
  uint64_t events;             // recorded
  uint64_t time_clamped;       // times before the latest one of their lane, or more than 73 years from the origin
  uint64_t dropped_depth;      // begins deeper than FLAMELET_MAX_DEPTH, and their ends
  uint64_t dropped_lane;       // events on lane 0, on an unknown lane, or on a lane of the wrong kind
  uint64_t switches_dropped;   // switches whose time is before the newest switch's, or of no such state or processor
  uint64_t extra_ends;         // ends without an open scope; left out
  uint64_t names_dropped;      // sites, strings or lanes beyond the config's limits
  uint64_t intervals_dropped;  // intervals with an id that was there already
  uint64_t frames_dropped;     // frames whose index or time does not rise; of a set: whose index is there already or
                               // 2^42 or more, or of more than FLAMELET_MAX_FRAME_SETS sets
} flamelet_capture_builder_stats;

// `config` as for flamelet_capture_create(), which this calls. Its limits hold for the result.
FLAMELET_API flamelet_result flamelet_capture_builder_create(const flamelet_capture_config* config,
                                                             flamelet_capture_builder** builder);
// Discards the builder and its events. NULL is fine.
FLAMELET_API void flamelet_capture_builder_destroy(flamelet_capture_builder* builder);
// Makes the capture, which is the caller's, and destroys the builder. Open scopes stay open. The capture never changes:
// an update succeeds and does nothing.
FLAMELET_API void flamelet_capture_builder_finish(flamelet_capture_builder* builder, flamelet_capture** capture);
FLAMELET_API void flamelet_capture_builder_get_stats(const flamelet_capture_builder* builder,
                                                     flamelet_capture_builder_stats* stats);

// ---- Names: the same content gives the same id, so callers need no table of their own -------------------------------

// Returns the string's id; 0, the empty string, if there is no room. Text longer than 65,535 bytes is cut.
FLAMELET_API uint32_t flamelet_capture_builder_string(flamelet_capture_builder* builder, const char* text, size_t size);
// The text of a string. It stays where it is until the capture is destroyed.
FLAMELET_API flamelet_string flamelet_capture_builder_text(const flamelet_capture_builder* builder, uint32_t string);
// Returns a site by the ids of its strings (category, file and function may be 0). Beyond FLAMELET_MAX_SITES or the
// config's limit, the result is the site 0 "(overflow)": then pass the scope's name as its dynamic name.
FLAMELET_API uint32_t flamelet_capture_builder_site(flamelet_capture_builder* builder, uint32_t name, uint32_t category,
                                                    uint32_t file, uint32_t function, uint32_t line, uint32_t color);
// Renames a site, for traces that have its name late.
FLAMELET_API void flamelet_capture_builder_name_site(flamelet_capture_builder* builder, uint32_t site, uint32_t name);
// Each call makes a new lane, from 1; 0 if there is no room or no such kind. A thread's lane takes begins and ends; the lane of a GPU
// queue or an external source takes whole spans. For a fiber with begins and ends, make a thread's lane.
FLAMELET_API uint32_t flamelet_capture_builder_lane(flamelet_capture_builder* builder, flamelet_lane_kind kind,
                                                    uint32_t name);
// Makes a thread's lane that takes begins and ends. The capture shows `id`, as intervals and frames name threads; if it is 0
// or taken, the next free one.
FLAMELET_API uint32_t flamelet_capture_builder_thread_lane(flamelet_capture_builder* builder, uint32_t id,
                                                           uint32_t name);
// Makes a lane of whole spans, of any kind, even of fibers. The capture shows `id`; if it is 0 or taken, the next free
// one. If two spans begin together, the longer one is the parent; with `in_order`, the one that was added first.
FLAMELET_API uint32_t flamelet_capture_builder_span_lane(flamelet_capture_builder* builder, flamelet_lane_kind kind,
                                                         uint32_t id, uint32_t name, bool in_order);
// From here on, as if it had been made with `in_order`, also for the spans that it has.
FLAMELET_API void flamelet_capture_builder_keep_order(flamelet_capture_builder* builder, uint32_t lane);
// Makes a lane of whole spans beside another, for spans that overlap some of it: of its kind, behind it, and called
// "<its name>, 2", and so on, whatever it is called in the end.
FLAMELET_API uint32_t flamelet_capture_builder_lane_beside(flamelet_capture_builder* builder, uint32_t lane);
// The id that the capture shows, and that intervals name: another one than was asked for where that is 0 or taken. 0: no lane.
FLAMELET_API uint32_t flamelet_capture_builder_lane_id(const flamelet_capture_builder* builder, uint32_t lane);
// Renames a lane, for traces that have its name late.
FLAMELET_API void flamelet_capture_builder_name_lane(flamelet_capture_builder* builder, uint32_t lane, uint32_t name);
// Sets a lane's place among the others in the capture. By default it is the lane's number. Lanes with the same place
// are in the order of their creation.
FLAMELET_API void flamelet_capture_builder_place_lane(flamelet_capture_builder* builder, uint32_t lane, uint32_t place);
// The wall clock at time 0, in nanoseconds since 1970.
FLAMELET_API void flamelet_capture_builder_set_origin(flamelet_capture_builder* builder, uint64_t origin_unix_ns);
// When it is finished, time 0 becomes that of the earliest event, but of none that is far from all others: the begin of
// flamelet_capture_main_extent(). The wall clock at time 0 goes along.
FLAMELET_API void flamelet_capture_builder_start_at_zero(flamelet_capture_builder* builder);

// ---- Events ---------------------------------------------------------------------------------------------------------

// For lanes of begins and ends. `name` (a dynamic name instead of the site's) and `object` are string ids or 0. begin
// returns the scope's id.
FLAMELET_API flamelet_id flamelet_capture_builder_begin(flamelet_capture_builder* builder, uint32_t lane,
                                                        int64_t time_ns, uint32_t site, uint32_t name, uint32_t object);
FLAMELET_API void flamelet_capture_builder_end(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns);
// For lanes of whole spans: adds a span as flamelet_capture_read_spans() returns it. It takes the times, id, site, name
// (0 = the site's), object and flags; the rest follows from the times. But the times cannot tell whether a span of zero
// length is inside a span that begins or ends there: for this, set `depth`, or FLAMELET_DEPTH_UNKNOWN.
#define FLAMELET_DEPTH_UNKNOWN UINT16_MAX
FLAMELET_API void flamelet_capture_builder_span(flamelet_capture_builder* builder, uint32_t lane,
                                                const flamelet_span* span);
// For any lane. A counter has the name of its site.
FLAMELET_API void flamelet_capture_builder_counter(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns,
                                                   uint32_t site, double value);
FLAMELET_API void flamelet_capture_builder_instant(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns,
                                                   uint32_t site, uint32_t name, uint32_t object);
// For any lane: one end of a flow, as flamelet_capture_read_flows() gives it: its begin or, with `ends`, an end.
FLAMELET_API void flamelet_capture_builder_flow(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns,
                                                uint64_t id, bool ends);
// Adds an interval, which may overlap others, in any order. The tracks are ids of threads, as the capture shows them.
// With end_track 0, the interval is open until end_ns; with begin_track 0, its begin is missing. The importer chooses
// `id`, which must be new each time. There is room for as many as come, unless config.max_intervals is 0.
FLAMELET_API void flamelet_capture_builder_interval(flamelet_capture_builder* builder, uint32_t begin_track,
                                                    int64_t begin_ns, uint32_t end_track, int64_t end_ns,
                                                    flamelet_id id, uint32_t site, uint32_t name, uint32_t object);
// Adds a frame of the trace, in the order of the indices. There is room for as many as come; beyond 16 million, or without
// memory, the oldest are dropped. They take 32 bytes each. `flags` are FLAMELET_FRAME_*.
FLAMELET_API void flamelet_capture_builder_frame(flamelet_capture_builder* builder, uint64_t index, int64_t begin_ns,
                                                 int64_t end_ns, uint32_t flags);
// The lane of the thread that marks the frames that are added from here on (flamelet_frame_info.thread). 0 (the default), or
// no thread's lane: nobody knows.
FLAMELET_API void flamelet_capture_builder_mark_frames(flamelet_capture_builder* builder, uint32_t lane);
// So many places of the trace were damaged, or are missing: what the capture is saved as says so, too.
FLAMELET_API void flamelet_capture_builder_damage(flamelet_capture_builder* builder, uint64_t places);
// Adds a switch: at this time a state of a lane's thread begins, which lasts until the thread's next one. RUNNING: it was put
// on this processor; TAKEN_OFF: it was taken off it, and could have run on; ASLEEP: it left it, to wait or because it ended.
// UNKNOWN: switches of all threads are missing from here on; lane and processor mean nothing. Who ran instead of a thread
// that was taken off follows from the others that are put on the same processor; the lane FLAMELET_BY_UNKNOWN is a thread
// of the program that has no lane. Where nobody is put on it, another program runs (FLAMELET_BY_OTHERS).
// Switches come in the order of their times, those of all threads together; of one moment, the leaving thread's first. There
// is room for as many as come; beyond 16 million, or without memory, the oldest are dropped. They take 32 bytes each. False,
// and nothing added: no thread's lane (dropped_lane), or switches_dropped. Cost: 20 ns.
FLAMELET_API bool flamelet_capture_builder_switch(flamelet_capture_builder* builder, uint32_t lane, int64_t time_ns,
                                                  flamelet_state_kind state, uint32_t processor);
// Adds what the system did with a lane's thread in the frame of this index, in the order of the frames. There is room for as
// many as come, as for frames, unless config.max_thread_times is 0. False, and nothing added, if it is of an earlier frame
// than the one before, or there is no such lane.
FLAMELET_API bool flamelet_capture_builder_thread_time(flamelet_capture_builder* builder, uint64_t frame, uint32_t lane,
                                                       const flamelet_thread_time* time);
// Adds a frame of the set called `set` (a string id), as flamelet_capture_read_frames() gives it. Any order. There
// is room for as many as come, unless config.max_named_frames is 0.
FLAMELET_API void flamelet_capture_builder_named_frame(flamelet_capture_builder* builder, uint32_t set, uint64_t index,
                                                       int64_t begin_ns, int64_t end_ns, uint32_t flags);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_CAPTURE_BUILDER_H
