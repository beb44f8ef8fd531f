// SPDX-License-Identifier: MIT
//
// flamelet/call_tree.h: an aggregated profile. Every distinct call path is one node with the number of calls
// and the samples spent in it, and recursion is folded: the path main > eval > apply > eval > apply is kept as
// main > eval > apply. So the tree stays small however long the program runs and however deep it recurses.
// It stands alone: an interpreter or a script engine needs this header, base.h and call_tree*.cpp.
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
//            repeat (and there is never more than one such W). Only what is stored is folded: every exit goes
//            back to the node that its enter came from. A tree with keep_recursion folds nothing; merge it into
//            one that folds, and that one is what it would have been had it recorded all the calls itself.
// Threads:   a tree, its threads and everything reached from them belong to one OS thread at a time, readers
//            included; nothing inside is atomic. Give each OS thread a tree and merge them. Different trees
//            share nothing.
// Lifetime:  the tree lives in the memory that the caller gave. There is no destroy: free the memory.
// Units:     samples are self values in any unit that adds up: ticks, instructions, bytes. Totals are computed
//            by the readers.
// Memory:    fixed at creation; flamelet_call_tree_memory_required() is linear in each limit of the config. The
//            stack of a thread costs nothing for plain calls and for recursion that repeats itself, at any
//            depth, since the tree itself says where they return to. Other returns take one jump (max_jumps).
// Cost:      enter, tail_call: a hash lookup, less for the child entered last. A call that this node has not
//            made before walks up the path, half of its length at most, unless its id is new to the tree.
//            exit: one comparison. sample: one addition. No call allocates, locks or recurses, also at a depth
//            of millions.
// When full: a call that finds no room is charged to the frame that it was made from, which is the top frame again
//            until the call's exit, and counted (flamelet_call_tree_stats). So the samples of all paths always
//            sum up to those given, and the calls to those made, with one more for each thread.
// When off:  every function takes a NULL tree or thread, does nothing and returns 0, so a program without a profile
//            has a NULL pointer and no `if`. One that has a profile switches it off and on while it runs:
//            flamelet_call_tree_set_enabled().
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

// Builds an empty tree in `memory`, which needs no alignment, and touches all of it.
// FLAMELET_ERROR_INVALID_ARGUMENT: a NULL, or a config that memory_required answers with 0.
// FLAMELET_ERROR_BUDGET_TOO_SMALL: memory_bytes is less than memory_required. *tree is NULL after an error.
FLAMELET_API flamelet_result flamelet_call_tree_create(const flamelet_call_tree_config* config, void* memory,
                                                       size_t memory_bytes, flamelet_call_tree** tree);

// Forgets every path, sample and count. Names stay, and so do threads: they start again at the root, and the
// frames that they had open are gone.
FLAMELET_API void flamelet_call_tree_clear(flamelet_call_tree* tree);

// ---- Blocks --------------------------------------------------------------------------------------------------

// An id stands for what is called: a function, a scope, a line of script. The caller chooses it; any value but 0,
// which is the root. Ids need no registration and may appear at any time.
#define FLAMELET_CALL_ROOT 0u

// Names an id for readers, at any time, again or not; NULL takes the name away. The text is not copied and must
// live as long as the tree. FLAMELET_ERROR_LIMIT: max_blocks ids are in use.
FLAMELET_API flamelet_result flamelet_call_tree_set_name(flamelet_call_tree* tree, uint32_t id, const char* name);

// "[root]" for FLAMELET_CALL_ROOT, "(unnamed)" for an id without a name; never NULL.
FLAMELET_API const char* flamelet_call_tree_name(const flamelet_call_tree* tree, uint32_t id);

// ---- Recording -----------------------------------------------------------------------------------------------

// A stack of open frames: one for each thread, fiber or coroutine of the profiled program.
typedef struct flamelet_call_thread flamelet_call_thread;

// A new stack that holds the root alone; the root's calls + 1. NULL (counted) when max_threads are alive.
FLAMELET_API flamelet_call_thread* flamelet_call_thread_create(flamelet_call_tree* tree);

// Gives the stack back, open frames or not; what was recorded stays. The handle is dead after this.
FLAMELET_API void flamelet_call_thread_destroy(flamelet_call_thread* thread);

// Drops every open frame: the thread is at the root again. For a gap in the input, after which the stack is
// unknown.
FLAMELET_API void flamelet_call_thread_unwind(flamelet_call_thread* thread);

// Calls `id`: the calls of the node that this leads to + 1, and it is the top frame until its exit. Id 0 is
// charged to the top frame, like a call that finds the tree full, and counted.
FLAMELET_API void flamelet_call_thread_enter(flamelet_call_thread* thread, uint32_t id);

// Calls `id` in place of the top frame: its path is the same as for enter, but its exit returns to where the
// replaced frame would have returned. With 1 calling 2, a tail call of 3 is kept as 1 > 2 > 3. At the root there
// is no frame to replace: the same as enter.
FLAMELET_API void flamelet_call_thread_tail_call(flamelet_call_thread* thread, uint32_t id);

// Returns from the top frame. At the root: ignored and counted.
FLAMELET_API void flamelet_call_thread_exit(flamelet_call_thread* thread);

// Adds to the top frame's samples (to the root's, when no frame is open).
FLAMELET_API void flamelet_call_thread_sample(flamelet_call_thread* thread, uint64_t samples);

// Off (false): calls and samples are not recorded, but counted (calls_skipped, samples_skipped). On again (true,
// as a tree starts): what is called now stands under the newest frame that was recorded and is still open.
// At any time, inside frames too: each exit returns from the frame that its enter or tail_call opened, recorded
// or not. A frame that was opened while off takes a jump, as returns do that the tree does not imply.
FLAMELET_API void flamelet_call_tree_set_enabled(flamelet_call_tree* tree, bool enabled);
FLAMELET_API bool flamelet_call_tree_enabled(const flamelet_call_tree* tree);  // false for NULL

// Adds everything in `source` to `tree`: each path with its calls and samples, the root's too, names that `tree`
// lacks, and the counts of flamelet_call_tree_stats. Where `tree` is full, paths are charged to the part of them
// that it has, and their calls counted. `source` keeps its content. A tree merged into itself is left as it is.
FLAMELET_API void flamelet_call_tree_merge(flamelet_call_tree* tree, flamelet_call_tree* source);

// ---- Reading -------------------------------------------------------------------------------------------------
//
// Readers use scratch memory inside the tree, so they take it non-const; they change no path, call or sample.
// Each costs a pass over all nodes, whatever it returns.

// One path, as flamelet_call_tree_query() hands it out. Valid until the visitor returns.
typedef struct flamelet_call_path {
  const uint32_t* ids;     // from the outermost call to the innermost; the root's 0 is not among them
  uint32_t depth;          // how many ids: 0 for the root
  uint64_t calls;          // of the last id, by way of this path. The root's are the threads created
  uint64_t self_samples;   // in the last id
  uint64_t total_samples;  // there and in everything called from there
} flamelet_call_path;

// Return false to stop. A visitor must not call into the tree that is queried.
typedef bool (*flamelet_call_visitor)(void* user, const flamelet_call_path* path);

// Visits every path once: parents before children, children by rising id, the root first. Returns how many
// were visited.
//
// period 0: the samples as they are. period P > 0: samples in units of P, for formats where smaller numbers are
// wanted. What a path has beyond a multiple of P is carried to the next one in this order, so that the sums stay
// true; paths whose own samples come to 0 are left out. Calls are not scaled. P = 5 makes 3, 4, 9, 1 into 1 for
// the second and 2 for the third.
FLAMELET_API size_t flamelet_call_tree_query(flamelet_call_tree* tree, uint64_t period, flamelet_call_visitor visit,
                                             void* user);

// What is known about a sequence of ids: the calls that an outer id made to the next, and so on, anywhere in
// the tree. A sequence that begins with FLAMELET_CALL_ROOT is one from the root. The empty sequence stands for
// everything: its totals are those of the tree.
typedef struct flamelet_call_totals {
  uint32_t id;               // the block that this entry is about
  uint64_t calls;            // summed over the paths that end in the sequence
  uint64_t self_samples;     // summed over the same paths
  uint64_t overall_samples;  // of all paths that hold the sequence. Each sample once, also where it repeats
} flamelet_call_totals;

// The totals of one sequence of `count` ids; all 0 if it never occurred. `id` is its last one.
FLAMELET_API flamelet_call_totals flamelet_call_tree_sequence(flamelet_call_tree* tree, const uint32_t* ids,
                                                              size_t count);

// How lists are sorted: largest first, and by rising id among equals.
typedef enum flamelet_call_order {
  FLAMELET_CALL_ORDER_OVERALL = 0,
  FLAMELET_CALL_ORDER_SELF,
  FLAMELET_CALL_ORDER_CALLS,
} flamelet_call_order;

// The lists below write the first `capacity` entries and return how many there are. `entries` may be NULL with
// capacity 0.

// Every block that was entered: the totals of the sequence {id}. Self and overall as a profiler's flat table.
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

// What a tree knows of itself. Counts start at 0 at creation and at clear. A charged call is one that was added
// to the node it was made from; a call is in one of these counts at most.
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
