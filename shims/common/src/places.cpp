// SPDX-License-Identifier: MIT
//
// places.cpp: zones whose place or name is known at run time. Each place that is met becomes a run-time site. Where the
// table of places has no room, a zone has a dynamic name.
#include <stdlib.h>
#include <string.h>

#include "flamelet/detail/hash.h"
#include "flamelet_shim/calls.h"
#include "spin_lock.h"

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
