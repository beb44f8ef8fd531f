// SPDX-License-Identifier: MIT
//
// loaded_drivers.h: drivers hold memory until the process ends. Unloaded before that, they make it look lost to a leak
// checker.
#pragma once

#include <dlfcn.h>
#include <link.h>

inline void keep_loaded_drivers() {
  const auto keep = [](dl_phdr_info* info, size_t, void*) {
    dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    return 0;
  };
  dl_iterate_phdr(keep, nullptr);
}
