// SPDX-License-Identifier: MIT
//
// What an explanation costs, with frames of `range` scopes and a baseline of 240 of them, and what the live baseline costs
// beside the update of the capture that it reads.
#include "flamelet/explain.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "big_capture.h"
#include "flamelet/flamelet.h"

namespace {

constexpr int64_t kFrames = 241;

// A main thread with half of the scopes, in groups of ten, that waits for a worker with the other half.
class Frames {
 public:
  explicit Frames(int64_t scopes) {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.budget_bytes = size_t{1} << 30;
    if (flamelet_capture_builder_create(&config, &builder_) != FLAMELET_OK) std::abort();
    main_ = flamelet_capture_builder_lane(builder_, FLAMELET_LANE_THREAD, string("Main"));
    worker_ = flamelet_capture_builder_lane(builder_, FLAMELET_LANE_THREAD, string("Worker"));
    for (uint32_t i = 0; i < kSites; ++i) {
      const char name[] = {'s', static_cast<char>('a' + i % 26), static_cast<char>('a' + i / 26), 0};
      sites_[i] = flamelet_capture_builder_site(builder_, string(name), 0, 0, 0, 0, 0);
    }
    const uint32_t wait =
        flamelet_capture_builder_site(builder_, string("Wait"), string(FLAMELET_WAIT_CATEGORY), 0, 0, 0, 0);
    for (uint64_t frame = 0; frame < kFrames; ++frame) {
      const int64_t begin_ns = now_ns_;
      for (int64_t i = 0; i < scopes / 20; ++i) group(main_);
      flamelet_capture_builder_begin(builder_, main_, now_ns_, wait, 0, 0);
      for (int64_t i = 0; i < scopes / 20; ++i) group(worker_);
      flamelet_capture_builder_flow(builder_, worker_, now_ns_, frame, false);
      flamelet_capture_builder_flow(builder_, main_, now_ns_ + 1, frame, true);
      flamelet_capture_builder_end(builder_, main_, now_ns_ += 2);
      flamelet_capture_builder_frame(builder_, frame, begin_ns, now_ns_, 0);
    }
    flamelet_capture_builder_finish(builder_, &capture_);
  }
  ~Frames() { flamelet_capture_destroy(capture_); }
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;
  const flamelet_capture* get() const { return capture_; }

 private:
  static constexpr uint32_t kSites = 200;

  uint32_t string(const char* text) { return flamelet_capture_builder_string(builder_, text, std::strlen(text)); }
  void begin(uint32_t lane) {
    flamelet_capture_builder_begin(builder_, lane, now_ns_ += 100, sites_[next_], 0, 0);
    next_ = (next_ + 1) % kSites;
  }
  void end(uint32_t lane) { flamelet_capture_builder_end(builder_, lane, now_ns_ += 100); }
  void group(uint32_t lane) {
    ten_scopes([&] { begin(lane); }, [&] { end(lane); });
  }

  flamelet_capture_builder* builder_ = nullptr;
  flamelet_capture* capture_ = nullptr;
  uint32_t main_ = 0, worker_ = 0, sites_[kSites] = {}, next_ = 0;
  int64_t now_ns_ = 0;
};

class Explainer {
 public:
  Explainer() {
    const flamelet_explain_config config = flamelet_explain_config_default();
    memory_.resize(flamelet_explain_memory_required(&config));
    if (flamelet_explain_create(&config, memory_.data(), memory_.size(), &explain_) != FLAMELET_OK) std::abort();
  }
  flamelet_explain* get() const { return explain_; }

 private:
  std::vector<char> memory_;
  flamelet_explain* explain_ = nullptr;
};

// The baseline is known.
void Explain_frame(benchmark::State& state) {
  const Frames frames(state.range(0));
  const Explainer explain;
  flamelet_explanation why;
  flamelet_explain_frame(explain.get(), frames.get(), kFrames - 1, &why);  // reads it
  for (auto _ : state) {
    flamelet_explain_frame(explain.get(), frames.get(), kFrames - 1, &why);
    benchmark::DoNotOptimize(why);
  }
  if (why.baseline_frames != kFrames - 1 || (why.flags & FLAMELET_EXPLAIN_OVER_LIMITS) != 0) std::abort();
}
BENCHMARK(Explain_frame)->Arg(1000)->Arg(20000)->Unit(benchmark::kMillisecond);

// All of its 240 frames are read.
void Explain_frame_anew(benchmark::State& state) {
  const Frames frames(state.range(0));
  const Explainer explain;
  flamelet_explanation why;
  for (auto _ : state) {
    flamelet_explain_clear(explain.get());
    flamelet_explain_frame(explain.get(), frames.get(), kFrames - 1, &why);
    benchmark::DoNotOptimize(why);
  }
}
BENCHMARK(Explain_frame_anew)->Arg(1000)->Arg(20000)->Unit(benchmark::kMillisecond);

// A live frame: its capture's update, and what the baseline takes after it.
void Live_frame(benchmark::State& state) {
  const flamelet_config config = flamelet_config_default();
  if (flamelet_init(&config) != FLAMELET_OK) std::abort();
  const flamelet_capture_config capture_config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  if (flamelet_capture_create(&capture_config, &capture) != FLAMELET_OK) std::abort();
  const Explainer explain;
  const bool baseline = state.range(1) != 0;
  const auto record = [&] {
    for (int64_t i = 0; i < state.range(0); i += 10) {
      FLAMELET_SCOPE("outer");
      for (int inner = 0; inner < 9; ++inner) {
        FLAMELET_SCOPE("inner");
        benchmark::DoNotOptimize(inner);
      }
    }
    flamelet_frame();
  };
  for (int i = 0; i < 20; ++i) {
    record();
    flamelet_capture_update(capture);
    if (baseline) flamelet_explain_update(explain.get(), capture);
  }
  for (auto _ : state) {
    state.PauseTiming();
    record();
    if (baseline) flamelet_capture_update(capture);
    state.ResumeTiming();
    if (baseline)
      flamelet_explain_update(explain.get(), capture);
    else
      flamelet_capture_update(capture);
  }
  flamelet_capture_destroy(capture);
  flamelet_shutdown();
}
// As many as the baseline reads a good dozen of.
BENCHMARK(Live_frame)
    ->ArgNames({"scopes", "baseline"})
    ->Args({20000, 0})
    ->Args({20000, 1})
    ->Iterations(4000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
