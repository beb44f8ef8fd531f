// SPDX-License-Identifier: MIT
//
// flamelet/call_tree.h: an aggregated profile. Every distinct call path is one node with its calls and its samples.
// Recursion is folded: the path main > eval > apply > eval > apply is kept as main > eval > apply. So the tree stays
// small however long the program runs and however deep it recurses. An interpreter or a script engine can use it
// alone: this header, base.h and call_tree*.cpp.
//
//   flamelet_call_tree_config config = flamelet_call_tree_config_default();
//   size_t bytes = flamelet_call_tree_memory_required(&config);
//   flamelet_call_tree* tree;
//   if (flamelet_call_tree_create(&config, malloc(bytes), bytes, &tree)) ...   // 0 is success
//   flamelet_call_thread* thread = flamelet_call_thread_create(tree);
//   flamelet_call_thread_enter(thread, function_id);      // at each call
//   flamelet_call_thread_sample(thread, ticks);           // whatever you count, charged to the top frame
//   flamelet_call_thread_exit(thread);                    // at each return
//
// Recursion: a path is the list of the ids from the root to a node. Entering x appends x; if the path then ends
//            in WW, for a list W of one or more ids, the last W is dropped. So no path ever holds an immediate
//            repeat (and there is never more than one such W). Only the storage is folded: every exit goes back to
//            the node that its enter came from. A tree with keep_recursion folds nothing. If it is merged into a
//            tree that folds, that one becomes as if it had recorded all the calls itself.
// Threads:   one OS thread at a time uses a tree and its threads, even to read; nothing inside is atomic. Give each
//            OS thread a tree and merge them. Different trees share nothing.
// Lifetime:  the tree lives in the caller's memory. There is no destroy: free the memory.
// Units:     samples are self values in any unit that adds up: ticks, instructions, bytes. Totals are computed
//            by the readers.
// Memory:    fixed at creation; flamelet_call_tree_memory_required() is linear in each limit of the config. The
//            stack of a thread costs nothing for plain calls and for recursion that repeats itself, at any
//            depth, because the tree itself tells where they return to. Other returns take one jump (max_jumps).
// Cost:      enter, tail_call: a hash lookup, less for the child entered last. A call that this node has not
//            made before walks up the path, half of its length at most, unless its id is new to the tree.
//            exit: one comparison. sample: one addition. No call allocates, locks or recurses, even at a depth
//            of millions.
// When full: a call without room is charged to its caller, which stays the top frame until the call's exit, and is
//            counted (flamelet_call_tree_stats). So the samples of all paths always sum up to those given, and the
//            calls to those made plus one for each thread.
// When off:  with a NULL tree or thread, every function does nothing and returns 0, so a program without a profile
//            needs no `if`. flamelet_call_tree_set_enabled() switches a tree off and on while the program runs.
#ifndef FLAMELET_CALL_TREE_H
#define FLAMELET_CALL_TREE_H

#include "flamelet/base.h"

FLAMELET_EXTERN_C_BEGIN

// ---- Creation ----------------------------------------------------------------------------------------------

typedef struct flamelet_call_tree flamelet_call_tree;

// Made by flamelet_call_tree_config_default(), then changed.
typedef struct flamelet_call_tree_config {
  uint32_t cookie;       // set by flamelet_call_tree_config_default(); tells a made config from an unset one
  uint32_t max_nodes;    // distinct paths, the root included: 1 to 2^31 - 1 (default 16384)
  uint32_t max_blocks;   // distinct ids entered or named: up to 2^30 (default 4096)
  uint32_t max_threads;  // threads alive at one time; 0 for a tree that is only merged into (default 64)
  uint32_t max_jumps;    // returns held by all threads that the tree does not imply (default 4096)
  bool keep_recursion;   // every path as it was called, recursion not folded (default false)
} flamelet_call_tree_config;

FLAMELET_API flamelet_call_tree_config flamelet_call_tree_config_default(void);

// The bytes that a tree of this config takes, about 84 a node, 60 a block, 48 a thread and 24 a jump; 0 if the
// config is NULL, was not made by flamelet_call_tree_config_default(), has a limit out of range, or needs more
// than SIZE_MAX.
FLAMELET_API size_t flamelet_call_tree_memory_required(const flamelet_call_tree_config* config);

// Creates an empty tree in `memory`, which needs no alignment, and touches all of it.
// FLAMELET_ERROR_INVALID_ARGUMENT: a NULL, or a config for which memory_required returns 0.
// FLAMELET_ERROR_BUDGET_TOO_SMALL: memory_bytes is less than memory_required. *tree is NULL after an error.
FLAMELET_API flamelet_result flamelet_call_tree_create(const flamelet_call_tree_config* config, void* memory,
                                                       size_t memory_bytes, flamelet_call_tree** tree);

// Removes every path, sample and count. Names and threads stay; the threads are at the root again, without open
// frames.
FLAMELET_API void flamelet_call_tree_clear(flamelet_call_tree* tree);

// ---- Blocks --------------------------------------------------------------------------------------------------

// An id identifies what is called: a function, a scope, a line of script. The caller chooses any value but 0, which
// is the root. Ids need no registration.
#define FLAMELET_CALL_ROOT 0u

// Names an id for readers, at any time; NULL removes the name. The text is not copied and must live as long as the
// tree. FLAMELET_ERROR_LIMIT: max_blocks ids are in use.
FLAMELET_API flamelet_result flamelet_call_tree_set_name(flamelet_call_tree* tree, uint32_t id, const char* name);

// "[root]" for FLAMELET_CALL_ROOT, "(unnamed)" for an id without a name; never NULL.
FLAMELET_API const char* flamelet_call_tree_name(const flamelet_call_tree* tree, uint32_t id);

// ---- Recording -----------------------------------------------------------------------------------------------

// A stack of open frames: one for each thread, fiber or coroutine of the profiled program.
typedef struct flamelet_call_thread flamelet_call_thread;

// A new stack with the root alone; adds 1 to the root's calls. NULL (counted) if max_threads are alive.
FLAMELET_API flamelet_call_thread* flamelet_call_thread_create(flamelet_call_tree* tree);

// Destroys the stack with its open frames. Its calls and samples stay in the tree.
FLAMELET_API void flamelet_call_thread_destroy(flamelet_call_thread* thread);

// Drops every open frame: the thread is at the root again. For a gap in the input, after which the stack is
// unknown.
FLAMELET_API void flamelet_call_thread_unwind(flamelet_call_thread* thread);

// Calls `id`: adds 1 to the calls of the node that this leads to, which is the top frame until its exit. Id 0 is
// charged to the top frame, like a call in a full tree, and counted.
FLAMELET_API void flamelet_call_thread_enter(flamelet_call_thread* thread, uint32_t id);

// Calls `id` in place of the top frame: its path is the same as for enter, but its exit returns to where the
// replaced frame would have returned. With 1 calling 2, a tail call of 3 is kept as 1 > 2 > 3. At the root there
// is no frame to replace: the same as enter.
FLAMELET_API void flamelet_call_thread_tail_call(flamelet_call_thread* thread, uint32_t id);

// Returns from the top frame. At the root: ignored and counted.
FLAMELET_API void flamelet_call_thread_exit(flamelet_call_thread* thread);

// Adds to the top frame's samples, or to the root's if no frame is open.
FLAMELET_API void flamelet_call_thread_sample(flamelet_call_thread* thread, uint64_t samples);

// Switches recording off (false) and on (true; the default), at any time, even inside frames. While off, calls and
// samples are only counted (calls_skipped, samples_skipped). Later calls continue below the newest recorded frame
// that is still open. Each exit returns from the frame that its enter or tail_call opened, recorded or not. A frame
// that was opened while off takes a jump.
FLAMELET_API void flamelet_call_tree_set_enabled(flamelet_call_tree* tree, bool enabled);
FLAMELET_API bool flamelet_call_tree_enabled(const flamelet_call_tree* tree);  // false for NULL

// Adds everything in `source` to `tree`: each path with its calls and samples, also the root's, names that `tree`
// lacks, and the counts of flamelet_call_tree_stats. If `tree` is full, a path is charged to its longest part that
// `tree` has, and its calls are counted. `source` does not change. Merging a tree into itself does nothing.
FLAMELET_API void flamelet_call_tree_merge(flamelet_call_tree* tree, flamelet_call_tree* source);

// ---- Reading -------------------------------------------------------------------------------------------------
//
// Readers use scratch memory inside the tree, so it is not const; they change no path, call or sample. Each takes
// one pass over all nodes.

// One path, as flamelet_call_tree_query() passes it. Valid until the visitor returns.
typedef struct flamelet_call_path {
  const uint32_t* ids;     // from the outermost call to the innermost; the root's 0 is not among them
  uint32_t depth;          // how many ids: 0 for the root
  uint64_t calls;          // of the last id on this path; the root's calls are the threads created
  uint64_t self_samples;   // in the last id
  uint64_t total_samples;  // there and in everything called from there
} flamelet_call_path;

// Return false to stop. A visitor must not call into the tree that is queried.
typedef bool (*flamelet_call_visitor)(void* user, const flamelet_call_path* path);

// Visits every path once: parents before children, children by rising id, the root first. Returns how many
// were visited.
//
// period 0: the samples as they are. period P > 0: samples in units of P, for formats that want smaller numbers. A
// path's remainder is carried to the next path in this order, so the sums stay true. Paths whose own samples become
// 0 are left out. Calls are not scaled. With P = 5, the samples 3, 4, 9, 1 become 1 for the second path and 2 for
// the third.
FLAMELET_API size_t flamelet_call_tree_query(flamelet_call_tree* tree, uint64_t period, flamelet_call_visitor visit,
                                             void* user);

// The totals of a sequence of ids: each id called the next, anywhere in the tree. A sequence that begins with
// FLAMELET_CALL_ROOT begins at the root. The totals of the empty sequence are those of the tree.
typedef struct flamelet_call_totals {
  uint32_t id;               // the block that this entry is about
  uint64_t calls;            // summed over the paths that end in the sequence
  uint64_t self_samples;     // summed over the same paths
  uint64_t overall_samples;  // of all paths that contain the sequence; each sample once, even if it repeats
} flamelet_call_totals;

// The totals of one sequence of `count` ids; all 0 if it never occurred. `id` is its last one.
FLAMELET_API flamelet_call_totals flamelet_call_tree_sequence(flamelet_call_tree* tree, const uint32_t* ids,
                                                              size_t count);

// How lists are sorted: largest first, and by rising id among equals.
typedef enum flamelet_call_order FLAMELET_ANY_ENUM_ {
  FLAMELET_CALL_ORDER_OVERALL = 0,
  FLAMELET_CALL_ORDER_SELF,
  FLAMELET_CALL_ORDER_CALLS,
} flamelet_call_order;

// The lists below write the first `capacity` entries and return how many there are. `entries` may be NULL with
// capacity 0. There are none in an order that has no name.

// Every block that was entered, with the totals of the sequence {id}: a profiler's flat table.
FLAMELET_API size_t flamelet_call_tree_blocks(flamelet_call_tree* tree, flamelet_call_order order,
                                              flamelet_call_totals* entries, size_t capacity);

// The callers of a sequence: for every id x before it, the totals of {x, ids...}. The root is a caller too.
FLAMELET_API size_t flamelet_call_tree_incoming(flamelet_call_tree* tree, const uint32_t* ids, size_t count,
                                                flamelet_call_order order, flamelet_call_totals* entries,
                                                size_t capacity);

// The callees of a sequence: for every id x after it, the totals of {ids..., x}.
FLAMELET_API size_t flamelet_call_tree_outgoing(flamelet_call_tree* tree, const uint32_t* ids, size_t count,
                                                flamelet_call_order order, flamelet_call_totals* entries,
                                                size_t capacity);

// ---- Numbers -------------------------------------------------------------------------------------------------

// A tree's state and counts, which start at 0 at creation and at clear. A charged call was added to its caller's
// node; each call is in one of these counts at most.
typedef struct flamelet_call_tree_stats {
  size_t memory_bytes;  // what the tree takes of the memory it was given
  uint32_t nodes_used, nodes_limit;
  uint32_t blocks_used, blocks_limit;
  uint32_t threads_used, threads_limit;
  uint32_t jumps_used, jumps_limit;
  uint64_t charged_no_room;  // no node or no block was left
  uint64_t charged_no_jump;  // no jump was left, or the call was made inside such a call
  uint64_t charged_bad_id;   // the id was 0
  uint64_t exits_at_root;    // ignored: no frame was open
  uint64_t threads_refused;  // flamelet_call_thread_create() returned NULL
  uint64_t calls_skipped;    // made while the tree was off
  uint64_t samples_skipped;  // given while the tree was off
} flamelet_call_tree_stats;

FLAMELET_API void flamelet_call_tree_get_stats(const flamelet_call_tree* tree, flamelet_call_tree_stats* stats);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_CALL_TREE_H
