// SPDX-License-Identifier: MIT
//
// What reading costs: copying new pages into a capture, and decoding them into spans. Times are for one operation as
// named; items are events. Update_copy is the floor of Update: the same pages by memcpy.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "flamelet/capture.h"
#include "flamelet/flamelet.h"

namespace {

constexpr size_t kRingBytes = size_t{16} << 20;

// A recorder with 16 MiB of pages beside its tables, while it lives.
class Recording {
 public:
  Recording() {
    flamelet_config config = flamelet_config_default();
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

}  // namespace

BENCHMARK_MAIN();
