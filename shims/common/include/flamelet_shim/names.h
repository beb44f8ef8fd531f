// SPDX-License-Identifier: MIT
//
// flamelet_shim/names.h: zones of one macro whose names come at run time.
#ifndef FLAMELET_SHIM_NAMES_H
#define FLAMELET_SHIM_NAMES_H

#include <string.h>

#include "flamelet_shim/calls.h"

// The sites of the names, by their addresses. For static variables: all 0.
#define FLAMELET_SHIM_NAMES_ 16u  // a power of two
typedef struct flamelet_shim_names {
  flamelet_site* sites[FLAMELET_SHIM_NAMES_];  // atomic
} flamelet_shim_names;

FLAMELET_EXTERN_C_BEGIN
// Finds the name in the places behind its own, or as flamelet_shim_begin_at() does, and keeps it.
flamelet_id flamelet_shim_begin_and_keep_(flamelet_shim_names* names, const char* name, const char* function,
                                          const char* file, uint32_t line, uint32_t color);
FLAMELET_EXTERN_C_END

FLAMELET_FORCE_INLINE_ uint32_t flamelet_shim_name_place_(const char* name) {
#ifdef __cplusplus
  const uintptr_t address = reinterpret_cast<uintptr_t>(name);
  return static_cast<uint32_t>(address ^ address >> 4 ^ address >> 8) & (FLAMELET_SHIM_NAMES_ - 1);
#else
  const uintptr_t address = (uintptr_t)name;
  return (uint32_t)(address ^ address >> 4 ^ address >> 8) & (FLAMELET_SHIM_NAMES_ - 1);
#endif
}

// As flamelet_shim_begin_at(); where the name at its address is the one that was last met there, as fast as a site.
FLAMELET_FORCE_INLINE_ flamelet_id flamelet_shim_begin_named_(flamelet_shim_names* names, const char* name,
                                                              const char* function, const char* file, uint32_t line,
                                                              uint32_t color) {
  if (flamelet_is_off_()) return 0;
  // acquire: pairs with the release of who keeps it.
  flamelet_site* site = __atomic_load_n(&names->sites[flamelet_shim_name_place_(name)], __ATOMIC_ACQUIRE);
  if (site && strcmp(site->name, name) == 0) return flamelet_scope_begin_(site);
  return flamelet_shim_begin_and_keep_(names, name, function, file, line, color);
}

#endif  // FLAMELET_SHIM_NAMES_H
