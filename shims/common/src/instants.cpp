// SPDX-License-Identifier: MIT
//
// instants.cpp: texts of zones, messages, plots, and the names of threads; frames with a start and an end, and sections.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flamelet/scope.h"
#include "flamelet_shim/calls.h"
#include "platform/atomic.h"
#include "platform/thread_local.h"
#include "spin_lock.h"

namespace flamelet {
namespace {

constexpr const char* kZoneCategory = "zone";
constexpr const char* kMessageCategory = "message";
flamelet_site text_site = {0, "text", kZoneCategory, "", "", 0, 0};
flamelet_site name_site = {0, "name", kZoneCategory, "", "", 0, 0};
flamelet_site value_site = {0, "value", kZoneCategory, "", "", 0, 0};
flamelet_site app_info_site = {0, "app info", kMessageCategory, "", "", 0, 0};

constexpr const char* kSeverities[] = {"trace", "debug", "message", "warning", "error", "fatal"};
flamelet_site message_sites[] = {
    {0, kSeverities[0], kMessageCategory, "", "", 0, 0}, {0, kSeverities[1], kMessageCategory, "", "", 0, 0},
    {0, kSeverities[2], kMessageCategory, "", "", 0, 0}, {0, kSeverities[3], kMessageCategory, "", "", 0, 0},
    {0, kSeverities[4], kMessageCategory, "", "", 0, 0}, {0, kSeverities[5], kMessageCategory, "", "", 0, 0},
};

// Sites of messages that have a colour, in the order in which they were met.
constexpr uint32_t kMaxColored = 256;
struct ColoredSites {
  Atomic<uint32_t> lock;   // of who adds
  Atomic<uint32_t> count;  // sites below it are whole
  struct {
    int severity;
    flamelet_site* site;
  } all[kMaxColored];
};
ColoredSites colored = {};

FLAMELET_THREAD_LOCAL_ char this_thread_name[64];

void instant(flamelet_site* site, const char* text, size_t size) {
  if (!flamelet_is_off_()) flamelet_site_instant_(site, flamelet_intern_bytes(text, size));
}

flamelet_site* find_colored(int severity, uint32_t color, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (colored.all[i].site->color == color && colored.all[i].severity == severity) return colored.all[i].site;
  return nullptr;
}

flamelet_site* message_site(int severity, uint32_t color) {
  if (color == 0) return &message_sites[severity];
  flamelet_site* site = find_colored(severity, color, colored.count.load_acquire());  // pairs with the release below
  if (site != nullptr) return site;
  const SpinGuard guard(colored.lock);
  const uint32_t count = colored.count.load_relaxed();
  site = find_colored(severity, color, count);
  if (site != nullptr) return site;
  if (count < kMaxColored) site = flamelet_site_create(kSeverities[severity], "", "", 0, kMessageCategory, color);
  if (site == nullptr || site->color != color) {
    flamelet_shim_note_(FLAMELET_SHIM_NOTE_COLORS_);
    return &message_sites[severity];
  }
  colored.all[count].severity = severity;
  colored.all[count].site = site;
  colored.count.store_release(count + 1);
  return site;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

void flamelet_shim_zone_text(flamelet_id zone, const char* text, size_t size) {
  if (zone != 0) instant(&text_site, text, size);
}

void flamelet_shim_zone_name(flamelet_id zone, const char* text, size_t size) {
  if (zone != 0) instant(&name_site, text, size);
}

void flamelet_shim_zone_value(flamelet_id zone, uint64_t value) {
  if (zone == 0) return;
  char text[32];
  const int size = snprintf(text, sizeof(text), "%llu", static_cast<unsigned long long>(value));
  instant(&value_site, text, static_cast<size_t>(size));
}

void flamelet_shim_plot(const char* name, double value) {
  if (!flamelet_is_off_()) flamelet_counter(name, "plot", value);
}

void flamelet_shim_message(int severity, uint32_t color, const char* text, size_t size) {
  if (flamelet_is_off_()) return;
  if (severity < 0 || severity > 5) severity = 2;
  instant(message_site(severity, color & 0xFFFFFFu), text, size);
}

void flamelet_shim_app_info(const char* text, size_t size) {
  instant(&app_info_site, text, size);
}

void flamelet_shim_tag(const char* name, const char* text, size_t size) {
  if (!flamelet_is_off_()) flamelet_instant(name, "tag", flamelet_intern_bytes(text, size));
}

void flamelet_shim_thread_name(const char* name, int32_t group_hint) {
  if (group_hint != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_GROUP_HINT_);
  if (name == nullptr) return;
  const size_t size = strlen(name), fits = size < sizeof(this_thread_name) ? size : sizeof(this_thread_name) - 1;
  memcpy(this_thread_name, name, fits);
  this_thread_name[fits] = 0;
  flamelet_set_thread_name(name);
}

const char* flamelet_shim_this_thread_name(void) {
  return this_thread_name;
}

// Notes: counts of what was accepted and ignored, and of what could not be right.

namespace flamelet {
namespace {

const char* const kTexts[] = {
    "ZoneColor: the colour of a zone is that of its macro",
    "call stacks (the depth of S macros, TRACY_CALLSTACK): not recorded",
    "FrameImage: not recorded",
    "TracyPlotConfig: the viewer chooses",
    "group hints of threads and fibers: not recorded",
    "TracyParameterRegister, TracyParameterSetup: no viewer sets them",
    "TracySourceCallbackRegister: sources are read from their files",
    "TracySetProgramName: a capture is named by its file",
    "TracySectionSetup, and categories of sections: not recorded",
    "TracyCBeginSamplingProfiling: there is no sampling",
    "frees of addresses that are not live in their pool",
    "allocations at an address that was live in its pool",
    "allocations that were not followed, because malloc() failed",
    "memory events told from within another one on the same thread: left out",
    "memory pools beyond 64: counted as \"other pools\"",
    "FrameMarkStart, MICROPROFILE_TIMELINE_ENTER_STATIC of a name that has no end yet, or of too many: left out",
    "FrameMarkEnd, MICROPROFILE_TIMELINE_LEAVE_STATIC without a start: left out",
    "fibers beyond the recorder's limit: their zones are on their threads",
    "colours of messages beyond 256: shown without",
    "sections beyond 4096 at one time: without an end",
    "TracySectionLeave, MICROPROFILE_TIMELINE_LEAVE of what is not open: left out",
    "zones in Vulkan's command buffers while another thread had zones open in their context: not on its lane",
    "OPTICK_STORAGE macros: flamelet_submit() records events of other sources",
    "OPTICK_SET_STATE_CHANGED_CALLBACK, Optick::AttachSummary, AttachFile: nothing connects",
    "OPTICK_SET_MEMORY_ALLOCATOR: flamelet_init() takes an allocator",
    "OPTICK_GPU macros: only their scopes on the CPU are recorded",
    "requests for microprofile's counters beyond 511: they share the one named (overflow)",
    "MICROPROFILE_COUNTER_CONFIG, _SET_LIMIT: the viewer chooses",
    "MICROPROFILE_REGISTER_GROUP, _FORCEENABLECPUGROUP: all groups are recorded",
    "MICROPROFILE_META_CPU: not recorded",
    "macros of microprofile for the GPU: not recorded",
    "profiler::OFF_RECURSIVE, ON_WITHOUT_CHILDREN: blocks inside are recorded by their own status",
    "profiler::startListen(): nothing connects",
    "EASY_SET_EVENT_TRACING_ENABLED and the like: the system's events are not traced",
    "EASY_VIN, EASY_UNIQUE_VIN: a value is known by its name",
    "flags of rmt_BeginCPUSample: each sample is recorded",
    "handlers in rmtSettings: never called",
    "samples of Remotery on the GPU, of which only the scopes on the CPU are recorded",
};
static_assert(sizeof(kTexts) / sizeof(kTexts[0]) == FLAMELET_SHIM_NOTE_KINDS_, "one text for each kind");

Atomic<uint64_t> counts[FLAMELET_SHIM_NOTE_KINDS_];

}  // namespace
}  // namespace flamelet

void flamelet_shim_note_(flamelet_shim_note_kind kind) {
  flamelet::counts[kind].fetch_add_relaxed(1);  // a count
}

size_t flamelet_shim_notes(flamelet_shim_note* notes, size_t capacity) {
  size_t found = 0;
  for (size_t kind = 0; kind < FLAMELET_SHIM_NOTE_KINDS_; ++kind) {
    const uint64_t count = flamelet::counts[kind].load_relaxed();
    if (count == 0) continue;
    if (found < capacity) notes[found] = {flamelet::kTexts[kind], count};
    ++found;
  }
  return found;
}

// ---- names

flamelet_id flamelet_shim_begin_and_keep_(flamelet_shim_names* names, const char* name, const char* function,
                                          const char* file, uint32_t line, uint32_t color) {
  // Names whose addresses share a place stand behind each other, so that they do not push each other out at every call.
  constexpr uint32_t kTried = 4;
  const uint32_t first = flamelet_shim_name_place_(name);
  uint32_t place = first;
  for (uint32_t i = 0; i < kTried; ++i) {
    const uint32_t tried = (first + i) % FLAMELET_SHIM_NAMES_;
    flamelet_site* site = __atomic_load_n(&names->sites[tried], __ATOMIC_ACQUIRE);  // pairs with the release below
    if (site == nullptr) {
      place = tried;
      break;
    }
    if (strcmp(site->name, name) == 0) return flamelet_scope_begin_(site);
  }
  const flamelet_shim_place at = {name, strlen(name), function, strlen(function), file, strlen(file), line, color};
  flamelet_site* site = nullptr;
  const flamelet_id id = flamelet_shim_begin_at(&at, &site);
  if (site != nullptr && at.name_size != 0) __atomic_store_n(&names->sites[place], site, __ATOMIC_RELEASE);
  return id;
}

// ---- intervals

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
