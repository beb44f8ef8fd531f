// SPDX-License-Identifier: MIT
//
// systems.cpp: the systems of the game in program.cpp.
#include "systems.h"

#include <tracy/Tracy.hpp>

#include <cstdlib>

void update_input(int frame) {
  ZoneScoped;
  TracyPlot("input load", frame * 1.5);
  {
    ZoneScopedN("input: gather");
    ZoneValue(static_cast<uint64_t>(frame + 0));
    {
      ZoneScopedNC("input: sort", 0x102030);
      ZoneTextF("input keys %d", frame * 2);
    }
    ZoneNamedN(input_inner, "input: write", true);
    ZoneTextV(input_inner, "Input", 5);
    ZoneNamedN(input_off, "input: never", false);
    ZoneTextV(input_off, "never", 5);
    if (ZoneIsActiveV(input_off)) TracyMessageL("an inactive zone says that it is active");
  }
  if (frame % 2 == 0) TracyMessageLC("Input was slow", 0x334455);
  void* const memory = std::malloc(64);
  TracyAllocN(memory, 64, "input");
  {
    ZoneNamedNC(input_colored, "input: finish", tracy::Color::Tomato, frame % 2 == 0);
    ZoneValueV(input_colored, 0u);
  }
  TracyFreeN(memory, "input");
  std::free(memory);
}

void update_physics(int frame) {
  ZoneScoped;
  TracyPlot("physics load", frame * 2.5);
  {
    ZoneScopedN("physics: gather");
    ZoneValue(static_cast<uint64_t>(frame + 1));
    {
      ZoneScopedNC("physics: sort", 0x253545);
      ZoneTextF("physics keys %d", frame * 3);
    }
    ZoneNamedN(physics_inner, "physics: write", true);
    ZoneTextV(physics_inner, "Physics", 7);
    ZoneNamedN(physics_off, "physics: never", false);
    ZoneTextV(physics_off, "never", 5);
    if (ZoneIsActiveV(physics_off)) TracyMessageL("an inactive zone says that it is active");
  }
  if (frame % 3 == 0) TracyMessageLC("Physics was slow", 0x426384);
  void* const memory = std::malloc(128);
  TracyAllocN(memory, 128, "physics");
  {
    ZoneNamedNC(physics_colored, "physics: finish", tracy::Color::Tomato, frame % 2 == 0);
    ZoneValueV(physics_colored, 1u);
  }
  TracyFreeN(memory, "physics");
  std::free(memory);
}

void update_animation(int frame) {
  ZoneScoped;
  TracyPlot("animation load", frame * 3.5);
  {
    ZoneScopedN("animation: gather");
    ZoneValue(static_cast<uint64_t>(frame + 2));
    {
      ZoneScopedNC("animation: sort", 0x3a4a5a);
      ZoneTextF("animation keys %d", frame * 4);
    }
    ZoneNamedN(animation_inner, "animation: write", true);
    ZoneTextV(animation_inner, "Animation", 9);
    ZoneNamedN(animation_off, "animation: never", false);
    ZoneTextV(animation_off, "never", 5);
    if (ZoneIsActiveV(animation_off)) TracyMessageL("an inactive zone says that it is active");
  }
  if (frame % 4 == 0) TracyMessageLC("Animation was slow", 0x5182b3);
  void* const memory = std::malloc(192);
  TracyAllocN(memory, 192, "animation");
  {
    ZoneNamedNC(animation_colored, "animation: finish", tracy::Color::Tomato, frame % 2 == 0);
    ZoneValueV(animation_colored, 2u);
  }
  TracyFreeN(memory, "animation");
  std::free(memory);
}

void update_particles(int frame) {
  ZoneScoped;
  TracyPlot("particles load", frame * 4.5);
  {
    ZoneScopedN("particles: gather");
    ZoneValue(static_cast<uint64_t>(frame + 3));
    {
      ZoneScopedNC("particles: sort", 0x4f5f6f);
      ZoneTextF("particles keys %d", frame * 5);
    }
    ZoneNamedN(particles_inner, "particles: write", true);
    ZoneTextV(particles_inner, "Particles", 9);
    ZoneNamedN(particles_off, "particles: never", false);
    ZoneTextV(particles_off, "never", 5);
    if (ZoneIsActiveV(particles_off)) TracyMessageL("an inactive zone says that it is active");
  }
  if (frame % 5 == 0) TracyMessageLC("Particles was slow", 0x60a1e2);
  void* const memory = std::malloc(256);
  TracyAllocN(memory, 256, "particles");
  {
    ZoneNamedNC(particles_colored, "particles: finish", tracy::Color::Tomato, frame % 2 == 0);
    ZoneValueV(particles_colored, 3u);
  }
  TracyFreeN(memory, "particles");
  std::free(memory);
}

void update_audio(int frame) {
  ZoneScoped;
  TracyPlot("audio load", frame * 5.5);
  {
    ZoneScopedN("audio: gather");
    ZoneValue(static_cast<uint64_t>(frame + 4));
    {
      ZoneScopedNC("audio: sort", 0x647484);
      ZoneTextF("audio keys %d", frame * 6);
    }
    ZoneNamedN(audio_inner, "audio: write", true);
    ZoneTextV(audio_inner, "Audio", 5);
    ZoneNamedN(audio_off, "audio: never", false);
    ZoneTextV(audio_off, "never", 5);
    if (ZoneIsActiveV(audio_off)) TracyMessageL("an inactive zone says that it is active");
  }
  if (frame % 6 == 0) TracyMessageLC("Audio was slow", 0x6fc111);
  void* const memory = std::malloc(320);
  TracyAllocN(memory, 320, "audio");
  {
    ZoneNamedNC(audio_colored, "audio: finish", tracy::Color::Tomato, frame % 2 == 0);
    ZoneValueV(audio_colored, 4u);
  }
  TracyFreeN(memory, "audio");
  std::free(memory);
}

void update_network(int frame) {
  ZoneScoped;
  TracyPlot("network load", frame * 6.5);
  {
    ZoneScopedN("network: gather");
    ZoneValue(static_cast<uint64_t>(frame + 5));
    {
      ZoneScopedNC("network: sort", 0x798999);
      ZoneTextF("network keys %d", frame * 7);
    }
    ZoneNamedN(network_inner, "network: write", true);
    ZoneTextV(network_inner, "Network", 7);
    ZoneNamedN(network_off, "network: never", false);
    ZoneTextV(network_off, "never", 5);
    if (ZoneIsActiveV(network_off)) TracyMessageL("an inactive zone says that it is active");
  }
  if (frame % 7 == 0) TracyMessageLC("Network was slow", 0x7ee040);
  void* const memory = std::malloc(384);
  TracyAllocN(memory, 384, "network");
  {
    ZoneNamedNC(network_colored, "network: finish", tracy::Color::Tomato, frame % 2 == 0);
    ZoneValueV(network_colored, 5u);
  }
  TracyFreeN(memory, "network");
  std::free(memory);
}

void update_scripts(int frame) {
  ZoneScoped;
  TracyPlot("scripts load", frame * 7.5);
  {
    ZoneScopedN("scripts: gather");
    ZoneValue(static_cast<uint64_t>(frame + 6));
    {
      ZoneScopedNC("scripts: sort", 0x8e9eae);
      ZoneTextF("scripts keys %d", frame * 8);
    }
    ZoneNamedN(scripts_inner, "scripts: write", true);
    ZoneTextV(scripts_inner, "Scripts", 7);
    ZoneNamedN(scripts_off, "scripts: never", false);
    ZoneTextV(scripts_off, "never", 5);
    if (ZoneIsActiveV(scripts_off)) TracyMessageL("an inactive zone says that it is active");
  }
  if (frame % 8 == 0) TracyMessageLC("Scripts was slow", 0x8dff6f);
  void* const memory = std::malloc(448);
  TracyAllocN(memory, 448, "scripts");
  {
    ZoneNamedNC(scripts_colored, "scripts: finish", tracy::Color::Tomato, frame % 2 == 0);
    ZoneValueV(scripts_colored, 6u);
  }
  TracyFreeN(memory, "scripts");
  std::free(memory);
}

void update_culling(int frame) {
  ZoneScoped;
  TracyPlot("culling load", frame * 8.5);
  {
    ZoneScopedN("culling: gather");
    ZoneValue(static_cast<uint64_t>(frame + 7));
    {
      ZoneScopedNC("culling: sort", 0xa3b3c3);
      ZoneTextF("culling keys %d", frame * 9);
    }
    ZoneNamedN(culling_inner, "culling: write", true);
    ZoneTextV(culling_inner, "Culling", 7);
    ZoneNamedN(culling_off, "culling: never", false);
    ZoneTextV(culling_off, "never", 5);
    if (ZoneIsActiveV(culling_off)) TracyMessageL("an inactive zone says that it is active");
  }
  if (frame % 9 == 0) TracyMessageLC("Culling was slow", 0x9d1e9e);
  void* const memory = std::malloc(512);
  TracyAllocN(memory, 512, "culling");
  {
    ZoneNamedNC(culling_colored, "culling: finish", tracy::Color::Tomato, frame % 2 == 0);
    ZoneValueV(culling_colored, 7u);
  }
  TracyFreeN(memory, "culling");
  std::free(memory);
}

void update_shadows(int frame) {
  ZoneScoped;
  TracyPlot("shadows load", frame * 9.5);
  {
    ZoneScopedN("shadows: gather");
    ZoneValue(static_cast<uint64_t>(frame + 8));
    {
      ZoneScopedNC("shadows: sort", 0xb8c8d8);
      ZoneTextF("shadows keys %d", frame * 10);
    }
    ZoneNamedN(shadows_inner, "shadows: write", true);
    ZoneTextV(shadows_inner, "Shadows", 7);
    ZoneNamedN(shadows_off, "shadows: never", false);
    ZoneTextV(shadows_off, "never", 5);
    if (ZoneIsActiveV(shadows_off)) TracyMessageL("an inactive zone says that it is active");
  }
  if (frame % 10 == 0) TracyMessageLC("Shadows was slow", 0xac3dcd);
  void* const memory = std::malloc(576);
  TracyAllocN(memory, 576, "shadows");
  {
    ZoneNamedNC(shadows_colored, "shadows: finish", tracy::Color::Tomato, frame % 2 == 0);
    ZoneValueV(shadows_colored, 8u);
  }
  TracyFreeN(memory, "shadows");
  std::free(memory);
}

void update_terrain(int frame) {
  ZoneScoped;
  TracyPlot("terrain load", frame * 10.5);
  {
    ZoneScopedN("terrain: gather");
    ZoneValue(static_cast<uint64_t>(frame + 9));
    {
      ZoneScopedNC("terrain: sort", 0xcddded);
      ZoneTextF("terrain keys %d", frame * 11);
    }
    ZoneNamedN(terrain_inner, "terrain: write", true);
    ZoneTextV(terrain_inner, "Terrain", 7);
    ZoneNamedN(terrain_off, "terrain: never", false);
    ZoneTextV(terrain_off, "never", 5);
    if (ZoneIsActiveV(terrain_off)) TracyMessageL("an inactive zone says that it is active");
  }
  if (frame % 11 == 0) TracyMessageLC("Terrain was slow", 0xbb5cfc);
  void* const memory = std::malloc(640);
  TracyAllocN(memory, 640, "terrain");
  {
    ZoneNamedNC(terrain_colored, "terrain: finish", tracy::Color::Tomato, frame % 2 == 0);
    ZoneValueV(terrain_colored, 9u);
  }
  TracyFreeN(memory, "terrain");
  std::free(memory);
}

void update_water(int frame) {
  ZoneScoped;
  TracyPlot("water load", frame * 11.5);
  {
    ZoneScopedN("water: gather");
    ZoneValue(static_cast<uint64_t>(frame + 10));
    {
      ZoneScopedNC("water: sort", 0xe2f302);
      ZoneTextF("water keys %d", frame * 12);
    }
    ZoneNamedN(water_inner, "water: write", true);
    ZoneTextV(water_inner, "Water", 5);
    ZoneNamedN(water_off, "water: never", false);
    ZoneTextV(water_off, "never", 5);
    if (ZoneIsActiveV(water_off)) TracyMessageL("an inactive zone says that it is active");
  }
  if (frame % 12 == 0) TracyMessageLC("Water was slow", 0xca7c2b);
  void* const memory = std::malloc(704);
  TracyAllocN(memory, 704, "water");
  {
    ZoneNamedNC(water_colored, "water: finish", tracy::Color::Tomato, frame % 2 == 0);
    ZoneValueV(water_colored, 10u);
  }
  TracyFreeN(memory, "water");
  std::free(memory);
}

void update_sky(int frame) {
  ZoneScoped;
  TracyPlot("sky load", frame * 12.5);
  {
    ZoneScopedN("sky: gather");
    ZoneValue(static_cast<uint64_t>(frame + 11));
    {
      ZoneScopedNC("sky: sort", 0xf80817);
      ZoneTextF("sky keys %d", frame * 13);
    }
    ZoneNamedN(sky_inner, "sky: write", true);
    ZoneTextV(sky_inner, "Sky", 3);
    ZoneNamedN(sky_off, "sky: never", false);
    ZoneTextV(sky_off, "never", 5);
    if (ZoneIsActiveV(sky_off)) TracyMessageL("an inactive zone says that it is active");
  }
  if (frame % 13 == 0) TracyMessageLC("Sky was slow", 0xd99b5a);
  void* const memory = std::malloc(768);
  TracyAllocN(memory, 768, "sky");
  {
    ZoneNamedNC(sky_colored, "sky: finish", tracy::Color::Tomato, frame % 2 == 0);
    ZoneValueV(sky_colored, 11u);
  }
  TracyFreeN(memory, "sky");
  std::free(memory);
}

void update_systems(int frame) {
  update_input(frame);
  update_physics(frame);
  update_animation(frame);
  update_particles(frame);
  update_audio(frame);
  update_network(frame);
  update_scripts(frame);
  update_culling(frame);
  update_shadows(frame);
  update_terrain(frame);
  update_water(frame);
  update_sky(frame);
}
