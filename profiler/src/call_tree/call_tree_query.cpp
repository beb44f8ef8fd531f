// SPDX-License-Identifier: MIT
//
// The readers of a call tree: paths in order, and totals of sequences of ids. All of them are one walk over the
// nodes that climbs by the parent links, so depth costs no stack.
#include "call_tree/call_tree_data.h"

using namespace flamelet;

namespace {

// Heapsort: in place, no recursion, no bad case. `before(a, b)` is a strict order.
template <typename Before>
void sort_numbers(uint32_t* numbers, uint32_t count, Before before) {
  const auto sift_down = [&](uint32_t hole, uint32_t end) {
    const uint32_t number = numbers[hole];
    for (uint32_t child = 2 * hole + 1; child < end; child = 2 * hole + 1) {
      if (child + 1 < end && before(numbers[child], numbers[child + 1])) ++child;
      if (!before(number, numbers[child])) break;
      numbers[hole] = numbers[child];
      hole = child;
    }
    numbers[hole] = number;
  };
  for (uint32_t i = count / 2; i-- > 0;) sift_down(i, count);
  for (uint32_t end = count; end > 1;) {
    --end;
    const uint32_t largest = numbers[0];
    numbers[0] = numbers[end];
    numbers[end] = largest;
    sift_down(0, end);
  }
}

// Links every node's children by rising id: putting all nodes at the front of their parents' lists, by falling id,
// sorts all lists at once. The blocks have the nodes of each id chained already, so only blocks are sorted.
void relink(flamelet_call_tree* tree) {
  CallBlock* blocks = tree->blocks;
  CallLinks* links = tree->links;
  for (uint32_t i = 0; i < tree->nodes_used; ++i) links[i].first_child = links[i].next_sibling = kNone;
  for (uint32_t i = 0; i < tree->blocks_used; ++i) tree->block_ranks[i] = i;
  sort_numbers(tree->block_ranks, tree->blocks_used,
               [&](uint32_t a, uint32_t b) { return blocks[a].id > blocks[b].id; });
  for (uint32_t i = 0; i < tree->blocks_used; ++i) {
    const uint32_t newest = blocks[tree->block_ranks[i]].newest_node;
    for (uint32_t node = newest; node != kNone; node = links[node].next_of_block) {
      CallLinks& parent = links[tree->nodes[node].parent];
      links[node].next_sibling = parent.first_child;
      parent.first_child = node;
    }
  }
  tree->nodes_linked = tree->nodes_used;
}

void prepare(flamelet_call_tree* tree) {
  if (tree->nodes_linked != tree->nodes_used) relink(tree);
  for (uint32_t i = 0; i < tree->nodes_used; ++i) tree->links[i].total = tree->nodes[i].samples;
  for (uint32_t i = tree->nodes_used; i-- > 1;) {
    tree->links[tree->nodes[i].parent].total += tree->links[i].total;
  }
}

// Calls enter(node) on the way down and leave(node) on the way up, children by rising id, until an enter returns
// false.
template <typename Enter, typename Leave>
void walk(const flamelet_call_tree* tree, Enter enter, Leave leave) {
  const CallLinks* links = tree->links;
  uint32_t node = kRoot;
  while (enter(node)) {
    uint32_t next = links[node].first_child;
    while (next == kNone) {
      leave(node);
      if (node == kRoot) return;
      next = links[node].next_sibling;
      node = tree->nodes[node].parent;
    }
    node = next;
  }
}

}  // namespace

size_t flamelet_call_tree_query(flamelet_call_tree* tree, uint64_t period, flamelet_call_visitor visit, void* user) {
  if (!tree || !visit) return 0;
  prepare(tree);
  size_t visited = 0;
  uint64_t samples_before = 0;  // of all paths before this one in the order
  walk(
      tree,
      [&](uint32_t node) {
        const CallNode& data = tree->nodes[node];
        if (node != kRoot) tree->scratch[data.depth - 1] = data.id;
        flamelet_call_path path = {tree->scratch, data.depth, data.calls, data.samples, tree->links[node].total};
        if (period > 0) {
          // Carrying the remainder along is the same as scaling the running sum. A subtree is one run of the
          // order, so its total is scaled like a path's own samples, and is the sum of what is handed out.
          const uint64_t scaled_before = samples_before / period;
          path.self_samples = (samples_before + data.samples) / period - scaled_before;
          path.total_samples = (samples_before + tree->links[node].total) / period - scaled_before;
          samples_before += data.samples;
          if (path.self_samples == 0) return true;
        }
        ++visited;
        return visit(user, &path);
      },
      [](uint32_t) {});
  return visited;
}

// ---- Totals of sequences

namespace {

// Which nodes count, and for which block: those whose path ends in the sequence (for the root's block, which is
// not used otherwise, or for the caller's), or in the sequence and one id more (for that id's).
enum class CountFor { kSequence, kCaller, kCallee };

struct Sequence {
  const uint32_t* ids;
  size_t count;
};

// If the path of `node` ends in the sequence, true, and `above` is the node that the match begins below.
bool ends_in(const CallNode* nodes, uint32_t node, Sequence sequence, uint32_t* above) {
  for (size_t i = sequence.count; i-- > 0; node = nodes[node].parent) {
    if (node == kNone || nodes[node].id != sequence.ids[i]) return false;
  }
  *above = node;
  return true;
}

uint32_t counting_block(const flamelet_call_tree* tree, uint32_t node, Sequence sequence, CountFor count_for) {
  uint32_t above = kNone;
  switch (count_for) {
    case CountFor::kSequence:
      return ends_in(tree->nodes, node, sequence, &above) ? kRoot : kNone;
    case CountFor::kCaller:
      if (!ends_in(tree->nodes, node, sequence, &above) || above == kNone) return kNone;
      return tree->links[above].block;
    case CountFor::kCallee:
      if (node == kRoot || !ends_in(tree->nodes, tree->nodes[node].parent, sequence, &above)) return kNone;
      return tree->links[node].block;
  }
  return kNone;
}

// Sums up what counts for each block. A sample counts once for a block however many nodes of its path do, so
// totals are taken at the outermost of them only.
void sum_up(flamelet_call_tree* tree, Sequence sequence, CountFor count_for) {
  prepare(tree);
  CallBlock* blocks = tree->blocks;
  for (uint32_t i = 0; i < tree->blocks_used; ++i) {
    blocks[i].calls = blocks[i].self = blocks[i].overall = 0;
    blocks[i].open = 0;
  }
  walk(
      tree,
      [&](uint32_t node) {
        const uint32_t block = counting_block(tree, node, sequence, count_for);
        tree->scratch[node] = block;
        if (block != kNone) {
          blocks[block].calls += tree->nodes[node].calls;
          blocks[block].self += tree->nodes[node].samples;
          if (blocks[block].open++ == 0) blocks[block].overall += tree->links[node].total;
        }
        return true;
      },
      [&](uint32_t node) {
        if (tree->scratch[node] != kNone) --blocks[tree->scratch[node]].open;
      });
}

flamelet_call_totals totals_of(const CallBlock& block) {
  return {block.id, block.calls, block.self, block.overall};
}

uint64_t sort_key(const CallBlock& block, flamelet_call_order order) {
  if (order == FLAMELET_CALL_ORDER_SELF) return block.self;
  if (order == FLAMELET_CALL_ORDER_CALLS) return block.calls;
  return block.overall;
}

size_t list(flamelet_call_tree* tree, Sequence sequence, CountFor count_for, flamelet_call_order order,
            flamelet_call_totals* entries, size_t capacity) {
  if (!tree || (!sequence.ids && sequence.count > 0) || static_cast<uint32_t>(order) > FLAMELET_CALL_ORDER_CALLS)
    return 0;
  sum_up(tree, sequence, count_for);
  const CallBlock* blocks = tree->blocks;
  uint32_t listed = 0;
  for (uint32_t i = 0; i < tree->blocks_used; ++i) {
    // Time without a call: the call was made before the window that the tree was fed with (span_tree.h).
    if (blocks[i].calls > 0 || blocks[i].overall > 0) tree->block_ranks[listed++] = i;
  }
  sort_numbers(tree->block_ranks, listed, [&](uint32_t a, uint32_t b) {
    const uint64_t key_a = sort_key(blocks[a], order);
    const uint64_t key_b = sort_key(blocks[b], order);
    return key_a != key_b ? key_a > key_b : blocks[a].id < blocks[b].id;
  });
  const size_t written = !entries ? 0 : listed < capacity ? listed : capacity;
  for (size_t i = 0; i < written; ++i) entries[i] = totals_of(blocks[tree->block_ranks[i]]);
  return listed;
}

}  // namespace

flamelet_call_totals flamelet_call_tree_sequence(flamelet_call_tree* tree, const uint32_t* ids, size_t count) {
  flamelet_call_totals totals = {};
  if (!tree || (!ids && count > 0)) return totals;
  sum_up(tree, {ids, count}, CountFor::kSequence);
  totals = totals_of(tree->blocks[kRoot]);
  totals.id = count > 0 ? ids[count - 1] : FLAMELET_CALL_ROOT;
  return totals;
}

size_t flamelet_call_tree_blocks(flamelet_call_tree* tree, flamelet_call_order order, flamelet_call_totals* entries,
                                 size_t capacity) {
  // What follows the empty sequence is every id.
  return list(tree, {nullptr, 0}, CountFor::kCallee, order, entries, capacity);
}

size_t flamelet_call_tree_incoming(flamelet_call_tree* tree, const uint32_t* ids, size_t count,
                                   flamelet_call_order order, flamelet_call_totals* entries, size_t capacity) {
  return list(tree, {ids, count}, CountFor::kCaller, order, entries, capacity);
}

size_t flamelet_call_tree_outgoing(flamelet_call_tree* tree, const uint32_t* ids, size_t count,
                                   flamelet_call_order order, flamelet_call_totals* entries, size_t capacity) {
  return list(tree, {ids, count}, CountFor::kCallee, order, entries, capacity);
}
