// SPDX-License-Identifier: MIT
#undef FLAMELET_DISABLED  // the library is whole, also in a build without macros
#define FLAMELET_SHIM_NO_START
#include "Remotery.h"

#include <stdio.h>
#include <string.h>

#include "opengl.h"
#include "platform/atomic.h"
#include "spin_lock.h"

namespace {

using flamelet::Atomic;
using flamelet::SpinGuard;

rmtSettings settings = {};
char instance;  // a Remotery* is not NULL

rmtProperty* first_known = nullptr;
rmtProperty* last_known = nullptr;
Atomic<uint32_t> lock;

// "Game/Enemies/Count"; a name that is too long keeps its end.
void write_path(const rmtProperty* property, char (&path)[512]) {
  size_t at = sizeof(path) - 1;
  path[at] = 0;
  for (; property != nullptr; property = property->parent) {
    const size_t size = strlen(property->name);
    if (size + 1 > at) break;
    if (path[at] != 0) path[--at] = '/';
    at -= size;
    memcpy(path + at, property->name, size);
  }
  memmove(path, path + at, sizeof(path) - at);
}

double value_of(const rmtProperty& property) {
  switch (property.type) {
    case RMT_PropertyType_rmtGroup:
      return 0;
    case RMT_PropertyType_rmtBool:
      return property.value.Bool != 0;
    case RMT_PropertyType_rmtS32:
      return property.value.S32;
    case RMT_PropertyType_rmtU32:
      return property.value.U32;
    case RMT_PropertyType_rmtF32:
      return static_cast<double>(property.value.F32);
    case RMT_PropertyType_rmtS64:
      return static_cast<double>(property.value.S64);
    case RMT_PropertyType_rmtU64:
      return static_cast<double>(property.value.U64);
    case RMT_PropertyType_rmtF64:
      return property.value.F64;
  }
  return 0;
}

}  // namespace

rmtSettings* flamelet_remotery_settings_(void) {
  return &settings;
}

rmtError flamelet_remotery_create_(Remotery** remotery) {
  if (settings.input_handler != nullptr || settings.sampletree_handler != nullptr ||
      settings.snapshot_callback != nullptr)
    flamelet_shim_note_(FLAMELET_SHIM_NOTE_REMOTERY_CALLBACKS_);
  if (remotery == nullptr) return RMT_ERROR_INVALID_INPUT;
  *remotery = flamelet_remotery_instance_();
  return *remotery != nullptr ? RMT_ERROR_NONE : RMT_ERROR_RESOURCE_CREATE_FAIL;
}

Remotery* flamelet_remotery_instance_(void) {
  return flamelet_shim_is_started() ? reinterpret_cast<Remotery*>(&instance) : nullptr;
}

void flamelet_remotery_log_(rmtPStr text) {
  flamelet_shim_message(2, 0, text, text == nullptr ? 0 : strlen(text));
}

rmtError flamelet_remotery_mark_frame_(void) {
  flamelet_frame();
  flamelet_remotery::frame_marks.fetch_add_relaxed(1u);
  return RMT_ERROR_NONE;
}

void flamelet_remotery_know_(rmtProperty* property) {
  if (property->type == RMT_PropertyType_rmtGroup) return;
  const SpinGuard guard(lock);
  if (property->site != nullptr) return;
  char path[512];
  write_path(property, path);
  property->site = flamelet_site_create(path, "", "", 0, "counter", 0);
  (last_known != nullptr ? last_known->next_known : first_known) = property;
  last_known = property;
}

rmtError flamelet_remotery_snapshot_(void) {
  const SpinGuard guard(lock);
  for (rmtProperty* property = first_known; property != nullptr; property = property->next_known)
    flamelet_site_counter_(property->site, value_of(*property));
  return RMT_ERROR_NONE;
}

void flamelet_remotery_frame_reset_(void) {
  const SpinGuard guard(lock);
  for (rmtProperty* property = first_known; property != nullptr; property = property->next_known)
    if ((property->flags & RMT_PropertyFlags_FrameReset) != 0) property->value = property->defaultValue;
}
