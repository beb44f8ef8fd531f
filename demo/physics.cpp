// SPDX-License-Identifier: MIT
#include "physics.h"

#ifdef __linux__
#include <fcntl.h>
#include <unistd.h>
#endif

#include <LinearMath/btQuickprof.h>
#include <btBulletDynamicsCommon.h>
#include <flamelet/flamelet.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/gtc/constants.hpp>
#include <map>

#include "random.h"
#include "snapshot.h"
#include "trouble.h"

namespace demo {
namespace {

constexpr const char* kCategory = "bullet";

// Bullet hands over string literals from inside its library; the leave says nothing about what it leaves.
void enter_zone(const char* name) {
  flamelet_begin(name, kCategory, nullptr);
}
void leave_zone() {
  flamelet_end_top();
}

btVector3 to_bullet(glm::vec3 v) {
  return {v.x, v.y, v.z};
}
btQuaternion to_bullet(glm::quat q) {
  return {q.x, q.y, q.z, q.w};
}
glm::vec3 to_glm(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}
glm::quat to_glm(const btQuaternion& q) {
  return {q.w(), q.x(), q.y(), q.z()};
}

struct CompareSizes {
  bool operator()(glm::vec3 a, glm::vec3 b) const { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); }
};

}  // namespace

struct Physics::World {
  explicit World(const Layout& town) : layout(town) {}

  const Layout& layout;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};

  btStaticPlaneShape ground_shape{btVector3(0, 1, 0), 0};
  btRigidBody ground{btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &ground_shape)};
  std::map<glm::vec3, std::unique_ptr<btBoxShape>, CompareSizes> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;  // by block
  std::vector<btTransform> lifted_from;              // by block
};

Physics::Physics(const Layout& layout) : world_(std::make_unique<World>(layout)) {
  btSetCustomEnterProfileZoneFunc(enter_zone);
  btSetCustomLeaveProfileZoneFunc(leave_zone);

  World& w = *world_;
  w.world.setGravity({0, -9.81f, 0});
  w.world.setForceUpdateAllAabbs(false);  // most bodies sleep
  gDeactivationTime = btScalar(0.8);
  w.ground.setFriction(0.9f);
  w.world.addRigidBody(&w.ground);

  w.lifted_from.resize(layout.blocks.size());
  for (const Block& block : layout.blocks) {
    std::unique_ptr<btBoxShape>& shape = w.shapes[block.half_size];
    if (!shape) shape = std::make_unique<btBoxShape>(to_bullet(block.half_size));
    const float mass = 8.0f * block.half_size.x * block.half_size.y * block.half_size.z;
    btVector3 inertia;
    shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
    info.m_startWorldTransform = btTransform(to_bullet(block.rotation), to_bullet(block.position));
    info.m_friction = 0.75f;
    info.m_rollingFriction = 0.02f;
    info.m_linearDamping = 0.02f;
    info.m_angularDamping = 0.08f;
    info.m_linearSleepingThreshold = 0.9f;
    info.m_angularSleepingThreshold = 1.1f;
    w.bodies.push_back(std::make_unique<btRigidBody>(info));
    w.bodies.back()->setActivationState(ISLAND_SLEEPING);
    w.world.addRigidBody(w.bodies.back().get());
  }
}

Physics::~Physics() {
  World& w = *world_;
  for (const auto& body : w.bodies) w.world.removeRigidBody(body.get());
  w.world.removeRigidBody(&w.ground);
  btSetCustomEnterProfileZoneFunc([](const char*) {});
  btSetCustomLeaveProfileZoneFunc([] {});
}

void Physics::step(float seconds) {
  FLAMELET_SCOPE("Physics");
  world_->world.stepSimulation(seconds, 0);
}

void Physics::explode(glm::vec3 center, float radius, float strength) {
  FLAMELET_FUNCTION();
  for (const auto& body : world_->bodies) {
    const glm::vec3 offset = to_glm(body->getCenterOfMassPosition()) - center;
    const float distance = glm::length(offset);
    if (distance > radius || !body->isInWorld()) continue;
    const float push = strength * (1.0f - distance / radius) / static_cast<float>(body->getInvMass());
    const glm::vec3 direction = glm::normalize(offset + glm::vec3(0.0f, 0.35f * radius, 0.0f));
    body->activate(true);
    body->applyImpulse(to_bullet(direction * push), btVector3(0.1f, 0.2f, -0.1f));
  }
}

void Physics::quake(float strength, uint64_t seed) {
  FLAMELET_FUNCTION();
  Random random(seed);
  for (const auto& body : world_->bodies) {
    const btVector3 kick(random.range(-1, 1), random.range(0.2f, 1), random.range(-1, 1));
    if (!body->isInWorld()) continue;
    body->activate(true);
    body->applyCentralImpulse(kick * (strength / body->getInvMass()));
  }
}

float Physics::standing(const Building& building) const {
  size_t count = 0;
  for (size_t i = building.first_block; i < building.first_block + building.block_count; ++i) {
    count += glm::distance(position(i), world_->layout.blocks[i].position) < 0.6f;
  }
  return static_cast<float>(count) / static_cast<float>(building.block_count);
}

void Physics::lift(const Building& building) {
  FLAMELET_FUNCTION();
  World& w = *world_;
  for (size_t i = building.first_block; i < building.first_block + building.block_count; ++i) {
    w.lifted_from[i] = w.bodies[i]->getCenterOfMassTransform();
    w.world.removeRigidBody(w.bodies[i].get());
  }
}

void Physics::carry(const Building& building, float progress) {
  FLAMELET_FUNCTION();
  World& w = *world_;
  for (size_t i = building.first_block; i < building.first_block + building.block_count; ++i) {
    // The lowest blocks go first.
    const float order = static_cast<float>(i - building.first_block) / static_cast<float>(building.block_count);
    const float t = glm::smoothstep(0.0f, 1.0f, std::clamp(progress * 2.0f - order, 0.0f, 1.0f));
    const btTransform home(to_bullet(w.layout.blocks[i].rotation), to_bullet(w.layout.blocks[i].position));
    const btTransform& from = w.lifted_from[i];
    btVector3 position = from.getOrigin().lerp(home.getOrigin(), t);
    position.setY(position.y() + 6.0f * t * (1.0f - t));
    btRigidBody& body = *w.bodies[i];
    body.setCenterOfMassTransform(btTransform(from.getRotation().slerp(home.getRotation(), t), position));
    if (progress < 1.0f) continue;
    body.setCenterOfMassTransform(home);
    body.setInterpolationWorldTransform(home);
    body.setLinearVelocity(btVector3(0, 0, 0));
    body.setAngularVelocity(btVector3(0, 0, 0));
    body.clearForces();
    body.forceActivationState(ISLAND_SLEEPING);
    w.world.addRigidBody(&body);
  }
}

void Physics::append(std::vector<Box>& boxes) const {
  for (size_t i = 0; i < world_->bodies.size(); ++i) {
    const btTransform& transform = world_->bodies[i]->getCenterOfMassTransform();
    const Block& block = world_->layout.blocks[i];
    boxes.push_back(
        {to_glm(transform.getOrigin()), 0.0f, to_glm(transform.getRotation()), block.half_size, block.color});
  }
}

size_t Physics::block_count() const {
  return world_->bodies.size();
}

uint32_t Physics::awake_count() const {
  return static_cast<uint32_t>(std::count_if(world_->bodies.begin(), world_->bodies.end(),
                                             [](const auto& body) { return body->isInWorld() && body->isActive(); }));
}

uint32_t Physics::contact_count() const {
  uint32_t count = 0;
  for (int i = 0; i < world_->dispatcher.getNumManifolds(); ++i) {
    count += static_cast<uint32_t>(world_->dispatcher.getManifoldByIndexInternal(i)->getNumContacts());
  }
  return count;
}

glm::vec3 Physics::position(size_t block) const {
  return to_glm(world_->bodies[block]->getCenterOfMassPosition());
}

float Physics::ground_radius(size_t block) const {
  const glm::vec3 half = world_->layout.blocks[block].half_size;
  return std::max(half.x, half.z);
}

// ---- The town ----

namespace {

// Two shades of sandstone, of brick and of slate.
constexpr glm::vec3 kStone[] = {{0.80f, 0.66f, 0.50f}, {0.74f, 0.58f, 0.44f}, {0.70f, 0.44f, 0.34f},
                                {0.62f, 0.36f, 0.30f}, {0.50f, 0.54f, 0.60f}, {0.58f, 0.60f, 0.62f}};

class Builder {
 public:
  Builder(Layout& layout, Random& random) : layout_(layout), random_(random) {}

  void begin(const char* kind, glm::vec3 center, float yaw) {
    name_ = kind + (" " + std::to_string(layout_.buildings.size() + 1));
    center_ = center;
    turn_ = glm::angleAxis(yaw, glm::vec3(0, 1, 0));
    palette_ = random_.below(3) * 2;
    first_ = layout_.blocks.size();
  }
  // `position` is the block's centre, relative to the building.
  void place(glm::vec3 position, glm::vec3 half_size, float yaw = 0.0f) {
    const uint32_t color = pack_color(kStone[palette_ + random_.below(2)]);
    layout_.blocks.push_back(
        {center_ + turn_ * position, turn_ * glm::angleAxis(yaw, glm::vec3(0, 1, 0)), half_size, color});
  }
  void end(float radius) {
    layout_.buildings.push_back({name_, center_, radius, first_, layout_.blocks.size() - first_});
  }

 private:
  Layout& layout_;
  Random& random_;
  std::string name_;
  glm::vec3 center_{0.0f};
  glm::quat turn_{1, 0, 0, 0};
  uint32_t palette_ = 0;
  size_t first_ = 0;
};

// Rings of blocks, each turned by half a block against the one below.
void build_tower(Builder& builder, int rings, int blocks_per_ring) {
  const glm::vec3 half(0.80f, 0.60f, 0.50f);
  const float radius = half.x * static_cast<float>(blocks_per_ring) / glm::pi<float>() + half.z;
  const float pitch = glm::two_pi<float>() / static_cast<float>(blocks_per_ring);
  for (int ring = 0; ring < rings; ++ring) {
    for (int i = 0; i < blocks_per_ring; ++i) {
      const float angle = pitch * (static_cast<float>(i) + 0.5f * static_cast<float>(ring % 2));
      const glm::vec3 position(radius * std::sin(angle), half.y * static_cast<float>(2 * ring + 1),
                               radius * std::cos(angle));
      builder.place(position, half, angle);
    }
  }
  builder.end(radius + half.z);
}

void build_pyramid(Builder& builder, int base) {
  const glm::vec3 half(0.75f);
  for (int level = 0; level < base; ++level) {
    const int side = base - level;
    for (int row = 0; row < side; ++row) {
      for (int column = 0; column < side; ++column) {
        const bool inside = row > 0 && column > 0 && row < side - 1 && column < side - 1;
        if (inside && side > 3) continue;  // hollow: nobody sees the inside
        const auto at = [&](int i) { return half.x * static_cast<float>(2 * i - side + 1) * 1.02f; };
        builder.place({at(column), half.y * static_cast<float>(2 * level + 1), at(row)}, half);
      }
    }
  }
  builder.end(half.x * static_cast<float>(base) * 1.4f);
}

// Columns in a circle that carry lintels.
void build_henge(Builder& builder, int columns) {
  const float radius = 4.2f;
  const float pitch = glm::two_pi<float>() / static_cast<float>(columns);
  const glm::vec3 drum(0.55f, 0.8f, 0.55f);
  const int drums = 3;
  for (int i = 0; i < columns; ++i) {
    const float angle = pitch * static_cast<float>(i);
    for (int k = 0; k < drums; ++k) {
      builder.place({radius * std::sin(angle), drum.y * static_cast<float>(2 * k + 1), radius * std::cos(angle)}, drum,
                    angle);
    }
    const float between = angle + 0.5f * pitch;
    const float reach = radius * std::cos(0.5f * pitch);
    builder.place(
        {reach * std::sin(between), drum.y * static_cast<float>(2 * drums) + 0.35f, reach * std::cos(between)},
        {radius * std::sin(0.5f * pitch) * 0.97f, 0.35f, 0.45f}, between);
  }
  builder.end(radius + 1.0f);
}

void build_wall(Builder& builder, int courses, int length) {
  const glm::vec3 half(0.9f, 0.6f, 0.6f);
  for (int course = 0; course < courses; ++course) {
    const int count = length - course % 2;
    for (int i = 0; i < count; ++i) {
      builder.place({half.x * static_cast<float>(2 * i - count + 1), half.y * static_cast<float>(2 * course + 1), 0.0f},
                    half);
    }
  }
  builder.end(half.x * static_cast<float>(length));
}

}  // namespace

Layout make_layout(uint64_t seed) {
  Random random(seed);
  Layout layout;
  layout.beacons = {{{0, 0, 0}, {1.00f, 0.74f, 0.25f}},
                    {{-30, 0, -16}, {0.20f, 0.80f, 0.98f}},
                    {{30, 0, 18}, {1.00f, 0.36f, 0.30f}},
                    {{-17, 0, 30}, {0.50f, 0.92f, 0.35f}},
                    {{17, 0, -30}, {0.72f, 0.45f, 1.00f}}};
  layout.gates = {{-45, 0, 0}, {45, 0, 0}, {0, 0, -45}, {0, 0, 45}, {-43, 0, 43}, {43, 0, -43}};

  // One building in each cell of a 5 x 5 grid that holds no beacon.
  Builder builder(layout, random);
  const float cell = 15.5f;
  for (int row = -2; row <= 2; ++row) {
    for (int column = -2; column <= 2; ++column) {
      const glm::vec3 jitter(random.range(-2.0f, 2.0f), 0.0f, random.range(-2.0f, 2.0f));
      const glm::vec3 center = glm::vec3(static_cast<float>(column), 0, static_cast<float>(row)) * cell + jitter;
      const float yaw = random.range(0.0f, glm::two_pi<float>());
      const uint32_t kind = random.below(8);
      bool taken = false;
      for (const Beacon& beacon : layout.beacons) taken |= glm::distance(center, beacon.position) < 9.0f;
      if (taken) continue;
      if (kind < 4) {
        builder.begin("tower", center, yaw);
        build_tower(builder, 6 + 2 * static_cast<int>(kind), 9 + static_cast<int>(kind) / 2);
      } else if (kind == 4) {
        builder.begin("pyramid", center, yaw);
        build_pyramid(builder, 5);
      } else if (kind == 5) {
        builder.begin("henge", center, yaw);
        build_henge(builder, 9);
      } else {
        builder.begin("wall", center, yaw);
        build_wall(builder, 7, 6);
      }
    }
  }
  return layout;
}

// ---- streaming

namespace {

constexpr size_t kMostLoaded = 6;  // buildings
constexpr double kReadMs = 90.0;   // of a slow disk, which costs no processor
constexpr size_t kDetail = 64;     // copies of a block: its near, middle and far shapes
constexpr size_t kBlocksBetweenReads = 32;

}  // namespace

Streaming::Streaming(const Layout& layout) : layout_(layout), thread_([this] { run(); }) {}

Streaming::~Streaming() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    quit_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Streaming::request(size_t building) {
  const char* const name = flamelet_intern(layout_.buildings[building].name.c_str());
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    requests_.push_back({building, flamelet_interval_begin("Stream building", "streaming", name)});
    waiting_.store(requests_.size(), std::memory_order_relaxed);
  }
  changed_.notify_all();
}

void Streaming::run() {
  FLAMELET_THREAD_NAME("Loader");
  for (;;) {
    Request request = {};
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return quit_ || !requests_.empty(); });
      if (quit_) return;
      request = requests_.front();
    }
    load(request);
    flamelet_interval_end(request.interval);
    FLAMELET_INSTANT_OBJECT("Building loaded", flamelet_intern(layout_.buildings[request.building].name.c_str()));
    const std::lock_guard<std::mutex> lock(mutex_);
    requests_.pop_front();
    waiting_.store(requests_.size(), std::memory_order_relaxed);
  }
}

void Streaming::load(const Request& request) {
  FLAMELET_SCOPE_OBJECT("Load building", flamelet_intern(layout_.buildings[request.building].name.c_str()));
  const Building& building = layout_.buildings[request.building];
  Loaded loaded = {request.building, {}};
  const size_t reads = building.block_count / kBlocksBetweenReads + 1;
  for (size_t i = 0; i < building.block_count; ++i) {
    if (i % kBlocksBetweenReads == 0) {
      FLAMELET_SCOPE_WAIT("Read from disk");
      stall(kReadMs / static_cast<double>(reads));
    }
    for (size_t copy = 0; copy < kDetail; ++copy) loaded.blocks.push_back(layout_.blocks[building.first_block + i]);
  }
  loaded_.push_back(std::move(loaded));
  if (loaded_.size() > kMostLoaded) loaded_.pop_front();
  size_t bytes = 0;
  for (const Loaded& one : loaded_) bytes += one.blocks.capacity() * sizeof(Block);
  bytes_.store(bytes, std::memory_order_relaxed);
}

double memory_mib() {
#ifdef __linux__
  static const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  char text[128] = {};
  unsigned long all = 0, resident = 0;
  if (file < 0 || pread(file, text, sizeof text - 1, 0) <= 0 || std::sscanf(text, "%lu %lu", &all, &resident) != 2)
    return 0;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
#else
  return 0;
#endif
}

}  // namespace demo
