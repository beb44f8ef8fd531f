// SPDX-License-Identifier: MIT
//
// scope_looks.h: what the canvas needs to know of a scope, looked up once: its name, its colours, whether the filter
// matches. A direct-mapped cache; a collision costs a second look into the capture and nothing else.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_LOOKS_H
#define FLAMELET_OVERLAY_SRC_SCOPE_LOOKS_H

#include <string_view>

#include "flamelet/capture.h"
#include "view/memory.h"
#include "view/palette.h"

namespace flamelet::ui {

inline std::string_view view_of(flamelet_string string) {
  return std::string_view(string.text, string.size);
}

struct ScopeLook {
  uint64_t key;  // site << 32 | name
  std::string_view name;
  Rgb fill;
  Rgb ink;
  bool matches;  // the filter
};

class ScopeLooks {
 public:
  static constexpr uint32_t kEntries = 8192;

  void carve(Carver* carver) { carver->take(&entries_, kEntries); }
  // After the capture or the filter changed. `filter` must live until the next call.
  void reset(const flamelet_capture* capture, std::string_view filter);

  // Valid until the next call.
  const ScopeLook& look(uint32_t site, uint32_t name) {
    const uint64_t key = uint64_t{site} << 32 | name;
    ScopeLook& entry = entries_[static_cast<uint32_t>(key * 0x9E3779B97F4A7C15ull >> 51)];
    if (entry.key != key) fill(key, &entry);
    return entry;
  }

 private:
  static constexpr uint64_t kNoKey = UINT64_MAX;

  void fill(uint64_t key, ScopeLook* entry) const;

  const flamelet_capture* capture_ = nullptr;
  std::string_view filter_;
  Array<ScopeLook> entries_;
};

static_assert(ScopeLooks::kEntries == 1u << (64 - 51), "the hash's top bits number the entries");

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_LOOKS_H
