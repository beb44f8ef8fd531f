// SPDX-License-Identifier: MIT
//
// run_time_site.h: what a fork has to do for flamelet_site_create().
#ifndef FLAMELET_SRC_RUN_TIME_SITE_H
#define FLAMELET_SRC_RUN_TIME_SITE_H

#include "record/intern_table.h"

namespace flamelet {

// In the child of a fork: the thread that held it may not exist.
void forget_run_time_site_lock();

}  // namespace flamelet

#endif  // FLAMELET_SRC_RUN_TIME_SITE_H
