// SPDX-License-Identifier: MIT
//
// zones.cpp: zones whose place or name is known at run time, and texts of zones; messages, plots, and the names of threads;
// frames with a start and an end, and sections.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flamelet/detail/hash.h"
#include "flamelet/scope.h"
#include "flamelet_shim/calls.h"
#include "platform/atomic.h"
#include "platform/thread_local.h"
#include "spin_lock.h"

// ---- Places: each that is met becomes a run-time site. Where their table has no room, a zone has a dynamic name.

namespace flamelet {
namespace {

constexpr uint32_t kMaxPlaces = 4096;
constexpr uint32_t kSlots = 2 * kMaxPlaces;  // a power of two, never full
constexpr uint32_t kRecent = 1024;           // a power of two
constexpr size_t kMaxText = 1023;            // of a place in the table

// The texts are those of the site.
struct Place {
  flamelet_site* site;
  uint16_t name_size, function_size, file_size;
};

// Constant initialization, as of all that a static initializer of the program may use. Only added to. Readers need no
// lock: a slot is stored with release when its place is whole.
struct Places {
  Atomic<uint32_t> lock;  // of who adds
  Atomic<uint32_t> count;
  Atomic<Place*> slots[kSlots];    // by the texts' hash
  Atomic<Place*> recent[kRecent];  // by the texts' addresses: most calls bring the same ones again
  Place all[kMaxPlaces];
};
Places places = {};
flamelet_site name_only_site = {0, "(run-time name)", "", "", "", 0, 0};

// What flamelet_shim_keep() made where the table is full; marked by the lowest bit of its address.
struct StoredName {
  size_t size;
  char text[1];
};

uint64_t load_word(const char* text) {
  uint64_t word;
  memcpy(&word, text, sizeof(word));
  return word;
}

// Most texts are short, and a call for each would cost more than the compare.
inline bool is_text(const char* known, size_t known_size, const char* text, size_t size) {
  if (known_size != size) return false;
  if (size > 32) return memcmp(known, text, size) == 0;
  if (size < 8) {
    for (size_t i = 0; i < size; ++i)
      if (known[i] != text[i]) return false;
    return true;
  }
  for (size_t i = 0; i + 8 < size; i += 8)
    if (load_word(known + i) != load_word(text + i)) return false;
  return load_word(known + size - 8) == load_word(text + size - 8);
}

bool is_place(const Place& known, const flamelet_shim_place& place) {
  return known.site->line == place.line && known.site->color == place.color &&
         (known.name_size == 0 ? place.name_size == 0
                               : is_text(known.site->name, known.name_size, place.name, place.name_size)) &&
         is_text(known.site->function, known.function_size, place.function, place.function_size) &&
         is_text(known.site->file, known.file_size, place.file, place.file_size);
}

uint64_t mix(uint64_t hash, uint64_t value) {
  return flamelet::spread_key(hash ^ value);
}

uint64_t hash_text(uint64_t hash, const char* text, size_t size) {
  return mix(flamelet::fnv_of_text(text, size, hash), size);
}

uint32_t first_slot(const flamelet_shim_place& place) {
  uint64_t hash = mix(flamelet::kFnvStart, uint64_t{place.line} << 32 | place.color);
  hash = hash_text(hash, place.name, place.name_size);
  hash = hash_text(hash, place.function, place.function_size);
  return static_cast<uint32_t>(hash_text(hash, place.file, place.file_size) >> 32) & (kSlots - 1);
}

// Two: with one, two places whose addresses share it would be looked up by their texts at every call, in turns.
Atomic<Place*>* recent_of(const flamelet_shim_place& place) {
  const uint64_t hash = mix(mix(mix(reinterpret_cast<uintptr_t>(place.name), reinterpret_cast<uintptr_t>(place.file)),
                                reinterpret_cast<uintptr_t>(place.function)),
                            place.line);
  return &places.recent[2 * ((hash >> 40) & (kRecent / 2 - 1))];
}

const char* copy_text(char* to, const char* text, size_t size) {
  if (size != 0) memcpy(to, text, size);
  to[size] = 0;
  return to;
}

// A site has no text where it is empty.
size_t size_of(const char* text) {
  return text == nullptr ? 0 : strlen(text);
}

// With the lock. NULL: there is no room.
Place* add_place(const flamelet_shim_place& place) {
  const uint32_t index = places.count.load_relaxed();
  if (index == kMaxPlaces) return nullptr;
  char name[kMaxText + 1], function[kMaxText + 1], file[kMaxText + 1];
  copy_text(name, place.name, place.name_size);
  copy_text(function, place.function, place.function_size);
  copy_text(file, place.file, place.file_size);
  flamelet_site* site =
      flamelet_site_create(place.name_size == 0 ? nullptr : name, function, file, place.line, "", place.color);
  // A text with a zero inside is another one in the site. So is "(overflow)": the recorder's table is full, too.
  if (site->line != place.line || site->color != place.color || size_of(site->function) != place.function_size ||
      size_of(site->file) != place.file_size || size_of(site->name) != place.name_size)
    return nullptr;
  Place* added = &places.all[index];
  added->site = site;
  added->name_size = static_cast<uint16_t>(place.name_size);
  added->function_size = static_cast<uint16_t>(place.function_size);
  added->file_size = static_cast<uint16_t>(place.file_size);
  places.count.store_relaxed(index + 1);
  return added;
}

Place* find_slow(const flamelet_shim_place& place) {
  const uint32_t first = first_slot(place);
  uint32_t slot = first;
  // acquire: pairs with the release below.
  for (; Place* known = places.slots[slot].load_acquire(); slot = (slot + 1) & (kSlots - 1))
    if (is_place(*known, place)) return known;
  const SpinGuard guard(places.lock);
  for (; Place* known = places.slots[slot].load_acquire(); slot = (slot + 1) & (kSlots - 1))
    if (is_place(*known, place)) return known;
  Place* added = add_place(place);
  if (added != nullptr) places.slots[slot].store_release(added);
  return added;
}

// The place in the table; NULL: it has only a name.
flamelet_site* find_site(const flamelet_shim_place& place) {
  Atomic<Place*>* recent = recent_of(place);
  Place* known = recent[0].load_acquire();  // pairs with the release below
  if (known != nullptr && is_place(*known, place)) return known->site;
  Place* second = recent[1].load_acquire();
  if (second != nullptr && is_place(*second, place)) return second->site;
  if (place.name_size > kMaxText || place.function_size > kMaxText || place.file_size > kMaxText) return nullptr;
  Place* found = find_slow(place);
  if (found == nullptr) return nullptr;
  if (known != nullptr) recent[1].store_release(known);
  recent[0].store_release(found);
  return found->site;
}

flamelet_id begin_name(const char* text, size_t size) {
  return flamelet_scope_begin_with_(&name_only_site, flamelet_intern_bytes(text, size), nullptr);
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

flamelet_id flamelet_shim_begin_at(const flamelet_shim_place* place, flamelet_site** found) {
  if (flamelet_is_off_()) return 0;
  flamelet_site* site = find_site(*place);
  if (found != nullptr) *found = site;
  if (site != nullptr) return flamelet_scope_begin_(site);
  return place->name_size != 0 ? begin_name(place->name, place->name_size)
                               : begin_name(place->function, place->function_size);
}

uint64_t flamelet_shim_keep(const flamelet_shim_place* place) {
  if (flamelet_is_off_()) return 0;
  flamelet_site* site = find_site(*place);
  if (site != nullptr) return reinterpret_cast<uintptr_t>(site);
  const char* text = place->name_size != 0 ? place->name : place->function;
  const size_t size = place->name_size != 0 ? place->name_size : place->function_size;
  StoredName* stored = static_cast<StoredName*>(malloc(sizeof(StoredName) + size));
  if (stored == nullptr) return reinterpret_cast<uintptr_t>(&name_only_site);
  stored->size = size;
  copy_text(stored->text, text, size);
  return reinterpret_cast<uintptr_t>(stored) | 1;
}

flamelet_id flamelet_shim_begin_kept(uint64_t stored, bool active) {
  if (stored == 0) return 0;
  if ((stored & 1) == 0)
    return active ? flamelet_scope_begin_(reinterpret_cast<flamelet_site*>(static_cast<uintptr_t>(stored))) : 0;
  StoredName* name = reinterpret_cast<StoredName*>(static_cast<uintptr_t>(stored - 1));
  const flamelet_id zone = active ? begin_name(name->text, name->size) : 0;
  free(name);
  return zone;
}

// ---- Instants, frames and sections

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
    "profiler::storeBlock: a block is recorded when it runs",
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
