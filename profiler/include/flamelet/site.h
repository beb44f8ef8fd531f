// SPDX-License-Identifier: MIT
//
// flamelet/site.h: places in code that are known only at run time: functions of a script, nodes of a graph, systems of
// an engine. Made once, such a site records as fast as a macro's own.
//
//   flamelet_site* site = flamelet_site_create("update", "Enemy.update", "enemy.lua", 12, "script", 0);
//   const flamelet_id id = flamelet_site_begin(site);
//   ...
//   flamelet_site_end(id);
//
// FLAMELET_SCOPE_SITE(site) and its relatives in scope.h are macros around these.
//
// Threads:   any thread. flamelet_site_create() is not for signal handlers; the others are as macros.
// Lifetime:  a site lives as long as the process, like a macro's: also before flamelet_init() and over restarts. All its
//            text is copied.
// Cost:      create hashes the text: keep the pointer. The others cost what a macro scope does.
#ifndef FLAMELET_SITE_H
#define FLAMELET_SITE_H

#include "flamelet/detail/record.h"

// What the process has room for; in static memory that is touched only as far as it is used (about 2.5 MiB).
#define FLAMELET_MAX_RUN_TIME_SITES 8192u
#define FLAMELET_RUN_TIME_SITE_BYTES (UINT32_C(1) << 20)  // of text

FLAMELET_EXTERN_C_BEGIN

// A site. The same content always gives the same pointer. `name` NULL: named after the function. The other texts may be
// NULL, too. `line` 0: not known. `color` is 0xRRGGBB, or 0: chosen by the viewer. Never NULL: when there is no more room,
// all further ones are one site named "(overflow)", and counted (flamelet_stats.sites_overflowed).
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
