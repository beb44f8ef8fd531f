// SPDX-License-Identifier: MIT
//
// What a statistics table costs: adding spans, the rows with their exact percentiles, and sorting. Scopes are as uneven
// as in a game: a few are most of the spans. Times are for the whole operation; items are spans, or rows.
#include "flamelet/statistics.h"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

namespace {

constexpr uint32_t kScopes = 300;

std::vector<flamelet_span> uneven_spans(size_t count) {
  std::mt19937 random(1);
  std::vector<flamelet_span> spans(count);
  for (size_t i = 0; i < count; ++i) {
    flamelet_span& span = spans[i];
    const double u = static_cast<double>(random()) / 4294967296.0;
    span.site = span.name = static_cast<uint32_t>(u * u * u * kScopes);
    span.begin_ns = static_cast<int64_t>(i) * 1000;
    span.end_ns = span.begin_ns + 100 + static_cast<int64_t>(random() % 20000);
    span.subtree_end = static_cast<uint32_t>(i + 1);
  }
  return spans;
}

struct Table {
  explicit Table(size_t spans) : memory(flamelet_statistics_memory_required(kScopes, spans)) {
    if (flamelet_statistics_create(kScopes, memory.data(), memory.size(), &statistics) != FLAMELET_OK) std::abort();
  }
  std::vector<char> memory;
  flamelet_statistics* statistics = nullptr;
};

void add(benchmark::State& state) {
  const std::vector<flamelet_span> spans = uneven_spans(static_cast<size_t>(state.range(0)));
  const Table table(spans.size());
  for (auto _ : state) {
    flamelet_statistics_clear(table.statistics);
    flamelet_statistics_add(table.statistics, spans.data(), spans.size());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void add_and_finish(benchmark::State& state) {
  const std::vector<flamelet_span> spans = uneven_spans(static_cast<size_t>(state.range(0)));
  const Table table(spans.size());
  for (auto _ : state) {
    flamelet_statistics_clear(table.statistics);
    flamelet_statistics_add(table.statistics, spans.data(), spans.size());
    benchmark::DoNotOptimize(flamelet_statistics_finish(table.statistics));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void sort(benchmark::State& state) {
  std::mt19937 random(1);
  std::vector<flamelet_scope_statistics> rows(static_cast<size_t>(state.range(0)));
  for (flamelet_scope_statistics& row : rows) row.total_ns = static_cast<int64_t>(random());
  std::vector<uint32_t> order(rows.size());
  for (auto _ : state) {
    flamelet_statistics_sort(rows.data(), rows.size(), FLAMELET_COLUMN_TOTAL, true, nullptr, order.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

}  // namespace

BENCHMARK(add)->Arg(10000)->Arg(50000)->Arg(200000)->Unit(benchmark::kMicrosecond);
BENCHMARK(add_and_finish)->Arg(10000)->Arg(50000)->Arg(200000)->Unit(benchmark::kMicrosecond);
BENCHMARK(sort)->Arg(200)->Arg(2000)->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
