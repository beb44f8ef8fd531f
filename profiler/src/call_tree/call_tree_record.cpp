// SPDX-License-Identifier: MIT
//
// The recording calls of a call tree: where a call leads, recursion folded, and how its exit finds back.
#include "call_tree/call_tree_data.h"

using namespace flamelet;

namespace {

// The slot of the edge, or the free one where it belongs. Not a HashIndex: the edges lie in the slots themselves, because
// one more load would be what a call costs. The product maps a hash to a slot of a table of any size.
CallEdge* edge_slot(flamelet_call_tree* tree, uint32_t from, uint32_t id) {
  const uint32_t hash = hash_of_key((uint64_t{from} << 32) | id);
  uint32_t slot = static_cast<uint32_t>((uint64_t{hash} * tree->edge_slots) >> 32);
  for (;;) {
    CallEdge* edge = &tree->edges[slot];
    if (edge->to == kNone || (edge->id == id && edge->from == from)) return edge;
    if (++slot == tree->edge_slots) slot = 0;
  }
}

// If the path of `node`, with `id` appended, ends in WW: the node that the first W ends at. Else kNone. There is
// one such W at most: two of different lengths would mean a repeat within the path of `node`, which holds none.
//
// W ends in `id`, so the first W ends at an ancestor (or the node itself) of that id: the candidate. What is left
// of the second W are the `length` ids below the candidate, and they have to be equal to as many ids above it.
// No path has that many ids above once the candidate is less deep than that, so half the path is enough.
uint32_t find_repeat(const CallNode* nodes, uint32_t node, uint32_t id) {
  uint32_t candidate = node;
  for (uint32_t length = 0; length < nodes[candidate].depth; ++length, candidate = nodes[candidate].parent) {
    if (nodes[candidate].id != id) continue;
    uint32_t low = node;
    uint32_t high = nodes[candidate].parent;
    while (low != candidate && nodes[low].id == nodes[high].id) {
      low = nodes[low].parent;
      high = nodes[high].parent;
    }
    if (low == candidate) return candidate;
  }
  return kNone;
}

uint32_t add_node(flamelet_call_tree* tree, uint32_t parent, uint32_t id) {
  if (tree->nodes_used == tree->limits.max_nodes) return kNone;
  const uint32_t block = add_block(tree, id);
  if (block == kNone) return kNone;
  const uint32_t node = tree->nodes_used++;
  tree->nodes[node] = CallNode{id, parent, tree->nodes[parent].depth + 1, kRoot, 0, 0};
  tree->links[node] = CallLinks{0, kNone, kNone, tree->blocks[block].newest_node, block};
  tree->blocks[block].newest_node = node;
  tree->nodes[parent].last_child = node;
  return node;
}

// The first call of `id` at `from`, or one whose edge did not fit the cache. `slot` is where its edge belongs.
CallDestination resolve_new_call(flamelet_call_tree* tree, uint32_t from, uint32_t id, bool may_add, CallEdge* slot) {
  // An id that no node has is on no path. Cheap to know, and it keeps a first descent linear however deep.
  const uint32_t block = find_block(tree, id);
  const bool seen = block != kNone && tree->blocks[block].newest_node != kNone;
  const bool may_repeat = seen && !tree->limits.keep_recursion;
  uint32_t to = may_repeat ? find_repeat(tree->nodes, from, id) : kNone;
  uint64_t* charged = nullptr;
  bool cached = true;
  if (to == kNone) {
    if (!may_add) return {kNone, nullptr};
    to = add_node(tree, from, id);
    cached = to == kNone;
  }
  if (to == kNone) {
    to = from;
    charged = &tree->charged_no_room;
  }
  if (!cached || tree->cached_edges < tree->cached_edges_limit) {
    *slot = CallEdge{from, id, to};
    if (cached) ++tree->cached_edges;
  }
  return {to, charged};
}

// Makes `to` the top frame, whose exit goes back to the present one. False, and nothing is changed, if that takes
// a jump and none is left.
bool push_frame(flamelet_call_thread* thread, uint32_t to) {
  flamelet_call_tree* tree = thread->tree;
  const uint32_t from = thread->current;
  if (tree->nodes[to].parent != from) {
    CallJump* newest = thread->jump != kNone ? &tree->jumps[thread->jump] : nullptr;
    if (newest && newest->from == from && newest->to == to) {
      ++newest->count;
    } else {
      const uint32_t jump = tree->first_free_jump;
      if (jump == kNone) return false;
      tree->first_free_jump = tree->jumps[jump].below;
      ++tree->jumps_used;
      tree->jumps[jump] = CallJump{1, from, to, thread->jump};
      thread->jump = jump;
      thread->exit_jumps_at = to;
    }
  }
  thread->current = to;
  return true;
}

// The exit that takes a jump back.
void pop_jump(flamelet_call_thread* thread) {
  flamelet_call_tree* tree = thread->tree;
  const uint32_t newest = thread->jump;
  CallJump* jump = &tree->jumps[newest];
  thread->current = jump->from;
  if (--jump->count > 0) return;
  thread->jump = jump->below;
  thread->exit_jumps_at = thread->jump != kNone ? tree->jumps[thread->jump].to : kRoot;
  jump->below = tree->first_free_jump;
  tree->first_free_jump = newest;
  --tree->jumps_used;
}

// A frame for which no jump is left; and so have those inside it none.
void push_excess(flamelet_call_thread* thread) {
  ++thread->excess;
  thread->exit_jumps_at = thread->current;  // so that each exit looks at `excess` first
}

// A call that no frame can be kept for.
void charge_to_top(flamelet_call_thread* thread) {
  ++thread->nodes[thread->current].calls;
  ++thread->tree->charged_no_jump;
}

// The new top frame's call is counted where it was charged, if it was.
void count_call(flamelet_call_thread* thread, CallDestination destination) {
  ++thread->nodes[destination.node].calls;
  if (destination.charged) ++*destination.charged;
}

// The frame of a call while the tree is off.
void enter_off(flamelet_call_thread* thread) {
  ++thread->tree->calls_skipped;
  if (thread->excess > 0 || !push_frame(thread, thread->current)) push_excess(thread);
}

void enter_slow(flamelet_call_thread* thread, uint32_t id) {
  if (thread->off) return enter_off(thread);
  if (thread->excess > 0) {
    push_excess(thread);
    charge_to_top(thread);
    return;
  }
  const CallDestination destination = resolve_call(thread->tree, thread->current, id, true);
  if (push_frame(thread, destination.node)) {
    count_call(thread, destination);
  } else {
    charge_to_top(thread);
    push_excess(thread);
  }
}

void exit_slow(flamelet_call_thread* thread) {
  flamelet_call_tree* tree = thread->tree;
  if (thread->excess > 0) {
    if (--thread->excess > 0) return;
    thread->exit_jumps_at = thread->jump != kNone ? tree->jumps[thread->jump].to : kRoot;
  } else if (thread->jump != kNone) {
    pop_jump(thread);
  } else {
    ++tree->exits_at_root;
  }
}

}  // namespace

CallDestination flamelet::resolve_call(flamelet_call_tree* tree, uint32_t from, uint32_t id, bool may_add) {
  if (id == FLAMELET_CALL_ROOT) return {from, &tree->charged_bad_id};
  CallEdge* edge = edge_slot(tree, from, id);
  const uint32_t to = edge->to;
  if (to == kNone) return resolve_new_call(tree, from, id, may_add, edge);
  if (tree->nodes[to].parent == from) tree->nodes[from].last_child = to;
  return {to, tree->nodes[to].id == id ? nullptr : &tree->charged_no_room};
}

void flamelet_call_thread_enter(flamelet_call_thread* thread, uint32_t id) {
  if (!thread) return;
  CallNode* nodes = thread->nodes;
  const uint32_t current = thread->current;
  const uint32_t child = nodes[current].last_child;
  // The root is no child, and its parent no node: `child` is not compared with a "none".
  if (nodes[child].id == id && nodes[child].parent == current && thread->excess == 0 && !thread->off) {
    ++nodes[child].calls;
    thread->current = child;
    return;
  }
  enter_slow(thread, id);
}

void flamelet_call_thread_tail_call(flamelet_call_thread* thread, uint32_t id) {
  if (!thread) return;
  flamelet_call_tree* tree = thread->tree;
  const uint32_t replaced = thread->current;
  const bool jumped = replaced == thread->exit_jumps_at;
  const bool at_root = jumped && thread->jump == kNone && thread->excess == 0;
  if (thread->off && !at_root) flamelet_call_thread_exit(thread);
  if (thread->off || at_root) {
    enter_slow(thread, id);
    return;
  }
  if (thread->excess > 0) {
    charge_to_top(thread);
    return;
  }
  // A new node under the replaced frame's takes a jump, to return past it: not made if there will be none.
  const bool jump_is_left = tree->first_free_jump != kNone || (jumped && tree->jumps[thread->jump].count == 1);
  const CallDestination destination = resolve_call(tree, replaced, id, jump_is_left);
  if (destination.node == kNone) {
    charge_to_top(thread);
    return;
  }
  if (jumped) {
    pop_jump(thread);
  } else {
    thread->current = thread->nodes[replaced].parent;
  }
  if (push_frame(thread, destination.node)) {
    count_call(thread, destination);
    return;
  }
  // No jump is left, so popping freed none: a jump that was popped is still there, and only its count went down.
  if (jumped) ++tree->jumps[thread->jump].count;
  thread->current = replaced;
  charge_to_top(thread);
}

void flamelet_call_thread_exit(flamelet_call_thread* thread) {
  if (!thread) return;
  if (thread->current == thread->exit_jumps_at) {
    exit_slow(thread);
  } else {
    thread->current = thread->nodes[thread->current].parent;
  }
}

void flamelet_call_thread_sample(flamelet_call_thread* thread, uint64_t samples) {
  if (!thread) return;
  if (thread->off) {
    thread->tree->samples_skipped += samples;
    return;
  }
  thread->nodes[thread->current].samples += samples;
}
