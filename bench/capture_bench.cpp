// SPDX-License-Identifier: MIT
//
// What reading costs: copying new pages into a capture, decoding them into spans, and adding these up. Times are for one operation as
// named; items are events. Update_copy is the floor of Update: the same pages by memcpy.
#include <benchmark/benchmark.h>

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "flamelet/capture.h"
#include "flamelet/flamelet.h"
#include "flamelet/statistics.h"

namespace {

constexpr size_t kRingBytes = size_t{16} << 20;

// A recorder with 16 MiB of pages beside its tables, while it lives.
class Recording {
 public:
  explicit Recording(bool with_states = false) {
    flamelet_config config = flamelet_config_default();
    config.thread_states = with_states;
    config.budget_bytes = flamelet_memory_required(&config) + kRingBytes;
    if (flamelet_init(&config) != FLAMELET_OK) std::abort();
  }
  ~Recording() { flamelet_shutdown(); }
};

class Capture {
 public:
  Capture() {
    flamelet_capture_config config = flamelet_capture_config_default();
    if (flamelet_capture_create(&config, &capture_) != FLAMELET_OK) std::abort();
  }
  ~Capture() { flamelet_capture_destroy(capture_); }
  flamelet_capture* get() const { return capture_; }
  uint64_t events_read() const {
    flamelet_capture_stats stats;
    flamelet_capture_get_stats(capture_, &stats);
    return stats.events_read;
  }

 private:
  flamelet_capture* capture_ = nullptr;
};

void leaf() {
  FLAMELET_SCOPE("leaf");
}
void branch(int depth) {
  FLAMELET_SCOPE("branch");
  for (int i = 0; i < 3; ++i) depth == 0 ? leaf() : branch(depth - 1);
}
// 121 scopes, five deep.
constexpr size_t kTreeScopes = 121;
void record_scopes(size_t count) {
  for (size_t i = 0; i < count; i += kTreeScopes) branch(3);
}
// A little less than the ring holds, at 16 bytes a scope.
constexpr size_t kRingScopes = kRingBytes / 16 / 100 * 95;

void Update_16MiB(benchmark::State& state) {
  Recording recording;
  Capture capture;
  flamelet_capture_update(capture.get());
  const uint64_t before = capture.events_read();
  for (auto _ : state) {
    state.PauseTiming();
    record_scopes(kRingScopes);
    state.ResumeTiming();
    flamelet_capture_update(capture.get());
  }
  state.SetItemsProcessed(static_cast<int64_t>(capture.events_read() - before));
}
BENCHMARK(Update_16MiB)->Unit(benchmark::kMillisecond);

void Update_copy_16MiB(benchmark::State& state) {
  std::vector<char> from(kRingBytes / 100 * 95, 1), to(size_t{56} << 20, 1);
  size_t at = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::memset(from.data(), 2, from.size());
    state.ResumeTiming();
    std::memcpy(to.data() + at, from.data(), from.size());
    benchmark::ClobberMemory();
    at = (at + from.size()) % (to.size() - from.size());
  }
}
BENCHMARK(Update_copy_16MiB)->Unit(benchmark::kMillisecond);

// One frame's news: `range` scopes and a frame mark.
void Update_frame(benchmark::State& state) {
  Recording recording;
  Capture capture;
  record_scopes(kRingScopes);
  flamelet_capture_update(capture.get());
  for (auto _ : state) {
    state.PauseTiming();
    record_scopes(static_cast<size_t>(state.range(0)));
    flamelet_frame();
    state.ResumeTiming();
    flamelet_capture_update(capture.get());
  }
}
BENCHMARK(Update_frame)->Arg(0)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);

// The whole recording: 16 MiB of events.
void Read_all(benchmark::State& state) {
  Recording recording;
  Capture capture;
  record_scopes(kRingScopes);
  flamelet_capture_update(capture.get());
  std::vector<flamelet_span> spans(state.range(0) != 0 ? kRingScopes + 1000 : 0);
  size_t count = 0;
  for (auto _ : state)
    flamelet_capture_read_spans(capture.get(), 0, INT64_MIN, INT64_MAX, spans.data(), spans.size(), &count);
  state.SetItemsProcessed(static_cast<int64_t>(2 * count) * static_cast<int64_t>(state.iterations()));
}
BENCHMARK(Read_all)->ArgName("write")->Arg(1)->Arg(0)->Unit(benchmark::kMillisecond);

// Windows somewhere in the recording that hold about `range` scopes.
void Read_window(benchmark::State& state) {
  Recording recording;
  Capture capture;
  record_scopes(kRingScopes);
  flamelet_capture_update(capture.get());
  int64_t begin_ns, end_ns;
  flamelet_capture_extent(capture.get(), &begin_ns, &end_ns);
  const int64_t size_ns = (end_ns - begin_ns) * state.range(0) / static_cast<int64_t>(kRingScopes);
  std::vector<flamelet_span> spans(static_cast<size_t>(state.range(0)) * 2 + 1000);
  uint64_t random = 1;
  int64_t count = 0;
  for (auto _ : state) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const int64_t at = begin_ns + static_cast<int64_t>(random >> 20) % (end_ns - begin_ns - size_ns);
    size_t found = 0;
    flamelet_capture_read_spans(capture.get(), 0, at, at + size_ns, spans.data(), spans.size(), &found);
    count += static_cast<int64_t>(found);
  }
  state.SetItemsProcessed(2 * count);
}
BENCHMARK(Read_window)->Arg(1)->Arg(1000)->Arg(50000)->Unit(benchmark::kMicrosecond);

// Two threads that wake each other in turn: CPU time of the process for each turn, without and with their states recorded.
class TurnTakers {
 public:
  TurnTakers() : other_([this] { run(1); }) {}
  ~TurnTakers() {
    give_turn(2);
    other_.join();
  }
  void take_turns(int count) {
    for (int i = 0; i < count; ++i) {
      give_turn(1);
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return turn_ == 0; });
    }
  }

 private:
  void give_turn(int turn) {
    const std::lock_guard<std::mutex> lock(mutex_);
    turn_ = turn;
    changed_.notify_one();
  }
  void run(int own) {
    { FLAMELET_SCOPE("Turns"); }
    for (std::unique_lock<std::mutex> lock(mutex_);;) {
      changed_.wait(lock, [&] { return turn_ >= own; });
      if (turn_ > own) return;
      turn_ = 0;
      changed_.notify_one();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  int turn_ = 0;
  std::thread other_;
};

bool records_states(benchmark::State& state) {
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  if (stats.thread_states == FLAMELET_THREAD_STATES_RECORDED) return true;
  state.SkipWithError(flamelet_thread_states_message(stats.thread_states));
  return false;
}

void Thread_switch(benchmark::State& state) {
  Recording recording(state.range(0) != 0);
  TurnTakers threads;
  double cpu_seconds = 0, turns = 0, switches = 0;
  for (auto _ : state) {
    const std::clock_t begin = std::clock();
    threads.take_turns(1000);
    cpu_seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    turns += 1000;
    state.PauseTiming();
    switches += static_cast<double>(flamelet_drain_switches()) / 2;  // off and on
    state.ResumeTiming();
  }
  state.counters["cpu_ns_per_turn"] = cpu_seconds / turns * 1e9;
  state.counters["switches_per_turn"] = switches / turns;
}
BENCHMARK(Thread_switch)->ArgName("states")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->Iterations(50);

void Drain_switches(benchmark::State& state) {
  Recording recording(true);
  if (!records_states(state)) return;
  TurnTakers threads;
  int64_t count = 0;
  for (auto _ : state) {
    state.PauseTiming();
    flamelet_drain_switches();
    threads.take_turns(static_cast<int>(state.range(0)));
    state.ResumeTiming();
    count += static_cast<int64_t>(flamelet_drain_switches());
  }
  state.SetItemsProcessed(count);
  state.counters["drained"] = static_cast<double>(count) / static_cast<double>(state.iterations());
}
BENCHMARK(Drain_switches)->Arg(0)->Arg(1000)->Unit(benchmark::kMicrosecond)->Iterations(100);

// The states of two threads that were switched some 10,000 times together: 0 without who ran instead of them, 1 with it; 2 who
// ran on the processors.
void Read_states(benchmark::State& state) {
  Recording recording(true);
  if (!records_states(state)) return;
  { FLAMELET_SCOPE("Main"); }
  Capture capture;
  TurnTakers threads;
  for (int i = 0; i < 5; ++i) {
    threads.take_turns(500);
    flamelet_frame();
  }
  flamelet_capture_update(capture.get());
  std::vector<flamelet_state> states(4096);
  std::vector<flamelet_processor_run> runs(4096);
  int64_t count = 0;
  for (auto _ : state) {
    flamelet_processor_cursor processors;
    flamelet_processor_cursor_start(&processors, capture.get(), INT64_MIN, INT64_MAX, runs.data(), runs.size());
    while (state.range(0) == 2 && flamelet_processor_cursor_next(&processors))
      count += static_cast<int64_t>(processors.count);
    for (size_t lane = 0; state.range(0) != 2 && lane < flamelet_capture_lane_count(capture.get()); ++lane) {
      flamelet_state_cursor cursor;
      flamelet_state_cursor_start(&cursor, capture.get(), lane, INT64_MIN, INT64_MAX, states.data(), states.size());
      cursor.without_owners = state.range(0) == 0;
      while (flamelet_state_cursor_next(&cursor)) count += static_cast<int64_t>(cursor.count);
    }
  }
  state.SetItemsProcessed(count);
  state.counters["states"] = static_cast<double>(count) / static_cast<double>(state.iterations());
}
BENCHMARK(Read_states)->ArgName("what")->Arg(0)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

// ---- a statistics table: adding spans, the rows with their exact percentiles, and sorting
//
// Scopes are as uneven as in a game: a few are most of the spans. Items are spans, or rows.

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

struct StatisticsTable {
  explicit StatisticsTable(size_t spans) : memory(flamelet_statistics_memory_required(kScopes, spans)) {
    if (flamelet_statistics_create(kScopes, memory.data(), memory.size(), &statistics) != FLAMELET_OK) std::abort();
  }
  std::vector<char> memory;
  flamelet_statistics* statistics = nullptr;
};

void Statistics_add(benchmark::State& state) {
  const std::vector<flamelet_span> spans = uneven_spans(static_cast<size_t>(state.range(0)));
  const StatisticsTable table(spans.size());
  for (auto _ : state) {
    flamelet_statistics_clear(table.statistics);
    flamelet_statistics_add(table.statistics, spans.data(), spans.size());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void Statistics_add_and_finish(benchmark::State& state) {
  const std::vector<flamelet_span> spans = uneven_spans(static_cast<size_t>(state.range(0)));
  const StatisticsTable table(spans.size());
  for (auto _ : state) {
    flamelet_statistics_clear(table.statistics);
    flamelet_statistics_add(table.statistics, spans.data(), spans.size());
    benchmark::DoNotOptimize(flamelet_statistics_finish(table.statistics));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void Statistics_sort(benchmark::State& state) {
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
BENCHMARK(Statistics_add)->Arg(10000)->Arg(50000)->Arg(200000)->Unit(benchmark::kMicrosecond);
BENCHMARK(Statistics_add_and_finish)->Arg(10000)->Arg(50000)->Arg(200000)->Unit(benchmark::kMicrosecond);
BENCHMARK(Statistics_sort)->Arg(200)->Arg(2000)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
