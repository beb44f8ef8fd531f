// SPDX-License-Identifier: MIT
#include "draw/scope_colors.h"

#include <algorithm>

#include "draw/theme.h"
#include "flamelet/detail/hash.h"

namespace flamelet::ui {

namespace {

// Never 0.
uint32_t hash_of(std::string_view name) {
  uint32_t hash = fnv_of_text<uint32_t>(name.data(), name.size());
  hash = (hash ^ hash >> 14) * 0x9E3779B1u;
  hash ^= hash >> 16;
  return hash != 0 ? hash : 1;
}

// From a name's choice to its next one. Prime to the number of colours, so that a name can come to each of them.
constexpr uint32_t kSteps[] = {5, 7, 11, 13, 17, 19};
static_assert(kScopeColorCount == 24, "the steps are prime to it");

}  // namespace

Rgb ScopeColors::color_of(uint32_t hash) const {
  const Moved* moved = moved_.find(hash);
  if (moved == nullptr) return theme().scopes[hash % kScopeColorCount];
  const uint32_t step = kSteps[(hash >> 8) % (sizeof kSteps / sizeof kSteps[0])];
  return theme().scopes[(hash + uint64_t{moved->moves} * step) % kScopeColorCount];
}

Rgb ScopeColors::of(std::string_view name) const {
  return color_of(hash_of(name));
}

bool ScopeColors::move(uint32_t hash) {
  Moved* moved = moved_.insert(hash);
  if (moved == nullptr || moved->moves == kMostMoves) return false;
  ++moved->moves;
  return true;
}

bool ScopeColors::separate(std::string_view a, std::string_view b) {
  const uint32_t hash_a = hash_of(a), hash_b = hash_of(b);
  if (hash_a == hash_b || color_of(hash_a) != color_of(hash_b)) return false;
  return move(std::max(hash_a, hash_b)) || move(std::min(hash_a, hash_b));
}

}  // namespace flamelet::ui
