// SPDX-License-Identifier: MIT
//
// systems.cpp: the systems of the game in program.cpp.
#include "systems.h"

#include <microprofile.h>

MICROPROFILE_DEFINE(input_timer, "input group", "input: defined", MP_RED);

void input_update(int frame) {
  MICROPROFILE_SCOPEI("input group", "input", MP_AUTO);
  MICROPROFILE_COUNTER_ADD("input/bytes", 1);
  {
    MICROPROFILE_SCOPE(input_timer);
    for (int i = 0; i < 1; ++i) {
      MICROPROFILE_SCOPEI("input group", "input: part", MP_RED);
      MICROPROFILE_COUNTER_SET("input/part", i);
    }
    MICROPROFILE_ENTER(input_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "input: even" : "input: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 1 == 0, "input group", "input: sometimes", MP_RED);
    MICROPROFILE_ENTERI("input group", "input: entered", MP_RED);
    MICROPROFILE_COUNTER_SUB("input/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("input/load", frame * 0.5);
  MICROPROFILE_META_CPU("input", frame);
}

MICROPROFILE_DEFINE(physics_timer, "physics group", "physics: defined", MP_AUTO);

void physics_update(int frame) {
  MICROPROFILE_SCOPEI("physics group", "physics", MP_STEELBLUE4);
  MICROPROFILE_COUNTER_ADD("physics/bytes", 2);
  {
    MICROPROFILE_SCOPE(physics_timer);
    for (int i = 0; i < 2; ++i) {
      MICROPROFILE_SCOPEI("physics group", "physics: part", MP_AUTO);
      MICROPROFILE_COUNTER_SET("physics/part", i);
    }
    MICROPROFILE_ENTER(physics_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "physics: even" : "physics: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 2 == 0, "physics group", "physics: sometimes", MP_AUTO);
    MICROPROFILE_ENTERI("physics group", "physics: entered", MP_AUTO);
    MICROPROFILE_COUNTER_SUB("physics/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("physics/load", frame * 0.5);
  MICROPROFILE_META_CPU("physics", frame);
}

MICROPROFILE_DEFINE(animation_timer, "animation group", "animation: defined", MP_STEELBLUE4);

void animation_update(int frame) {
  MICROPROFILE_SCOPEI("animation group", "animation", 0x123456);
  MICROPROFILE_COUNTER_ADD("animation/bytes", 3);
  {
    MICROPROFILE_SCOPE(animation_timer);
    for (int i = 0; i < 3; ++i) {
      MICROPROFILE_SCOPEI("animation group", "animation: part", MP_STEELBLUE4);
      MICROPROFILE_COUNTER_SET("animation/part", i);
    }
    MICROPROFILE_ENTER(animation_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "animation: even" : "animation: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 3 == 0, "animation group", "animation: sometimes", MP_STEELBLUE4);
    MICROPROFILE_ENTERI("animation group", "animation: entered", MP_STEELBLUE4);
    MICROPROFILE_COUNTER_SUB("animation/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("animation/load", frame * 0.5);
  MICROPROFILE_META_CPU("animation", frame);
}

MICROPROFILE_DEFINE(particles_timer, "particles group", "particles: defined", 0x123456);

void particles_update(int frame) {
  MICROPROFILE_SCOPEI("particles group", "particles", MP_GRAY50);
  MICROPROFILE_COUNTER_ADD("particles/bytes", 4);
  {
    MICROPROFILE_SCOPE(particles_timer);
    for (int i = 0; i < 1; ++i) {
      MICROPROFILE_SCOPEI("particles group", "particles: part", 0x123456);
      MICROPROFILE_COUNTER_SET("particles/part", i);
    }
    MICROPROFILE_ENTER(particles_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "particles: even" : "particles: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 1 == 0, "particles group", "particles: sometimes", 0x123456);
    MICROPROFILE_ENTERI("particles group", "particles: entered", 0x123456);
    MICROPROFILE_COUNTER_SUB("particles/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("particles/load", frame * 0.5);
  MICROPROFILE_META_CPU("particles", frame);
}

MICROPROFILE_DEFINE(audio_timer, "audio group", "audio: defined", MP_GRAY50);

void audio_update(int frame) {
  MICROPROFILE_SCOPEI("audio group", "audio", MP_RED);
  MICROPROFILE_COUNTER_ADD("audio/bytes", 5);
  {
    MICROPROFILE_SCOPE(audio_timer);
    for (int i = 0; i < 2; ++i) {
      MICROPROFILE_SCOPEI("audio group", "audio: part", MP_GRAY50);
      MICROPROFILE_COUNTER_SET("audio/part", i);
    }
    MICROPROFILE_ENTER(audio_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "audio: even" : "audio: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 2 == 0, "audio group", "audio: sometimes", MP_GRAY50);
    MICROPROFILE_ENTERI("audio group", "audio: entered", MP_GRAY50);
    MICROPROFILE_COUNTER_SUB("audio/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("audio/load", frame * 0.5);
  MICROPROFILE_META_CPU("audio", frame);
}

MICROPROFILE_DEFINE(network_timer, "network group", "network: defined", MP_RED);

void network_update(int frame) {
  MICROPROFILE_SCOPEI("network group", "network", MP_AUTO);
  MICROPROFILE_COUNTER_ADD("network/bytes", 6);
  {
    MICROPROFILE_SCOPE(network_timer);
    for (int i = 0; i < 3; ++i) {
      MICROPROFILE_SCOPEI("network group", "network: part", MP_RED);
      MICROPROFILE_COUNTER_SET("network/part", i);
    }
    MICROPROFILE_ENTER(network_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "network: even" : "network: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 3 == 0, "network group", "network: sometimes", MP_RED);
    MICROPROFILE_ENTERI("network group", "network: entered", MP_RED);
    MICROPROFILE_COUNTER_SUB("network/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("network/load", frame * 0.5);
  MICROPROFILE_META_CPU("network", frame);
}

MICROPROFILE_DEFINE(scripts_timer, "scripts group", "scripts: defined", MP_AUTO);

void scripts_update(int frame) {
  MICROPROFILE_SCOPEI("scripts group", "scripts", MP_STEELBLUE4);
  MICROPROFILE_COUNTER_ADD("scripts/bytes", 7);
  {
    MICROPROFILE_SCOPE(scripts_timer);
    for (int i = 0; i < 1; ++i) {
      MICROPROFILE_SCOPEI("scripts group", "scripts: part", MP_AUTO);
      MICROPROFILE_COUNTER_SET("scripts/part", i);
    }
    MICROPROFILE_ENTER(scripts_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "scripts: even" : "scripts: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 1 == 0, "scripts group", "scripts: sometimes", MP_AUTO);
    MICROPROFILE_ENTERI("scripts group", "scripts: entered", MP_AUTO);
    MICROPROFILE_COUNTER_SUB("scripts/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("scripts/load", frame * 0.5);
  MICROPROFILE_META_CPU("scripts", frame);
}

MICROPROFILE_DEFINE(culling_timer, "culling group", "culling: defined", MP_STEELBLUE4);

void culling_update(int frame) {
  MICROPROFILE_SCOPEI("culling group", "culling", 0x123456);
  MICROPROFILE_COUNTER_ADD("culling/bytes", 8);
  {
    MICROPROFILE_SCOPE(culling_timer);
    for (int i = 0; i < 2; ++i) {
      MICROPROFILE_SCOPEI("culling group", "culling: part", MP_STEELBLUE4);
      MICROPROFILE_COUNTER_SET("culling/part", i);
    }
    MICROPROFILE_ENTER(culling_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "culling: even" : "culling: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 2 == 0, "culling group", "culling: sometimes", MP_STEELBLUE4);
    MICROPROFILE_ENTERI("culling group", "culling: entered", MP_STEELBLUE4);
    MICROPROFILE_COUNTER_SUB("culling/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("culling/load", frame * 0.5);
  MICROPROFILE_META_CPU("culling", frame);
}

MICROPROFILE_DEFINE(shadows_timer, "shadows group", "shadows: defined", 0x123456);

void shadows_update(int frame) {
  MICROPROFILE_SCOPEI("shadows group", "shadows", MP_GRAY50);
  MICROPROFILE_COUNTER_ADD("shadows/bytes", 9);
  {
    MICROPROFILE_SCOPE(shadows_timer);
    for (int i = 0; i < 3; ++i) {
      MICROPROFILE_SCOPEI("shadows group", "shadows: part", 0x123456);
      MICROPROFILE_COUNTER_SET("shadows/part", i);
    }
    MICROPROFILE_ENTER(shadows_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "shadows: even" : "shadows: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 3 == 0, "shadows group", "shadows: sometimes", 0x123456);
    MICROPROFILE_ENTERI("shadows group", "shadows: entered", 0x123456);
    MICROPROFILE_COUNTER_SUB("shadows/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("shadows/load", frame * 0.5);
  MICROPROFILE_META_CPU("shadows", frame);
}

MICROPROFILE_DEFINE(terrain_timer, "terrain group", "terrain: defined", MP_GRAY50);

void terrain_update(int frame) {
  MICROPROFILE_SCOPEI("terrain group", "terrain", MP_RED);
  MICROPROFILE_COUNTER_ADD("terrain/bytes", 10);
  {
    MICROPROFILE_SCOPE(terrain_timer);
    for (int i = 0; i < 1; ++i) {
      MICROPROFILE_SCOPEI("terrain group", "terrain: part", MP_GRAY50);
      MICROPROFILE_COUNTER_SET("terrain/part", i);
    }
    MICROPROFILE_ENTER(terrain_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "terrain: even" : "terrain: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 1 == 0, "terrain group", "terrain: sometimes", MP_GRAY50);
    MICROPROFILE_ENTERI("terrain group", "terrain: entered", MP_GRAY50);
    MICROPROFILE_COUNTER_SUB("terrain/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("terrain/load", frame * 0.5);
  MICROPROFILE_META_CPU("terrain", frame);
}

MICROPROFILE_DEFINE(water_timer, "water group", "water: defined", MP_RED);

void water_update(int frame) {
  MICROPROFILE_SCOPEI("water group", "water", MP_AUTO);
  MICROPROFILE_COUNTER_ADD("water/bytes", 11);
  {
    MICROPROFILE_SCOPE(water_timer);
    for (int i = 0; i < 2; ++i) {
      MICROPROFILE_SCOPEI("water group", "water: part", MP_RED);
      MICROPROFILE_COUNTER_SET("water/part", i);
    }
    MICROPROFILE_ENTER(water_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "water: even" : "water: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 2 == 0, "water group", "water: sometimes", MP_RED);
    MICROPROFILE_ENTERI("water group", "water: entered", MP_RED);
    MICROPROFILE_COUNTER_SUB("water/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("water/load", frame * 0.5);
  MICROPROFILE_META_CPU("water", frame);
}

MICROPROFILE_DEFINE(sky_timer, "sky group", "sky: defined", MP_AUTO);

void sky_update(int frame) {
  MICROPROFILE_SCOPEI("sky group", "sky", MP_STEELBLUE4);
  MICROPROFILE_COUNTER_ADD("sky/bytes", 12);
  {
    MICROPROFILE_SCOPE(sky_timer);
    for (int i = 0; i < 3; ++i) {
      MICROPROFILE_SCOPEI("sky group", "sky: part", MP_AUTO);
      MICROPROFILE_COUNTER_SET("sky/part", i);
    }
    MICROPROFILE_ENTER(sky_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "sky: even" : "sky: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 3 == 0, "sky group", "sky: sometimes", MP_AUTO);
    MICROPROFILE_ENTERI("sky group", "sky: entered", MP_AUTO);
    MICROPROFILE_COUNTER_SUB("sky/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("sky/load", frame * 0.5);
  MICROPROFILE_META_CPU("sky", frame);
}

MICROPROFILE_DEFINE(crowd_timer, "crowd group", "crowd: defined", MP_STEELBLUE4);

void crowd_update(int frame) {
  MICROPROFILE_SCOPEI("crowd group", "crowd", 0x123456);
  MICROPROFILE_COUNTER_ADD("crowd/bytes", 13);
  {
    MICROPROFILE_SCOPE(crowd_timer);
    for (int i = 0; i < 1; ++i) {
      MICROPROFILE_SCOPEI("crowd group", "crowd: part", MP_STEELBLUE4);
      MICROPROFILE_COUNTER_SET("crowd/part", i);
    }
    MICROPROFILE_ENTER(crowd_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "crowd: even" : "crowd: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 1 == 0, "crowd group", "crowd: sometimes", MP_STEELBLUE4);
    MICROPROFILE_ENTERI("crowd group", "crowd: entered", MP_STEELBLUE4);
    MICROPROFILE_COUNTER_SUB("crowd/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("crowd/load", frame * 0.5);
  MICROPROFILE_META_CPU("crowd", frame);
}

MICROPROFILE_DEFINE(vehicles_timer, "vehicles group", "vehicles: defined", 0x123456);

void vehicles_update(int frame) {
  MICROPROFILE_SCOPEI("vehicles group", "vehicles", MP_GRAY50);
  MICROPROFILE_COUNTER_ADD("vehicles/bytes", 14);
  {
    MICROPROFILE_SCOPE(vehicles_timer);
    for (int i = 0; i < 2; ++i) {
      MICROPROFILE_SCOPEI("vehicles group", "vehicles: part", 0x123456);
      MICROPROFILE_COUNTER_SET("vehicles/part", i);
    }
    MICROPROFILE_ENTER(vehicles_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "vehicles: even" : "vehicles: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 2 == 0, "vehicles group", "vehicles: sometimes", 0x123456);
    MICROPROFILE_ENTERI("vehicles group", "vehicles: entered", 0x123456);
    MICROPROFILE_COUNTER_SUB("vehicles/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("vehicles/load", frame * 0.5);
  MICROPROFILE_META_CPU("vehicles", frame);
}

MICROPROFILE_DEFINE(weather_timer, "weather group", "weather: defined", MP_GRAY50);

void weather_update(int frame) {
  MICROPROFILE_SCOPEI("weather group", "weather", MP_RED);
  MICROPROFILE_COUNTER_ADD("weather/bytes", 15);
  {
    MICROPROFILE_SCOPE(weather_timer);
    for (int i = 0; i < 3; ++i) {
      MICROPROFILE_SCOPEI("weather group", "weather: part", MP_GRAY50);
      MICROPROFILE_COUNTER_SET("weather/part", i);
    }
    MICROPROFILE_ENTER(weather_timer);
    { MICROPROFILE_SCOPE_CSTR(frame % 2 == 0 ? "weather: even" : "weather: odd"); }
    MICROPROFILE_LEAVE();
  }
  {
    MICROPROFILE_CONDITIONAL_SCOPEI(frame % 3 == 0, "weather group", "weather: sometimes", MP_GRAY50);
    MICROPROFILE_ENTERI("weather group", "weather: entered", MP_GRAY50);
    MICROPROFILE_COUNTER_SUB("weather/bytes", frame);
    MICROPROFILE_LEAVE();
  }
  MICROPROFILE_COUNTER_SET_DOUBLE("weather/load", frame * 0.5);
  MICROPROFILE_META_CPU("weather", frame);
}

void update_systems(int frame) {
  input_update(frame);
  physics_update(frame);
  animation_update(frame);
  particles_update(frame);
  audio_update(frame);
  network_update(frame);
  scripts_update(frame);
  culling_update(frame);
  shadows_update(frame);
  terrain_update(frame);
  water_update(frame);
  sky_update(frame);
  crowd_update(frame);
  vehicles_update(frame);
  weather_update(frame);
}
