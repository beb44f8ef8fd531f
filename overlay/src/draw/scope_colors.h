// SPDX-License-Identifier: MIT
//
// scope_colors.h: which colour a scope has. Its name chooses one of the scope colours, the same one in every session and
// on every machine. Where two names that chose the same colour stand side by side, one of them moves to its next choice:
// always the one with the higher hash, so that two sessions agree on it. A name that moved keeps its new colour.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_COLORS_H
#define FLAMELET_OVERLAY_SRC_SCOPE_COLORS_H

#include <string_view>

#include "content/hash_table.h"
#include "draw/palette.h"

namespace flamelet::ui {

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

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_COLORS_H
