// SPDX-License-Identifier: MIT
#include "view/scope_looks.h"

#include "flamelet/scope.h"
#include "view/filter.h"
#include "view/theme.h"

namespace flamelet::ui {

void ScopeLooks::reset(const flamelet_capture* capture, std::string_view filter) {
  capture_ = capture;
  filter_ = filter;
  entries_.count = entries_.capacity;
  forget();
}

void ScopeLooks::fill(uint64_t key, ScopeLook* entry) const {
  flamelet_site_info site;
  flamelet_capture_site(capture_, static_cast<uint32_t>(key >> 32), &site);
  entry->key = key;
  entry->name = view_of(flamelet_capture_string(capture_, static_cast<uint32_t>(key)));
  if (entry->name.empty()) entry->name = "(no name)";
  const bool waits = view_of(site.category) == FLAMELET_WAIT_CATEGORY;
  entry->own_color = waits || site.color != 0;
  entry->fill = waits ? color::kWait : site.color != 0 ? site.color & 0xFFFFFF : colors_.of(entry->name);
  entry->ink = ink_on(entry->fill);
  entry->matches = matches(entry->name, filter_);
}

void ScopeLooks::separate(ScopeKey a, ScopeKey b) {
  const ScopeLook look_a = look(a);
  const ScopeLook look_b = look(b);
  if (look_a.own_color || look_b.own_color || !colors_.separate(look_a.name, look_b.name)) return;
  forget();
}

}  // namespace flamelet::ui
