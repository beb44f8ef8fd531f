// SPDX-License-Identifier: MIT
//
// systems.cpp: the systems of the game in program.cpp.
#include "systems.h"

#include <Remotery.h>

rmt_PropertyExtern(Game);

rmt_PropertyDefine_Group(input_group, "what input does", &Game);
rmt_PropertyDefine_U32(input_parts, 0, FrameReset, "parts of a frame", &input_group);
rmt_PropertyDefine_F32(input_load, 0.5f, NoFlags, "load", &input_group);
rmt_PropertyDefine_S64(input_frame, -1, NoFlags, "the frame", &input_group);

void input_update(int frame) {
  rmt_ScopedCPUSample(input, RMTSF_None);
  rmt_PropertySet_S64(input_frame, frame);
  {
    rmt_BeginCPUSample(input_all, RMTSF_None);
    for (int i = 0; i < 1; ++i) {
      rmt_ScopedCPUSample(input_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(input_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "input: even" : "input: odd", 0);
    rmt_LogText("input %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(input_last, 0);
    rmt_PropertyAdd_F32(input_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(input_load);
  rmt_ScopedOpenGLSample(input_draw);
}

rmt_PropertyDefine_Group(physics_group, "what physics does", &Game);
rmt_PropertyDefine_U32(physics_parts, 0, FrameReset, "parts of a frame", &physics_group);
rmt_PropertyDefine_F32(physics_load, 1.5f, NoFlags, "load", &physics_group);
rmt_PropertyDefine_S64(physics_frame, -1, NoFlags, "the frame", &physics_group);

void physics_update(int frame) {
  rmt_ScopedCPUSample(physics, RMTSF_Aggregate);
  rmt_PropertySet_S64(physics_frame, frame);
  {
    rmt_BeginCPUSample(physics_all, RMTSF_Aggregate);
    for (int i = 0; i < 2; ++i) {
      rmt_ScopedCPUSample(physics_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(physics_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "physics: even" : "physics: odd", 0);
    rmt_LogText("physics %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(physics_last, 0);
    rmt_PropertyAdd_F32(physics_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(physics_load);
  rmt_ScopedOpenGLSample(physics_draw);
}

rmt_PropertyDefine_Group(animation_group, "what animation does", &Game);
rmt_PropertyDefine_U32(animation_parts, 0, FrameReset, "parts of a frame", &animation_group);
rmt_PropertyDefine_F32(animation_load, 2.5f, NoFlags, "load", &animation_group);
rmt_PropertyDefine_S64(animation_frame, -1, NoFlags, "the frame", &animation_group);

void animation_update(int frame) {
  rmt_ScopedCPUSample(animation, RMTSF_Recursive);
  rmt_PropertySet_S64(animation_frame, frame);
  {
    rmt_BeginCPUSample(animation_all, RMTSF_Recursive);
    for (int i = 0; i < 3; ++i) {
      rmt_ScopedCPUSample(animation_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(animation_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "animation: even" : "animation: odd", 0);
    rmt_LogText("animation %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(animation_last, 0);
    rmt_PropertyAdd_F32(animation_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(animation_load);
  rmt_ScopedOpenGLSample(animation_draw);
}

rmt_PropertyDefine_Group(particles_group, "what particles does", &Game);
rmt_PropertyDefine_U32(particles_parts, 0, FrameReset, "parts of a frame", &particles_group);
rmt_PropertyDefine_F32(particles_load, 3.5f, NoFlags, "load", &particles_group);
rmt_PropertyDefine_S64(particles_frame, -1, NoFlags, "the frame", &particles_group);

void particles_update(int frame) {
  rmt_ScopedCPUSample(particles, RMTSF_Root);
  rmt_PropertySet_S64(particles_frame, frame);
  {
    rmt_BeginCPUSample(particles_all, RMTSF_Root);
    for (int i = 0; i < 4; ++i) {
      rmt_ScopedCPUSample(particles_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(particles_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "particles: even" : "particles: odd", 0);
    rmt_LogText("particles %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(particles_last, 0);
    rmt_PropertyAdd_F32(particles_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(particles_load);
  rmt_ScopedOpenGLSample(particles_draw);
}

rmt_PropertyDefine_Group(audio_group, "what audio does", &Game);
rmt_PropertyDefine_U32(audio_parts, 0, FrameReset, "parts of a frame", &audio_group);
rmt_PropertyDefine_F32(audio_load, 4.5f, NoFlags, "load", &audio_group);
rmt_PropertyDefine_S64(audio_frame, -1, NoFlags, "the frame", &audio_group);

void audio_update(int frame) {
  rmt_ScopedCPUSample(audio, RMTSF_SendOnClose);
  rmt_PropertySet_S64(audio_frame, frame);
  {
    rmt_BeginCPUSample(audio_all, RMTSF_SendOnClose);
    for (int i = 0; i < 1; ++i) {
      rmt_ScopedCPUSample(audio_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(audio_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "audio: even" : "audio: odd", 0);
    rmt_LogText("audio %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(audio_last, 0);
    rmt_PropertyAdd_F32(audio_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(audio_load);
  rmt_ScopedOpenGLSample(audio_draw);
}

rmt_PropertyDefine_Group(network_group, "what network does", &Game);
rmt_PropertyDefine_U32(network_parts, 0, FrameReset, "parts of a frame", &network_group);
rmt_PropertyDefine_F32(network_load, 5.5f, NoFlags, "load", &network_group);
rmt_PropertyDefine_S64(network_frame, -1, NoFlags, "the frame", &network_group);

void network_update(int frame) {
  rmt_ScopedCPUSample(network, RMTSF_None);
  rmt_PropertySet_S64(network_frame, frame);
  {
    rmt_BeginCPUSample(network_all, RMTSF_None);
    for (int i = 0; i < 2; ++i) {
      rmt_ScopedCPUSample(network_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(network_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "network: even" : "network: odd", 0);
    rmt_LogText("network %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(network_last, 0);
    rmt_PropertyAdd_F32(network_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(network_load);
  rmt_ScopedOpenGLSample(network_draw);
}

rmt_PropertyDefine_Group(scripts_group, "what scripts does", &Game);
rmt_PropertyDefine_U32(scripts_parts, 0, FrameReset, "parts of a frame", &scripts_group);
rmt_PropertyDefine_F32(scripts_load, 6.5f, NoFlags, "load", &scripts_group);
rmt_PropertyDefine_S64(scripts_frame, -1, NoFlags, "the frame", &scripts_group);

void scripts_update(int frame) {
  rmt_ScopedCPUSample(scripts, RMTSF_Aggregate);
  rmt_PropertySet_S64(scripts_frame, frame);
  {
    rmt_BeginCPUSample(scripts_all, RMTSF_Aggregate);
    for (int i = 0; i < 3; ++i) {
      rmt_ScopedCPUSample(scripts_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(scripts_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "scripts: even" : "scripts: odd", 0);
    rmt_LogText("scripts %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(scripts_last, 0);
    rmt_PropertyAdd_F32(scripts_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(scripts_load);
  rmt_ScopedOpenGLSample(scripts_draw);
}

rmt_PropertyDefine_Group(culling_group, "what culling does", &Game);
rmt_PropertyDefine_U32(culling_parts, 0, FrameReset, "parts of a frame", &culling_group);
rmt_PropertyDefine_F32(culling_load, 7.5f, NoFlags, "load", &culling_group);
rmt_PropertyDefine_S64(culling_frame, -1, NoFlags, "the frame", &culling_group);

void culling_update(int frame) {
  rmt_ScopedCPUSample(culling, RMTSF_Recursive);
  rmt_PropertySet_S64(culling_frame, frame);
  {
    rmt_BeginCPUSample(culling_all, RMTSF_Recursive);
    for (int i = 0; i < 4; ++i) {
      rmt_ScopedCPUSample(culling_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(culling_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "culling: even" : "culling: odd", 0);
    rmt_LogText("culling %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(culling_last, 0);
    rmt_PropertyAdd_F32(culling_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(culling_load);
  rmt_ScopedOpenGLSample(culling_draw);
}

rmt_PropertyDefine_Group(shadows_group, "what shadows does", &Game);
rmt_PropertyDefine_U32(shadows_parts, 0, FrameReset, "parts of a frame", &shadows_group);
rmt_PropertyDefine_F32(shadows_load, 8.5f, NoFlags, "load", &shadows_group);
rmt_PropertyDefine_S64(shadows_frame, -1, NoFlags, "the frame", &shadows_group);

void shadows_update(int frame) {
  rmt_ScopedCPUSample(shadows, RMTSF_Root);
  rmt_PropertySet_S64(shadows_frame, frame);
  {
    rmt_BeginCPUSample(shadows_all, RMTSF_Root);
    for (int i = 0; i < 1; ++i) {
      rmt_ScopedCPUSample(shadows_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(shadows_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "shadows: even" : "shadows: odd", 0);
    rmt_LogText("shadows %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(shadows_last, 0);
    rmt_PropertyAdd_F32(shadows_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(shadows_load);
  rmt_ScopedOpenGLSample(shadows_draw);
}

rmt_PropertyDefine_Group(terrain_group, "what terrain does", &Game);
rmt_PropertyDefine_U32(terrain_parts, 0, FrameReset, "parts of a frame", &terrain_group);
rmt_PropertyDefine_F32(terrain_load, 9.5f, NoFlags, "load", &terrain_group);
rmt_PropertyDefine_S64(terrain_frame, -1, NoFlags, "the frame", &terrain_group);

void terrain_update(int frame) {
  rmt_ScopedCPUSample(terrain, RMTSF_SendOnClose);
  rmt_PropertySet_S64(terrain_frame, frame);
  {
    rmt_BeginCPUSample(terrain_all, RMTSF_SendOnClose);
    for (int i = 0; i < 2; ++i) {
      rmt_ScopedCPUSample(terrain_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(terrain_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "terrain: even" : "terrain: odd", 0);
    rmt_LogText("terrain %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(terrain_last, 0);
    rmt_PropertyAdd_F32(terrain_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(terrain_load);
  rmt_ScopedOpenGLSample(terrain_draw);
}

rmt_PropertyDefine_Group(water_group, "what water does", &Game);
rmt_PropertyDefine_U32(water_parts, 0, FrameReset, "parts of a frame", &water_group);
rmt_PropertyDefine_F32(water_load, 10.5f, NoFlags, "load", &water_group);
rmt_PropertyDefine_S64(water_frame, -1, NoFlags, "the frame", &water_group);

void water_update(int frame) {
  rmt_ScopedCPUSample(water, RMTSF_None);
  rmt_PropertySet_S64(water_frame, frame);
  {
    rmt_BeginCPUSample(water_all, RMTSF_None);
    for (int i = 0; i < 3; ++i) {
      rmt_ScopedCPUSample(water_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(water_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "water: even" : "water: odd", 0);
    rmt_LogText("water %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(water_last, 0);
    rmt_PropertyAdd_F32(water_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(water_load);
  rmt_ScopedOpenGLSample(water_draw);
}

rmt_PropertyDefine_Group(sky_group, "what sky does", &Game);
rmt_PropertyDefine_U32(sky_parts, 0, FrameReset, "parts of a frame", &sky_group);
rmt_PropertyDefine_F32(sky_load, 11.5f, NoFlags, "load", &sky_group);
rmt_PropertyDefine_S64(sky_frame, -1, NoFlags, "the frame", &sky_group);

void sky_update(int frame) {
  rmt_ScopedCPUSample(sky, RMTSF_Aggregate);
  rmt_PropertySet_S64(sky_frame, frame);
  {
    rmt_BeginCPUSample(sky_all, RMTSF_Aggregate);
    for (int i = 0; i < 4; ++i) {
      rmt_ScopedCPUSample(sky_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(sky_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "sky: even" : "sky: odd", 0);
    rmt_LogText("sky %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(sky_last, 0);
    rmt_PropertyAdd_F32(sky_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(sky_load);
  rmt_ScopedOpenGLSample(sky_draw);
}

rmt_PropertyDefine_Group(crowd_group, "what crowd does", &Game);
rmt_PropertyDefine_U32(crowd_parts, 0, FrameReset, "parts of a frame", &crowd_group);
rmt_PropertyDefine_F32(crowd_load, 12.5f, NoFlags, "load", &crowd_group);
rmt_PropertyDefine_S64(crowd_frame, -1, NoFlags, "the frame", &crowd_group);

void crowd_update(int frame) {
  rmt_ScopedCPUSample(crowd, RMTSF_Recursive);
  rmt_PropertySet_S64(crowd_frame, frame);
  {
    rmt_BeginCPUSample(crowd_all, RMTSF_Recursive);
    for (int i = 0; i < 1; ++i) {
      rmt_ScopedCPUSample(crowd_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(crowd_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "crowd: even" : "crowd: odd", 0);
    rmt_LogText("crowd %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(crowd_last, 0);
    rmt_PropertyAdd_F32(crowd_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(crowd_load);
  rmt_ScopedOpenGLSample(crowd_draw);
}

rmt_PropertyDefine_Group(vehicles_group, "what vehicles does", &Game);
rmt_PropertyDefine_U32(vehicles_parts, 0, FrameReset, "parts of a frame", &vehicles_group);
rmt_PropertyDefine_F32(vehicles_load, 13.5f, NoFlags, "load", &vehicles_group);
rmt_PropertyDefine_S64(vehicles_frame, -1, NoFlags, "the frame", &vehicles_group);

void vehicles_update(int frame) {
  rmt_ScopedCPUSample(vehicles, RMTSF_Root);
  rmt_PropertySet_S64(vehicles_frame, frame);
  {
    rmt_BeginCPUSample(vehicles_all, RMTSF_Root);
    for (int i = 0; i < 2; ++i) {
      rmt_ScopedCPUSample(vehicles_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(vehicles_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "vehicles: even" : "vehicles: odd", 0);
    rmt_LogText("vehicles %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(vehicles_last, 0);
    rmt_PropertyAdd_F32(vehicles_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(vehicles_load);
  rmt_ScopedOpenGLSample(vehicles_draw);
}

rmt_PropertyDefine_Group(weather_group, "what weather does", &Game);
rmt_PropertyDefine_U32(weather_parts, 0, FrameReset, "parts of a frame", &weather_group);
rmt_PropertyDefine_F32(weather_load, 14.5f, NoFlags, "load", &weather_group);
rmt_PropertyDefine_S64(weather_frame, -1, NoFlags, "the frame", &weather_group);

void weather_update(int frame) {
  rmt_ScopedCPUSample(weather, RMTSF_SendOnClose);
  rmt_PropertySet_S64(weather_frame, frame);
  {
    rmt_BeginCPUSample(weather_all, RMTSF_SendOnClose);
    for (int i = 0; i < 3; ++i) {
      rmt_ScopedCPUSample(weather_part, RMTSF_Aggregate);
      rmt_PropertyAdd_U32(weather_parts, 1);
    }
    rmt_BeginCPUSampleDynamic(frame % 2 == 0 ? "weather: even" : "weather: odd", 0);
    rmt_LogText("weather %s");
    rmt_EndCPUSample();
    rmt_BeginCPUSample(weather_last, 0);
    rmt_PropertyAdd_F32(weather_load, 0.25f);
    rmt_EndCPUSample();
    rmt_EndCPUSample();
  }
  if (frame % 3 == 0) rmt_PropertyReset(weather_load);
  rmt_ScopedOpenGLSample(weather_draw);
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
