// SPDX-License-Identifier: MIT
//
// recorded_game FILE: saves a capture that has some of everything: threads, nested and waiting scopes, objects, dynamic
// names, counters, instants, intervals over threads, flows, named frames, scopes that are still open. Its clock is turned
// by hand and its threads take turns, so that it says the same on every system.
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "flamelet/capture_file.h"
#include "flamelet/flamelet.h"

namespace {

uint64_t now_ns = 1'000'000;  // of whoever's turn it is
uint64_t read_clock(void*) {
  return now_ns;
}
void pass(uint64_t ns) {
  now_ns += ns;
}

// Runs one job at a time, while who gave it waits.
class Worker {
 public:
  explicit Worker(std::string name) : name_(std::move(name)), thread_([this] { loop(); }) {}
  ~Worker() {
    give(nullptr);
    thread_.join();
  }
  void give(std::function<void()> job) {
    std::unique_lock<std::mutex> lock(mutex_);
    job_ = std::move(job);
    given_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !given_; });
  }

 private:
  void loop() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (bool first = true;; first = false) {
      changed_.wait(lock, [this] { return given_; });
      if (first) flamelet_set_thread_name(name_.c_str());
      const bool ends = job_ == nullptr;
      if (!ends) job_();
      given_ = false;
      changed_.notify_all();
      if (ends) return;
    }
  }

  const std::string name_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> job_;
  bool given_ = false;
  std::thread thread_;  // the last member: it uses the others
};

class Game {
 public:
  void frame(uint64_t index) {
    const flamelet_id loading = flamelet_interval_begin("Loading", "io", index % 3 == 0 ? "level \u00e9" : nullptr);
    {
      FLAMELET_SCOPE("Frame");
      simulate(index);
      FLAMELET_SCOPE_COLOR("Render", 0x3080F0);
      for (uint64_t i = 0; i < 3 + index % 4; ++i) {
        FLAMELET_SCOPE_OBJECT("Pass", i % 2 == 0 ? "shadows" : "glow");
        pass(1000 + 700 * i);
      }
    }
    FLAMELET_COUNTER("draw calls", static_cast<double>(100 + index * index) / 8);
    if (index % 5 == 4) FLAMELET_INSTANT_OBJECT("Explosion", "кадр 日本");
    second_.give([loading] { flamelet_interval_end(loading); });
    flamelet_frame();
  }

 private:
  void simulate(uint64_t index) {
    FLAMELET_SCOPE_VAR(phase, "Plan");
    pass(2000);
    for (Worker* const worker : {&first_, &second_}) {
      ++jobs_;
      FLAMELET_FLOW_BEGIN(jobs_);
      FLAMELET_NEXT_WAIT(phase, "Wait for the job");
      worker->give([this, index] { job(index); });
      FLAMELET_NEXT(phase, "Merge");
      pass(500);
    }
    FLAMELET_FRAME_NAMED("Simulation");
  }
  void job(uint64_t index) {
    FLAMELET_FLOW_END(jobs_);
    FLAMELET_SCOPE_DYNAMIC(flamelet_intern(("Job " + std::to_string(index % 3)).c_str()));
    pass(5000 + 100 * (index % 7));
    FLAMELET_SCOPE("Path");
    pass(3000);
  }

  uint64_t jobs_ = 0;
  Worker first_{"Worker 1"}, second_{"Worker 2"};
};

int fail(const char* what, flamelet_result result) {
  std::fprintf(stderr, "%s: %s\n", what, flamelet_result_message(result));
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: recorded_game FILE\n"), 2;
  flamelet_config config = flamelet_config_default();
  config.clock = read_clock;
  config.clock_ticks_per_second = 1e9;
  config.budget_bytes = size_t{8} << 20;
  flamelet_result result = flamelet_init(&config);
  if (result != FLAMELET_OK) return fail("init", result);
  flamelet_set_thread_name("Main");
  {
    Game game;
    for (uint64_t i = 0; i < 60; ++i) game.frame(i);
    FLAMELET_SCOPE("The end");
    pass(1000);
    const flamelet_capture_config capture_config = flamelet_capture_config_default();
    flamelet_capture* capture = nullptr;
    result = flamelet_capture_create(&capture_config, &capture);
    if (result != FLAMELET_OK) return fail("capture", result);
    flamelet_capture_update(capture);
    result = flamelet_capture_save(capture, INT64_MIN, INT64_MAX, arguments[1]);
    if (result != FLAMELET_OK) return fail(arguments[1], result);
    flamelet_capture_destroy(capture);
  }
  flamelet_shutdown();
  return 0;
}
