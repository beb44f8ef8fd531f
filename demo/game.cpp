// SPDX-License-Identifier: MIT
#include "game.h"

#include <flamelet/flamelet.h>

namespace demo {
namespace {

constexpr uint64_t kPlanInterval = 12;     // steps between two plans of one beacon, in quiet times
constexpr uint64_t kRepairDelay = 240;     // steps after the last explosion
constexpr uint64_t kRepairDuration = 110;  // steps of the flight home
constexpr uint64_t kStreamInterval = 75;   // steps between two requests for buildings
constexpr uint64_t kStreamedAtOnce = 3;
constexpr uint64_t kBakeFrames = 6;   // between the begin of a bake and the frame that needs it
constexpr float kRepairBelow = 0.6f;  // of a building still standing

}  // namespace

Game::Game(uint64_t seed, Jobs& jobs, const Troubles& troubles)
    : random_(seed),
      jobs_(jobs),
      troubles_(troubles),
      layout_(make_layout(seed)),
      physics_(layout_),
      navigation_(layout_),
      agents_(layout_, seed + 1),
      streaming_(layout_) {
  for (const Building& building : layout_.buildings) {
    Repair repair;
    repair.name = flamelet_intern(building.name.c_str());
    repairs_.push_back(repair);
  }
  navigation_.mark_obstacles(physics_);
}

// The others wait for the first one.
Game::~Game() {
  if (!clerks_.empty()) clerks_.front().go();
}

void Game::step(const Commands& commands) {
  FLAMELET_SCOPE("Simulate");
  run_events(commands);
  const uint64_t frame = step_ + 1;  // that waits for this step
  make_trouble(frame);

  // Agents need nothing from this step's physics: the workers steer them while this thread solves contacts.
  jobs_.run([this, frame] {
    plan_paths();
    agents_.step(kStepSeconds, navigation_, jobs_, troubles_, frame);
    chart_.step(agents_);
  });
  physics_.step(kStepSeconds);
  {
    FLAMELET_SCOPE_WAIT("Wait for agents");
    jobs_.join();
  }
  repair_buildings();
  stream_buildings();
  prepare_trouble(frame);
  if (step_ % kPlanInterval == 0) navigation_.mark_obstacles(physics_);
  flash_ *= 0.90f;
  ++step_;
}

void Game::make_trouble(uint64_t frame) {
  const auto ms = [&](TroubleKind kind) { return troubles_.ms(kind, frame); };
  if (surveyor_ && ms(TroubleKind::kLock) > 0) {
    surveyor_->wait_until_prepared();
    surveyor_->go();
  }
  {
    FLAMELET_SCOPE_WAIT("Lock town");
    const std::lock_guard<std::mutex> lock(town_);
  }
  if (!clerks_.empty() && ms(TroubleKind::kConvoy) > 0) {
    clerks_.front().go();
    const std::lock_guard<flamelet::Mutex> lock(registry_);
  }
  if (ms(TroubleKind::kRead) > 0) {
    FLAMELET_SCOPE("Load quarter");
    read_slowly(ms(TroubleKind::kRead));
  }
  if (baker_ && ms(TroubleKind::kCarriedOver) > 0) {
    FLAMELET_SCOPE_WAIT("Wait for bake");
    baker_->go();
    baker_.reset();
    FLAMELET_FLOW_END(&baker_);
  }
  if (ms(TroubleKind::kNewScope) > 0) {
    FLAMELET_SCOPE("Load district");
    be_busy(ms(TroubleKind::kNewScope));
  }
  if (ms(TroubleKind::kNoScope) > 0) be_busy(ms(TroubleKind::kNoScope));
}

// Threads that have begun something when the frame comes to need it.
void Game::prepare_trouble(uint64_t frame) {
  if (const double ms = troubles_.ms(TroubleKind::kLock, frame + 1); ms > 0) {
    surveyor_.emplace([this, ms] {
      FLAMELET_THREAD_NAME("Surveyor");
      town_.lock();
      return [this, ms] {
        {
          FLAMELET_SCOPE("Survey town");
          be_busy(ms);
        }
        town_.unlock();
      };
    });
  }
  if (const double ms = troubles_.ms(TroubleKind::kConvoy, frame + 1); ms > 0) hire_clerks(ms);
  if (const double ms = troubles_.ms(TroubleKind::kCarriedOver, frame + kBakeFrames); ms > 0) {
    baker_.emplace([this, ms] {
      FLAMELET_THREAD_NAME("Baker");
      const flamelet_id bake = flamelet_begin("Bake lights", "", nullptr);
      return [this, ms, bake] {
        be_busy(ms);
        flamelet_end(bake);
        FLAMELET_FLOW_BEGIN(&baker_);
      };
    });
  }
}

// The first one has the lock and waits until the frame wants it; the others wait for the lock already, so they get it first.
void Game::hire_clerks(double ms) {
  constexpr int kClerks = 3;
  const auto file_papers = [ms] {
    FLAMELET_SCOPE("File papers");
    be_busy(ms / kClerks);
  };
  clerks_.clear();
  clerks_.emplace_back([this, file_papers] {
    FLAMELET_THREAD_NAME("Clerk 1");
    registry_.lock();
    return [this, file_papers] {
      file_papers();
      registry_.unlock();
    };
  });
  clerks_.front().wait_until_prepared();
  for (const char* const name : {"Clerk 2", "Clerk 3"}) {
    clerks_.emplace_back([this, file_papers, name] {
      FLAMELET_THREAD_NAME(name);
      return [this, file_papers] {
        const std::lock_guard<flamelet::Mutex> lock(registry_);
        file_papers();
      };
    });
    clerks_.back().go();
  }
}

void Game::run_events(const Commands& commands) {
  FLAMELET_FUNCTION();
  if (const double ms = troubles_.ms(TroubleKind::kPreempted, step_ + 1); ms > 0) share_core(ms);
  if (commands.paces) agents_.set_paces(*commands.paces);
  if (commands.bomb) explode(commands.bomb_at, 11.0f, 30.0f, "player");
  if (commands.quake) quake();
  if (step_ < next_bomb_) return;
  next_bomb_ = step_ + 150 + random_.below(150);
  const size_t victim = random_.below(static_cast<uint32_t>(repairs_.size()));
  const glm::vec3 aside(random_.range(-2, 2), 0.5f, random_.range(-2, 2));
  explode(layout_.buildings[victim].center + aside, random_.range(9, 13), random_.range(22, 32), repairs_[victim].name);
}

void Game::explode(glm::vec3 center, float radius, float strength, const char* victim) {
  FLAMELET_INSTANT_OBJECT("Explosion", victim);
  physics_.explode(center, radius, strength);
  agents_.explode(center, 1.3f * radius, 0.8f * strength);
  flash_at_ = center + glm::vec3(0.0f, 2.0f, 0.0f);
  flash_ = 1.0f;
  last_blast_ = step_;
  plan_all_ = true;
  ++explosions_;
}

void Game::quake() {
  FLAMELET_INSTANT("Quake");
  physics_.quake(6.0f, random_.next());
  last_blast_ = step_;
  plan_all_ = true;
}

// One beacon at a time, which nobody notices; after an explosion all of them in one step, which everybody does. The
// overlay shows it: five plans side by side on the workers, and a frame that waits for them.
void Game::plan_paths() {
  if (plan_all_) {
    FLAMELET_SCOPE("Plan all paths");
    jobs_.for_each(layout_.beacons.size(), [this](size_t i) { navigation_.plan(i); });
    plan_all_ = false;
  } else if (step_ % kPlanInterval == 0) {
    navigation_.plan(next_plan_++ % layout_.beacons.size());
  }
}

void Game::repair_buildings() {
  FLAMELET_FUNCTION();
  if (const double ms = troubles_.ms(TroubleKind::kPageFaults, step_ + 1); ms > 0) touch_new_pages(ms);
  for (size_t i = 0; i < repairs_.size(); ++i) {
    Repair& repair = repairs_[i];
    const Building& building = layout_.buildings[i];
    if (repair.flying) {
      FLAMELET_SCOPE_OBJECT("Carry blocks home", repair.name);
      const auto age = static_cast<float>(step_ - repair.begin_step);
      const float progress = std::min(age / static_cast<float>(kRepairDuration), 1.0f);
      physics_.carry(building, progress);
      repair.flying = progress < 1.0f;
      if (!repair.flying) flamelet_interval_end(repair.interval);
      continue;
    }
    // One building is looked at in each step.
    if (step_ % repairs_.size() != i || step_ < last_blast_ + kRepairDelay) continue;
    if (physics_.standing(building) >= kRepairBelow) continue;
    FLAMELET_INSTANT_OBJECT("Rebuild", repair.name);
    physics_.explode(building.center, building.radius + 1.0f, 4.0f);  // makes room
    physics_.lift(building);
    repair.begin_step = step_;
    repair.flying = true;
    repair.interval = flamelet_interval_begin("Rebuild", "town", repair.name);
  }
}

// A few at once: they wait for each other.
void Game::stream_buildings() {
  if (step_ % kStreamInterval != 0) return;
  for (size_t i = 0; i < kStreamedAtOnce; ++i)
    streaming_.request((step_ / kStreamInterval * kStreamedAtOnce + i) % layout_.buildings.size());
}

void Game::fill_for_frame(Snapshot& snapshot) const {
  fill(snapshot);
  const double ms = troubles_.ms(TroubleKind::kMoreCalls, step_);
  if (ms <= 0) return;
  const Work work(ms);
  for (int i = 0; i < 9 || !work.is_done(); ++i) fill(snapshot);
}

void Game::fill(Snapshot& snapshot) const {
  FLAMELET_SCOPE("Fill snapshot");
  snapshot.boxes.clear();
  snapshot.lanterns.clear();
  snapshot.lights.clear();
  physics_.append(snapshot.boxes);
  agents_.append(snapshot.lanterns);
  for (const Beacon& beacon : layout_.beacons) {
    const glm::vec3 middle = beacon.position + glm::vec3(0.0f, 4.0f, 0.0f);
    snapshot.boxes.push_back({middle, 2.4f, glm::quat(1, 0, 0, 0), {0.2f, 4.0f, 0.2f}, pack_color(beacon.color)});
    snapshot.lights.push_back({middle, 17.0f, beacon.color * beacon.color * 2.0f});
  }
  snapshot.lights.push_back({flash_at_, 24.0f, glm::vec3(9.0f, 5.0f, 2.0f) * flash_});
  snapshot.step = step_;
  snapshot.bodies_awake = physics_.awake_count();
  snapshot.contacts = physics_.contact_count();
  snapshot.lanterns_home = agents_.home_count();
  snapshot.explosions = explosions_;
  FLAMELET_COUNTER("bodies awake", snapshot.bodies_awake);
  FLAMELET_COUNTER("contacts", snapshot.contacts);
  FLAMELET_COUNTER("lanterns home", snapshot.lanterns_home);
  FLAMELET_COUNTER("lanterns in the fullest cell", chart_.most());
  FLAMELET_COUNTER("streamed KiB", static_cast<double>(streaming_.bytes()) / 1024);
  FLAMELET_COUNTER("buildings to load", streaming_.waiting());
}

// ---- the thread

SimulationThread::SimulationThread(uint64_t seed, int workers, const Troubles& troubles)
    : jobs_(workers), game_(seed, jobs_, troubles) {
  game_.fill(snapshots_[shown_]);
  thread_ = std::thread([this] { run(); });
}

SimulationThread::~SimulationThread() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    quit_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

const Snapshot& SimulationThread::advance(int steps, const Commands& commands) {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    {
      FLAMELET_SCOPE_WAIT("Wait for simulation");
      changed_.wait(lock, [this] { return steps_to_do_ == 0; });
      FLAMELET_FLOW_END(&fresh_);
    }
    if (fresh_) shown_ = 1 - shown_;
    fresh_ = false;
    commands_.quake |= commands.quake;
    if (commands.bomb) {
      commands_.bomb = true;
      commands_.bomb_at = commands.bomb_at;
    }
    if (commands.paces) commands_.paces = commands.paces;
    steps_to_do_ = steps;
    FLAMELET_FLOW_BEGIN(&steps_to_do_);
  }
  changed_.notify_all();
  return snapshots_[shown_];
}

void SimulationThread::run() {
  FLAMELET_THREAD_NAME("Simulation");
  for (;;) {
    Commands commands;
    int steps = 0;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return quit_ || steps_to_do_ > 0; });
      if (quit_) return;
      commands = commands_;
      commands_ = {};
      steps = steps_to_do_;
      FLAMELET_FLOW_END(&steps_to_do_);
    }
    // Between here and the next lock advance() waits, so the hidden snapshot is this thread's.
    for (int i = 0; i < steps; ++i) {
      game_.step(commands);
      commands = {};
    }
    game_.fill_for_frame(snapshots_[1 - shown_]);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      steps_to_do_ = 0;
      fresh_ = true;
      FLAMELET_FLOW_BEGIN(&fresh_);
    }
    changed_.notify_all();
  }
}

}  // namespace demo
