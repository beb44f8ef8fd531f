// SPDX-License-Identifier: MIT
//
// flamelet/adapters/bullet.h: the zones of Bullet's own profiler (BT_PROFILE), as scopes of the category "bullet". C++.
//
//   flamelet::BulletZones zones;  // in front of the first stepSimulation()
//
// Threads:   one object at a time; make it and end it while no thread is inside Bullet. The zones may come from any thread.
// Cost:      of a zone: flamelet_begin() and flamelet_end_top().
#ifndef FLAMELET_ADAPTERS_BULLET_H
#define FLAMELET_ADAPTERS_BULLET_H

#include <LinearMath/btQuickprof.h>

#include "flamelet/scope.h"

namespace flamelet {

class BulletZones {
 public:
  FLAMELET_NOT_INSTRUMENTED_ BulletZones()
      : enter_(btGetCurrentEnterProfileZoneFunc()), leave_(btGetCurrentLeaveProfileZoneFunc()) {
    btSetCustomEnterProfileZoneFunc(enter);
    btSetCustomLeaveProfileZoneFunc(leave);
  }
  // Bullet calls what it called before.
  FLAMELET_NOT_INSTRUMENTED_ ~BulletZones() {
    btSetCustomEnterProfileZoneFunc(enter_);
    btSetCustomLeaveProfileZoneFunc(leave_);
  }
  BulletZones(const BulletZones&) = delete;
  BulletZones& operator=(const BulletZones&) = delete;

 private:
  FLAMELET_NOT_INSTRUMENTED_ static void enter(const char* name) { flamelet_begin(name, "bullet", nullptr); }
  FLAMELET_NOT_INSTRUMENTED_ static void leave() { flamelet_end_top(); }

  btEnterProfileZoneFunc* const enter_;
  btLeaveProfileZoneFunc* const leave_;
};

}  // namespace flamelet

#endif  // FLAMELET_ADAPTERS_BULLET_H
