// SPDX-License-Identifier: MIT
//
// flamelet_ratio_bench [--rounds N] [--rows TEXT] [--json FILE]      only rows whose names contain TEXT
//
// What a scope costs, as a ratio to the limit (measure.h), and what costs beside it.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "flamelet/capture.h"
#include "flamelet/flamelet.h"
#include "flamelet/lock.h"
#include "measure.h"
#include "record/ring_reader.h"
#include "record/track.h"

namespace flamelet_bench {
namespace {

// ---- contender against limit
//
// In one process, on pinned threads. A round takes the rows in a new random order; in each row, contender and limit run one
// after the other, in random order, each a few frames to warm up and then a few that count. So whatever else the machine
// does, and whatever its clock rate, hits both alike: times move from run to run and machine to machine, ratios hardly.

struct RowResult {
  Row row;
  // Nanoseconds per scope, over frames of kScopesPerFrame scopes.
  double p50_ns, mean_ns, p99_ns;
  double limit_p50_ns, limit_mean_ns, limit_p99_ns;
  // The median ratio of the rounds' medians, and its quartiles over the rounds.
  double ratio, ratio_low, ratio_high;
};

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

// Empty if a contender does not record what it should; stderr says which.
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

// ---- what costs beside the scope: frame marks, readers, memory, start and stop

struct Costs {
  double frame_mark_ns, frame_mark_p99_ns;  // one flamelet_frame() after 1000 scopes, without thread_times
  double thread_time_ns;                    // what thread_times adds to it for each thread
  double lock_ns;                           // a free flamelet::Mutex, taken and given back, more than a std::mutex
  double wait_ns;                           // what is recorded of a wait for a lock, with the hand-over
  double poll_ns_per_event;                 // the ring's reader alone: finding, pinning and walking over new words
  double update_ns_per_event;               // flamelet_capture_update(): copied and indexed
  double read_events_per_second;            // flamelet_capture_read_spans() of everything held
  double snapshot_mib, snapshot_ms;         // first update of a new capture: the whole ring at once
  double bytes_per_scope;                   // of ring, page headers included
  std::ptrdiff_t growth_bytes;              // of resident memory over 10 million scopes
  double start_ms, stop_ms;                 // flamelet_init() and flamelet_shutdown() with the default budget
};

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

// The recorder runs when this is called, and when it returns.
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

// ---- the tables

// One line of the second table. A goal of 0 = none; the value is to be at most the goal, or at least it.
struct Line {
  const char* name;
  const char* key;
  double value;
  const char* unit;
  double goal;
  bool at_least;
};

const char* verdict(double value, double goal, bool at_least) {
  if (goal == 0) return "";
  return (at_least ? value >= goal : value <= goal) ? "met" : "MISSED";
}

void append(std::vector<Row>* rows, const std::vector<Row>& more) {
  rows->insert(rows->end(), more.begin(), more.end());
}

void print_rows(const std::vector<RowResult>& results) {
  std::printf("%-36s %8s %8s %8s %7s %17s %6s\n", "ns per scope", "p50", "mean", "p99", "ratio", "quartiles", "goal");
  const RowResult& limit = results[0];
  std::printf("%-36s %8.2f %8.2f %8.2f %7.3f\n", "the limit, flat", limit.limit_p50_ns, limit.limit_mean_ns,
              limit.limit_p99_ns, 1.0);
  for (const RowResult& result : results) {
    std::printf("%-36s %8.2f %8.2f %8.2f %7.3f   %.3f to %.3f", result.row.name, result.p50_ns, result.mean_ns,
                result.p99_ns, result.ratio, result.ratio_low, result.ratio_high);
    if (result.row.goal != 0) std::printf(" %6.2f  %s", result.row.goal, verdict(result.ratio, result.row.goal, false));
    std::printf("\n");
  }
}

std::vector<Line> lines_of(const Costs& costs, const std::vector<RowResult>& results) {
  std::vector<Line> lines;
  for (const RowResult& result : results)
    if (std::strcmp(result.row.name, "flat, disabled") == 0)
      lines.push_back({"a disabled scope", "disabled_ns", result.p50_ns, "ns", 0.45, false});
  lines.push_back({"a frame mark, after 1000 scopes", "frame_mark_ns", costs.frame_mark_ns, "ns", 100, false});
  lines.push_back({"a frame mark, p99", "frame_mark_p99_ns", costs.frame_mark_p99_ns, "ns", 0, false});
  lines.push_back({"... each thread's times", "thread_time_ns", costs.thread_time_ns, "ns", 2000, false});
  lines.push_back({"a free lock, more than std::mutex", "lock_ns", costs.lock_ns, "ns", 1.5, false});
  lines.push_back({"what a wait for a lock records", "wait_ns", costs.wait_ns, "ns", 60, false});
  lines.push_back({"bytes of ring a scope", "bytes_per_scope", costs.bytes_per_scope, "B", 0, false});
  lines.push_back(
      {"memory growth over 10 M scopes", "growth_bytes", static_cast<double>(costs.growth_bytes), "B", 0, false});
  lines.push_back({"start + stop", "start_and_stop_ms", costs.start_ms + costs.stop_ms, "ms", 5, false});
  lines.push_back({"start", "start_ms", costs.start_ms, "ms", 0, false});
  lines.push_back({"stop", "stop_ms", costs.stop_ms, "ms", 0, false});
  lines.push_back({"reader: poll, per event", "poll_ns_per_event", costs.poll_ns_per_event, "ns", 0, false});
  lines.push_back(
      {"reader: update of a capture, per event", "update_ns_per_event", costs.update_ns_per_event, "ns", 0, false});
  lines.push_back({"reader: read of spans", "read_million_events_per_second", costs.read_events_per_second / 1e6,
                   "M events/s", 200, true});
  lines.push_back({"reader: snapshot of 16 MiB of ring", "snapshot_16_mib_ms",
                   costs.snapshot_ms * 16 / costs.snapshot_mib, "ms", 5, false});
  return lines;
}

void print_lines(const std::vector<Line>& lines) {
  std::printf("\n");
  for (const Line& line : lines) {
    std::printf("%-40s %10.2f %s", line.name, line.value, line.unit);
    if (line.goal != 0)
      std::printf("  (goal: at %s %g)  %s", line.at_least ? "least" : "most", line.goal,
                  verdict(line.value, line.goal, line.at_least));
    std::printf("\n");
  }
}

// Names are this program's own literals: nothing in them needs escaping.
bool write_json(const char* path, const std::vector<RowResult>& results, const std::vector<Line>& lines) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) return false;
  std::fprintf(file, "{\n  \"scopes_per_frame\": %u,\n  \"rows\": [", kScopesPerFrame);
  const char* separator = "\n";
  for (const RowResult& result : results) {
    std::fprintf(file,
                 "%s    {\"name\": \"%s\", \"p50_ns\": %.3f, \"mean_ns\": %.3f, \"p99_ns\": %.3f, \"limit_p50_ns\": "
                 "%.3f, \"limit_mean_ns\": %.3f, \"limit_p99_ns\": %.3f, \"ratio\": %.4f, \"ratio_q1\": %.4f, "
                 "\"ratio_q3\": %.4f, \"goal\": %.2f}",
                 separator, result.row.name, result.p50_ns, result.mean_ns, result.p99_ns, result.limit_p50_ns,
                 result.limit_mean_ns, result.limit_p99_ns, result.ratio, result.ratio_low, result.ratio_high,
                 result.row.goal);
    separator = ",\n";
  }
  std::fprintf(file, "\n  ]");
  for (const Line& line : lines) std::fprintf(file, ",\n  \"%s\": %.4f", line.key, line.value);
  std::fprintf(file, "\n}\n");
  return std::fclose(file) == 0;
}

}  // namespace
}  // namespace flamelet_bench

int main(int argc, char** argv) {
  using namespace flamelet_bench;
  uint32_t rounds = 300;
  const char* wanted = "";
  const char* json = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--rounds") == 0) rounds = static_cast<uint32_t>(std::strtoul(argv[i + 1], nullptr, 10));
    if (std::strcmp(argv[i], "--rows") == 0) wanted = argv[i + 1];
    if (std::strcmp(argv[i], "--json") == 0) json = argv[i + 1];
  }
  const flamelet_config config = flamelet_config_default();
  const flamelet_result started = flamelet_init(&config);
  if (started != FLAMELET_OK) {
    std::fprintf(stderr, "flamelet_init: %s\n", flamelet_result_message(started));
    return 1;
  }
  std::vector<Row> rows = flamelet_rows(usable_cpus().size());
#ifdef FLAMELET_BENCH_MODULE
  append(&rows, shared_library_rows());
#endif
  append(&rows, other_rows());
  const auto unwanted = [wanted](const Row& row) { return std::strstr(row.name, wanted) == nullptr; };
  rows.erase(std::remove_if(rows.begin(), rows.end(), unwanted), rows.end());
  if (rows.empty()) {
    std::fprintf(stderr, "no row's name contains \"%s\"\n", wanted);
    return 2;
  }
  const std::vector<RowResult> results = measure_rows(rows, rounds);
  if (results.empty()) return 1;
  const std::vector<Line> lines = lines_of(measure_costs(), results);
  print_rows(results);
  print_lines(lines);
  flamelet_shutdown();
  if (json != nullptr && !write_json(json, results, lines)) {
    std::perror(json);
    return 1;
  }
  return 0;
}
