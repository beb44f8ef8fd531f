// SPDX-License-Identifier: MIT
//
// flamelet/site.h: sites (places in code) that are known only at run time, such as functions of a script, nodes of a
// graph, systems of an engine. Once created, such a site records as fast as a macro's.
//
//   flamelet_site* site = flamelet_site_create("update", "Enemy.update", "enemy.lua", 12, "script", 0);
//   const flamelet_id id = flamelet_site_begin(site);
//   ...
//   flamelet_site_end(id);
//
// FLAMELET_SCOPE_SITE(site) in scope.h calls these functions.
//
// Threads:   any thread. flamelet_site_create() is not for signal handlers; the other functions are.
// Lifetime:  a site lives as long as the process. It may be created before flamelet_init(), and stays valid over
//            restarts. All its text is copied.
// Cost:      create hashes the text, so keep the pointer. The other functions cost the same as a macro scope.
#ifndef FLAMELET_SITE_H
#define FLAMELET_SITE_H

#include "flamelet/detail/record.h"

// Limits for the whole process. The static memory for them (about 2.5 MiB) is touched only as far as it is used.
#define FLAMELET_MAX_RUN_TIME_SITES 8192u
#define FLAMELET_RUN_TIME_SITE_BYTES (UINT32_C(1) << 20)  // of text

FLAMELET_EXTERN_C_BEGIN

// Returns a site; the same content always gives the same pointer. If `name` is NULL, the function's name is used. The
// other texts may be NULL, too. `line` 0 = unknown. `color` is 0xRRGGBB; 0 = the viewer chooses. Never returns NULL:
// without room, the result is a common site named "(overflow)", and flamelet_stats.sites_overflowed counts it.
FLAMELET_API flamelet_site* flamelet_site_create(const char* name, const char* function, const char* file,
                                                 uint32_t line, const char* category, uint32_t color);

FLAMELET_EXTERN_C_END

// Begins a scope at the site. 0: nothing was recorded.
FLAMELET_FORCE_INLINE_ flamelet_id flamelet_site_begin(flamelet_site* site) {
  return flamelet_scope_begin_(site);
}
// As flamelet_end().
FLAMELET_FORCE_INLINE_ void flamelet_site_end(flamelet_id id) {
  flamelet_scope_end_(id);
}
// Ends `id` and begins its sibling at the site with the same timestamp. If `id` is 0 or not open here, it only begins.
FLAMELET_FORCE_INLINE_ flamelet_id flamelet_site_next(flamelet_id id, flamelet_site* site) {
  return flamelet_scope_next_(id, site);
}

#endif  // FLAMELET_SITE_H
