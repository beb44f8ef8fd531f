// SPDX-License-Identifier: MIT
//
// span_tree.cpp: spans to paths. Spans come parents first, so the path of the span at each depth is all the state that
// is needed; a node's self time is its own time less that of its children, added and taken away as they come.
#include "flamelet/span_tree.h"

#include <string.h>

#include <new>

#include "call_tree/call_tree_data.h"
#include "capture/capture_data.h"
#include "platform/engine_memory.h"

namespace flamelet {
namespace {

constexpr uint32_t kSpanTreeCookie = 0x5350414E;
constexpr uint32_t kLeastSpans = FLAMELET_CURSOR_LEAST;
constexpr uint32_t kMaxEntries = 1u << 24;
constexpr uint32_t kMaxDepth = 1024;  // recorded scopes are less deep; submitted spans below it are charged to it
constexpr size_t kSpanTreeAlignment = 64;

struct ScopeName {
  uint32_t site;
  uint32_t name;
  bool named;
};

// Where updates stand. In ticks, because the rate of the clock is measured better and better in the first seconds, and
// nanoseconds move with it.
struct LaneCursor {
  uint32_t id;
  bool fiber;
  bool known;
  uint64_t ticks;
};

}  // namespace
}  // namespace flamelet

struct flamelet_span_tree {
  flamelet_span_tree_config config;
  size_t memory_bytes;
  flamelet_call_tree* calls;
  void* calls_memory;
  size_t calls_bytes;
  uint32_t capture;  // its serial
  uint32_t session;
  flamelet::ScopeName* scopes;  // id - 1
  flamelet::HashIndex scope_index;
  uint32_t scope_count;
  flamelet::LaneCursor* lanes;  // by the capture's position
  flamelet_span* spans;
  uint64_t windows_cut;
  uint64_t lanes_left_out;
  uint64_t gaps;
  uint64_t calls_of_no_scope;
  uint32_t places[flamelet::kMaxDepth];  // the node of the span at each depth
};

using namespace flamelet;

namespace {

flamelet_call_tree_config calls_config(const flamelet_span_tree_config& config) {
  flamelet_call_tree_config calls = flamelet_call_tree_config_default();
  calls.max_nodes = config.max_nodes;
  calls.max_blocks = config.max_scopes;
  calls.max_threads = 0;
  calls.max_jumps = 0;
  calls.keep_recursion = config.keep_recursion;
  return calls;
}

size_t lay_out(const flamelet_span_tree_config& config, char* base, flamelet_span_tree* to) {
  const flamelet_call_tree_config calls = calls_config(config);
  Carver carver(base);
  carver.take<flamelet_span_tree>(1);
  to->calls_bytes = flamelet_call_tree_memory_required(&calls);
  to->calls_memory = carver.take_bytes(to->calls_bytes, kSpanTreeAlignment);
  to->scopes = carver.take<ScopeName>(config.max_scopes);
  uint32_t* scope_slots = carver.take<uint32_t>(HashIndex::slots_for(config.max_scopes));
  if (base != nullptr) to->scope_index.attach(scope_slots, HashIndex::slots_for(config.max_scopes));
  to->lanes = carver.take<LaneCursor>(config.max_lanes);
  to->spans = carver.take<flamelet_span>(config.max_spans);
  return carver.used();
}

bool is_valid(const flamelet_span_tree_config* config) {
  return config != nullptr && config->cookie == kSpanTreeCookie && config->max_nodes >= 1 &&
         config->max_nodes <= kMaxEntries && config->max_scopes >= 1 && config->max_scopes <= kMaxEntries &&
         config->max_lanes <= kMaxEntries && config->max_spans >= kLeastSpans && config->max_spans <= kMaxEntries &&
         config->late_ns >= 0;
}

// Forgets scopes as well: their ids are those of one run of the recorder.
void start_anew(flamelet_span_tree* tree) {
  const flamelet_call_tree_config calls = calls_config(tree->config);
  flamelet_call_tree_create(&calls, tree->calls_memory, tree->calls_bytes, &tree->calls);
  tree->scope_index.clear();
  tree->scope_count = 0;
  flamelet_span_tree_clear(tree);
}

// 0 if it was not met.
uint32_t find_scope(const flamelet_span_tree* tree, uint32_t site, uint32_t name) {
  static_assert(HashIndex::kNone + 1 == 0);
  return 1 + tree->scope_index.find(hash_of_key(uint64_t{site} << 32 | name), [&](uint32_t scope) {
    return tree->scopes[scope].site == site && tree->scopes[scope].name == name;
  });
}

// 0 if there is no room.
uint32_t scope_id(flamelet_span_tree* tree, uint32_t site, uint32_t name) {
  const uint32_t id = find_scope(tree, site, name);
  if (id != 0 || tree->scope_count == tree->config.max_scopes) return id;
  tree->scope_index.add(hash_of_key(uint64_t{site} << 32 | name), tree->scope_count);
  tree->scopes[tree->scope_count] = {site, name, false};
  return ++tree->scope_count;
}

// Adds one span below `parent`; returns its node.
uint32_t add_span(flamelet_span_tree* tree, uint32_t parent, const flamelet_span& span, uint64_t inside_ns,
                  bool begins) {
  flamelet_call_tree* calls = tree->calls;
  CallNode* nodes = calls->nodes;
  const uint32_t id = scope_id(tree, span.site, span.name);
  uint32_t node = nodes[parent].last_child;
  // The root is no child, so its id, which is no scope's, ends this comparison. See flamelet_call_thread_enter().
  if (id == 0 || nodes[node].id != id || nodes[node].parent != parent) {
    CallDestination destination = {parent, &tree->calls_of_no_scope};
    if (id != 0) destination = resolve_call(calls, parent, id, true);
    node = destination.node;
    if (destination.charged != nullptr && begins) ++*destination.charged;
  }
  nodes[node].calls += begins;
  nodes[node].samples += inside_ns;
  return node;
}

// Names what came since the last time. Names arrive with an update of the capture, perhaps a later one.
void name_scopes(flamelet_span_tree* tree, const flamelet_capture* capture) {
  for (uint32_t i = 0; i < tree->scope_count; ++i) {
    ScopeName& scope = tree->scopes[i];
    if (scope.named || !capture->strings.has(scope.name)) continue;
    scope.named = true;
    flamelet_call_tree_set_name(tree->calls, i + 1, capture->strings.get(scope.name).text);
  }
}

bool is_selected(const flamelet_span_tree* tree, const Lane& lane) {
  return (tree->config.lane_kinds & FLAMELET_LANE_BIT(lane.kind)) != 0 &&
         (tree->config.lane_id == 0 || tree->config.lane_id == lane.id);
}

// Reads one lane's window, in as many pieces as the memory for spans takes.
size_t add_lane(flamelet_span_tree* tree, const flamelet_capture* capture, uint32_t lane, int64_t begin_ns,
                int64_t end_ns) {
  size_t total = 0;
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture, lane, begin_ns, end_ns, tree->spans, tree->config.max_spans);
  while (flamelet_span_cursor_next(&cursor)) {
    flamelet_span_tree_add_spans(tree, cursor.spans, cursor.count, begin_ns, end_ns);
    total += cursor.count - cursor.again;
  }
  tree->windows_cut += cursor.result != FLAMELET_OK;
  return total;
}

// Where a lane's update begins: behind the one before, or with the oldest that the capture holds whole.
LaneCursor* lane_cursor(flamelet_span_tree* tree, const flamelet_capture* capture, uint32_t position) {
  if (position >= tree->config.max_lanes) {
    ++tree->lanes_left_out;
    return nullptr;
  }
  const Lane& lane = capture->lanes[position];
  const uint64_t whole_from =
      capture->oldest_ticks > capture->evicted_ticks ? capture->oldest_ticks : capture->evicted_ticks;
  LaneCursor& cursor = tree->lanes[position];
  const bool fiber = is_fiber(lane);
  if (!cursor.known || cursor.id != lane.id || cursor.fiber != fiber) {
    // A lane that was here before and comes again has only events that are newer than what was evicted with it.
    cursor = {lane.id, fiber, true, whole_from};
  } else if (cursor.ticks < capture->evicted_ticks && lane.now_ticks > capture->evicted_ticks) {
    ++tree->gaps;
    cursor.ticks = capture->evicted_ticks;
  }
  return &cursor;
}

// Up to where a lane's spans are all known. A fiber has no newest event of its own, and the threads that it runs on are
// read one after the other; submitted spans come in any order. Both are given time.
uint64_t known_until(const flamelet_span_tree* tree, const flamelet_capture* capture, const Lane& lane) {
  const bool fiber = is_fiber(lane);
  const uint64_t newest = fiber ? capture->newest_ticks : lane.now_ticks;
  if (!fiber && !lane.submitted) return newest;
  const int64_t newest_ns = capture->converter.to_ns(newest);
  return capture->converter.to_ticks(newest_ns - tree->config.late_ns);
}

}  // namespace

flamelet_span_tree_config flamelet_span_tree_config_default(void) {
  flamelet_span_tree_config config = {};
  config.cookie = kSpanTreeCookie;
  config.max_nodes = 16384;
  config.max_scopes = 4096;
  config.max_lanes = 1024;
  config.max_spans = 16384;
  config.lane_kinds = FLAMELET_LANE_BIT(FLAMELET_LANE_THREAD);
  config.late_ns = 100000000;
  return config;
}

size_t flamelet_span_tree_memory_required(const flamelet_span_tree_config* config) {
  flamelet_span_tree measured;
  // Room to move the start to an alignment, so that the caller need not care.
  return is_valid(config) ? lay_out(*config, nullptr, &measured) + kSpanTreeAlignment - 1 : 0;
}

flamelet_result flamelet_span_tree_create(const flamelet_span_tree_config* config, void* memory, size_t memory_bytes,
                                          flamelet_span_tree** result) {
  const flamelet_result checked =
      check_memory(flamelet_span_tree_memory_required(config), memory, memory_bytes, result);
  if (checked != FLAMELET_OK) return checked;
  char* base = aligned_start(memory, kSpanTreeAlignment);
  flamelet_span_tree* tree = new (base) flamelet_span_tree();
  tree->config = *config;
  tree->memory_bytes = lay_out(*config, base, tree);
  memset(tree->spans, 0, config->max_spans * sizeof(flamelet_span));  // touched, so that no update meets a page fault
  start_anew(tree);
  *result = tree;
  return FLAMELET_OK;
}

void flamelet_span_tree_clear(flamelet_span_tree* tree) {
  if (tree == nullptr) return;
  flamelet_call_tree_clear(tree->calls);
  for (uint32_t i = 0; i < tree->config.max_lanes; ++i) tree->lanes[i] = {};
  tree->windows_cut = tree->lanes_left_out = tree->gaps = tree->calls_of_no_scope = 0;
}

void flamelet_span_tree_select(flamelet_span_tree* tree, uint32_t lane_kinds, uint32_t lane_id, bool keep_recursion) {
  if (tree == nullptr) return;
  tree->config.lane_kinds = lane_kinds;
  tree->config.lane_id = lane_id;
  tree->config.keep_recursion = keep_recursion;
  tree->calls->limits.keep_recursion = keep_recursion;
  flamelet_span_tree_clear(tree);
}

void flamelet_span_tree_add_spans(flamelet_span_tree* tree, const flamelet_span* spans, size_t count, int64_t begin_ns,
                                  int64_t end_ns) {
  if (tree == nullptr || spans == nullptr) return;
  uint32_t depth_known = 0;
  for (size_t i = 0; i < count; ++i) {
    const flamelet_span& span = spans[i];
    if (span.begin_ns >= end_ns) return;  // sorted by begin: so are all that follow
    if (span.begin_ns < begin_ns && span.end_ns <= begin_ns) continue;
    const int64_t from_ns = span.begin_ns > begin_ns ? span.begin_ns : begin_ns;
    const int64_t to_ns = span.end_ns < end_ns ? span.end_ns : end_ns;
    const bool again = (span.flags & FLAMELET_SPAN_AGAIN) != 0;  // it was added already
    const uint64_t inside_ns =
        to_ns > from_ns && !again ? static_cast<uint64_t>(to_ns) - static_cast<uint64_t>(from_ns) : 0;
    const bool begins = !again && span.begin_ns >= begin_ns && (span.flags & FLAMELET_SPAN_RESUMED) == 0;
    const uint32_t depth = span.depth < depth_known ? span.depth : depth_known;
    if (depth == kMaxDepth) {
      tree->calls->nodes[tree->places[kMaxDepth - 1]].calls += begins;
      tree->calls->charged_no_room += begins;
      continue;
    }
    const uint32_t parent = depth == 0 ? kRoot : tree->places[depth - 1];
    tree->places[depth] = add_span(tree, parent, span, inside_ns, begins);
    if (depth != 0) tree->calls->nodes[parent].samples -= inside_ns;  // the root too, where the caller is charged to it
    depth_known = depth + 1;
  }
}

// Begins anew where this is another capture than before, or another session of it.
static void follow(flamelet_span_tree* tree, const flamelet_capture* capture) {
  if (tree->capture == capture->serial && tree->session == capture->session) return;
  start_anew(tree);
  tree->capture = capture->serial;
  tree->session = capture->session;
}

size_t flamelet_span_tree_update(flamelet_span_tree* tree, const flamelet_capture* capture) {
  if (tree == nullptr || capture == nullptr) return 0;
  follow(tree, capture);
  size_t total = 0;
  for (uint32_t position = 0; position < capture->lanes.count(); ++position) {
    const Lane& lane = capture->lanes[position];
    if (!is_selected(tree, lane)) continue;
    LaneCursor* cursor = lane_cursor(tree, capture, position);
    if (cursor == nullptr) continue;
    const int64_t begin_ns = capture->converter.to_ns(cursor->ticks);
    const int64_t end_ns = capture->converter.to_ns(known_until(tree, capture, lane));
    if (end_ns <= begin_ns) continue;
    total += add_lane(tree, capture, position, begin_ns, end_ns);
    cursor->ticks = capture->converter.to_ticks(end_ns);
  }
  name_scopes(tree, capture);
  return total;
}

size_t flamelet_span_tree_add_window(flamelet_span_tree* tree, const flamelet_capture* capture, int64_t begin_ns,
                                     int64_t end_ns) {
  if (tree == nullptr || capture == nullptr) return 0;
  follow(tree, capture);
  size_t total = 0;
  for (uint32_t position = 0; position < capture->lanes.count(); ++position) {
    if (is_selected(tree, capture->lanes[position])) total += add_lane(tree, capture, position, begin_ns, end_ns);
  }
  name_scopes(tree, capture);
  return total;
}

flamelet_call_tree* flamelet_span_tree_calls(flamelet_span_tree* tree) {
  return tree != nullptr ? tree->calls : nullptr;
}

bool flamelet_span_tree_scope(const flamelet_span_tree* tree, uint32_t id, uint32_t* site, uint32_t* name) {
  if (tree == nullptr || id == 0 || id > tree->scope_count) return false;
  if (site != nullptr) *site = tree->scopes[id - 1].site;
  if (name != nullptr) *name = tree->scopes[id - 1].name;
  return true;
}

uint32_t flamelet_span_tree_find(const flamelet_span_tree* tree, uint32_t site, uint32_t name) {
  return tree != nullptr ? find_scope(tree, site, name) : 0;
}

void flamelet_span_tree_get_stats(const flamelet_span_tree* tree, flamelet_span_tree_stats* stats) {
  if (stats == nullptr) return;
  *stats = {};
  if (tree == nullptr) return;
  stats->memory_bytes = tree->memory_bytes;
  stats->scopes_used = tree->scope_count;
  stats->scopes_limit = tree->config.max_scopes;
  stats->windows_cut = tree->windows_cut;
  stats->lanes_left_out = tree->lanes_left_out;
  stats->gaps = tree->gaps;
  stats->calls_of_no_scope = tree->calls_of_no_scope;
}
