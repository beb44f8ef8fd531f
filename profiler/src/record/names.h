// SPDX-License-Identifier: MIT
//
// names.h: text and sites become ids. What does not fit becomes the overflow entry, and is counted.
#ifndef FLAMELET_SRC_NAMES_H
#define FLAMELET_SRC_NAMES_H

#include "platform/atomic.h"
#include "record/intern_table.h"
#include "record/page.h"

namespace flamelet {

// A name and category as pointers → their site, so that flamelet_begin() does not hash text every time. It compares the
// text, because a plug-in that is loaded where another one was has other names at the same addresses.
struct PointerSite {
  Atomic<uint32_t> state;  // 0 free, 1 being written, else site id + 2
  const char* name;
  const char* category;
  const char* name_text;  // interned
  const char* category_text;
};

struct Names {
  InternTable strings;
  InternTable sites;
  PointerSite* pointer_sites;
  uint32_t pointer_mask;
};
extern Names names;

// Strings that every session starts with.
enum : uint32_t { kStringEmpty = 0, kStringNull = 1, kStringOverflow = 2 };
constexpr uint32_t kSiteOverflow = 0;

// Ids for text. The calling thread is entered or holds a SessionGuard. Never fail: a full table gives the overflow entry,
// and counts.
uint32_t intern_string(const char* text, size_t size);
uint32_t intern_string(const char* text);
// The id of an object: 0 for NULL, found by address if it came from flamelet_intern(), else interned on the spot.
uint32_t object_string(const char* text);
// Site id of a static site; sets site->word.
uint32_t register_site(flamelet_site* site);
// Site id of a name and category.
uint32_t pointer_site(const char* name, const char* category);

}  // namespace flamelet

#endif  // FLAMELET_SRC_NAMES_H
