// SPDX-License-Identifier: MIT
//
// simulated_runs.h: runs of a game whose every change is known, with the noise of real ones: some runs are faster as a
// whole, some paths differ from run to run, times drift from frame to frame, and some frames are disturbed.
#ifndef FLAMELET_TESTS_SIMULATED_RUNS_H
#define FLAMELET_TESTS_SIMULATED_RUNS_H

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gate.h"

namespace flamelet::tests {

class SimulatedGame {
 public:
  static constexpr size_t kFrames = 500;
  static constexpr double kRunNoise = 0.01;    // of a run as a whole
  static constexpr double kPathNoise = 0.01;   // of a path in a run
  static constexpr double kFrameNoise = 0.08;  // of a path in a frame, correlated with the frame before by 0.6

  explicit SimulatedGame(uint64_t seed) : random_(seed) {
    using tools::PathNames;
    const uint32_t frame = names.child(PathNames::kRoot, "Frame", false);
    leaves_.push_back({names.child(frame, "Wait for GPU", true), 0.5e6});
    for (const char* system : {"Update", "Physics", "Render", "Audio"}) {
      const uint32_t path = names.child(frame, system, false);
      for (int i = 1; i <= 6; ++i)
        leaves_.push_back({names.child(path, std::string(system) + " step " + std::to_string(i), false), 0.15e6 * i});
    }
    slow_ = leaves_[9].path;
  }

  tools::PathNames names;
  uint32_t slow_path() const { return slow_; }

  // `slowdown` of one path: 1.05 is 5 % more.
  tools::Run run(double slowdown = 1, bool is_disturbed = false) {
    tools::Run run;
    run.name = "run";
    run.ticks_per_second = 3e9;
    run.frames_ns.assign(kFrames, 0);
    run.paths.resize(names.size());
    std::vector<std::vector<double>> times(names.size(), std::vector<double>(kFrames));
    const double whole = (1 + kRunNoise * normal()) * (is_disturbed ? 1.5 : 1);
    for (const Leaf& leaf : leaves_) {
      const double level = leaf.ns * whole * (1 + kPathNoise * normal()) * (leaf.path == slow_ ? slowdown : 1);
      double drift = 0;
      for (size_t i = 0; i < kFrames; ++i) {
        drift = 0.6 * drift + 0.8 * normal();
        const bool is_hitch = random_.below(200) == 0;
        times[leaf.path][i] = level * (1 + kFrameNoise * drift) * (is_hitch ? 8 : 1);
      }
    }
    for (size_t i = 0; i < kFrames; ++i)
      for (const Leaf& leaf : leaves_) run.frames_ns[i] += static_cast<int64_t>(times[leaf.path][i]);
    for (uint32_t path = static_cast<uint32_t>(names.size()); path-- > 1;) {
      for (size_t i = 0; i < kFrames && !names[path].is_wait; ++i) times[names[path].parent][i] += times[path][i];
      run.paths[path].calls = 1;
      const tools::FrameTime time = time_of(times[path]);
      if (is_leaf(path)) run.paths[path].self = time;
      if (!names[path].is_wait) run.paths[path].inclusive = time;
    }
    run.scopes.resize(names.scopes().size());
    for (uint32_t path = 1; path < names.size(); ++path) run.scopes[names[path].scope].self = run.paths[path].self;
    return run;
  }

  // `count` runs of each side.
  void pair(size_t count, double slowdown, std::vector<tools::Run> (&runs)[2]) {
    for (size_t i = 0; i < count; ++i) {
      runs[0].push_back(run());
      runs[1].push_back(run(slowdown));
    }
  }

 private:
  struct Leaf {
    uint32_t path;
    double ns;
  };

  bool is_leaf(uint32_t path) const {
    return std::any_of(leaves_.begin(), leaves_.end(), [&](const Leaf& leaf) { return leaf.path == path; });
  }

  // A sum of four even numbers: close to a normal distribution, mean 0, deviation 1.
  double normal() {
    const uint64_t bits = random_.next();
    double sum = -2 * 65535.0;
    for (int i = 0; i < 4; ++i) sum += static_cast<double>(bits >> (16 * i) & 0xffff);
    return sum / 37837.2;
  }

  static tools::FrameTime time_of(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    double sum = 0, middle = 0;
    for (size_t i = 0; i < kFrames; ++i) {
      sum += times[i];
      if (i >= kFrames * 2 / 5 && i < kFrames * 3 / 5) middle += times[i];
    }
    return {middle / (kFrames / 5.0), sum / kFrames};
  }

  tools::RandomNumbers random_;
  std::vector<Leaf> leaves_;
  uint32_t slow_;
};

}  // namespace flamelet::tests

#endif  // FLAMELET_TESTS_SIMULATED_RUNS_H
