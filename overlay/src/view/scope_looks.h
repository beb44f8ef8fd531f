// SPDX-License-Identifier: MIT
//
// scope_looks.h: what the canvas needs to know of a scope, looked up once: its name, its colours, whether the filter
// matches. A direct-mapped cache; a collision costs a second look into the capture and nothing else.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_LOOKS_H
#define FLAMELET_OVERLAY_SRC_SCOPE_LOOKS_H

#include <string_view>

#include "flamelet/capture.h"
#include "view/scope_colors.h"
#include "view/scope_key.h"

namespace flamelet::ui {

inline std::string_view view_of(flamelet_string string) {
  return std::string_view(string.text, string.size);
}

struct ScopeLook {
  uint64_t key;  // ScopeKey::bits()
  std::string_view name;
  Rgb fill;
  Rgb ink;
  bool own_color;  // it does not come from the name
  bool matches;    // the filter
};

class ScopeLooks {
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
    for (ScopeLook& entry : entries_) entry.key = kNoKey;
  }

  // Valid until the next call.
  const ScopeLook& look(ScopeKey scope) {
    const uint64_t key = scope.bits();
    ScopeLook& entry = entries_[static_cast<uint32_t>(key * 0x9E3779B97F4A7C15ull >> 51)];
    if (entry.key != key) fill(key, &entry);
    return entry;
  }

  // Two that stand side by side, in the same colour: one of them gets another if its name chose it.
  void separate(ScopeKey a, ScopeKey b);
  // For names that are not the capture's.
  const ScopeColors& colors() const { return colors_; }

 private:
  static constexpr uint64_t kNoKey = UINT64_MAX;

  void fill(uint64_t key, ScopeLook* entry) const;

  const flamelet_capture* capture_ = nullptr;
  std::string_view filter_;
  Array<ScopeLook> entries_;
  ScopeColors colors_;
};

static_assert(ScopeLooks::kEntries == 1u << (64 - 51), "the hash's top bits number the entries");

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_LOOKS_H
