// SPDX-License-Identifier: MIT
//
// agents.h: the lanterns: squads of agents that walk from a gate to a beacon, keep their distance from each other, climb
// rubble and are thrown by explosions. Each squad is one job.
#pragma once

#include <flamelet/call_tree.h>
#include <flamelet/perf_log.h>
#include <flamelet/recorder.h>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jobs.h"
#include "machine.h"
#include "physics.h"
#include "snapshot.h"
#include "trouble.h"

namespace demo {

// Path planning: a grid of walking costs, and for each beacon a flow field that leads there from anywhere.
//
// Threads: plan() of different beacons may run at the same time, and direction() from everywhere while no plan()
// of that beacon runs.
class Navigation {
 public:
  explicit Navigation(const Layout& layout);

  // Writes the blocks on the ground into the costs. The fields follow with the next plan().
  void mark_obstacles(const Physics& physics);

  // Finds the cheapest way to a beacon from every cell (Dijkstra), and straightens it.
  void plan(size_t beacon);

  // Which way to walk to the beacon: of unit length, or 0 at the goal.
  glm::vec2 direction(size_t beacon, glm::vec2 position) const;
  bool blocked(glm::vec2 position) const { return costs_[cell_at(position)] > 1.0f; }

 private:
  static constexpr int kSide = 256;
  static constexpr float kCellSize = 2.0f * kTownHalfSize / kSide;

  struct Field {
    uint32_t goal;
    const char* name;                  // for the profiler
    std::vector<float> distance;       // to the goal, by cell
    std::vector<uint8_t> next_way;     // index of the best neighbour, kNoWay at the goal
    std::vector<glm::vec2> direction;  // towards the furthest cell on the way that is in sight
  };

  void search(Field& field) const;
  void straighten(Field& field) const;
  // Whether two cells cost the same and so does everything on the line between them.
  bool in_sight(glm::ivec2 from, glm::ivec2 to) const;
  static uint32_t cell_at(glm::vec2 position);

  std::vector<float> costs_;  // of one metre, by cell
  std::vector<Field> fields_;
};

class Agents {
 public:
  static constexpr size_t kSquadCount = 24;
  static constexpr size_t kSquadSize = 125;
  using Paces = std::array<float, kSquadCount>;  // 1 = the usual one

  Agents(const Layout& layout, uint64_t seed);

  // One step. The result depends on nothing but the state before: agents read last step's neighbours and write their
  // own next state, so the number of threads does not matter.
  // `frame` is the one that waits for this step.
  void step(float seconds, const Navigation& navigation, Jobs& jobs, const Troubles& troubles, uint64_t frame);

  void set_paces(const Paces& paces) { paces_ = paces; }

  // Throws the agents within `radius` away.
  void explode(glm::vec3 center, float radius, float strength);

  // Squad by squad.
  void append(std::vector<Lantern>& lanterns) const;
  size_t count() const { return agents_.size(); }
  glm::vec3 position(size_t agent) const { return agents_[agent].position; }
  uint32_t home_count() const { return home_count_; }

 private:
  struct Agent {
    glm::vec3 position;
    glm::vec3 velocity;
    uint32_t beacon;
    uint32_t trips;  // also picks the next gate, without a random generator that threads would share
  };
  struct Squad {
    const char* name;  // for the profiler
    size_t first;
    size_t count;
  };

  void sort_into_cells(double stall_ms);
  void step_squad(size_t squad_index, float seconds, const Navigation& navigation, double late_ms, double heavier);
  Agent step_agent(const Agent& agent, glm::vec2 push, float pace, float seconds, const Navigation& navigation) const;
  glm::vec2 push_of_neighbours(size_t index) const;
  static glm::vec2 push_of_rubble(const Agent& agent, const Navigation& navigation);
  void send_to_gate(Agent& agent, size_t index) const;

  const Layout& layout_;
  std::vector<Agent> agents_;
  std::vector<Agent> next_;
  std::vector<Squad> squads_;
  Paces paces_;
  std::vector<uint32_t> cell_begin_;    // of each cell's run in cell_agents_
  std::vector<uint32_t> cell_agents_;   // agents sorted by cell
  std::vector<glm::vec2> cell_points_;  // where those stand
  uint32_t home_count_ = 0;
};

// How crowded the town is: a chart that is made a piece in each step, on whichever worker comes to it. So it is a job on
// a fiber, whose scope goes from thread to thread.
class CrowdChart {
 public:
  CrowdChart();

  // The next piece.
  void step(const Agents& agents);
  // Lanterns in the most crowded cell of the last whole chart.
  uint32_t most() const { return most_; }

 private:
  static constexpr size_t kPieces = 10;
  static constexpr int kSide = 16;

  const uint32_t fiber_;  // 0 = none
  flamelet_id scope_ = 0;
  size_t piece_ = 0;
  std::array<uint32_t, size_t{kSide} * kSide> cells_{};
  uint32_t most_ = 0;
};

// The squads' captains, run by the script interpreter on the main thread: each frame they see the newest snapshot and
// set the paces for the next step. What they execute is kept as a call tree, in which a sample is one instruction.

// --perf-log: what the captains' script calls, as a performance log.

class ScriptLog {
 public:
  explicit ScriptLog(const std::string& path);  // "" = no log; throws std::runtime_error
  ~ScriptLog();                                 // says on stderr what is missing from the log
  ScriptLog(const ScriptLog&) = delete;
  ScriptLog& operator=(const ScriptLog&) = delete;

  bool is_open() const { return log_ != nullptr; }
  // After each frame. Writes now and then, so that few frames take longer for it.
  void frame();

 private:
  flamelet_perf_log* log_ = nullptr;
  uint32_t frames_ = 0;
};

class Captains {
 public:
  // Instructions in a frame, of all captains together. What is not done goes on in the next frame; since it is a number
  // and not a time, the game stays the same in every run.
  static constexpr uint64_t kBudget = 8192;

  // Throws std::runtime_error. With `has_blocks` each captain is a fiber, and its calls are PERF blocks.
  explicit Captains(bool has_blocks);
  // Captains point into this.
  Captains(const Captains&) = delete;
  Captains& operator=(const Captains&) = delete;

  void run(const Snapshot& snapshot);
  const Agents::Paces& paces() const { return paces_; }

  flamelet_call_tree* tree() const { return tree_; }

 private:
  script::Program program_;
  std::unique_ptr<unsigned char[]> memory_;  // of the tree
  flamelet_call_tree* tree_ = nullptr;
  std::vector<script::Machine> captains_;  // one for each squad
  std::vector<const char*> names_;         // theirs
  std::vector<uint32_t> fibers_;           // theirs; 0 = none
  size_t next_ = 0;                        // whose turn it is
  Agents::Paces paces_;
};

}  // namespace demo
