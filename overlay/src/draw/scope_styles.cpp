// SPDX-License-Identifier: MIT
#include "draw/scope_styles.h"

#include <algorithm>

#include "content/filter.h"
#include "draw/theme.h"
#include "flamelet/detail/hash.h"
#include "flamelet/detail/site.h"

namespace flamelet::ui {

// ---- scope colors

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

void ScopeStyles::reset(const flamelet_capture* capture, std::string_view filter) {
  capture_ = capture;
  filter_ = filter;
  entries_.count = entries_.capacity;
  forget();
}

void ScopeStyles::fill(uint64_t key, ScopeStyle* entry) const {
  flamelet_site_info site;
  flamelet_capture_site(capture_, static_cast<uint32_t>(key >> 32), &site);
  entry->key = key;
  entry->name = view_of(flamelet_capture_string(capture_, static_cast<uint32_t>(key)));
  if (entry->name.empty()) entry->name = "(no name)";
  const bool waits = is_wait(site);
  entry->own_color = waits || site.color != 0;
  entry->fill = waits ? color::kWait : site.color != 0 ? site.color & 0xFFFFFF : colors_.of(entry->name);
  entry->ink = ink_on(entry->fill);
  entry->matches = matches(entry->name, filter_);
}

void ScopeStyles::separate(ScopeKey a, ScopeKey b) {
  const ScopeStyle style_a = of(a);
  const ScopeStyle style_b = of(b);
  if (style_a.own_color || style_b.own_color || !colors_.separate(style_a.name, style_b.name)) return;
  forget();
}

}  // namespace flamelet::ui
