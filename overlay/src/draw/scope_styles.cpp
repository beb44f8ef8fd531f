// SPDX-License-Identifier: MIT
#include "draw/scope_styles.h"

#include "content/filter.h"
#include "draw/theme.h"
#include "flamelet/detail/site.h"

namespace flamelet::ui {

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
