// SPDX-License-Identifier: MIT
#include "physics.h"

#include <LinearMath/btQuickprof.h>
#include <btBulletDynamicsCommon.h>
#include <flamelet/flamelet.h>

#include <algorithm>
#include <map>

#include "random.h"

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

}  // namespace demo
