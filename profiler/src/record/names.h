// SPDX-License-Identifier: MIT
//
// names.h: text and sites become ids. What does not fit becomes the overflow entry, and is counted.
#ifndef FLAMELET_SRC_NAMES_H
#define FLAMELET_SRC_NAMES_H

#include "platform/atomic.h"
#include "record/intern_table.h"
#include "record/page.h"
#include "record/same_text.h"

namespace flamelet {

// A name and category as pointers → their site, so that flamelet_begin() need not hash text. The text is compared
// each time: a buffer that is used again, or a plug-in that is loaded where another one was, has other text at the same
// address. One cache line.
struct alignas(64) PointerSite {
  const char* name;
  const char* category;   // of less than 16 bytes on one page of memory; others have no place here
  const char* name_text;  // interned
  TextSteps name_steps;
  Atomic<uint32_t> code;  // kPlaceFree, ... or that of a begin at the site, >> FLAMELET_CODE_SHIFT_
  KnownShortText category_text;
};
static_assert(sizeof(PointerSite) == 64, "one cache line");
// kPlaceOff is added to the code while the category is off. So, as a signed number, only the code of a site that is
// recorded is above kPlaceBusy.
enum : uint32_t { kPlaceFree = 0, kPlaceBusy = 1, kPlaceOff = 0x80000000 };
constexpr uint32_t kPointerProbes = 8;  // places that a pair of pointers may have, one after the other

struct Names {
  InternTable strings;
  InternTable sites;
  PointerSite* pointer_sites;  // and kPointerProbes more
  uint64_t pointer_mask;       // of a place's offset in bytes

  PointerSite* first_place(const char* name) const {
    // A factor of 31 bits is part of the instruction.
    const uint64_t offset = (uint64_t{reinterpret_cast<uintptr_t>(name)} * 0x5E3779B1 >> 26) & pointer_mask;
    return reinterpret_cast<PointerSite*>(reinterpret_cast<char*>(pointer_sites) + offset);
  }
};
inline Names names = {};

// Strings that every session starts with.
enum : uint32_t { kStringEmpty = 0, kStringNull = 1, kStringOverflow = 2 };
constexpr uint32_t kSiteOverflow = 0;

// Ids for text. The calling thread is entered or holds a SessionGuard. Never fail: a full table gives the overflow entry,
// and counts.
// Macros, threads and fibers use the whole table. There may be any number of the others: names of calls and of sites that
// are made at run time leave an eighth of it, objects and dynamic names a quarter.
uint32_t intern_string(const char* text, size_t size);
uint32_t intern_string(const char* text);
uint32_t intern_object(const char* text, size_t size);
// The id of an object: 0 for NULL, found by address if it came from flamelet_intern(), else interned on the spot.
uint32_t object_string(const char* text);
// Site id of a static site; sets site->word. kSiteOff: its category is off.
constexpr uint32_t kSiteOff = UINT32_MAX;
uint32_t register_site(flamelet_site* site);
// Site id of a name and category, or kSiteOff. NULL as a category is "".
uint32_t pointer_site(const char* name, const char* category);
// Categories were switched. Under the control lock.
void update_pointer_sites();

}  // namespace flamelet

#endif  // FLAMELET_SRC_NAMES_H
