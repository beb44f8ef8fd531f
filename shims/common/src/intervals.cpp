// SPDX-License-Identifier: MIT
//
// intervals.cpp: frames with a start and an end, and sections.
#include <stdlib.h>
#include <string.h>

#include "flamelet/scope.h"
#include "flamelet_shim/calls.h"
#include "spin_lock.h"

namespace flamelet {
namespace {

constexpr uint32_t kMaxFrames = 64;      // with a start, at one time
constexpr uint32_t kMaxSections = 4096;  // a power of two

struct OpenFrame {
  const char* name;  // from the start; as long-lived as names in macros
  flamelet_id id;    // 0: free
};
OpenFrame frames[kMaxFrames];
Atomic<uint32_t> frames_lock;

struct OpenSection {
  flamelet_id id;  // 0: free
  uint32_t number;
};
OpenSection sections[kMaxSections];  // [number modulo their count]
uint32_t last_section = 0;
Atomic<uint32_t> sections_lock;

OpenFrame* find_frame(const char* name) {
  for (OpenFrame& frame : frames)
    if (frame.id != 0 && strcmp(frame.name, name) == 0) return &frame;
  return nullptr;
}

OpenFrame* find_free() {
  for (OpenFrame& frame : frames)
    if (frame.id == 0) return &frame;
  return nullptr;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

void flamelet_shim_frame_start(const char* name) {
  if (flamelet_is_off_()) return;
  const SpinGuard guard(frames_lock);
  OpenFrame* frame = find_frame(name) == nullptr ? find_free() : nullptr;
  if (frame == nullptr) return flamelet_shim_note_(FLAMELET_SHIM_NOTE_FRAME_START_);
  *frame = {name, flamelet_interval_begin(name, "frame", nullptr)};
}

void flamelet_shim_frame_end(const char* name) {
  if (flamelet_is_off_()) return;
  const SpinGuard guard(frames_lock);
  OpenFrame* frame = find_frame(name);
  if (frame == nullptr) return flamelet_shim_note_(FLAMELET_SHIM_NOTE_FRAME_END_);
  flamelet_interval_end(frame->id);
  frame->id = 0;
}

uint32_t flamelet_shim_section_begin(const char* text, size_t size) {
  if (flamelet_is_off_()) return 0;
  const flamelet_id id = flamelet_interval_begin(flamelet_intern_bytes(text, size), "section", nullptr);
  if (id == 0) return 0;
  const SpinGuard guard(sections_lock);
  if (++last_section == 0) ++last_section;
  OpenSection* section = &sections[last_section & (kMaxSections - 1)];
  if (section->id != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_SECTIONS_);
  *section = {id, last_section};
  return last_section;
}

void flamelet_shim_section_end(uint32_t id) {
  if (id == 0) return;
  const SpinGuard guard(sections_lock);
  OpenSection* section = &sections[id & (kMaxSections - 1)];
  if (section->id == 0 || section->number != id) return flamelet_shim_note_(FLAMELET_SHIM_NOTE_SECTION_ENDS_);
  flamelet_interval_end(section->id);
  section->id = 0;
}

// Locks: names of locks that are given at run time, and marks.

using namespace flamelet;

struct flamelet_shim_lock_own_name {
  flamelet_shim_lock_own_name* before;
  char text[1];
};

void flamelet_shim_lock_mark(const flamelet_lock* lock, const char* function) {
  if (flamelet_is_off_()) return;
  // acquire: pairs with the release in flamelet_shim_lock_name().
  flamelet_instant(as_atomic(lock->name).load_acquire(), "lock", flamelet_intern(function));
}

void flamelet_shim_lock_name(flamelet_lock* lock, flamelet_shim_lock_names* names, const char* text, size_t size) {
  auto* name = static_cast<flamelet_shim_lock_own_name*>(malloc(sizeof(flamelet_shim_lock_own_name) + size));
  if (name == nullptr) return;
  if (size != 0) memcpy(name->text, text, size);
  name->text[size] = 0;
  const SpinGuard guard(as_atomic(names->lock));
  name->before = names->newest;
  names->newest = name;
  as_atomic(lock->name).store_release(name->text);
}

void flamelet_shim_lock_end(flamelet_shim_lock_names* names) {
  while (flamelet_shim_lock_own_name* name = names->newest) {
    names->newest = name->before;
    free(name);
  }
}
