// SPDX-License-Identifier: MIT
//
// record_everything FILE
//
// Saves a capture with every kind of event: scopes with objects and dynamic names, by macro and by call, an end that is
// missing, a scope that is still open, counters, instants, intervals over threads, flows, named frames, a fiber that
// changes threads, a GPU. Its clock is turned by hand and its two threads take turns, so every build for every platform
// saves the same.
#include <flamelet/capture_file.h>
#include <flamelet/flamelet.h>

#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <random>
#include <string>
#include <thread>

namespace {

uint64_t now_ns = 1'000'000;
uint64_t read_clock(void*) {
  return now_ns;
}

std::minstd_rand random_numbers{7};
void wait() {
  now_ns += 200 + random_numbers() % 4000;
}

// A thread that works while its owner waits for it.
class Worker {
 public:
  Worker() : thread_([this] { work(); }) {
    run([] { flamelet_set_thread_name("Worker"); });
  }
  ~Worker() {
    run(nullptr);
    thread_.join();
  }
  void run(std::function<void()> job) {
    std::unique_lock<std::mutex> lock(mutex_);
    job_ = std::move(job);
    busy_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !busy_; });
  }

 private:
  void work() {
    for (bool last = false; !last;) {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return busy_; });
      if (job_) job_();
      last = !job_;
      busy_ = false;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> job_;
  bool busy_ = false;
  std::thread thread_;
};

void simulate(int frame) {
  FLAMELET_SCOPE_CATEGORY("World::update", "simulation");
  FLAMELET_SCOPE_COLOR("Agents", 0x3080F0);
  for (int squad = 0; squad < 5; ++squad) {
    const std::string name = "squad " + std::to_string(squad);
    FLAMELET_SCOPE_OBJECT("Steer \"squad\"", name.c_str());
    wait();
    FLAMELET_SCOPE_DYNAMIC(frame % 2 ? "ai_think" : "ai_sleep");
    wait();
  }
  {
    FLAMELET_BEGIN(steps, "Bewegung: Größe");
    wait();
    FLAMELET_NEXT(steps, "集める");
    wait();
  }
  FLAMELET_SCOPE_WAIT("wait for the worker");
  wait();
}

// One pass of the renderer, and its time on the GPU a millisecond later, on the GPU's own clock.
void render(uint32_t gpu) {
  const flamelet_id id = flamelet_begin("Shadow pass", "render", "sun");
  wait();
  flamelet_event begin{};
  begin.time_ticks = now_ns / 10;
  begin.id = id;
  begin.name = "Shadow pass";
  begin.type = 'B';
  flamelet_event end = begin;
  end.time_ticks += 150;
  end.type = 'E';
  const flamelet_event events[] = {begin, end};
  flamelet_submit(gpu, events, 2);
  flamelet_begin("has no end", nullptr, nullptr);
  wait();
  flamelet_end(id);
}

int fail(const char* what, flamelet_result result) {
  std::fprintf(stderr, "%s: %s\n", what, flamelet_result_message(result));
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: record_everything FILE\n"), 2;
  flamelet_config config = flamelet_config_default();
  config.clock = read_clock;
  config.clock_ticks_per_second = 1e9;
  config.max_fibers = 4;
  flamelet_result result = flamelet_init(&config);
  if (result != FLAMELET_OK) return fail("init", result);
  flamelet_set_thread_name("Main");
  const uint32_t gpu = flamelet_track_create("GPU queue", FLAMELET_TRACK_GPU, 1e8);
  flamelet_track_calibrate(gpu, 0, 1'000'000);
  const uint32_t fiber = flamelet_fiber_create("Loader");
  {
    Worker worker;
    for (int frame = 0; frame < 200; ++frame) {
      FLAMELET_SCOPE("Frame");
      const flamelet_id load = flamelet_interval_begin("load", "disk", frame % 3 ? nullptr : "level");
      flamelet_flow_begin(1000 + static_cast<uint64_t>(frame));
      simulate(frame);
      flamelet_fiber_switch(0, fiber);
      FLAMELET_BEGIN(loading, "Loader::step");
      wait();
      flamelet_fiber_switch(fiber, 0);
      worker.run([&] {
        FLAMELET_SCOPE("Job");
        flamelet_flow_end(1000 + static_cast<uint64_t>(frame));
        wait();
        flamelet_fiber_switch(0, fiber);
        FLAMELET_END(loading);
        flamelet_fiber_switch(fiber, 0);
        flamelet_frame_named("physics");
        flamelet_interval_end(load);
        wait();
      });
      render(gpu);
      FLAMELET_COUNTER("draw calls", static_cast<double>(random_numbers() % 500) / 7);
      if (frame % 10 == 0) FLAMELET_INSTANT_OBJECT("autosave", "slot 1");
      flamelet_frame();
    }
  }
  flamelet_fiber_destroy(fiber);
  FLAMELET_SCOPE("The end");
  wait();

  flamelet_capture_config capture_config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  result = flamelet_capture_create(&capture_config, &capture);
  if (result != FLAMELET_OK) return fail("capture", result);
  flamelet_capture_update(capture);
  result = flamelet_capture_save(capture, INT64_MIN, INT64_MAX, arguments[1]);
  if (result != FLAMELET_OK) return fail(arguments[1], result);
  flamelet_capture_destroy(capture);
  result = flamelet_shutdown();
  return result == FLAMELET_OK ? 0 : fail("shutdown", result);
}
