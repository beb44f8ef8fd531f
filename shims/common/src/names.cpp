// SPDX-License-Identifier: MIT
#include "flamelet_shim/names.h"

flamelet_id flamelet_shim_begin_and_keep_(flamelet_shim_names* names, const char* name, const char* function,
                                          const char* file, uint32_t line, uint32_t color) {
  // Names whose addresses share a place stand behind each other, so that they do not push each other out at every call.
  constexpr uint32_t kTried = 4;
  const uint32_t first = flamelet_shim_name_place_(name);
  uint32_t place = first;
  for (uint32_t i = 0; i < kTried; ++i) {
    const uint32_t tried = (first + i) % FLAMELET_SHIM_NAMES_;
    flamelet_site* site = __atomic_load_n(&names->sites[tried], __ATOMIC_ACQUIRE);  // pairs with the release below
    if (site == nullptr) {
      place = tried;
      break;
    }
    if (strcmp(site->name, name) == 0) return flamelet_scope_begin_(site);
  }
  const flamelet_shim_place at = {name, strlen(name), function, strlen(function), file, strlen(file), line, color};
  flamelet_site* site = nullptr;
  const flamelet_id id = flamelet_shim_begin_at(&at, &site);
  if (site != nullptr && at.name_size != 0) __atomic_store_n(&names->sites[place], site, __ATOMIC_RELEASE);
  return id;
}
