// SPDX-License-Identifier: MIT
//
// scope_styles.h: what the canvas needs to know of a scope, looked up once: its name, its colours, whether the filter
// matches. A direct-mapped cache; a collision costs a second look into the capture and nothing else.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_STYLES_H
#define FLAMELET_OVERLAY_SRC_SCOPE_STYLES_H

#include <string_view>

#include "content/memory.h"
#include "draw/theme.h"
#include "flamelet/capture.h"
#include "flamelet/detail/hash.h"

namespace flamelet::ui {

// Scope colors: which colour a scope has. Its name chooses one of the scope colours, the same one in every session and
// on every machine. Where two names that chose the same colour stand side by side, one of them moves to its next choice:
// always the one with the higher hash, so that two sessions agree on it. A name that moved keeps its new colour.

class ScopeColors {
 public:
  void carve(Carver* carver) { moved_.carve(carver, kSlots); }

  Rgb of(std::string_view name) const;

  // Two scopes that stand side by side: moves one of them if they have the same colour. False if nothing was moved,
  // because they are one name or differ already, or because both have moved too often or the table is full.
  bool separate(std::string_view a, std::string_view b);

 private:
  static constexpr uint32_t kSlots = 512;
  static constexpr uint32_t kMostMoves = 12;  // of one name: colours must not change for ever

  struct Moved {
    uint64_t key = 0;  // the name's hash
    uint32_t moves = 0;
  };

  Rgb color_of(uint32_t hash) const;
  bool move(uint32_t hash);

  HashTable<Moved> moved_;
};

// Scope key: which scope, in every table of the overlay: the place in code, and the name that it had there.

// Ids of one capture and one session.
struct ScopeKey {
  uint32_t site = 0;
  uint32_t name = 0;

  uint64_t bits() const { return uint64_t{site} << 32 | name; }
  bool operator==(const ScopeKey& other) const { return site == other.site && name == other.name; }
  bool operator!=(const ScopeKey& other) const { return !(*this == other); }
};

inline ScopeKey key_of_bits(uint64_t bits) {
  return {static_cast<uint32_t>(bits >> 32), static_cast<uint32_t>(bits)};
}

// A scope on the threads or on the GPU queues, which may have the same place and name: their times are no sum. Or one
// object of it, where objects are apart.
struct ScopePart {
  ScopeKey key;
  uint32_t object = 0;  // flamelet_capture_string(); 0 = the whole scope
  bool on_gpu = false;

  bool operator==(const ScopePart& other) const {
    return key == other.key && object == other.object && on_gpu == other.on_gpu;
  }
};

// The key of a span, a point or a row of statistics.
template <typename T>
ScopeKey key_of(const T& of) {
  return {of.site, of.name};
}

inline std::string_view view_of(flamelet_string string) {
  return std::string_view(string.text, string.size);
}

struct ScopeStyle {
  uint64_t key;  // ScopeKey::bits()
  std::string_view name;
  Rgb fill;
  Rgb ink;
  bool own_color;  // it does not come from the name
  bool matches;    // the filter
};

class ScopeStyles {
 public:
  static constexpr uint32_t kEntries = 8192;

  void carve(Carver* carver) {
    carver->take(&entries_, kEntries);
    colors_.carve(carver);
  }
  // After the capture or the filter changed. Names keep their colours. `filter` must live until the next call.
  void reset(const flamelet_capture* capture, std::string_view filter);

  // After the theme changed.
  void forget() {
    for (ScopeStyle& entry : entries_) entry.key = kNoKey;
  }

  // Valid until the next call.
  const ScopeStyle& of(ScopeKey scope) {
    const uint64_t key = scope.bits();
    ScopeStyle& entry = entries_[static_cast<uint32_t>(spread_key(key) >> 51)];
    if (entry.key != key) fill(key, &entry);
    return entry;
  }

  // Two that stand side by side, in the same colour: one of them gets another if its name chose it.
  void separate(ScopeKey a, ScopeKey b);
  // For names that are not the capture's.
  const ScopeColors& colors() const { return colors_; }

 private:
  static constexpr uint64_t kNoKey = UINT64_MAX;

  void fill(uint64_t key, ScopeStyle* entry) const;

  const flamelet_capture* capture_ = nullptr;
  std::string_view filter_;
  Array<ScopeStyle> entries_;
  ScopeColors colors_;
};

static_assert(ScopeStyles::kEntries == 1u << (64 - 51), "the hash's top bits number the entries");

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_STYLES_H
