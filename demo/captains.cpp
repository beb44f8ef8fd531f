// SPDX-License-Identifier: MIT
#include "captains.h"

#include <flamelet/flamelet.h>
#include <cinttypes>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "captain.h"

namespace demo {

// ---- script log

ScriptLog::ScriptLog(const std::string& path) {
  if (path.empty()) return;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = path.c_str();
  const flamelet_result result = flamelet_perf_log_create(&config, &log_);
  if (result != FLAMELET_OK) throw std::runtime_error(path + ": " + flamelet_result_message(result));
}

ScriptLog::~ScriptLog() {
  if (log_ == nullptr) return;
  flamelet_perf_log_poll(log_);
  flamelet_perf_log_stats stats;
  flamelet_perf_log_get_stats(log_, &stats);
  const bool written = flamelet_perf_log_destroy(log_) == FLAMELET_OK && stats.frames_unwritten == 0;
  if (!written || stats.blocks_dropped != 0 || stats.events_lost != 0)
    std::fprintf(stderr,
                 "The performance log is not whole: %" PRIu64 " frames, %" PRIu64 " blocks, %" PRIu64
                 " events are missing\n",
                 stats.frames_unwritten, stats.blocks_dropped, stats.events_lost);
}

void ScriptLog::frame() {
  constexpr uint32_t kFramesBetween = 30;
  if (log_ != nullptr && ++frames_ % kFramesBetween == 0) flamelet_perf_log_poll(log_);
}

namespace {

// Mean square of the distances from the squad's middle.
float spread_of(const Lantern* lanterns, size_t count) {
  glm::vec3 sum(0.0f);
  float squares = 0.0f;
  for (size_t i = 0; i < count; ++i) {
    sum += lanterns[i].position;
    squares += glm::dot(lanterns[i].position, lanterns[i].position);
  }
  const glm::vec3 middle = sum / static_cast<float>(count);
  return squares / static_cast<float>(count) - glm::dot(middle, middle);
}

// On a captain's fiber. None is 0.
class OnFiber {
 public:
  explicit OnFiber(uint32_t fiber) : fiber_(fiber) {
    if (fiber_ != 0) flamelet_fiber_switch(0, fiber_);
  }
  ~OnFiber() {
    if (fiber_ != 0) flamelet_fiber_switch(fiber_, 0);
  }
  OnFiber(const OnFiber&) = delete;
  OnFiber& operator=(const OnFiber&) = delete;

 private:
  const uint32_t fiber_;
};

}  // namespace

Captains::Captains(bool has_blocks) : program_(script::kCaptainScript, script::captain_ports()) {
  flamelet_call_tree_config config = flamelet_call_tree_config_default();
  config.max_nodes = 1024;  // they use less than a hundred
  config.max_blocks = static_cast<uint32_t>(program_.function_count());
  const size_t bytes = flamelet_call_tree_memory_required(&config);
  memory_ = std::make_unique<unsigned char[]>(bytes);
  const flamelet_result result = flamelet_call_tree_create(&config, memory_.get(), bytes, &tree_);
  if (result != FLAMELET_OK) throw std::runtime_error(flamelet_result_message(result));
  script::name_functions(tree_, program_);
  const size_t begin = program_.find("captain");
  captains_.reserve(Agents::kSquadCount);
  for (size_t i = 0; i < Agents::kSquadCount; ++i) {
    names_.push_back(flamelet_intern(("Captain " + std::to_string(i + 1)).c_str()));
    fibers_.push_back(has_blocks ? flamelet_fiber_create(names_.back()) : 0);
    const OnFiber here(fibers_.back());
    captains_.emplace_back(program_, begin, std::vector<int64_t>(), flamelet_call_thread_create(tree_),
                           script::Machine::Limits(), fibers_.back() != 0);
  }
  paces_.fill(1.0f);
}

void Captains::run(const Snapshot& snapshot) {
  FLAMELET_SCOPE("Captains");
  uint64_t budget = kBudget;
  for (size_t turn = 0; turn < captains_.size(); ++turn) {
    script::Machine& captain = captains_[next_];
    const Lantern* squad = &snapshot.lanterns[next_ * Agents::kSquadSize];
    captain.port(script::kPortSpread) = static_cast<int64_t>(spread_of(squad, Agents::kSquadSize));
    captain.port(script::kPortExplosions) = snapshot.explosions;
    captain.wake();
    {
      const OnFiber here(fibers_[next_]);
      budget -= captain.run(budget);
    }
    // The budget is used up: this captain goes on in the next frame.
    if (captain.state() == script::Machine::State::kReady) break;
    const float pace = static_cast<float>(captain.port(script::kPortPace)) * 0.01f;
    if (pace != paces_[next_]) FLAMELET_INSTANT_OBJECT("New pace", names_[next_]);
    paces_[next_] = pace;
    next_ = (next_ + 1) % captains_.size();
  }
}

}  // namespace demo
