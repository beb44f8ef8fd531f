// SPDX-License-Identifier: MIT
//
// systems.cpp: the systems of the game in program.cpp.
#include "systems.h"

#include <easy/arbitrary_value.h>
#include <easy/profiler.h>

#include <string>

void input_update(int frame) {
  EASY_FUNCTION(profiler::colors::Red);
  EASY_VALUE("input/frame", frame);
  {
    EASY_BLOCK("input: all", profiler::colors::Red);
    EASY_TEXT("input/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 1; ++i) {
      EASY_BLOCK("input: part");
      EASY_VALUE("input/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("input: open", profiler::colors::Red);
    EASY_EVENT("input: event", profiler::colors::Red);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("input: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("input: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("input: early", profiler::ON, profiler::colors::Red);
    EASY_END_BLOCK;
    EASY_STRING("input/name", "input %s", 9u);
  }
  const int parts[] = {0, frame, 1};
  EASY_ARRAY("input/parts", parts, 3u);
  EASY_EVENT(("input: ends " + std::to_string(frame)).c_str());
}

void physics_update(int frame) {
  EASY_FUNCTION(profiler::colors::Blue500);
  EASY_VALUE("physics/frame", frame);
  {
    EASY_BLOCK("physics: all", profiler::colors::Blue500);
    EASY_TEXT("physics/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 2; ++i) {
      EASY_BLOCK("physics: part");
      EASY_VALUE("physics/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("physics: open", profiler::colors::Blue500);
    EASY_EVENT("physics: event", profiler::colors::Blue500);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("physics: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("physics: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("physics: early", profiler::ON, profiler::colors::Blue500);
    EASY_END_BLOCK;
    EASY_STRING("physics/name", "physics %s", 11u);
  }
  const int parts[] = {1, frame, 2};
  EASY_ARRAY("physics/parts", parts, 3u);
  EASY_EVENT(("physics: ends " + std::to_string(frame)).c_str());
}

void animation_update(int frame) {
  EASY_FUNCTION(profiler::colors::DeepPurpleA400);
  EASY_VALUE("animation/frame", frame);
  {
    EASY_BLOCK("animation: all", profiler::colors::DeepPurpleA400);
    EASY_TEXT("animation/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 3; ++i) {
      EASY_BLOCK("animation: part");
      EASY_VALUE("animation/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("animation: open", profiler::colors::DeepPurpleA400);
    EASY_EVENT("animation: event", profiler::colors::DeepPurpleA400);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("animation: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("animation: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("animation: early", profiler::ON, profiler::colors::DeepPurpleA400);
    EASY_END_BLOCK;
    EASY_STRING("animation/name", "animation %s", 13u);
  }
  const int parts[] = {2, frame, 3};
  EASY_ARRAY("animation/parts", parts, 3u);
  EASY_EVENT(("animation: ends " + std::to_string(frame)).c_str());
}

void particles_update(int frame) {
  EASY_FUNCTION(profiler::colors::Teal);
  EASY_VALUE("particles/frame", frame);
  {
    EASY_BLOCK("particles: all", profiler::colors::Teal);
    EASY_TEXT("particles/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 4; ++i) {
      EASY_BLOCK("particles: part");
      EASY_VALUE("particles/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("particles: open", profiler::colors::Teal);
    EASY_EVENT("particles: event", profiler::colors::Teal);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("particles: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("particles: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("particles: early", profiler::ON, profiler::colors::Teal);
    EASY_END_BLOCK;
    EASY_STRING("particles/name", "particles %s", 13u);
  }
  const int parts[] = {3, frame, 4};
  EASY_ARRAY("particles/parts", parts, 3u);
  EASY_EVENT(("particles: ends " + std::to_string(frame)).c_str());
}

void audio_update(int frame) {
  EASY_FUNCTION(profiler::colors::Gold);
  EASY_VALUE("audio/frame", frame);
  {
    EASY_BLOCK("audio: all", profiler::colors::Gold);
    EASY_TEXT("audio/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 1; ++i) {
      EASY_BLOCK("audio: part");
      EASY_VALUE("audio/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("audio: open", profiler::colors::Gold);
    EASY_EVENT("audio: event", profiler::colors::Gold);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("audio: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("audio: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("audio: early", profiler::ON, profiler::colors::Gold);
    EASY_END_BLOCK;
    EASY_STRING("audio/name", "audio %s", 9u);
  }
  const int parts[] = {4, frame, 1};
  EASY_ARRAY("audio/parts", parts, 3u);
  EASY_EVENT(("audio: ends " + std::to_string(frame)).c_str());
}

void network_update(int frame) {
  EASY_FUNCTION(profiler::colors::Navy);
  EASY_VALUE("network/frame", frame);
  {
    EASY_BLOCK("network: all", profiler::colors::Navy);
    EASY_TEXT("network/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 2; ++i) {
      EASY_BLOCK("network: part");
      EASY_VALUE("network/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("network: open", profiler::colors::Navy);
    EASY_EVENT("network: event", profiler::colors::Navy);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("network: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("network: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("network: early", profiler::ON, profiler::colors::Navy);
    EASY_END_BLOCK;
    EASY_STRING("network/name", "network %s", 11u);
  }
  const int parts[] = {5, frame, 2};
  EASY_ARRAY("network/parts", parts, 3u);
  EASY_EVENT(("network: ends " + std::to_string(frame)).c_str());
}

void scripts_update(int frame) {
  EASY_FUNCTION(profiler::colors::Magenta);
  EASY_VALUE("scripts/frame", frame);
  {
    EASY_BLOCK("scripts: all", profiler::colors::Magenta);
    EASY_TEXT("scripts/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 3; ++i) {
      EASY_BLOCK("scripts: part");
      EASY_VALUE("scripts/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("scripts: open", profiler::colors::Magenta);
    EASY_EVENT("scripts: event", profiler::colors::Magenta);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("scripts: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("scripts: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("scripts: early", profiler::ON, profiler::colors::Magenta);
    EASY_END_BLOCK;
    EASY_STRING("scripts/name", "scripts %s", 11u);
  }
  const int parts[] = {6, frame, 3};
  EASY_ARRAY("scripts/parts", parts, 3u);
  EASY_EVENT(("scripts: ends " + std::to_string(frame)).c_str());
}

void culling_update(int frame) {
  EASY_FUNCTION(profiler::colors::Lime300);
  EASY_VALUE("culling/frame", frame);
  {
    EASY_BLOCK("culling: all", profiler::colors::Lime300);
    EASY_TEXT("culling/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 4; ++i) {
      EASY_BLOCK("culling: part");
      EASY_VALUE("culling/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("culling: open", profiler::colors::Lime300);
    EASY_EVENT("culling: event", profiler::colors::Lime300);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("culling: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("culling: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("culling: early", profiler::ON, profiler::colors::Lime300);
    EASY_END_BLOCK;
    EASY_STRING("culling/name", "culling %s", 11u);
  }
  const int parts[] = {7, frame, 4};
  EASY_ARRAY("culling/parts", parts, 3u);
  EASY_EVENT(("culling: ends " + std::to_string(frame)).c_str());
}

void shadows_update(int frame) {
  EASY_FUNCTION(profiler::colors::BlueGrey);
  EASY_VALUE("shadows/frame", frame);
  {
    EASY_BLOCK("shadows: all", profiler::colors::BlueGrey);
    EASY_TEXT("shadows/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 1; ++i) {
      EASY_BLOCK("shadows: part");
      EASY_VALUE("shadows/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("shadows: open", profiler::colors::BlueGrey);
    EASY_EVENT("shadows: event", profiler::colors::BlueGrey);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("shadows: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("shadows: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("shadows: early", profiler::ON, profiler::colors::BlueGrey);
    EASY_END_BLOCK;
    EASY_STRING("shadows/name", "shadows %s", 11u);
  }
  const int parts[] = {8, frame, 1};
  EASY_ARRAY("shadows/parts", parts, 3u);
  EASY_EVENT(("shadows: ends " + std::to_string(frame)).c_str());
}

void terrain_update(int frame) {
  EASY_FUNCTION(profiler::colors::Coral);
  EASY_VALUE("terrain/frame", frame);
  {
    EASY_BLOCK("terrain: all", profiler::colors::Coral);
    EASY_TEXT("terrain/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 2; ++i) {
      EASY_BLOCK("terrain: part");
      EASY_VALUE("terrain/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("terrain: open", profiler::colors::Coral);
    EASY_EVENT("terrain: event", profiler::colors::Coral);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("terrain: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("terrain: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("terrain: early", profiler::ON, profiler::colors::Coral);
    EASY_END_BLOCK;
    EASY_STRING("terrain/name", "terrain %s", 11u);
  }
  const int parts[] = {9, frame, 2};
  EASY_ARRAY("terrain/parts", parts, 3u);
  EASY_EVENT(("terrain: ends " + std::to_string(frame)).c_str());
}

void water_update(int frame) {
  EASY_FUNCTION(profiler::colors::RichGreen);
  EASY_VALUE("water/frame", frame);
  {
    EASY_BLOCK("water: all", profiler::colors::RichGreen);
    EASY_TEXT("water/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 3; ++i) {
      EASY_BLOCK("water: part");
      EASY_VALUE("water/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("water: open", profiler::colors::RichGreen);
    EASY_EVENT("water: event", profiler::colors::RichGreen);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("water: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("water: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("water: early", profiler::ON, profiler::colors::RichGreen);
    EASY_END_BLOCK;
    EASY_STRING("water/name", "water %s", 9u);
  }
  const int parts[] = {10, frame, 3};
  EASY_ARRAY("water/parts", parts, 3u);
  EASY_EVENT(("water: ends " + std::to_string(frame)).c_str());
}

void sky_update(int frame) {
  EASY_FUNCTION(profiler::colors::Mint);
  EASY_VALUE("sky/frame", frame);
  {
    EASY_BLOCK("sky: all", profiler::colors::Mint);
    EASY_TEXT("sky/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 4; ++i) {
      EASY_BLOCK("sky: part");
      EASY_VALUE("sky/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("sky: open", profiler::colors::Mint);
    EASY_EVENT("sky: event", profiler::colors::Mint);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("sky: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("sky: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("sky: early", profiler::ON, profiler::colors::Mint);
    EASY_END_BLOCK;
    EASY_STRING("sky/name", "sky %s", 7u);
  }
  const int parts[] = {11, frame, 4};
  EASY_ARRAY("sky/parts", parts, 3u);
  EASY_EVENT(("sky: ends " + std::to_string(frame)).c_str());
}

void crowd_update(int frame) {
  EASY_FUNCTION(profiler::colors::Skin);
  EASY_VALUE("crowd/frame", frame);
  {
    EASY_BLOCK("crowd: all", profiler::colors::Skin);
    EASY_TEXT("crowd/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 1; ++i) {
      EASY_BLOCK("crowd: part");
      EASY_VALUE("crowd/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("crowd: open", profiler::colors::Skin);
    EASY_EVENT("crowd: event", profiler::colors::Skin);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("crowd: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("crowd: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("crowd: early", profiler::ON, profiler::colors::Skin);
    EASY_END_BLOCK;
    EASY_STRING("crowd/name", "crowd %s", 9u);
  }
  const int parts[] = {12, frame, 1};
  EASY_ARRAY("crowd/parts", parts, 3u);
  EASY_EVENT(("crowd: ends " + std::to_string(frame)).c_str());
}

void vehicles_update(int frame) {
  EASY_FUNCTION(profiler::colors::Silver);
  EASY_VALUE("vehicles/frame", frame);
  {
    EASY_BLOCK("vehicles: all", profiler::colors::Silver);
    EASY_TEXT("vehicles/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 2; ++i) {
      EASY_BLOCK("vehicles: part");
      EASY_VALUE("vehicles/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("vehicles: open", profiler::colors::Silver);
    EASY_EVENT("vehicles: event", profiler::colors::Silver);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("vehicles: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("vehicles: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("vehicles: early", profiler::ON, profiler::colors::Silver);
    EASY_END_BLOCK;
    EASY_STRING("vehicles/name", "vehicles %s", 12u);
  }
  const int parts[] = {13, frame, 2};
  EASY_ARRAY("vehicles/parts", parts, 3u);
  EASY_EVENT(("vehicles: ends " + std::to_string(frame)).c_str());
}

void weather_update(int frame) {
  EASY_FUNCTION(profiler::colors::Null);
  EASY_VALUE("weather/frame", frame);
  {
    EASY_BLOCK("weather: all", profiler::colors::Null);
    EASY_TEXT("weather/state", frame % 2 == 0 ? "even" : "odd");
    for (int i = 0; i < 3; ++i) {
      EASY_BLOCK("weather: part");
      EASY_VALUE("weather/part", 0.5 * i, EASY_UNIQUE_VIN);
    }
    EASY_NONSCOPED_BLOCK("weather: open", profiler::colors::Null);
    EASY_EVENT("weather: event", profiler::colors::Null);
    EASY_END_BLOCK;
    EASY_BLOCK(std::string("weather: frame ") + (frame % 2 == 0 ? "even" : "odd"));
    { EASY_BLOCK("weather: off", profiler::OFF); }
  }
  {
    EASY_BLOCK("weather: early", profiler::ON, profiler::colors::Null);
    EASY_END_BLOCK;
    EASY_STRING("weather/name", "weather %s", 11u);
  }
  const int parts[] = {14, frame, 3};
  EASY_ARRAY("weather/parts", parts, 3u);
  EASY_EVENT(("weather: ends " + std::to_string(frame)).c_str());
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
