// SPDX-License-Identifier: MIT
//
// categories.h: which categories are recorded. The table is the process's: what is switched before a session, or in an
// earlier one, holds. A site asks once, when it registers; then its word, or its place among the names by call, says it.
// A switch makes all sites register again.
#ifndef FLAMELET_SRC_CATEGORIES_H
#define FLAMELET_SRC_CATEGORIES_H

#include "flamelet/recorder.h"
#include "platform/atomic.h"

namespace flamelet {

// Names, as they are saved: "physics, ai". Zeros to the end; "..." where there was no room for more; "*" is all that are not
// switched by name, "(no category)" those without one. In a name, a backslash stands before a comma or a backslash, and before
// the whole name if it is one of these three texts.
struct CategoryNames {
  char text[512];
};
// Makes a list from a file valid, whatever it holds.
CategoryNames checked(const CategoryNames& list);

// The categories that were off at some time of this session. It only grows: whoever copies what `size` says copies what
// nobody changes any more.
struct CategoriesOff {
  Atomic<uint32_t> size;
  CategoryNames names;
};
extern CategoriesOff categories_off;

// Any thread, without a lock. The id of a category, which is remembered from now on; kNoCategory without room for it.
constexpr uint32_t kNoCategory = UINT32_MAX;
uint32_t category_id(const char* text);
bool category_is_on(uint32_t category);

// The rest is for who holds the control lock (session.h). The first call in the process makes the table.
void prepare_categories();
// Applies FLAMELET_CATEGORIES, once in the process.
flamelet_result read_categories_from_environment();
void begin_categories_off();  // of a new session
void note_categories_off();   // after each switch while a session runs

}  // namespace flamelet

#endif  // FLAMELET_SRC_CATEGORIES_H
