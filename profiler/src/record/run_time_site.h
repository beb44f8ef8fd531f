// SPDX-License-Identifier: MIT
//
// run_time_site.h: what flamelet_site_create() has made.
#ifndef FLAMELET_SRC_RUN_TIME_SITE_H
#define FLAMELET_SRC_RUN_TIME_SITE_H

#include "flamelet/site.h"

namespace flamelet {

bool is_run_time_site(const flamelet_site* site);
// In the child of a fork: the thread that held it may not exist.
void forget_run_time_site_lock();

}  // namespace flamelet

#endif  // FLAMELET_SRC_RUN_TIME_SITE_H
