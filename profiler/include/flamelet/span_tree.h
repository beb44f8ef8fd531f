// SPDX-License-Identifier: MIT
//
// flamelet/span_tree.h: a call tree (call_tree.h) of a capture's spans, kept up to date while the game runs. Each scope
// is a block, and samples are nanoseconds: a path's self samples are its self time, its total samples its wall time.
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
// Windows:   the tree adds windows of time. A path's samples are the time that it was open inside the window, and its
//            calls are the spans that began there. So adjacent windows add up to one window. A scope that stays open
//            counts as one call and adds its time with each window. A path with time but without calls was called
//            before the window.
// Recursion: folded or not, as the config says. To get both from one reading, keep recursion and merge the tree into a
//            folding one (flamelet_call_tree_merge), which takes time in proportion to the nodes, not to the spans.
// Threads:   the thread that uses the capture. Recording threads are not disturbed.
// Lifetime:  the tree lies in the caller's memory; there is no destroy. Names point into the capture.
// Cost:      constant for each span that is read. Only spans that cross a window's border are read twice. No call
//            allocates.
// When full: see flamelet_call_tree_stats and flamelet_span_tree_stats.
#ifndef FLAMELET_SPAN_TREE_H
#define FLAMELET_SPAN_TREE_H

#include "flamelet/call_tree.h"
#include "flamelet/capture.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_span_tree flamelet_span_tree;

// Bits of flamelet_span_tree_config::lane_kinds. Choose threads or fibers, because a fiber's time is on its threads'
// lanes, too. A GPU's time runs in parallel to the CPU's.
#define FLAMELET_LANE_BIT(kind) (1u << (kind))

// Each limit is 1 .. 2^24, if it tells no other.
typedef struct flamelet_span_tree_config {
  uint32_t cookie;      // set by flamelet_span_tree_config_default()
  uint32_t max_nodes;   // distinct paths, the root included (default 16384)
  uint32_t max_scopes;  // distinct scopes: a site together with a name (default 4096)
  uint32_t max_lanes;   // lanes of the capture that updates follow (default 1024), or 0
  uint32_t max_spans;   // spans read at once, at least 1024 (default 16384); more are read in parts
  uint32_t lane_kinds;  // which lanes to merge, FLAMELET_LANE_BIT(...) (default: threads)
  uint32_t lane_id;     // only the lane with this id; 0 = all of lane_kinds (default)
  bool keep_recursion;  // every path as it was called (default false: folded)
  // How late spans of GPU, external and fiber lanes may come (default 0.1 s). Updates stay that far behind the newest
  // event. Spans that come later are left out.
  int64_t late_ns;
} flamelet_span_tree_config;

FLAMELET_API flamelet_span_tree_config flamelet_span_tree_config_default(void);
// 0 if the config is NULL, was not made by flamelet_span_tree_config_default() or has a limit out of range.
FLAMELET_API size_t flamelet_span_tree_memory_required(const flamelet_span_tree_config* config);
// `memory` needs no alignment. Errors as for flamelet_call_tree_create().
FLAMELET_API flamelet_result flamelet_span_tree_create(const flamelet_span_tree_config* config, void* memory,
                                                       size_t memory_bytes, flamelet_span_tree** tree);

// Removes every path, and restarts updates: the next one adds all that the capture holds. Ids of scopes stay.
FLAMELET_API void flamelet_span_tree_clear(flamelet_span_tree* tree);
// The same, and selects other lanes or another treatment of recursion.
FLAMELET_API void flamelet_span_tree_select(flamelet_span_tree* tree, uint32_t lane_kinds, uint32_t lane_id,
                                            bool keep_recursion);

// Adds what is new in the capture since the last update, each lane up to its newest event. Begins anew if the recorder
// was restarted, or if this is another capture. Returns how many spans were read.
FLAMELET_API size_t flamelet_span_tree_update(flamelet_span_tree* tree, const flamelet_capture* capture);

// Adds one window, independently of updates. Returns how many spans were read.
FLAMELET_API size_t flamelet_span_tree_add_window(flamelet_span_tree* tree, const flamelet_capture* capture,
                                                  int64_t begin_ns, int64_t end_ns);

// Adds the part of one answer of flamelet_capture_read_spans(), or of one piece of a flamelet_span_cursor, that lies in
// [begin_ns, end_ns), whatever its lane.
FLAMELET_API void flamelet_span_tree_add_spans(flamelet_span_tree* tree, const flamelet_span* spans, size_t count,
                                               int64_t begin_ns, int64_t end_ns);

// The call tree, to read and to merge from; only the functions here may change it. NULL for NULL. The root has no
// calls.
FLAMELET_API flamelet_call_tree* flamelet_span_tree_calls(flamelet_span_tree* tree);
// What an id of the call tree stands for: a site and a name (flamelet_capture_string()). False for an unknown id.
FLAMELET_API bool flamelet_span_tree_scope(const flamelet_span_tree* tree, uint32_t id, uint32_t* site, uint32_t* name);
// The id of a scope; 0 if the tree has not seen it.
FLAMELET_API uint32_t flamelet_span_tree_find(const flamelet_span_tree* tree, uint32_t site, uint32_t name);

typedef struct flamelet_span_tree_stats {
  size_t memory_bytes;
  uint32_t scopes_used, scopes_limit;
  uint64_t windows_cut;        // windows of a lane read in part, because more than half of max_spans spans nest there
  uint64_t lanes_left_out;     // lanes beyond max_lanes, counted at each update
  uint64_t gaps;               // how often a lane's events were evicted before an update
  uint64_t calls_of_no_scope;  // calls charged to the caller, because max_scopes scopes are known
} flamelet_span_tree_stats;

FLAMELET_API void flamelet_span_tree_get_stats(const flamelet_span_tree* tree, flamelet_span_tree_stats* stats);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_SPAN_TREE_H
