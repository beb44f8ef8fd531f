// SPDX-License-Identifier: MIT
//
// flamelet_shim/names.hpp: zones of one macro whose names come at run time.
#ifndef FLAMELET_SHIM_NAMES_HPP
#define FLAMELET_SHIM_NAMES_HPP

#include <string.h>

#include <atomic>

#include "flamelet_shim/calls.h"

namespace flamelet_shim {

// The sites of the names, by their addresses. For static variables: constant initialization, no constructor runs.
class KnownNames {
 public:
  // As flamelet_shim_begin_at(); where the name at its address is the one that was last met there, as fast as a site.
  __attribute__((always_inline)) flamelet_id begin(const char* name, const char* function, const char* file,
                                                   uint32_t line, uint32_t color) noexcept {
    if (flamelet_is_off_()) return 0;
    flamelet_site* site = slot(name).load(std::memory_order_acquire);  // pairs with the release below
    if (site != nullptr && strcmp(site->name, name) == 0) return flamelet_scope_begin_(site);
    return begin_and_keep(name, function, file, line, color);
  }

 private:
  static constexpr size_t kSlots = 16;

  __attribute__((noinline)) flamelet_id begin_and_keep(const char* name, const char* function, const char* file,
                                                       uint32_t line, uint32_t color) noexcept {
    const flamelet_shim_place place = {name, strlen(name), function, strlen(function), file, strlen(file), line, color};
    flamelet_site* site = nullptr;
    const flamelet_id id = flamelet_shim_begin_at(&place, &site);
    if (site != nullptr && place.name_size != 0) slot(name).store(site, std::memory_order_release);
    return id;
  }
  std::atomic<flamelet_site*>& slot(const char* name) noexcept {
    const uintptr_t address = reinterpret_cast<uintptr_t>(name);
    return sites_[(address ^ address >> 4 ^ address >> 8) % kSlots];
  }

  std::atomic<flamelet_site*> sites_[kSlots] = {};
};

}  // namespace flamelet_shim

#endif  // FLAMELET_SHIM_NAMES_HPP
