// SPDX-License-Identifier: MIT
//
// Categories belong to the process: a test that switches some switches all of them on again.
#pragma once

#include "flamelet/recorder.h"

namespace recorder_test {

struct CategoriesGuard {
  CategoriesGuard() = default;
  ~CategoriesGuard() { flamelet_category_set_enabled(nullptr, true); }
  CategoriesGuard(const CategoriesGuard&) = delete;
  CategoriesGuard& operator=(const CategoriesGuard&) = delete;
};

}  // namespace recorder_test
