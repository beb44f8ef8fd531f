// SPDX-License-Identifier: MIT
//
// recorded_game.h: frames of an imaginary game, recorded by the real recorder with a clock that the test turns by hand:
// a main thread, workers and a GPU queue whose results come two frames late. The same seed gives the same frames.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "flamelet/recorder.h"
#include "span_trees.h"
#include "support/clock.h"

namespace flamelet_tests {

using recorder_test::thread_now_ns;

class RecordedGame {
 public:
  struct Options {
    uint64_t seed = 1;
    uint32_t workers = 2;
    uint32_t jobs_per_worker = 12;
    uint32_t details = 40;  // tiny scopes in each of a few places of the main thread
    bool gpu = true;
    size_t budget_bytes = size_t{32} << 20;
  };

  // Records some frames at once.
  explicit RecordedGame(const Options& options, uint32_t frame_count = 0) : options_(options), random_(options.seed) {
    flamelet_config config = flamelet_config_default();
    config.budget_bytes = options.budget_bytes;
    config = recorder_test::with_thread_clock(config, frame_begin_ns_);
    started_ = flamelet_init(&config) == FLAMELET_OK;
    flamelet_set_thread_name("Main");
    if (options.gpu) {
      gpu_track_ = flamelet_track_create("GPU", FLAMELET_TRACK_GPU, 1e9);
      flamelet_track_calibrate(gpu_track_, frame_begin_ns_, frame_begin_ns_);
    }
    // One after the other, so that the lanes always stand in the same order.
    for (uint32_t i = 0; i < options.workers; ++i) {
      workers_.emplace_back([this, i] { run_worker(i); });
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [&] { return ready_ == i + 1; });
    }
    frames(frame_count);
  }
  ~RecordedGame() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    for (std::thread& worker : workers_) worker.join();
    if (started_) flamelet_shutdown();
  }

  bool started() const { return started_; }

  // Records one frame; `slowdown` stretches its physics.
  void frame(double slowdown = 1) {
    const uint64_t begin_ns = frame_begin_ns_;
    thread_now_ns = begin_ns;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      ++frame_;
      working_ = options_.workers;
    }
    changed_.notify_all();
    record_main(slowdown);
    const uint64_t end_ns = thread_now_ns;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return working_ == 0; });
    }
    if (options_.gpu) submit_gpu(begin_ns);
    frame_begin_ns_ = end_ns;
    flamelet_frame();
  }
  void frames(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) frame(random_.below(50) == 0 ? 2.6 : 1);
  }

 private:
  struct Pass {
    const char* name;
    flamelet_id id;
    uint64_t begin_ns;
    uint64_t duration_ns;
  };

  static void pass(uint64_t ns) { thread_now_ns += ns; }
  uint64_t about(uint64_t ns) { return ns * (80 + random_.below(41)) / 100; }

  void tiny_scopes(const char* name, uint64_t each_ns) {
    for (uint32_t i = 0; i < options_.details; ++i) {
      const flamelet_id id = flamelet_begin(name, "", nullptr);
      pass(each_ns / 2 + random_.below(static_cast<uint32_t>(each_ns)));
      flamelet_end(id);
      pass(200);
    }
  }
  void leaf(const char* name, uint64_t ns) {
    const flamelet_id id = flamelet_begin(name, "", nullptr);
    pass(about(ns));
    flamelet_end(id);
  }

  void record_main(double slowdown) {
    const flamelet_id frame = flamelet_begin("Frame", "", nullptr);
    leaf("Input::poll", 180000);
    const flamelet_id update = flamelet_begin("World::update", "", nullptr);
    const flamelet_id physics = flamelet_begin("Physics::step", "physics", nullptr);
    leaf("Physics::broadphase", 900000);
    const flamelet_id islands = flamelet_begin("Physics::solve_islands", "physics", nullptr);
    for (int i = 0; i < 4; ++i) {
      const flamelet_id island = flamelet_begin("Island::solve", "physics", nullptr);
      tiny_scopes("Contact::solve", static_cast<uint64_t>(9000 * slowdown));
      pass(about(static_cast<uint64_t>(260000 * slowdown)));
      flamelet_end(island);
    }
    flamelet_end(islands);
    leaf("Physics::integrate", 500000);
    flamelet_end(physics);
    const flamelet_id agents = flamelet_begin("ai_update", "ai", nullptr);
    tiny_scopes("ai_think", 16000);
    leaf("ai_path", 420000);
    flamelet_end(agents);
    leaf("Animation::update", 800000);
    flamelet_end(update);
    const flamelet_id wait = flamelet_begin("wait for jobs", "wait", nullptr);
    pass(about(1100000));
    flamelet_end(wait);
    const flamelet_id render = flamelet_begin("Render::submit", "render", nullptr);
    leaf("Render::cull", 700000);
    static constexpr struct {
      const char* name;
      uint64_t cpu_ns, gpu_ns;
    } kPasses[] = {{"Shadow pass", 500000, 2300000}, {"Scene pass", 1100000, 5200000}, {"Post pass", 200000, 1900000}};
    passes_.clear();
    for (const auto& kind : kPasses) {
      const flamelet_id id = flamelet_begin(kind.name, "render", nullptr);
      const uint64_t begin_ns = thread_now_ns;
      if (kind.cpu_ns > 1000000) tiny_scopes("draw_mesh", 7000);
      pass(about(kind.cpu_ns));
      flamelet_end(id);
      passes_.push_back({kind.name, id, begin_ns, about(kind.gpu_ns)});
    }
    flamelet_end(render);
    leaf("swap buffers", 900000);
    flamelet_end(frame);
    flamelet_instant("frame sent", "", nullptr);
    flamelet_counter("draw calls", "", 2000 + random_.below(600));
    pass(20000);
  }

  // The passes of one frame run one after the other, beginning when the next frame is half over.
  void submit_gpu(uint64_t begin_ns) {
    std::vector<flamelet_event> events;
    uint64_t at_ns = std::max(begin_ns + 14000000, gpu_free_ns_);
    for (const Pass& work : passes_) {
      for (const char type : {'B', 'E'}) {
        flamelet_event event = {};
        event.time_ticks = type == 'B' ? at_ns : at_ns + work.duration_ns;
        event.id = work.id;
        event.name = work.name;
        event.type = type;
        events.push_back(event);
      }
      at_ns += work.duration_ns + 30000;
    }
    gpu_free_ns_ = at_ns;
    late_.push_back(std::move(events));
    if (late_.size() <= 2) return;
    flamelet_submit(gpu_track_, late_.front().data(), late_.front().size());
    late_.erase(late_.begin());
  }

  void run_worker(uint32_t index) {
    Random random(options_.seed * 100 + index);
    uint64_t seen = 0;
    thread_now_ns = frame_begin_ns_;
    const char name[] = {'W', 'o', 'r', 'k', 'e', 'r', ' ', static_cast<char>('0' + index % 10), 0};
    flamelet_set_thread_name(name);
    {
      std::lock_guard<std::mutex> lock(mutex_);
      ++ready_;
    }
    changed_.notify_all();
    for (;;) {
      uint64_t begin_ns;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return stop_ || frame_ != seen; });
        if (stop_) return;
        seen = frame_;
        begin_ns = frame_begin_ns_;
      }
      thread_now_ns = begin_ns + 1200000 + index * 90000;
      for (uint32_t job = 0; job < options_.jobs_per_worker; ++job) {
        const flamelet_id id = flamelet_begin(job % 3 == 0   ? "job: cloth"
                                              : job % 3 == 1 ? "job: particles"
                                                             : "job: ai",
                                              "jobs", nullptr);
        pass(100000 + random.below(300000));
        for (uint32_t i = 0; i < options_.details / 4; ++i) {
          const flamelet_id inner = flamelet_begin("batch", "jobs", nullptr);
          pass(4000 + random.below(24000));
          flamelet_end(inner);
        }
        flamelet_end(id);
        pass(20000 + random.below(120000));
      }
      {
        std::lock_guard<std::mutex> lock(mutex_);
        --working_;
      }
      changed_.notify_all();
    }
  }

  Options options_;
  Random random_;
  bool started_ = false;
  uint32_t gpu_track_ = 0;
  uint64_t gpu_free_ns_ = 0;
  uint64_t frame_begin_ns_ = 1000000;
  std::vector<Pass> passes_;
  std::vector<std::vector<flamelet_event>> late_;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t frame_ = 0;
  uint32_t working_ = 0;
  uint32_t ready_ = 0;
  bool stop_ = false;
};

// Enough for a lane with some rows.
inline RecordedGame::Options small_game() {
  RecordedGame::Options options;
  options.workers = 1;
  options.details = 8;
  return options;
}

// Games that have recorded so many frames.
template <uint32_t kFrames>
struct FullGame : RecordedGame {
  FullGame() : RecordedGame(Options{}, kFrames) {}
};
template <uint32_t kFrames>
struct SmallGame : RecordedGame {
  SmallGame() : RecordedGame(small_game(), kFrames) {}
};

}  // namespace flamelet_tests
