// SPDX-License-Identifier: MIT
//
// categories.h: which categories are recorded. The table is the process's: what is switched before a session, or in an
// earlier one, holds. A site asks once, when it registers; then its word, or its place among the names by call, says it.
// A switch makes all sites register again.
#ifndef FLAMELET_SRC_CATEGORIES_H
#define FLAMELET_SRC_CATEGORIES_H

#include "flamelet/recorder.h"

namespace flamelet {

// Any thread, without a lock. The id of a category, which is remembered from now on; kNoCategory without room for it.
constexpr uint32_t kNoCategory = UINT32_MAX;
uint32_t category_id(const char* text);
bool category_is_on(uint32_t category);

// The rest is for who holds the control lock (session.h). The first call in the process makes the table.
void prepare_categories();
// Applies FLAMELET_CATEGORIES, once in the process.
flamelet_result read_categories_from_environment();

}  // namespace flamelet

#endif  // FLAMELET_SRC_CATEGORIES_H
