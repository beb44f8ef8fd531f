// SPDX-License-Identifier: MIT
//
// Bullet's zones, in a world of the packaged library, against counts of our own.
#include <btBulletDynamicsCommon.h>

#include <thread>

#include "adapters/adapted.h"
#include "flamelet/adapters/bullet.h"

using namespace recorder_test;

namespace {

thread_local uint64_t zones, depth;
void count_enter(const char*) {
  ++zones;
  ++depth;
}
void count_leave() {
  --depth;
}

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};

  void step() { world.stepSimulation(btScalar(1) / 60, 0); }
};

}  // namespace

TEST_CASE_FIXTURE(World, "adapters: Bullet's zones are scopes, as many as Bullet begins, inside the program's own") {
  btSetCustomEnterProfileZoneFunc(count_enter);
  btSetCustomLeaveProfileZoneFunc(count_leave);
  step();
  REQUIRE(zones > 3);
  REQUIRE(depth == 0);
  const Recording recording;
  {
    const flamelet::BulletZones traced;
    FLAMELET_SCOPE("Physics");
    step();
  }
  CHECK(stats().events_recorded == 2 * (zones + 1) + 1);
  check_nothing_unpaired();
  CHECK(own_tree().find("Physics(internalSingleStepSimulation(") == 0);
  // And Bullet calls what it called before.
  const uint64_t before = zones;
  step();
  CHECK(zones == 2 * before);
  CHECK(stats().events_recorded == 2 * (before + 1) + 1);
}

TEST_CASE("adapters: while Bullet's category is off, its zones cost no event and end no scope of the program") {
  World world;
  const Recording recording;
  const flamelet::BulletZones traced;
  CHECK(flamelet_category_set_enabled("bullet", false) == FLAMELET_OK);
  flamelet_begin("Physics", "", nullptr);
  world.step();
  flamelet_end_top();
  flamelet_category_set_enabled("bullet", true);
  CHECK(own_tree() == "Physics");
  check_nothing_unpaired();
}
