// SPDX-License-Identifier: MIT
#define FLAMELET_SHIM_NO_START  // the program's files do
#include "optick.h"

#include <stdio.h>
#include <string.h>

#include "platform/number_text.h"
#include "platform/thread_local.h"

namespace Optick {
namespace {

FLAMELET_THREAD_LOCAL_ bool is_named;

void attach(flamelet_site* place, const char* text, size_t size) {
  if (!flamelet_is_off_()) flamelet_site_instant_(place, flamelet_intern_bytes(text, size));
}

// Six digits, a point and an exponent; and what stands between two numbers.
constexpr size_t kNumberBytes = 24;

char* add_number(char* at, float value) {
  return flamelet::write_general(at, at + kNumberBytes - 2, static_cast<double>(value), 6);
}

}  // namespace

EventDescription* EventDescription::Create(const char* name, const char* file, unsigned long line, unsigned long color,
                                           unsigned long filter, uint8_t) {
  const auto category = static_cast<Category::Type>(uint64_t{filter} << 32);
  flamelet_site* site = flamelet_site_create(name, "", file, static_cast<uint32_t>(line), Category::GetName(category),
                                             static_cast<uint32_t>(color) & 0xFFFFFF);
  static_assert(sizeof(EventDescription) == sizeof(flamelet_site), "a description is a site");
  return reinterpret_cast<EventDescription*>(site);
}

void Event::Push(const char* name) noexcept {
  static flamelet_shim_names names;
  flamelet_shim_push_(flamelet_shim_begin_named_(&names, name, "", "", 0, 0));
}

void Tag::Attach(flamelet_site* place, float value) {
  char text[kNumberBytes];
  attach(place, text, static_cast<size_t>(add_number(text, value) - text));
}
void Tag::Attach(flamelet_site* place, int32_t value) {
  char text[16];
  attach(place, text, static_cast<size_t>(snprintf(text, sizeof(text), "%ld", static_cast<long>(value))));
}
void Tag::Attach(flamelet_site* place, uint32_t value) {
  Attach(place, uint64_t{value});
}
void Tag::Attach(flamelet_site* place, uint64_t value) {
  char text[24];
  attach(place, text,
         static_cast<size_t>(snprintf(text, sizeof(text), "%llu", static_cast<unsigned long long>(value))));
}
void Tag::Attach(flamelet_site* place, float x, float y, float z) {
  char text[3 * kNumberBytes];
  char* end = add_number(text, x);
  for (const float value : {y, z}) {
    *end++ = ',';
    *end++ = ' ';
    end = add_number(end, value);
  }
  attach(place, text, static_cast<size_t>(end - text));
}
void Tag::Attach(flamelet_site* place, const char* value) {
  attach(place, value, value == nullptr ? 0 : strlen(value));
}
void Tag::Attach(flamelet_site* place, const char* value, uint16_t length) {
  attach(place, value, length);
}

uint32_t BeginFrame(FrameType::Type type, int64_t, uint64_t) {
  if (type == FrameType::GPU)
    flamelet_frame_named("GPU");
  else if (type == FrameType::Render)
    flamelet_frame_named("render");
  else
    flamelet_frame();
  return 0;
}

bool RegisterThread(const char* name) {
  is_named = true;
  flamelet_shim_thread_name(name, 0);
  return true;
}

bool RegisterThread(const wchar_t* name) {
  char text[64];
  size_t size = 0;
  for (; name[size] != 0 && size + 1 < sizeof(text); ++size)
    text[size] = name[size] > 0 && name[size] < 128 ? static_cast<char>(name[size]) : '?';
  text[size] = 0;
  return RegisterThread(text);
}

void BeginNamedFrame(const char* thread, FrameType::Type type) {
  if (!is_named) RegisterThread(thread);
  BeginFrame(type);
}

bool StartCapture(Mode::Type, int, bool) {
  flamelet_set_enabled(true);
  return flamelet_enabled();
}

bool StopCapture(bool) {
  flamelet_set_enabled(false);
  return true;
}

bool SaveCapture(const char* path, bool) {
  return flamelet_shim_save_capture(path, nullptr);
}

EventStorage* RegisterStorage(const char*, uint64_t, int) {
  flamelet_shim_note_(FLAMELET_SHIM_NOTE_OPTICK_STORAGE_);
  return nullptr;
}

}  // namespace Optick
