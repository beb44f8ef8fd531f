// SPDX-License-Identifier: MIT
//
// detail/site.h: what a site's category says. C++, and no part of the interface.
#ifndef FLAMELET_DETAIL_SITE_H
#define FLAMELET_DETAIL_SITE_H

#include <string.h>

#include "flamelet/capture.h"
#include "flamelet/scope.h"

namespace flamelet {

// Whether its scopes wait (FLAMELET_SCOPE_WAIT).
inline bool is_wait(const flamelet_site_info& site) {
  constexpr size_t kSize = sizeof FLAMELET_WAIT_CATEGORY - 1;
  return site.category.size == kSize && memcmp(site.category.text, FLAMELET_WAIT_CATEGORY, kSize) == 0;
}

}  // namespace flamelet

#endif  // FLAMELET_DETAIL_SITE_H
