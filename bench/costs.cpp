// SPDX-License-Identifier: MIT
#include "costs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "flamelet/capture.h"
#include "flamelet/flamelet.h"
#include "flamelet/lock.h"
#include "frames.h"
#include "held_lock.h"
#include "measure.h"
#include "record/ring.h"
#include "record/ring_reader.h"

namespace flamelet_bench {
namespace {

void record_scopes(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    FLAMELET_SCOPE("cost");
  }
}

template <class Function>
double time_ns(Function function) {
  const uint64_t begin = now_ticks();
  function();
  return static_cast<double>(now_ticks() - begin) * ns_per_tick();
}

template <class Function>
double cpu_time_ns(Function function) {
  const double begin_ns = thread_cpu_ns();
  function();
  return thread_cpu_ns() - begin_ns;
}

// The mean of what lies between the quartiles: a single call takes only a few steps of the counter, whose steps are
// 10 ns wide on some CPUs, so no one sample says enough; and interrupted ones say nothing.
double middle_mean(std::vector<double>* samples) {
  std::sort(samples->begin(), samples->end());
  const auto quarter = static_cast<std::ptrdiff_t>(samples->size() / 4);
  return mean(std::vector<double>(samples->begin() + quarter, samples->end() - quarter));
}

void restart(bool thread_times) {
  flamelet_config config = flamelet_config_default();
  config.thread_times = thread_times;
  if (flamelet_shutdown() != FLAMELET_OK || flamelet_init(&config) != FLAMELET_OK) std::abort();
}

// Threads that have recorded something, and sleep until this goes.
class SleepingThreads {
 public:
  explicit SleepingThreads(size_t count) {
    go_.lock();
    for (size_t i = 0; i < count; ++i) {
      threads_.emplace_back([this] {
        record_scopes(1);
        ++ready_;
        go_.lock();
        go_.unlock();
      });
    }
    while (ready_ != count) std::this_thread::yield();
  }
  ~SleepingThreads() {
    go_.unlock();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::mutex go_;
  std::atomic<size_t> ready_{0};
  std::vector<std::thread> threads_;
};

// Beside this thread there are 15 others.
double mark_among_threads_ns(bool thread_times) {
  restart(thread_times);
  const SleepingThreads others(15);
  std::vector<double> samples;
  for (int i = 0; i < 500; ++i) {
    // Long enough for the threads to be asked.
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
    while (std::chrono::steady_clock::now() < until) record_scopes(kScopesPerFrame);
    samples.push_back(time_ns([] { flamelet_frame(); }));
  }
  return middle_mean(&samples);
}

void measure_frame_mark(Costs* costs) {
  costs->thread_time_ns = (mark_among_threads_ns(true) - mark_among_threads_ns(false)) / 16;
  restart(false);
  std::vector<double> samples, empty;
  for (int i = 0; i < 4000; ++i) {
    record_scopes(kScopesPerFrame);
    samples.push_back(time_ns([] { flamelet_frame(); }));
    empty.push_back(time_ns([] {}));
  }
  const double overhead_ns = middle_mean(&empty);
  costs->frame_mark_ns = middle_mean(&samples) - overhead_ns;
  costs->frame_mark_p99_ns = percentile(&samples, 0.99) - overhead_ns;
  restart(true);
}

template <class Lock>
double lock_time_ns(Lock* lock) {
  constexpr int kTimes = 1000;
  return time_ns([lock] {
           for (int i = 0; i < kTimes; ++i) {
             lock->lock();
             lock->unlock();
           }
         }) /
         kTimes;
}

// One after the other, so that a change of the machine's speed is in both.
void measure_locks(Costs* costs) {
  std::mutex plain;
  flamelet::Mutex mutex{"mutex"};
  std::vector<double> more, waits;
  for (int i = 0; i < 2000; ++i) {
    const double plain_ns = lock_time_ns(&plain);
    more.push_back(lock_time_ns(&mutex) - plain_ns);
  }
  costs->lock_ns = percentile(&more, 0.5);
  const HeldLock held;
  for (int i = 0; i < 2000; ++i)
    waits.push_back(time_ns([&held] {
                      for (int k = 0; k < 100; ++k) held.wait();
                    }) /
                    100);
  costs->wait_ns = percentile(&waits, 0.5);
}

void measure_poll(Costs* costs) {
  constexpr uint32_t kScopes = 100'000;
  const auto reader = std::make_unique<flamelet::RingReader>();
  uint64_t words = 0;
  const auto count_words = [](void* user, const flamelet::PagePart& part) {
    uint64_t sum = 0;
    for (uint32_t i = part.first; i < part.count; ++i) sum += part.words[i] != 0;
    *static_cast<uint64_t*>(user) += sum;
  };
  std::vector<double> samples;
  for (int i = 0; i < 50; ++i) {
    record_scopes(kScopes);
    words = 0;
    const double ns = cpu_time_ns([&] { reader->poll(count_words, &words); });
    if (i != 0) samples.push_back(ns / (2 * kScopes));  // the first reads what was there before
  }
  costs->poll_ns_per_event = percentile(&samples, 0.5);
}

struct CaptureDeleter {
  void operator()(flamelet_capture* capture) const { flamelet_capture_destroy(capture); }
};
using Capture = std::unique_ptr<flamelet_capture, CaptureDeleter>;

Capture make_capture() {
  const flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  if (flamelet_capture_create(&config, &capture) != FLAMELET_OK) std::abort();
  return Capture(capture);
}

uint64_t events_read(const flamelet_capture* capture) {
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  return stats.events_read;
}

void measure_capture(Costs* costs) {
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  record_scopes(static_cast<uint32_t>(stats.page_bytes_total / 16));  // the ring is full
  costs->snapshot_mib = static_cast<double>(stats.page_bytes_total) / (1 << 20);
  std::vector<double> samples;
  for (int i = 0; i < 5; ++i) {
    const Capture capture = make_capture();
    samples.push_back(cpu_time_ns([&] { flamelet_capture_update(capture.get()); }) / 1e6);
  }
  costs->snapshot_ms = percentile(&samples, 0.5);

  const Capture capture = make_capture();
  flamelet_capture_update(capture.get());
  samples.clear();
  for (int i = 0; i < 50; ++i) {
    record_scopes(100'000);
    const uint64_t before = events_read(capture.get());
    const double ns = cpu_time_ns([&] { flamelet_capture_update(capture.get()); });
    samples.push_back(ns / static_cast<double>(events_read(capture.get()) - before));
  }
  costs->update_ns_per_event = percentile(&samples, 0.5);

  size_t lane = 0, spans_there = 0;
  for (size_t i = 0; i < flamelet_capture_lane_count(capture.get()); ++i) {
    const size_t count = flamelet_capture_count_spans(capture.get(), i, INT64_MIN, INT64_MAX);
    if (count > spans_there) {
      spans_there = count;
      lane = i;
    }
  }
  std::vector<flamelet_span> spans(spans_there);
  samples.clear();
  for (int i = 0; i < 20; ++i) {
    samples.push_back(cpu_time_ns([&] {
      flamelet_capture_read_spans(capture.get(), lane, INT64_MIN, INT64_MAX, spans.data(), spans.size(), nullptr);
    }));
  }
  costs->read_events_per_second = 2 * static_cast<double>(spans_there) / percentile(&samples, 0.5) * 1e9;
}

void measure_memory(Costs* costs) {
  constexpr uint32_t kScopes = 10'000'000;
  resident_bytes();  // the first call maps the code that it needs
  const size_t resident = resident_bytes();
  const uint64_t ticket = flamelet::page_ring.next_ticket.load_relaxed();
  record_scopes(kScopes);
  const uint64_t pages = flamelet::page_ring.next_ticket.load_relaxed() - ticket;
  costs->growth_bytes = static_cast<std::ptrdiff_t>(resident_bytes()) - static_cast<std::ptrdiff_t>(resident);
  costs->bytes_per_scope = static_cast<double>(pages) * sizeof(flamelet::Page) / kScopes;
}

void measure_start_and_stop(Costs* costs) {
  const flamelet_config config = flamelet_config_default();
  std::vector<double> starts, stops;
  for (int i = 0; i < 20; ++i) {
    stops.push_back(cpu_time_ns([] { flamelet_shutdown(); }) / 1e6);
    starts.push_back(cpu_time_ns([&] { flamelet_init(&config); }) / 1e6);
  }
  costs->start_ms = percentile(&starts, 0.5);
  costs->stop_ms = percentile(&stops, 0.5);
}

}  // namespace

Costs measure_costs() {
  Costs costs = {};
  measure_frame_mark(&costs);
  measure_locks(&costs);
  measure_poll(&costs);
  measure_capture(&costs);
  measure_memory(&costs);
  measure_start_and_stop(&costs);
  return costs;
}

}  // namespace flamelet_bench
