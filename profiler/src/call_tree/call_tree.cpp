// SPDX-License-Identifier: MIT
//
// Creation of a call tree: one block of memory, laid out once. And what is kept beside the paths: blocks,
// threads, counts.
#include "flamelet/call_tree.h"

#include <algorithm>

#include "call_tree/call_tree_data.h"
#include "platform/engine_memory.h"

using namespace flamelet;

namespace {

constexpr uint32_t kCallTreeCookie = 0x45455254;  // "TREE"
constexpr uint32_t kMaxNodes = 0x7FFFFFFF;        // two edge slots a node must fit 32 bits
constexpr uint32_t kMaxBlocks = 0x40000000;
constexpr size_t kCacheLineBytes = 64;

flamelet_call_tree* lay_out(const flamelet_call_tree_config& config, Carver* carver) {
  flamelet_call_tree size_only{};
  flamelet_call_tree* allocated = carver->take_made<flamelet_call_tree>(1);
  flamelet_call_tree* tree = allocated ? allocated : &size_only;
  tree->limits = config;
  // At most half of the slots hold tree edges and a quarter cached ones. The free quarter keeps probes short,
  // and lets a search for what is not there end.
  tree->edge_slots = 2 * config.max_nodes;
  tree->cached_edges_limit = config.max_nodes / 2;
  // Nodes first, right behind the tree on a cache line, so that none straddles two.
  carver->take_bytes(0, kCacheLineBytes);
  tree->nodes = carver->take_made<CallNode>(config.max_nodes);
  tree->links = carver->take_made<CallLinks>(config.max_nodes);
  tree->jumps = carver->take_made<CallJump>(config.max_jumps);
  tree->blocks = carver->take_made<CallBlock>(size_t{config.max_blocks} + 1);
  tree->threads = carver->take_made<flamelet_call_thread>(config.max_threads);
  tree->edges = carver->take_made<CallEdge>(tree->edge_slots);
  tree->scratch = carver->take_made<uint32_t>(config.max_nodes);
  tree->block_ranks = carver->take_made<uint32_t>(size_t{config.max_blocks} + 1);
  const uint32_t block_slot_count = HashIndex::slots_for(config.max_blocks + 1);  // + 1: the root's
  uint32_t* block_slots = carver->take_made<uint32_t>(block_slot_count);
  if (allocated) tree->block_index.attach(block_slots, block_slot_count);
  tree->memory_bytes = carver->used();
  return allocated;
}

bool is_valid(const flamelet_call_tree_config* config) {
  return config && config->cookie == kCallTreeCookie && config->max_nodes >= 1 && config->max_nodes <= kMaxNodes &&
         config->max_blocks <= kMaxBlocks;
}

}  // namespace

flamelet_call_tree_config flamelet_call_tree_config_default(void) {
  flamelet_call_tree_config config = {};
  config.cookie = kCallTreeCookie;
  config.max_nodes = 16384;
  config.max_blocks = 4096;
  config.max_threads = 64;
  config.max_jumps = 4096;
  return config;
}

size_t flamelet_call_tree_memory_required(const flamelet_call_tree_config* config) {
  if (!is_valid(config)) return 0;
  Carver carver(nullptr);
  lay_out(*config, &carver);
  // Room to move the start to a cache line, so that the caller need not care.
  return carver.is_too_much() ? 0 : carver.used() + kCacheLineBytes - 1;
}

flamelet_result flamelet_call_tree_create(const flamelet_call_tree_config* config, void* memory, size_t memory_bytes,
                                          flamelet_call_tree** tree) {
  const flamelet_result checked = check_memory(flamelet_call_tree_memory_required(config), memory, memory_bytes, tree);
  if (checked != FLAMELET_OK) return checked;

  Carver carver(aligned_start(memory, kCacheLineBytes));
  *tree = lay_out(*config, &carver);

  add_block(*tree, FLAMELET_CALL_ROOT);
  (*tree)->blocks[kRoot].name = "[root]";
  (*tree)->first_free_thread = kNone;
  for (uint32_t i = config->max_threads; i-- > 0;) {
    (*tree)->threads[i].tree = *tree;
    (*tree)->threads[i].nodes = (*tree)->nodes;
    (*tree)->threads[i].next_free = (*tree)->first_free_thread;
    (*tree)->first_free_thread = i;
  }
  flamelet_call_tree_clear(*tree);
  return FLAMELET_OK;
}

void flamelet_call_tree_clear(flamelet_call_tree* tree) {
  if (!tree) return;
  tree->first_free_jump = kNone;
  for (uint32_t i = tree->limits.max_jumps; i-- > 0;) {
    tree->jumps[i].below = tree->first_free_jump;
    tree->first_free_jump = i;
  }
  tree->jumps_used = 0;
  for (uint32_t i = 0; i < tree->limits.max_threads; ++i) {
    tree->threads[i].jump = kNone;
    flamelet_call_thread_unwind(&tree->threads[i]);
  }
  for (uint32_t i = 0; i < tree->edge_slots; ++i) tree->edges[i].to = kNone;
  tree->cached_edges = 0;
  for (uint32_t i = 0; i < tree->blocks_used; ++i) tree->blocks[i].newest_node = kNone;
  tree->nodes[kRoot] = CallNode{FLAMELET_CALL_ROOT, kNone, 0, kRoot, tree->threads_used, 0};
  tree->links[kRoot] = CallLinks{0, kNone, kNone, kNone, kRoot};
  tree->nodes_used = 1;
  tree->nodes_linked = 1;
  tree->charged_no_room = 0;
  tree->charged_no_jump = 0;
  tree->charged_bad_id = 0;
  tree->exits_at_root = 0;
  tree->threads_refused = 0;
  tree->calls_skipped = 0;
  tree->samples_skipped = 0;
}

// ---- Blocks

uint32_t flamelet::find_block(const flamelet_call_tree* tree, uint32_t id) {
  return tree->block_index.find(hash_of_key(id), [&](uint32_t block) { return tree->blocks[block].id == id; });
}

uint32_t flamelet::add_block(flamelet_call_tree* tree, uint32_t id) {
  const uint32_t found = find_block(tree, id);
  if (found != kNone || tree->blocks_used > tree->limits.max_blocks) return found;
  const uint32_t block = tree->blocks_used++;
  tree->block_index.add(hash_of_key(id), block);
  tree->blocks[block] = CallBlock{};
  tree->blocks[block].id = id;
  tree->blocks[block].newest_node = kNone;
  return block;
}

flamelet_result flamelet_call_tree_set_name(flamelet_call_tree* tree, uint32_t id, const char* name) {
  if (!tree) return FLAMELET_OK;
  if (id == FLAMELET_CALL_ROOT) return FLAMELET_ERROR_INVALID_ARGUMENT;
  const uint32_t block = add_block(tree, id);
  if (block == kNone) return FLAMELET_ERROR_LIMIT;
  tree->blocks[block].name = name;
  return FLAMELET_OK;
}

const char* flamelet_call_tree_name(const flamelet_call_tree* tree, uint32_t id) {
  const uint32_t block = tree ? find_block(tree, id) : kNone;
  const char* name = block != kNone ? tree->blocks[block].name : nullptr;
  return name ? name : "(unnamed)";
}

// ---- Threads

flamelet_call_thread* flamelet_call_thread_create(flamelet_call_tree* tree) {
  if (!tree) return nullptr;
  if (tree->first_free_thread == kNone) {
    ++tree->threads_refused;
    return nullptr;
  }
  flamelet_call_thread* thread = &tree->threads[tree->first_free_thread];
  tree->first_free_thread = thread->next_free;
  ++tree->threads_used;
  ++tree->nodes[kRoot].calls;
  thread->alive = true;
  thread->off = tree->off;
  flamelet_call_thread_unwind(thread);
  return thread;
}

void flamelet_call_thread_destroy(flamelet_call_thread* thread) {
  if (!thread || !thread->alive) return;
  flamelet_call_thread_unwind(thread);
  flamelet_call_tree* tree = thread->tree;
  thread->alive = false;
  thread->next_free = tree->first_free_thread;
  tree->first_free_thread = static_cast<uint32_t>(thread - tree->threads);
  --tree->threads_used;
}

void flamelet_call_thread_unwind(flamelet_call_thread* thread) {
  if (!thread) return;
  flamelet_call_tree* tree = thread->tree;
  while (thread->jump != kNone) {
    const uint32_t below = tree->jumps[thread->jump].below;
    tree->jumps[thread->jump].below = tree->first_free_jump;
    tree->first_free_jump = thread->jump;
    --tree->jumps_used;
    thread->jump = below;
  }
  thread->current = kRoot;
  thread->exit_jumps_at = kRoot;
  thread->excess = 0;
}

void flamelet_call_tree_set_enabled(flamelet_call_tree* tree, bool enabled) {
  if (!tree) return;
  tree->off = !enabled;
  for (uint32_t i = 0; i < tree->limits.max_threads; ++i) tree->threads[i].off = !enabled;
}

bool flamelet_call_tree_enabled(const flamelet_call_tree* tree) {
  return tree && !tree->off;
}

// ---- Numbers

void flamelet_call_tree_get_stats(const flamelet_call_tree* tree, flamelet_call_tree_stats* stats) {
  if (!stats) return;
  *stats = flamelet_call_tree_stats{};
  if (!tree) return;
  stats->memory_bytes = tree->memory_bytes;
  stats->nodes_used = tree->nodes_used;
  stats->nodes_limit = tree->limits.max_nodes;
  stats->blocks_used = tree->blocks_used - 1;  // the root's is not counted
  stats->blocks_limit = tree->limits.max_blocks;
  stats->threads_used = tree->threads_used;
  stats->threads_limit = tree->limits.max_threads;
  stats->jumps_used = tree->jumps_used;
  stats->jumps_limit = tree->limits.max_jumps;
  stats->charged_no_room = tree->charged_no_room;
  stats->charged_no_jump = tree->charged_no_jump;
  stats->charged_bad_id = tree->charged_bad_id;
  stats->exits_at_root = tree->exits_at_root;
  stats->threads_refused = tree->threads_refused;
  stats->calls_skipped = tree->calls_skipped;
  stats->samples_skipped = tree->samples_skipped;
}

// The recording calls of a call tree: where a call leads, recursion folded, and how its exit finds back.

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

// The readers of a call tree: paths in order, and totals of sequences of ids. All of them are one walk over the
// nodes that climbs by the parent links, so depth costs no stack.

using namespace flamelet;

namespace {

// Links every node's children by rising id: putting all nodes at the front of their parents' lists, by falling id,
// sorts all lists at once. The blocks have the nodes of each id chained already, so only blocks are sorted.
void relink(flamelet_call_tree* tree) {
  CallBlock* blocks = tree->blocks;
  CallLinks* links = tree->links;
  for (uint32_t i = 0; i < tree->nodes_used; ++i) links[i].first_child = links[i].next_sibling = kNone;
  for (uint32_t i = 0; i < tree->blocks_used; ++i) tree->block_ranks[i] = i;
  std::sort(tree->block_ranks, tree->block_ranks + tree->blocks_used,
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
  std::sort(tree->block_ranks, tree->block_ranks + listed, [&](uint32_t a, uint32_t b) {
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

// Adding one call tree to another.

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
