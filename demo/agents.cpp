// SPDX-License-Identifier: MIT
#include "agents.h"

#include <flamelet/flamelet.h>
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <string>

#include "captain.h"
#include "random.h"

namespace demo {

namespace {

constexpr float kHover = 0.55f;  // metres above the ground
constexpr float kSpeed = 5.5f;
constexpr float kHomeRadius = 1.6f;

constexpr int kFeelerSteps = 8;
constexpr float kFeelerLength = 2.4f;

// Neighbours are looked up in cells of this size, in which one agent sees the next.
constexpr float kSight = 1.0f;
constexpr int kSide = static_cast<int>(2.0f * kTownHalfSize / kSight);

int cell_coordinate(float position) {
  return std::clamp(static_cast<int>((position + kTownHalfSize) / kSight), 0, kSide - 1);
}
size_t cell_of(glm::vec3 position) {
  return static_cast<size_t>(cell_coordinate(position.z) * kSide + cell_coordinate(position.x));
}

}  // namespace

Agents::Agents(const Layout& layout, uint64_t seed) : layout_(layout) {
  Random random(seed);
  for (size_t s = 0; s < kSquadCount; ++s) {
    const std::string name = "squad " + std::to_string(s + 1);
    squads_.push_back({flamelet_intern(name.c_str()), agents_.size(), kSquadSize});
    for (size_t i = 0; i < kSquadSize; ++i) {
      const float reach = kTownHalfSize - 2.0f;
      agents_.push_back({{random.range(-reach, reach), kHover, random.range(-reach, reach)},
                         glm::vec3(0.0f),
                         static_cast<uint32_t>(s % layout.beacons.size()),
                         random.below(1000)});
    }
  }
  paces_.fill(1.0f);
  next_ = agents_;
  cell_begin_.resize(static_cast<size_t>(kSide * kSide) + 1);
  cell_agents_.resize(agents_.size());
  cell_points_.resize(agents_.size());
}

void Agents::step(float seconds, const Navigation& navigation, Jobs& jobs, const Troubles& troubles, uint64_t frame) {
  FLAMELET_SCOPE("Agents");
  sort_into_cells(troubles.ms(TroubleKind::kStall, frame));
  const double late_ms = troubles.ms(TroubleKind::kSlowJob, frame);
  jobs.for_each(squads_.size(),
                [&](size_t i) { step_squad(i, seconds, navigation, i == 0 ? late_ms : 0, troubles.heavier()); });
  agents_.swap(next_);

  uint32_t came_home = 0;
  for (size_t i = 0; i < agents_.size(); ++i) {
    Agent& agent = agents_[i];
    if (glm::distance(agent.position, layout_.beacons[agent.beacon].position) > kHomeRadius) continue;
    send_to_gate(agent, i);
    ++came_home;
  }
  home_count_ += came_home;
}

// A counting sort: three passes over the agents, no allocation.
void Agents::sort_into_cells(double stall_ms) {
  FLAMELET_FUNCTION();
  if (stall_ms > 0) stall(stall_ms);
  std::fill(cell_begin_.begin(), cell_begin_.end(), 0u);
  for (const Agent& agent : agents_) ++cell_begin_[cell_of(agent.position)];
  std::partial_sum(cell_begin_.begin(), cell_begin_.end(), cell_begin_.begin());
  for (size_t i = agents_.size(); i-- > 0;) {
    const uint32_t at = --cell_begin_[cell_of(agents_[i].position)];
    cell_agents_[at] = static_cast<uint32_t>(i);
    cell_points_[at] = {agents_[i].position.x, agents_[i].position.z};
  }
}

void Agents::step_squad(size_t squad_index, float seconds, const Navigation& navigation, double late_ms,
                        double heavier) {
  const Squad& squad = squads_[squad_index];
  FLAMELET_SCOPE_OBJECT("Steer squad", squad.name);
  glm::vec2 pushes[kSquadSize];
  FLAMELET_BEGIN(part, "Keep distance");
  for (size_t i = 0; i < squad.count; ++i) {
    const size_t agent = squad.first + i;
    pushes[i] = push_of_neighbours(agent);
    // The share of all agents that is computed again.
    const auto again = [heavier](size_t agents) { return std::floor(static_cast<double>(agents) * heavier); };
    for (double left = again(agent + 1) - again(agent); left >= 1; --left) pushes[i] = push_of_neighbours(agent);
  }
  FLAMELET_NEXT(part, "Look ahead");
  if (late_ms > 0) be_busy(late_ms);
  for (size_t i = 0; i < squad.count; ++i) pushes[i] += push_of_rubble(agents_[squad.first + i], navigation);
  FLAMELET_NEXT(part, "Follow field");
  for (size_t i = 0; i < squad.count; ++i) {
    next_[squad.first + i] = step_agent(agents_[squad.first + i], pushes[i], paces_[squad_index], seconds, navigation);
  }
}

glm::vec2 Agents::push_of_neighbours(size_t index) const {
  const glm::vec2 here(agents_[index].position.x, agents_[index].position.z);
  const int x = cell_coordinate(here.x);
  const int y = cell_coordinate(here.y);
  glm::vec2 push(0.0f);
  for (int row = std::max(y - 1, 0); row <= std::min(y + 1, kSide - 1); ++row) {
    // Cells of one row lie side by side, and so do their agents.
    const uint32_t begin = cell_begin_[static_cast<size_t>(row * kSide + std::max(x - 1, 0))];
    const uint32_t end = cell_begin_[static_cast<size_t>(row * kSide + std::min(x + 1, kSide - 1)) + 1];
    for (uint32_t k = begin; k < end; ++k) {
      const glm::vec2 away = here - cell_points_[k];
      const float square = glm::dot(away, away);
      if (square >= kSight * kSight || cell_agents_[k] == index) continue;
      const float distance = std::sqrt(square);
      push += away * ((kSight - distance) / (distance + 0.01f));
    }
  }
  return push;
}

// Feelers to the left and to the right: what one of them meets pushes to the other side, more when it is near.
glm::vec2 Agents::push_of_rubble(const Agent& agent, const Navigation& navigation) {
  const glm::vec2 here(agent.position.x, agent.position.z);
  const glm::vec2 velocity(agent.velocity.x, agent.velocity.z);
  const float speed = glm::length(velocity);
  if (speed < 0.5f || navigation.blocked(here)) return glm::vec2(0.0f);
  const glm::vec2 ahead = velocity / speed;
  const glm::vec2 side(-ahead.y, ahead.x);
  glm::vec2 push(0.0f);
  for (const float hand : {-1.0f, 1.0f}) {
    const glm::vec2 feeler = ahead * 0.85f + side * (0.5f * hand);
    for (int i = 1; i <= kFeelerSteps; ++i) {
      const float reach = kFeelerLength * static_cast<float>(i) / kFeelerSteps;
      if (!navigation.blocked(here + feeler * reach)) continue;
      push -= side * (hand * 0.5f * (1.0f - reach / kFeelerLength + 0.2f));
      break;
    }
  }
  return push;
}

Agents::Agent Agents::step_agent(const Agent& agent, glm::vec2 push, float pace, float seconds,
                                 const Navigation& navigation) const {
  Agent next = agent;
  const bool flying = agent.position.y > kHover + 1.5f || agent.velocity.y > 3.0f;
  if (flying) {
    next.velocity.y -= 9.81f * seconds;
  } else {
    const glm::vec2 here(agent.position.x, agent.position.z);
    const bool climbing = navigation.blocked(here);
    const float speed = pace * (climbing ? 0.45f * kSpeed : kSpeed);
    const glm::vec2 wanted = navigation.direction(agent.beacon, here) * speed + push * 5.0f;
    const float height = climbing ? kHover + 1.0f : kHover;
    next.velocity.x += (wanted.x - next.velocity.x) * 4.0f * seconds;
    next.velocity.z += (wanted.y - next.velocity.z) * 4.0f * seconds;
    next.velocity.y = (height - agent.position.y) * 5.0f;
  }
  next.position += next.velocity * seconds;
  const float reach = kTownHalfSize - 0.5f;
  next.position.x = std::clamp(next.position.x, -reach, reach);
  next.position.z = std::clamp(next.position.z, -reach, reach);
  if (next.position.y < kHover) {
    next.position.y = kHover;
    next.velocity.y = 0.0f;
  }
  return next;
}

void Agents::send_to_gate(Agent& agent, size_t index) const {
  const size_t gate = (index + agent.trips) % layout_.gates.size();
  const float angle = static_cast<float>(index % 61) * 0.103f * 6.0f;
  ++agent.trips;
  agent.position = layout_.gates[gate] + glm::vec3(2.5f * std::cos(angle), kHover, 2.5f * std::sin(angle));
  agent.velocity = glm::vec3(0.0f);
}

void Agents::explode(glm::vec3 center, float radius, float strength) {
  for (Agent& agent : agents_) {
    const glm::vec3 offset = agent.position - center;
    const float distance = glm::length(offset);
    if (distance > radius) continue;
    const glm::vec3 direction = glm::normalize(offset + glm::vec3(0.0f, 0.5f * radius, 0.0f));
    agent.velocity += direction * (strength * (1.0f - distance / radius));
  }
}

void Agents::append(std::vector<Lantern>& lanterns) const {
  for (const Agent& agent : agents_) {
    lanterns.push_back({agent.position, pack_color(layout_.beacons[agent.beacon].color)});
  }
}

// ---- crowd chart

CrowdChart::CrowdChart() : fiber_(flamelet_fiber_create("Crowd chart")) {}

void CrowdChart::step(const Agents& agents) {
  if (fiber_ != 0) flamelet_fiber_switch(0, fiber_);
  if (piece_ == 0) {
    scope_ = flamelet_begin("Chart crowds", "", nullptr);
    cells_.fill(0);
  }
  {
    FLAMELET_SCOPE("Count lanterns");
    const size_t end = agents.count() * (piece_ + 1) / kPieces;
    for (size_t i = agents.count() * piece_ / kPieces; i < end; ++i) {
      const glm::vec3 position = agents.position(i);
      const auto cell = [](float at) {
        return std::clamp(static_cast<int>((at + kTownHalfSize) / (2.0f * kTownHalfSize) * kSide), 0, kSide - 1);
      };
      ++cells_[static_cast<size_t>(cell(position.z) * kSide + cell(position.x))];
    }
  }
  if (++piece_ == kPieces) {
    most_ = *std::max_element(cells_.begin(), cells_.end());
    flamelet_end(scope_);
    piece_ = 0;
  }
  if (fiber_ != 0) flamelet_fiber_switch(fiber_, 0);
}

// ---- navigation

namespace {

constexpr float kRubbleCost = 14.0f;  // climbing is possible, so that every place can be reached
constexpr int kLookAhead = 16;        // cells
constexpr int kLookEvery = 4;
constexpr uint8_t kNoWay = 8;
constexpr int kWayX[] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr int kWayY[] = {0, 1, 1, 1, 0, -1, -1, -1};

struct OpenCell {
  float distance;
  uint32_t cell;
  bool operator<(const OpenCell& other) const { return distance > other.distance; }  // nearest on top
};

}  // namespace

Navigation::Navigation(const Layout& layout) : costs_(kSide * kSide, 1.0f) {
  for (size_t i = 0; i < layout.beacons.size(); ++i) {
    const glm::vec3 p = layout.beacons[i].position;
    const std::string name = "beacon " + std::to_string(i + 1);
    fields_.push_back({cell_at({p.x, p.z}), flamelet_intern(name.c_str()), std::vector<float>(kSide * kSide),
                       std::vector<uint8_t>(kSide * kSide, kNoWay),
                       std::vector<glm::vec2>(kSide * kSide, glm::vec2(0.0f))});
  }
}

uint32_t Navigation::cell_at(glm::vec2 position) {
  const glm::vec2 scaled = (position + kTownHalfSize) / kCellSize;
  const int x = std::clamp(static_cast<int>(scaled.x), 0, kSide - 1);
  const int y = std::clamp(static_cast<int>(scaled.y), 0, kSide - 1);
  return static_cast<uint32_t>(y * kSide + x);
}

void Navigation::mark_obstacles(const Physics& physics) {
  FLAMELET_FUNCTION();
  std::fill(costs_.begin(), costs_.end(), 1.0f);
  physics.for_each_obstacle([this](glm::vec3 center, float radius) {
    const float reach = radius + 0.5f * kCellSize;
    for (float z = center.z - reach; z <= center.z + reach; z += kCellSize) {
      for (float x = center.x - reach; x <= center.x + reach; x += kCellSize) {
        costs_[cell_at({x, z})] = kRubbleCost;
      }
    }
  });
}

void Navigation::plan(size_t beacon) {
  Field& field = fields_[beacon];
  FLAMELET_SCOPE_OBJECT("Plan paths", field.name);
  search(field);
  straighten(field);
}

void Navigation::search(Field& field) const {
  FLAMELET_FUNCTION();
  std::fill(field.distance.begin(), field.distance.end(), std::numeric_limits<float>::max());
  std::priority_queue<OpenCell> open;
  field.distance[field.goal] = 0.0f;
  field.next_way[field.goal] = kNoWay;
  open.push({0.0f, field.goal});
  while (!open.empty()) {
    const OpenCell top = open.top();
    open.pop();
    if (top.distance > field.distance[top.cell]) continue;  // found a shorter way since
    const int x = static_cast<int>(top.cell) % kSide;
    const int y = static_cast<int>(top.cell) / kSide;
    for (uint8_t way = 0; way < 8; ++way) {
      const int nx = x + kWayX[way];
      const int ny = y + kWayY[way];
      if (nx < 0 || ny < 0 || nx >= kSide || ny >= kSide) continue;
      const auto neighbour = static_cast<uint32_t>(ny * kSide + nx);
      const float length = way % 2 ? 1.41421356f : 1.0f;
      const float distance = top.distance + length * costs_[neighbour];
      if (distance >= field.distance[neighbour]) continue;
      field.distance[neighbour] = distance;
      field.next_way[neighbour] = static_cast<uint8_t>((way + 4) % 8);  // back to where we came from
      open.push({distance, neighbour});
    }
  }
}

// The search knows eight directions. Looking along its ways for as long as nothing is between makes them all.
void Navigation::straighten(Field& field) const {
  FLAMELET_FUNCTION();
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const glm::ivec2 from(x, y);
      glm::ivec2 seen = from;
      glm::ivec2 at = from;
      for (int step = 1; step <= kLookAhead; ++step) {
        const uint8_t way = field.next_way[static_cast<size_t>(at.y * kSide + at.x)];
        if (way == kNoWay) break;
        at += glm::ivec2(kWayX[way], kWayY[way]);
        if (step == 1) seen = at;
        if (step % kLookEvery != 0) continue;
        if (!in_sight(from, at)) break;
        seen = at;
      }
      const glm::vec2 towards(seen - from);
      field.direction[static_cast<size_t>(y * kSide + x)] =
          seen == from ? glm::vec2(0.0f) : towards / glm::length(towards);
    }
  }
}

bool Navigation::in_sight(glm::ivec2 from, glm::ivec2 to) const {
  const glm::ivec2 whole = to - from;
  const int steps = std::max(std::abs(whole.x), std::abs(whole.y));
  const float cost = costs_[static_cast<size_t>(from.y * kSide + from.x)];
  const glm::vec2 step = glm::vec2(whole) / static_cast<float>(steps);
  glm::vec2 at = glm::vec2(from) + 0.5f;
  for (int i = 0; i < steps; ++i) {
    at += step;
    const auto cell = static_cast<size_t>(static_cast<int>(at.y) * kSide + static_cast<int>(at.x));
    if (costs_[cell] != cost) return false;
  }
  return true;
}

glm::vec2 Navigation::direction(size_t beacon, glm::vec2 position) const {
  return fields_[beacon].direction[cell_at(position)];
}

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
