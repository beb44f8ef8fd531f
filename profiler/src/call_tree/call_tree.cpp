// SPDX-License-Identifier: MIT
//
// Creation of a call tree: one block of memory, laid out once. And what is kept beside the paths: blocks,
// threads, counts.
#include "flamelet/call_tree.h"

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
  if (!tree) return FLAMELET_ERROR_INVALID_ARGUMENT;
  *tree = nullptr;
  const size_t required_bytes = flamelet_call_tree_memory_required(config);
  if (required_bytes == 0 || !memory) return FLAMELET_ERROR_INVALID_ARGUMENT;
  if (memory_bytes < required_bytes) return FLAMELET_ERROR_BUDGET_TOO_SMALL;

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
