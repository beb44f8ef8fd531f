// SPDX-License-Identifier: MIT
//
// What the call tree costs: a call with its sample and its return, by the number of siblings; recursion at depth;
// memory; and the readers. Run with --benchmark_filter=... to pick some. Times are for one operation as named.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "flamelet/call_tree.h"
#include "flamelet/span_tree.h"

namespace {

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};

uint32_t random_below(std::mt19937* random, uint32_t limit) {
  return static_cast<uint32_t>((*random)()) % limit;
}

class Tree {
 public:
  explicit Tree(uint32_t max_nodes) {
    flamelet_call_tree_config config = flamelet_call_tree_config_default();
    config.max_nodes = max_nodes;
    config.max_blocks = max_nodes;
    const size_t bytes = flamelet_call_tree_memory_required(&config);
    memory_.reset(std::malloc(bytes));
    flamelet_call_tree_create(&config, memory_.get(), bytes, &tree_);
    thread_ = flamelet_call_thread_create(tree_);
  }
  flamelet_call_tree* tree() const { return tree_; }
  flamelet_call_thread* thread() const { return thread_; }
  flamelet_call_tree_stats stats() const {
    flamelet_call_tree_stats stats;
    flamelet_call_tree_get_stats(tree_, &stats);
    return stats;
  }

 private:
  std::unique_ptr<void, FreeMemory> memory_;
  flamelet_call_tree* tree_ = nullptr;
  flamelet_call_thread* thread_ = nullptr;
};

// A tree of about `paths` random paths, up to 32 deep, over 200 ids: what a few seconds of a game look like.
void fill(const Tree& tree, uint32_t paths) {
  std::mt19937 random(1);
  while (tree.stats().nodes_used < paths) {
    for (int depth = 0; depth < 32; ++depth) {
      flamelet_call_thread_enter(tree.thread(), 1 + random_below(&random, 200));
      flamelet_call_thread_sample(tree.thread(), random_below(&random, 100));
      if (random_below(&random, 4) == 0) flamelet_call_thread_exit(tree.thread());
    }
    flamelet_call_thread_unwind(tree.thread());
  }
}

}  // namespace

// One call of a random child among N, a sample, and the return.
static void enter_sample_exit(benchmark::State& state) {
  const Tree tree(4096);
  const uint32_t children = static_cast<uint32_t>(state.range(0));
  std::mt19937 random(1);
  std::vector<uint32_t> ids(8192);
  for (uint32_t& id : ids) id = 1000 + random_below(&random, children);
  flamelet_call_thread_enter(tree.thread(), 1);
  size_t next = 0;
  for (auto _ : state) {
    flamelet_call_thread_enter(tree.thread(), ids[next]);
    flamelet_call_thread_sample(tree.thread(), 1);
    flamelet_call_thread_exit(tree.thread());
    next = (next + 1) % ids.size();
  }
}
BENCHMARK(enter_sample_exit)->Arg(1)->Arg(16)->Arg(256)->Arg(1024);

// The same for a chain of eight calls, one in the other; the time is for all eight.
static void nested_8(benchmark::State& state) {
  const Tree tree(4096);
  for (auto _ : state) {
    for (uint32_t id = 1; id <= 8; ++id) {
      flamelet_call_thread_enter(tree.thread(), id);
      flamelet_call_thread_sample(tree.thread(), 1);
    }
    for (uint32_t id = 1; id <= 8; ++id) flamelet_call_thread_exit(tree.thread());
  }
}
BENCHMARK(nested_8);

// Recursion through `period` functions in turn, 5 million calls deep, and all the way back. The time is for one
// call with its return; `jumps` is all that the stack of open frames took.
static void recursion_5_million_deep(benchmark::State& state) {
  const Tree tree(4096);
  const uint32_t period = static_cast<uint32_t>(state.range(0));
  constexpr uint32_t kDepth = 5000000;
  uint32_t jumps = 0;
  for (auto _ : state) {
    uint32_t id = 0;
    for (uint32_t i = 0; i < kDepth; ++i) {
      flamelet_call_thread_enter(tree.thread(), 1 + id);
      flamelet_call_thread_sample(tree.thread(), 1);
      id = id + 1 == period ? 0 : id + 1;
    }
    jumps = tree.stats().jumps_used;
    for (uint32_t i = 0; i < kDepth; ++i) flamelet_call_thread_exit(tree.thread());
  }
  state.counters["jumps"] = jumps;
  state.counters["nodes"] = tree.stats().nodes_used;
  state.counters["per_call"] =
      benchmark::Counter(kDepth, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(recursion_5_million_deep)->Arg(1)->Arg(2)->Arg(100)->Unit(benchmark::kMillisecond);

// A loop of tail calls, as an interpreter makes them.
static void tail_call(benchmark::State& state) {
  const Tree tree(4096);
  flamelet_call_thread_enter(tree.thread(), 1);
  uint32_t id = 0;
  for (auto _ : state) {
    flamelet_call_thread_tail_call(tree.thread(), 2 + id);
    flamelet_call_thread_sample(tree.thread(), 1);
    id ^= 1;
  }
}
BENCHMARK(tail_call);

// The first descent of a deep path in which ids come again but nothing repeats: the worst that a new path can
// cost. The time is for a whole descent; `per_node` is for one new node.
static void first_descent(benchmark::State& state) {
  const uint32_t depth = static_cast<uint32_t>(state.range(0));
  const Tree tree(depth + 1);
  std::mt19937 random(1);
  std::vector<uint32_t> ids(depth);
  for (uint32_t& id : ids) id = 1 + random_below(&random, 16);
  uint32_t nodes = 0;
  for (auto _ : state) {
    flamelet_call_tree_clear(tree.tree());
    for (const uint32_t id : ids) flamelet_call_thread_enter(tree.thread(), id);
    nodes = tree.stats().nodes_used;
  }
  state.counters["nodes"] = nodes;
  state.counters["per_node"] =
      benchmark::Counter(nodes, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(first_descent)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);

// Creation, which touches all memory. bytes_per_node is for this config, and blocks take a part of it.
static void create(benchmark::State& state) {
  flamelet_call_tree_config config = flamelet_call_tree_config_default();
  config.max_nodes = static_cast<uint32_t>(state.range(0));
  config.max_blocks = 0;
  config.max_threads = 0;
  config.max_jumps = 0;
  const size_t bytes = flamelet_call_tree_memory_required(&config);
  const std::unique_ptr<void, FreeMemory> memory(std::malloc(bytes));
  for (auto _ : state) {
    flamelet_call_tree* tree;
    benchmark::DoNotOptimize(flamelet_call_tree_create(&config, memory.get(), bytes, &tree));
  }
  state.counters["bytes_per_node"] = static_cast<double>(bytes) / config.max_nodes;
}
BENCHMARK(create)->Arg(16384)->Arg(1000000)->Unit(benchmark::kMicrosecond);

static void query_all_paths(benchmark::State& state) {
  const Tree tree(1u << 18);
  fill(tree, static_cast<uint32_t>(state.range(0)));
  for (auto _ : state) {
    uint64_t samples = 0;
    flamelet_call_tree_query(
        tree.tree(), 0,
        [](void* user, const flamelet_call_path* path) {
          *static_cast<uint64_t*>(user) += path->self_samples;
          return true;
        },
        &samples);
    benchmark::DoNotOptimize(samples);
  }
  state.counters["nodes"] = tree.stats().nodes_used;
}
BENCHMARK(query_all_paths)->Arg(1000)->Arg(100000)->Unit(benchmark::kMicrosecond);

static void list_blocks(benchmark::State& state) {
  const Tree tree(1u << 18);
  fill(tree, static_cast<uint32_t>(state.range(0)));
  std::vector<flamelet_call_totals> entries(200);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        flamelet_call_tree_blocks(tree.tree(), FLAMELET_CALL_ORDER_OVERALL, entries.data(), entries.size()));
  }
  state.counters["nodes"] = tree.stats().nodes_used;
}
BENCHMARK(list_blocks)->Arg(1000)->Arg(100000)->Unit(benchmark::kMicrosecond);

static void merge(benchmark::State& state) {
  const Tree tree(1u << 18);
  const Tree source(1u << 18);
  fill(source, static_cast<uint32_t>(state.range(0)));
  for (auto _ : state) flamelet_call_tree_merge(tree.tree(), source.tree());
  state.counters["nodes"] = source.stats().nodes_used;
}
BENCHMARK(merge)->Arg(1000)->Arg(100000)->Unit(benchmark::kMicrosecond);

// Spans of a capture to paths: frames of 1000 scopes under one, eight deep, 200 scopes in all.
static void feed_spans(benchmark::State& state) {
  const bool keep_recursion = state.range(0) != 0;
  std::mt19937 random(1);
  std::vector<flamelet_span> spans;
  std::vector<uint32_t> open;
  int64_t now_ns = 0;
  while (spans.size() < 16384) {
    now_ns += 10;
    const bool ends = open.size() == 8 || (open.size() > 1 && random_below(&random, 2) == 0);
    if (ends) {
      spans[open.back()].end_ns = now_ns;
      open.pop_back();
      continue;
    }
    flamelet_span span = {};
    span.begin_ns = now_ns;
    span.end_ns = INT64_MAX;
    // What a scope calls is its own few callees, as code has it.
    span.site = open.empty() ? 0 : 1 + (spans[open.back()].site * 5 + random_below(&random, 5)) % 199;
    span.name = span.site;
    span.depth = static_cast<uint16_t>(open.size());
    open.push_back(static_cast<uint32_t>(spans.size()));
    spans.push_back(span);
  }
  flamelet_span_tree_config config = flamelet_span_tree_config_default();
  config.keep_recursion = keep_recursion;
  const size_t bytes = flamelet_span_tree_memory_required(&config);
  const std::unique_ptr<void, FreeMemory> memory(std::malloc(bytes));
  flamelet_span_tree* tree;
  flamelet_span_tree_create(&config, memory.get(), bytes, &tree);
  for (auto _ : state) flamelet_span_tree_add_spans(tree, spans.data(), spans.size(), 0, now_ns);
  flamelet_call_tree_stats stats;
  flamelet_call_tree_get_stats(flamelet_span_tree_calls(tree), &stats);
  state.counters["nodes"] = stats.nodes_used;
  state.counters["spans_per_second"] =
      benchmark::Counter(static_cast<double>(spans.size()), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(feed_spans)->ArgName("keep_recursion")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

BENCHMARK_MAIN();
