// SPDX-License-Identifier: MIT
#include "ratio.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <random>
#include <thread>

#include "measure.h"

namespace flamelet_bench {
namespace {

using Frame = void (*)(uint32_t);

constexpr int kWarmUpFrames = 2;
constexpr int kFrames = 10;

// Nanoseconds per scope of each frame.
std::vector<double> run_frames(Frame frame, void (*before_frame)()) {
  std::vector<double> samples;
  samples.reserve(kFrames);
  for (int i = 0; i < kWarmUpFrames + kFrames; ++i) {
    if (before_frame != nullptr) before_frame();
    const uint64_t begin = now_ticks();
    frame(kScopesPerFrame);
    const uint64_t end = now_ticks();
    if (i >= kWarmUpFrames) samples.push_back(static_cast<double>(end - begin) * ns_per_tick() / kScopesPerFrame);
  }
  return samples;
}

// A second thread on a CPU of its own, that runs the same frames at the same time when asked to. It sleeps otherwise.
class Partner {
 public:
  explicit Partner(uint32_t cpu) : thread_([this, cpu] { loop(cpu); }) {}
  ~Partner() {
    wake(nullptr);
    thread_.join();
  }
  // Both threads' samples.
  std::vector<double> run(Frame frame) {
    running_.store(false, std::memory_order_relaxed);
    wake(frame);
    while (!running_.load(std::memory_order_relaxed)) {
    }  // both begin when both are there
    std::vector<double> samples = run_frames(frame, nullptr);
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !asked_; });
    samples.insert(samples.end(), samples_.begin(), samples_.end());
    return samples;
  }

 private:
  void wake(Frame frame) {
    const std::lock_guard<std::mutex> lock(mutex_);
    frame_ = frame;
    asked_ = true;
    changed_.notify_all();
  }
  void loop(uint32_t cpu) {
    pin_thread(cpu);
    open_limit_ring();
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return asked_; });
      if (frame_ == nullptr) break;
      running_.store(true, std::memory_order_relaxed);
      samples_ = run_frames(frame_, nullptr);
      asked_ = false;
      changed_.notify_all();
    }
    close_limit_ring();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Frame frame_ = nullptr;
  bool asked_ = false;
  std::atomic<bool> running_{false};
  std::vector<double> samples_;
  std::thread thread_;  // the last member: it uses the others
};

class Bench {
 public:
  explicit Bench(const std::vector<Row>& rows) : rows_(rows), rounds_(rows.size()), partner_(usable_cpus().front()) {
    open_limit_ring();
  }
  ~Bench() { close_limit_ring(); }

  // Every contender and every limit records what it should.
  bool check() {
    for (const Row& row : rows_) {
      run(row, row.frame);  // registers sites and threads
      const uint64_t before = row.events != nullptr ? row.events() : 0;
      run(row, row.frame);
      const uint64_t recorded = (row.events != nullptr ? row.events() : 0) - before;
      const uint64_t expected = uint64_t{row.events_per_frame} * (kWarmUpFrames + kFrames);
      if (recorded != expected) {
        std::fprintf(stderr, "%s: %llu events recorded instead of %llu\n", row.name,
                     static_cast<unsigned long long>(recorded), static_cast<unsigned long long>(expected));
        return false;
      }
      const uint64_t begin_ticks = now_ticks();
      row.limit(kScopesPerFrame);
      if (!limit_recorded(begin_ticks)) {
        std::fprintf(stderr, "%s: the limit's ring does not hold what was stored\n", row.name);
        return false;
      }
    }
    return true;
  }

  void round() {
    std::vector<size_t> order(rows_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    for (const size_t i : order) {
      const Row& row = rows_[i];
      std::vector<double> contender, limit;
      const bool limit_first = (random_() & 1) != 0;
      if (limit_first) limit = run(row, row.limit);
      contender = run(row, row.frame);
      if (!limit_first) limit = run(row, row.limit);
      Samples& samples = rounds_[i];
      samples.contender.insert(samples.contender.end(), contender.begin(), contender.end());
      samples.limit.insert(samples.limit.end(), limit.begin(), limit.end());
      samples.ratios.push_back(percentile(&contender, 0.5) / percentile(&limit, 0.5));
    }
  }

  RowResult result(size_t i) {
    Samples& samples = rounds_[i];
    RowResult result = {};
    result.row = rows_[i];
    result.p50_ns = percentile(&samples.contender, 0.5);
    result.mean_ns = mean(samples.contender);
    result.p99_ns = percentile(&samples.contender, 0.99);
    result.limit_p50_ns = percentile(&samples.limit, 0.5);
    result.limit_mean_ns = mean(samples.limit);
    result.limit_p99_ns = percentile(&samples.limit, 0.99);
    result.ratio = percentile(&samples.ratios, 0.5);
    result.ratio_low = percentile(&samples.ratios, 0.25);
    result.ratio_high = percentile(&samples.ratios, 0.75);
    return result;
  }

 private:
  struct Samples {
    std::vector<double> contender, limit, ratios;
  };

  std::vector<double> run(const Row& row, Frame frame) {
    if (row.set_enabled != nullptr) row.set_enabled(false);
    std::vector<double> samples = row.threads == 2 ? partner_.run(frame) : run_frames(frame, row.before_frame);
    if (row.set_enabled != nullptr) row.set_enabled(true);
    return samples;
  }

  const std::vector<Row>& rows_;
  std::vector<Samples> rounds_;
  std::mt19937 random_{1};
  Partner partner_;
};

}  // namespace

std::vector<RowResult> measure_rows(const std::vector<Row>& rows, uint32_t rounds) {
  Bench bench(rows);
  pin_thread(usable_cpus().back());
  calibrate_work();
  std::vector<RowResult> results;
  if (!bench.check()) return results;
  for (uint32_t i = 0; i < rounds; ++i) bench.round();
  for (size_t i = 0; i < rows.size(); ++i) results.push_back(bench.result(i));
  return results;
}

}  // namespace flamelet_bench
