// SPDX-License-Identifier: MIT
//
// simulated_game.h: frames of a small game with a main thread, four workers and a GPU queue, by seed;
// and trouble of a known kind in some of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "flamelet/scope.h"
#include "support/building.h"

namespace explain_test {

enum class Trouble { kNone, kSlowJob, kMoreCalls, kNewScope };

class SimulatedGame {
 public:
  explicit SimulatedGame(uint32_t seed) : random_(seed) {
    main_ = lane("Main", FLAMELET_LANE_THREAD);
    for (int i = 0; i < kWorkers; ++i) workers_[i] = lane("Worker " + std::to_string(i + 1), FLAMELET_LANE_THREAD);
    queue_ = lane("GPU", FLAMELET_LANE_GPU);
  }

  void add_frame(Trouble trouble = Trouble::kNone, double trouble_ms = 0) {
    trouble_ = trouble;
    extra_ns_ = ns(trouble_ms);
    const int64_t begin_ns = now_ns_;
    now_ns_ += noisy(0.02);
    update();
    render();
    now_ns_ += noisy(0.01);
    flamelet_capture_builder_frame(building_.builder, ++frames_, begin_ns, now_ns_, 0);
  }
  flamelet_capture* finish() { return building_.finish(); }
  // Before the first: the capture has that as frame 0.
  void add_time_before_frames(int64_t ms) {
    const int64_t begin_ns = now_ns_;
    now_ns_ += ms * 1000000;
    scope(main_, begin_ns, now_ns_, "Start up");
    flamelet_capture_builder_frame(building_.builder, 0, begin_ns, now_ns_, FLAMELET_FRAME_PARTIAL);
  }
  uint64_t frames() const { return frames_; }

 private:
  static constexpr int kWorkers = 4;

  static int64_t ns(double ms) { return static_cast<int64_t>(ms * 1e6); }
  bool has(Trouble trouble) const { return trouble_ == trouble; }
  // A few per cent more or less, and seldom much more.
  int64_t noisy(double ms) {
    std::normal_distribution<double> normal(1, 0.04);
    double factor = std::max(0.7, normal(random_));
    if (random_() % 400 == 0) factor *= 1.3;
    return ns(ms * factor);
  }
  uint32_t lane(const std::string& name, flamelet_lane_kind kind) {
    return flamelet_capture_builder_span_lane(building_.builder, kind, 0, building_.string(name), false);
  }
  void scope(uint32_t lane, int64_t begin_ns, int64_t end_ns, const char* name, bool waits = false) {
    building_.span(lane, begin_ns, end_ns, building_.site(name, waits ? FLAMELET_WAIT_CATEGORY : ""));
  }
  void work(const char* name, double ms) {
    const int64_t begin_ns = now_ns_;
    now_ns_ += noisy(ms);
    scope(main_, begin_ns, now_ns_, name);
  }
  void flow(uint32_t from, int64_t from_ns, uint32_t to, int64_t to_ns) {
    flamelet_capture_builder_flow(building_.builder, from, from_ns, ++flows_, false);
    flamelet_capture_builder_flow(building_.builder, to, to_ns, flows_, true);
  }

  void update() {
    const int64_t begin_ns = now_ns_;
    work("Input", 0.3);
    physics();
    agents();
    if (has(Trouble::kNewScope)) {
      scope(main_, now_ns_, now_ns_ + extra_ns_, "Load level");
      now_ns_ += extra_ns_;
    }
    const int64_t particles_ns = now_ns_;
    work("Emit", 0.2);
    now_ns_ += noisy(0.1);
    work("Move", 0.3);
    scope(main_, particles_ns, now_ns_, "Particles");
    scope(main_, begin_ns, now_ns_, "Update");
  }

  void physics() {
    const int64_t begin_ns = now_ns_;
    lock();
    work("Broad phase", 1);
    const int64_t narrow_ns = now_ns_;
    const int contacts = 20;
    const int calls = has(Trouble::kMoreCalls) ? contacts * 10 : contacts;
    for (int i = 0; i < calls; ++i) work("Contact", 0.08);
    scope(main_, narrow_ns, now_ns_, "Narrow phase");
    work("Solve", 1.5);
    scope(main_, begin_ns, now_ns_, "Physics");
  }

  void lock() {
    const int64_t begin_ns = now_ns_;
    now_ns_ += noisy(0.002);
    scope(main_, begin_ns, now_ns_, "Lock world", true);
  }

  void agents() {
    const int64_t begin_ns = now_ns_;
    int64_t done_ns = 0;
    const uint32_t slow = static_cast<uint32_t>(random_() % kWorkers);
    now_ns_ += noisy(0.02);
    const int64_t wait_ns = now_ns_;
    int64_t done[kWorkers];
    for (uint32_t i = 0; i < kWorkers; ++i) {
      int64_t at_ns = wait_ns + noisy(0.03);
      const int64_t job_ns = at_ns;
      flow(main_, wait_ns - 1000, workers_[i], job_ns + 200);
      const uint32_t slow_path = static_cast<uint32_t>(random_() % 8);
      for (uint32_t path = 0; path < 8; ++path) {
        const int64_t path_ns = at_ns;
        at_ns += noisy(0.2);
        if (has(Trouble::kSlowJob) && i == slow && path == slow_path) at_ns += extra_ns_;
        scope(workers_[i], path_ns, at_ns, "Find path");
      }
      done[i] = at_ns += noisy(0.01);
      scope(workers_[i], job_ns, at_ns, "Plan paths");
      done_ns = std::max(done_ns, at_ns);
    }
    now_ns_ = done_ns + noisy(0.008);
    for (uint32_t i = 0; i < kWorkers; ++i) flow(workers_[i], done[i], main_, now_ns_);
    scope(main_, wait_ns, now_ns_, "Wait for agents", true);
    scope(main_, begin_ns, now_ns_, "Agents");
  }

  void render() {
    const int64_t begin_ns = now_ns_;
    work("Cull", 0.8);
    for (int i = 0; i < 30; ++i) work("Draw", 0.05);
    scope(main_, begin_ns, now_ns_, "Render");
    const int64_t present_ns = now_ns_;
    const int64_t shadows_ns = present_ns - ns(0.5) + noisy(1.5);
    const int64_t gpu_ns = shadows_ns + noisy(2);
    scope(queue_, present_ns - ns(0.5), shadows_ns, "Shadows");
    scope(queue_, shadows_ns, gpu_ns, "Opaque");
    scope(queue_, present_ns - ns(0.5), gpu_ns, "GPU frame");
    now_ns_ = gpu_ns + noisy(0.02);
    scope(main_, present_ns, now_ns_, "Present", true);
  }

  std::mt19937 random_;
  recorder_test::Building building_;
  uint32_t main_ = 0, workers_[kWorkers] = {}, queue_ = 0;
  Trouble trouble_ = Trouble::kNone;
  int64_t extra_ns_ = 0, now_ns_ = 1000000;
  uint64_t frames_ = 0, flows_ = 0;
};

}  // namespace explain_test
