// SPDX-License-Identifier: MIT
//
// Adding one call tree to another.
#include "call_tree/call_tree_data.h"

using namespace flamelet;

// A stored path is free of repeats, and so is each of its beginnings, so calling its ids from the root builds the
// same path in the other tree. Parents are older than children: by rising number, a parent's place is known.
void flamelet_call_tree_merge(flamelet_call_tree* tree, flamelet_call_tree* source) {
  if (!tree || !source || tree == source) return;
  uint32_t* place = source->scratch;
  for (uint32_t i = 0; i < source->nodes_used; ++i) {
    const CallNode& node = source->nodes[i];
    CallDestination destination = {kRoot, nullptr};
    if (i != kRoot) destination = resolve_call(tree, place[node.parent], node.id, true);
    place[i] = destination.node;
    tree->nodes[destination.node].calls += node.calls;
    tree->nodes[destination.node].samples += node.samples;
    if (destination.charged) *destination.charged += node.calls;
  }
  for (uint32_t i = 0; i < source->blocks_used; ++i) {
    const CallBlock& block = source->blocks[i];
    const uint32_t mine = block.name ? add_block(tree, block.id) : kNone;
    if (mine != kNone && !tree->blocks[mine].name) tree->blocks[mine].name = block.name;
  }
  tree->charged_no_room += source->charged_no_room;
  tree->charged_no_jump += source->charged_no_jump;
  tree->charged_bad_id += source->charged_bad_id;
  tree->exits_at_root += source->exits_at_root;
  tree->threads_refused += source->threads_refused;
  tree->calls_skipped += source->calls_skipped;
  tree->samples_skipped += source->samples_skipped;
}
