// SPDX-License-Identifier: MIT
//
// Categories belong to the process: a test that switches some switches all of them on again.
#ifndef FLAMELET_TESTS_CATEGORIES_GUARD_H
#define FLAMELET_TESTS_CATEGORIES_GUARD_H

#include "flamelet/recorder.h"

namespace recorder_test {

struct AllCategoriesAfterwards {
  AllCategoriesAfterwards() = default;
  ~AllCategoriesAfterwards() { flamelet_category_set_enabled(nullptr, true); }
  AllCategoriesAfterwards(const AllCategoriesAfterwards&) = delete;
  AllCategoriesAfterwards& operator=(const AllCategoriesAfterwards&) = delete;
};

}  // namespace recorder_test

#endif  // FLAMELET_TESTS_CATEGORIES_GUARD_H
