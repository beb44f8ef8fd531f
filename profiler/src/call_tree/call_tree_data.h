// SPDX-License-Identifier: MIT
//
// What a call tree is made of. Internal: call_tree.h is the manual, call_tree.cpp lays the memory out.
//
// - Nodes are numbered in the order of their creation and never move or go away (but for clear). A parent is
//   older than its children, so a loop over rising numbers sees parents first, over falling ones children first.
// - The recording calls know no list of children. A child is found through one hash table for the whole tree,
//   keyed by (node, id), which costs the same with one child and with a thousand. The readers want children
//   sorted by id: they link them, and only when nodes came since they last did.
// - The same table caches what else a call can lead to: back edges of folded recursion, and calls charged to
//   their node because the tree is full. Room for the tree's own edges is set apart, so only the cache can be
//   full, and then such a call is worked out again each time.
#ifndef FLAMELET_SRC_CALL_TREE_DATA_H
#define FLAMELET_SRC_CALL_TREE_DATA_H

#include "flamelet/call_tree.h"
#include "platform/hash_index.h"

namespace flamelet {

constexpr uint32_t kNone = HashIndex::kNone;
constexpr uint32_t kRoot = 0;  // the number of the root's node and of its block

// What the recording calls touch: two nodes in a cache line.
struct CallNode {
  uint32_t id;
  uint32_t parent;      // kNone for the root
  uint32_t depth;       // how many ids the path has
  uint32_t last_child;  // the child that was entered last; kRoot if none was: the root is nobody's child
  uint64_t calls;
  uint64_t samples;
};
static_assert(sizeof(CallNode) == 32);

// What only the readers need of a node.
struct CallLinks {
  uint64_t total;          // scratch: samples of the node and of everything below it
  uint32_t first_child;    // sorted by id, as of the last relink
  uint32_t next_sibling;   //
  uint32_t next_of_block;  // the next older node with the same id
  uint32_t block;
};
static_assert(sizeof(CallLinks) == 24);

// A call of `id` made at node `from` leads to node `to`. `to` is a child of `from`; or an ancestor or `from`
// itself, named `id`: a back edge; or `from` itself, named otherwise: the tree had no room.
struct CallEdge {
  uint32_t from;
  uint32_t id;
  uint32_t to;  // kNone in a free slot
};

struct CallBlock {
  uint32_t id;
  uint32_t newest_node;  // head of the chain through next_of_block, or kNone
  const char* name;      // or nullptr
  // Scratch of the readers.
  uint64_t calls, self, overall;
  uint32_t open;  // how many nodes of the path in hand count for this block
};

// A return that the tree does not imply: the exit from `to` goes back to `from`, which is not its parent.
struct CallJump {
  uint64_t count;  // the same jump taken again while it is the newest one
  uint32_t from;
  uint32_t to;
  uint32_t below;  // the jump before it on the same thread, or the next free one
};

}  // namespace flamelet

// The stack of a thread is `current` and the jumps from `jump` down; every frame between is implied:
//
// - `current` is in the subtree of the newest jump's `to` (of the root, if there is no jump), and the frames
//   since that jump are exactly the nodes on the tree path between them, each entered from its parent.
// - So an exit goes to the parent, but at `to` it takes the jump back. That one comparison is all an exit does.
// - A jump equal to the newest one only raises its count, since by the first rule the frames between the two
//   are the same tree path again. This is why recursion that repeats itself, with one function or with a
//   thousand in turn, takes one jump at any depth.
// - A frame that was opened while the tree was off is a jump from `current` to itself: its exit stays there.
struct flamelet_call_thread {
  flamelet_call_tree* tree;
  flamelet::CallNode* nodes;  // of the tree, to save a load
  uint32_t current;
  uint32_t exit_jumps_at;  // `to` of the newest jump; kRoot if there is none; `current` while frames are excess
  uint32_t jump;           // newest, or kNone
  uint32_t next_free;
  // Frames on top of `current` for which no jump was left. All are charged to `current`.
  uint64_t excess;
  bool alive;
  bool off;  // as the tree
};

struct flamelet_call_tree {
  flamelet_call_tree_config limits;
  size_t memory_bytes;

  flamelet::CallNode* nodes;
  flamelet::CallLinks* links;
  uint32_t* scratch;  // one for each node: the path in hand, or a number for each node
  uint32_t nodes_used;
  uint32_t nodes_linked;  // nodes_used at the last relink

  flamelet::CallEdge* edges;
  uint32_t edge_slots;
  uint32_t cached_edges;  // those that are not tree edges
  uint32_t cached_edges_limit;

  flamelet::CallBlock* blocks;
  uint32_t* block_ranks;  // scratch: block numbers in sorted order
  flamelet::HashIndex block_index;
  uint32_t blocks_used;

  flamelet_call_thread* threads;
  uint32_t first_free_thread;
  uint32_t threads_used;

  flamelet::CallJump* jumps;
  uint32_t first_free_jump;
  uint32_t jumps_used;

  uint64_t charged_no_room;
  uint64_t charged_no_jump;
  uint64_t charged_bad_id;
  uint64_t exits_at_root;
  uint64_t threads_refused;
  uint64_t calls_skipped;
  uint64_t samples_skipped;
  bool off;
};

namespace flamelet {

// Where a call of `id` made at `from` leads, finding or making the node. `charged` is the count to raise if the
// call could not have a node of its own and `node` is `from` again; else nullptr. With may_add false no node is
// made, and `node` is kNone where one would have been.
struct CallDestination {
  uint32_t node;
  uint64_t* charged;
};
CallDestination resolve_call(flamelet_call_tree* tree, uint32_t from, uint32_t id, bool may_add);

// The block of an id, or kNone. add_block() adds it if need be; kNone then means that the table is full.
uint32_t find_block(const flamelet_call_tree* tree, uint32_t id);
uint32_t add_block(flamelet_call_tree* tree, uint32_t id);

}  // namespace flamelet

#endif  // FLAMELET_SRC_CALL_TREE_DATA_H
