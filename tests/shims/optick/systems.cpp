// SPDX-License-Identifier: MIT
//
// systems.cpp: the systems of the game in program.cpp.
#include "systems.h"

#include <optick.h>

void input_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("input frame", frame);
  {
    OPTICK_CATEGORY("input: all", Optick::Category::AI);
    OPTICK_TAG("input load", 0.5f);
    for (int i = 0; i < 1; ++i) {
      OPTICK_EVENT("input: part");
      OPTICK_TAG("input part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("input: pushed");
    { OPTICK_EVENT(Optick::Category::Physics); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "input: even" : "input: odd");
    OPTICK_TAG("input place", 1.0f, 0.0f, 0.5f);
  }
  {
    OPTICK_EVENT("input: last", Optick::Category::AI);
    OPTICK_TAG("input name", "input %s");
    OPTICK_TAG("input cut", "input and more", 5);
    OPTICK_GPU_EVENT("input: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void physics_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("physics frame", frame);
  {
    OPTICK_CATEGORY("physics: all", Optick::Category::Physics);
    OPTICK_TAG("physics load", 1.5f);
    for (int i = 0; i < 2; ++i) {
      OPTICK_EVENT("physics: part");
      OPTICK_TAG("physics part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("physics: pushed");
    { OPTICK_EVENT(Optick::Category::Rendering); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "physics: even" : "physics: odd");
    OPTICK_TAG("physics place", 1.0f, 1.0f, 0.5f);
  }
  {
    OPTICK_EVENT("physics: last", Optick::Category::Physics);
    OPTICK_TAG("physics name", "physics %s");
    OPTICK_TAG("physics cut", "physics and more", 7);
    OPTICK_GPU_EVENT("physics: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void animation_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("animation frame", frame);
  {
    OPTICK_CATEGORY("animation: all", Optick::Category::Rendering);
    OPTICK_TAG("animation load", 2.5f);
    for (int i = 0; i < 3; ++i) {
      OPTICK_EVENT("animation: part");
      OPTICK_TAG("animation part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("animation: pushed");
    { OPTICK_EVENT(Optick::Category::Wait); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "animation: even" : "animation: odd");
    OPTICK_TAG("animation place", 1.0f, 2.0f, 0.5f);
  }
  {
    OPTICK_EVENT("animation: last", Optick::Category::Rendering);
    OPTICK_TAG("animation name", "animation %s");
    OPTICK_TAG("animation cut", "animation and more", 9);
    OPTICK_GPU_EVENT("animation: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void particles_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("particles frame", frame);
  {
    OPTICK_CATEGORY("particles: all", Optick::Category::Wait);
    OPTICK_TAG("particles load", 3.5f);
    for (int i = 0; i < 1; ++i) {
      OPTICK_EVENT("particles: part");
      OPTICK_TAG("particles part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("particles: pushed");
    { OPTICK_EVENT(Optick::Category::Audio); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "particles: even" : "particles: odd");
    OPTICK_TAG("particles place", 1.0f, 3.0f, 0.5f);
  }
  {
    OPTICK_EVENT("particles: last", Optick::Category::Wait);
    OPTICK_TAG("particles name", "particles %s");
    OPTICK_TAG("particles cut", "particles and more", 9);
    OPTICK_GPU_EVENT("particles: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void audio_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("audio frame", frame);
  {
    OPTICK_CATEGORY("audio: all", Optick::Category::Audio);
    OPTICK_TAG("audio load", 4.5f);
    for (int i = 0; i < 2; ++i) {
      OPTICK_EVENT("audio: part");
      OPTICK_TAG("audio part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("audio: pushed");
    { OPTICK_EVENT(Optick::Category::AI); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "audio: even" : "audio: odd");
    OPTICK_TAG("audio place", 1.0f, 4.0f, 0.5f);
  }
  {
    OPTICK_EVENT("audio: last", Optick::Category::Audio);
    OPTICK_TAG("audio name", "audio %s");
    OPTICK_TAG("audio cut", "audio and more", 5);
    OPTICK_GPU_EVENT("audio: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void network_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("network frame", frame);
  {
    OPTICK_CATEGORY("network: all", Optick::Category::AI);
    OPTICK_TAG("network load", 5.5f);
    for (int i = 0; i < 3; ++i) {
      OPTICK_EVENT("network: part");
      OPTICK_TAG("network part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("network: pushed");
    { OPTICK_EVENT(Optick::Category::Physics); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "network: even" : "network: odd");
    OPTICK_TAG("network place", 1.0f, 5.0f, 0.5f);
  }
  {
    OPTICK_EVENT("network: last", Optick::Category::AI);
    OPTICK_TAG("network name", "network %s");
    OPTICK_TAG("network cut", "network and more", 7);
    OPTICK_GPU_EVENT("network: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void scripts_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("scripts frame", frame);
  {
    OPTICK_CATEGORY("scripts: all", Optick::Category::Physics);
    OPTICK_TAG("scripts load", 6.5f);
    for (int i = 0; i < 1; ++i) {
      OPTICK_EVENT("scripts: part");
      OPTICK_TAG("scripts part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("scripts: pushed");
    { OPTICK_EVENT(Optick::Category::Rendering); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "scripts: even" : "scripts: odd");
    OPTICK_TAG("scripts place", 1.0f, 6.0f, 0.5f);
  }
  {
    OPTICK_EVENT("scripts: last", Optick::Category::Physics);
    OPTICK_TAG("scripts name", "scripts %s");
    OPTICK_TAG("scripts cut", "scripts and more", 7);
    OPTICK_GPU_EVENT("scripts: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void culling_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("culling frame", frame);
  {
    OPTICK_CATEGORY("culling: all", Optick::Category::Rendering);
    OPTICK_TAG("culling load", 7.5f);
    for (int i = 0; i < 2; ++i) {
      OPTICK_EVENT("culling: part");
      OPTICK_TAG("culling part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("culling: pushed");
    { OPTICK_EVENT(Optick::Category::Wait); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "culling: even" : "culling: odd");
    OPTICK_TAG("culling place", 1.0f, 7.0f, 0.5f);
  }
  {
    OPTICK_EVENT("culling: last", Optick::Category::Rendering);
    OPTICK_TAG("culling name", "culling %s");
    OPTICK_TAG("culling cut", "culling and more", 7);
    OPTICK_GPU_EVENT("culling: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void shadows_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("shadows frame", frame);
  {
    OPTICK_CATEGORY("shadows: all", Optick::Category::Wait);
    OPTICK_TAG("shadows load", 8.5f);
    for (int i = 0; i < 3; ++i) {
      OPTICK_EVENT("shadows: part");
      OPTICK_TAG("shadows part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("shadows: pushed");
    { OPTICK_EVENT(Optick::Category::Audio); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "shadows: even" : "shadows: odd");
    OPTICK_TAG("shadows place", 1.0f, 8.0f, 0.5f);
  }
  {
    OPTICK_EVENT("shadows: last", Optick::Category::Wait);
    OPTICK_TAG("shadows name", "shadows %s");
    OPTICK_TAG("shadows cut", "shadows and more", 7);
    OPTICK_GPU_EVENT("shadows: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void terrain_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("terrain frame", frame);
  {
    OPTICK_CATEGORY("terrain: all", Optick::Category::Audio);
    OPTICK_TAG("terrain load", 9.5f);
    for (int i = 0; i < 1; ++i) {
      OPTICK_EVENT("terrain: part");
      OPTICK_TAG("terrain part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("terrain: pushed");
    { OPTICK_EVENT(Optick::Category::AI); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "terrain: even" : "terrain: odd");
    OPTICK_TAG("terrain place", 1.0f, 9.0f, 0.5f);
  }
  {
    OPTICK_EVENT("terrain: last", Optick::Category::Audio);
    OPTICK_TAG("terrain name", "terrain %s");
    OPTICK_TAG("terrain cut", "terrain and more", 7);
    OPTICK_GPU_EVENT("terrain: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void water_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("water frame", frame);
  {
    OPTICK_CATEGORY("water: all", Optick::Category::AI);
    OPTICK_TAG("water load", 10.5f);
    for (int i = 0; i < 2; ++i) {
      OPTICK_EVENT("water: part");
      OPTICK_TAG("water part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("water: pushed");
    { OPTICK_EVENT(Optick::Category::Physics); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "water: even" : "water: odd");
    OPTICK_TAG("water place", 1.0f, 10.0f, 0.5f);
  }
  {
    OPTICK_EVENT("water: last", Optick::Category::AI);
    OPTICK_TAG("water name", "water %s");
    OPTICK_TAG("water cut", "water and more", 5);
    OPTICK_GPU_EVENT("water: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void sky_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("sky frame", frame);
  {
    OPTICK_CATEGORY("sky: all", Optick::Category::Physics);
    OPTICK_TAG("sky load", 11.5f);
    for (int i = 0; i < 3; ++i) {
      OPTICK_EVENT("sky: part");
      OPTICK_TAG("sky part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("sky: pushed");
    { OPTICK_EVENT(Optick::Category::Rendering); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "sky: even" : "sky: odd");
    OPTICK_TAG("sky place", 1.0f, 11.0f, 0.5f);
  }
  {
    OPTICK_EVENT("sky: last", Optick::Category::Physics);
    OPTICK_TAG("sky name", "sky %s");
    OPTICK_TAG("sky cut", "sky and more", 3);
    OPTICK_GPU_EVENT("sky: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void crowd_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("crowd frame", frame);
  {
    OPTICK_CATEGORY("crowd: all", Optick::Category::Rendering);
    OPTICK_TAG("crowd load", 12.5f);
    for (int i = 0; i < 1; ++i) {
      OPTICK_EVENT("crowd: part");
      OPTICK_TAG("crowd part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("crowd: pushed");
    { OPTICK_EVENT(Optick::Category::Wait); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "crowd: even" : "crowd: odd");
    OPTICK_TAG("crowd place", 1.0f, 12.0f, 0.5f);
  }
  {
    OPTICK_EVENT("crowd: last", Optick::Category::Rendering);
    OPTICK_TAG("crowd name", "crowd %s");
    OPTICK_TAG("crowd cut", "crowd and more", 5);
    OPTICK_GPU_EVENT("crowd: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void vehicles_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("vehicles frame", frame);
  {
    OPTICK_CATEGORY("vehicles: all", Optick::Category::Wait);
    OPTICK_TAG("vehicles load", 13.5f);
    for (int i = 0; i < 2; ++i) {
      OPTICK_EVENT("vehicles: part");
      OPTICK_TAG("vehicles part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("vehicles: pushed");
    { OPTICK_EVENT(Optick::Category::Audio); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "vehicles: even" : "vehicles: odd");
    OPTICK_TAG("vehicles place", 1.0f, 13.0f, 0.5f);
  }
  {
    OPTICK_EVENT("vehicles: last", Optick::Category::Wait);
    OPTICK_TAG("vehicles name", "vehicles %s");
    OPTICK_TAG("vehicles cut", "vehicles and more", 8);
    OPTICK_GPU_EVENT("vehicles: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
}

void weather_update(int frame) {
  OPTICK_EVENT();
  OPTICK_TAG("weather frame", frame);
  {
    OPTICK_CATEGORY("weather: all", Optick::Category::Audio);
    OPTICK_TAG("weather load", 14.5f);
    for (int i = 0; i < 3; ++i) {
      OPTICK_EVENT("weather: part");
      OPTICK_TAG("weather part", static_cast<uint32_t>(i));
    }
    OPTICK_PUSH("weather: pushed");
    { OPTICK_EVENT(Optick::Category::AI); }
    OPTICK_POP();
    OPTICK_EVENT_DYNAMIC(frame % 2 == 0 ? "weather: even" : "weather: odd");
    OPTICK_TAG("weather place", 1.0f, 14.0f, 0.5f);
  }
  {
    OPTICK_EVENT("weather: last", Optick::Category::Audio);
    OPTICK_TAG("weather name", "weather %s");
    OPTICK_TAG("weather cut", "weather and more", 7);
    OPTICK_GPU_EVENT("weather: draw");
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::Render)
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
