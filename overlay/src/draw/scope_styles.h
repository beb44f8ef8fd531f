// SPDX-License-Identifier: MIT
//
// scope_styles.h: what the canvas needs to know of a scope, looked up once: its name, its colours, whether the filter
// matches. A direct-mapped cache; a collision costs a second look into the capture and nothing else.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_STYLES_H
#define FLAMELET_OVERLAY_SRC_SCOPE_STYLES_H

#include <string_view>

#include "content/scope_key.h"
#include "draw/scope_colors.h"
#include "flamelet/capture.h"

namespace flamelet::ui {

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
    ScopeStyle& entry = entries_[static_cast<uint32_t>(key * 0x9E3779B97F4A7C15ull >> 51)];
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
