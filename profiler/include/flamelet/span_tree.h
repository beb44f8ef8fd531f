// SPDX-License-Identifier: MIT
//
// flamelet/span_tree.h: a call tree (call_tree.h) of what a capture holds, kept up to date while the game runs. Each
// scope is a block, and its samples are nanoseconds: a path's self samples are its self time, its total samples its
// wall time.
//
//   flamelet_span_tree_config config = flamelet_span_tree_config_default();
//   size_t bytes = flamelet_span_tree_memory_required(&config);
//   flamelet_span_tree* tree;
//   if (flamelet_span_tree_create(&config, malloc(bytes), bytes, &tree)) ...    // 0 is success
//   each time after flamelet_capture_update():
//     flamelet_span_tree_update(tree, capture);                                 // the whole history
//     flamelet_call_tree_query(flamelet_span_tree_calls(tree), 0, visit, user);
//   or, for a frame or a range of frames:
//     flamelet_span_tree_clear(tree);
//     flamelet_span_tree_add_window(tree, capture, frame.begin_ns, frame.end_ns);
//
// Windows:   what is added is always a window of time. A path's samples are the time that it was open inside the window,
//            and its calls the spans that began there. So windows that touch add up to what one window would have given,
//            and a scope that is open for long is counted once and charged bit by bit. A path with time and no call was
//            called before the window.
// Recursion: folded or not, as the config says. Both from one reading: keep it, and merge the tree into a folding one
//            (flamelet_call_tree_merge), which takes time by the nodes and not by the spans.
// Threads:   the thread that uses the capture. Recording threads are not disturbed.
// Lifetime:  the tree lies in the caller's memory; there is no destroy. Names point into the capture.
// Cost:      constant for each span that is read; nothing is read twice but spans that reach over a window's border. No
//            call allocates.
// When full: see flamelet_call_tree_stats and flamelet_span_tree_stats.
#ifndef FLAMELET_SPAN_TREE_H
#define FLAMELET_SPAN_TREE_H

#include "flamelet/call_tree.h"
#include "flamelet/capture.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_span_tree flamelet_span_tree;

// Bits of flamelet_span_tree_config::lane_kinds. A fiber's time is on the lanes of its threads too, so one of the two is
// chosen; a GPU's time passes beside the CPU's.
#define FLAMELET_LANE_BIT(kind) (1u << (kind))

typedef struct flamelet_span_tree_config {
  uint32_t cookie;      // set by flamelet_span_tree_config_default()
  uint32_t max_nodes;   // distinct paths, the root included (default 16384)
  uint32_t max_scopes;  // distinct scopes: a site together with a name (default 4096)
  uint32_t max_lanes;   // lanes of the capture that updates follow (default 1024)
  uint32_t max_spans;   // read at once, 1024 or more; more are read in parts (default 16384)
  uint32_t lane_kinds;  // which lanes to merge, FLAMELET_LANE_BIT(...) (default: threads)
  uint32_t lane_id;     // only the lane with this id; 0 = all of lane_kinds (default)
  bool keep_recursion;  // every path as it was called (default false: folded)
  // GPU, external and fiber lanes: how far spans may come out of order (default 0.1 s). Updates stay that far behind the
  // newest event; what comes later still is left out.
  int64_t late_ns;
} flamelet_span_tree_config;

FLAMELET_API flamelet_span_tree_config flamelet_span_tree_config_default(void);
// 0 if the config is NULL, was not made by flamelet_span_tree_config_default() or has a limit out of range.
FLAMELET_API size_t flamelet_span_tree_memory_required(const flamelet_span_tree_config* config);
// `memory` needs no alignment. Errors as for flamelet_call_tree_create().
FLAMELET_API flamelet_result flamelet_span_tree_create(const flamelet_span_tree_config* config, void* memory,
                                                       size_t memory_bytes, flamelet_span_tree** tree);

// Forgets every path, and where updates stood: the next one begins with all that the capture holds. Ids of scopes stay.
FLAMELET_API void flamelet_span_tree_clear(flamelet_span_tree* tree);
// The same, and from now on with other lanes or another treatment of recursion.
FLAMELET_API void flamelet_span_tree_select(flamelet_span_tree* tree, uint32_t lane_kinds, uint32_t lane_id,
                                            bool keep_recursion);

// Adds what is new in the capture since the last update, each lane up to its newest event. Begins anew if the recorder
// was restarted or this is another capture. Returns how many spans were looked at.
FLAMELET_API size_t flamelet_span_tree_update(flamelet_span_tree* tree, const flamelet_capture* capture);

// Adds one window, whatever updates did. Returns how many spans were looked at.
FLAMELET_API size_t flamelet_span_tree_add_window(flamelet_span_tree* tree, const flamelet_capture* capture,
                                                  int64_t begin_ns, int64_t end_ns);

// Adds the part of one answer of flamelet_capture_read_spans() that lies in [begin_ns, end_ns). No lane is left out.
FLAMELET_API void flamelet_span_tree_add_spans(flamelet_span_tree* tree, const flamelet_span* spans, size_t count,
                                               int64_t begin_ns, int64_t end_ns);

// To read, and to merge from; changed only through the functions here. NULL for NULL. The root has no calls of its own.
FLAMELET_API flamelet_call_tree* flamelet_span_tree_calls(flamelet_span_tree* tree);
// What an id of the call tree stands for: a site and a name (flamelet_capture_string()). False for an unknown id.
FLAMELET_API bool flamelet_span_tree_scope(const flamelet_span_tree* tree, uint32_t id, uint32_t* site, uint32_t* name);
// The id of a scope; 0 if it was not met.
FLAMELET_API uint32_t flamelet_span_tree_find(const flamelet_span_tree* tree, uint32_t site, uint32_t name);

typedef struct flamelet_span_tree_stats {
  size_t memory_bytes;
  uint32_t scopes_used, scopes_limit;
  uint64_t spans_left_out;     // more than max_spans began in one nanosecond
  uint64_t lanes_left_out;     // looks at lanes beyond max_lanes
  uint64_t gaps;               // times that a lane's events were evicted before an update
  uint64_t calls_of_no_scope;  // charged to the caller: max_scopes scopes are known
} flamelet_span_tree_stats;

FLAMELET_API void flamelet_span_tree_get_stats(const flamelet_span_tree* tree, flamelet_span_tree_stats* stats);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_SPAN_TREE_H
