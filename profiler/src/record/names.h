// SPDX-License-Identifier: MIT
//
// names.h: text and sites become ids. What does not fit becomes the overflow entry, and is counted.
#ifndef FLAMELET_SRC_NAMES_H
#define FLAMELET_SRC_NAMES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "flamelet/base.h"
#include "flamelet/site.h"
#include "platform/atomic.h"
#include "record/intern_table.h"
#include "record/page.h"

// Are the texts still those that were at their addresses before? Asked at each call by name, so they are read
// by 16 bytes at a time where that is allowed.

// A sanitizer takes bytes that are read behind the end of a text, on the same page of memory, for a mistake.
#if (defined(__SSE2__) || defined(__aarch64__)) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FLAMELET_WIDE_TEXT_ 1
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#undef FLAMELET_WIDE_TEXT_
#endif
#endif
#endif

#if defined(FLAMELET_WIDE_TEXT_) && defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace flamelet {

constexpr uint32_t kTextWidth = 16;

// How a text of known size is compared by 16 bytes.
struct TextSteps {
  static constexpr uint16_t kAsString = 8;  // it is longer, or on two pages of memory

  // Whole steps before the last one, or kAsString. 0: there is one step alone.
  uint16_t before_last;
  // Where the last step begins, which overlaps the one before; of one step alone, the number of bytes behind the zero.
  uint16_t last;
};

// Whether `bytes` from there on, and 16 at least, are on one page of memory. If the text becomes shorter, bytes behind its
// end are read; those must not be on another page.
inline bool is_on_one_page(const char* text, size_t bytes) {
  const size_t read = bytes < kTextWidth ? kTextWidth : bytes;
  return (reinterpret_cast<uintptr_t>(text) & 4095) + read <= 4096;
}

inline TextSteps text_steps(const char* text, size_t size) {
  const size_t bytes = size + 1;  // with the zero
  if (!is_on_one_page(text, bytes) || size >= TextSteps::kAsString * kTextWidth) return {TextSteps::kAsString, 0};
  if (bytes <= kTextWidth) return {0, static_cast<uint16_t>(kTextWidth - bytes)};
  return {static_cast<uint16_t>(size / kTextWidth), static_cast<uint16_t>(bytes - kTextWidth)};
}

// A text that has less than 16 bytes, kept where it is compared.
struct alignas(16) KnownShortText {
  char text[kTextWidth];
  char ignored[kTextWidth];  // all bits set behind the zero

  void know(const char* now, size_t size) {
    memset(this, 0, sizeof(*this));
    memcpy(text, now, size);
    memset(ignored + size + 1, 0xFF, kTextWidth - size - 1);
  }
};

#ifdef FLAMELET_WIDE_TEXT_
typedef unsigned char TextBytes __attribute__((vector_size(kTextWidth)));

inline TextBytes text_bytes(const char* from) {
  TextBytes bytes;
  memcpy(&bytes, from, sizeof(bytes));
  return bytes;
}

// All bits of each byte that is equal.
inline TextBytes equal_bytes(TextBytes a, TextBytes b) {
  return reinterpret_cast<TextBytes>(a == b);
}

inline bool all_bits_set(TextBytes bytes) {
#ifdef __SSE2__
  return _mm_movemask_epi8(reinterpret_cast<__m128i>(bytes)) == 0xFFFF;
#else
  typedef uint64_t Halves __attribute__((vector_size(kTextWidth)));
  const Halves halves = reinterpret_cast<Halves>(bytes);
  return (halves[0] & halves[1]) == UINT64_MAX;
#endif
}

// From n on: 16 bytes, of which the last n have all bits set.
alignas(16) inline constexpr unsigned char kBytesBehind[2 * kTextWidth] = {
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
#endif

enum class Same { kNo, kYes, kUnknown };

// Whether two C strings are still what they were: a name, whose copy has 16 readable bytes at least, and a category on one
// page. kUnknown: the name has to be compared as a string.
__attribute__((always_inline)) inline Same compare(const char* name, const char* name_was, TextSteps how,
                                                   const char* category, const KnownShortText& category_was) {
#ifdef FLAMELET_WIDE_TEXT_
  const auto aligned = [](const char* from) {
    return text_bytes(static_cast<const char*>(__builtin_assume_aligned(from, kTextWidth)));
  };
  const auto at = [=](size_t offset) { return equal_bytes(text_bytes(name + offset), text_bytes(name_was + offset)); };
  const size_t last = how.last;
  TextBytes all = equal_bytes(text_bytes(category), aligned(category_was.text)) | aligned(category_was.ignored);
  switch (how.before_last) {
    default:
      __builtin_unreachable();
    case TextSteps::kAsString:
      return Same::kUnknown;
    case 0:
      all &= at(0) | text_bytes(reinterpret_cast<const char*>(kBytesBehind) + last);
      break;
    case 7:
      all &= at(6 * kTextWidth);
      // fallthrough
    case 6:
      all &= at(5 * kTextWidth);
      // fallthrough
    case 5:
      all &= at(4 * kTextWidth);
      // fallthrough
    case 4:
      all &= at(3 * kTextWidth);
      // fallthrough
    case 3:
      all &= at(2 * kTextWidth);
      // fallthrough
    case 2:
      all &= at(kTextWidth);
      // fallthrough
    case 1:
      all &= at(0) & at(last);
      break;
  }
  return all_bits_set(all) ? Same::kYes : Same::kNo;
#else
  if (how.before_last == TextSteps::kAsString) return Same::kUnknown;
  return strcmp(name, name_was) == 0 && strcmp(category, category_was.text) == 0 ? Same::kYes : Same::kNo;
#endif
}

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
  PointerSite* pointer_sites;    // and kPointerProbes more
  uint64_t pointer_mask;         // of a place's offset in bytes
  Atomic<uint64_t> taken_bytes;  // of places. Half stay free, so that no search is long

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

// Run time site: what flamelet_site_create() has made.

bool is_run_time_site(const flamelet_site* site);
// How many found no room while no recorder ran, since the last call.
uint64_t take_sites_without_room();
// In the child of a fork: the thread that held it may not exist.
void forget_run_time_site_lock();

// Function name: what compilers call a function, cut to what people call it.

struct FunctionName {
  const char* full;  // without the lambda that g++'s macro adds: "virtual bool a::b<int>::proc(std::map<int, char>)"
  size_t full_size;
  const char* name;  // without return type and parameters: "a::b<int>::proc"
  size_t name_size;
};

// Both point into `pretty` (__func__ or __PRETTY_FUNCTION__). Text that is not understood is left as it is.
FLAMELET_API FunctionName parse_function_name(const char* pretty);

// The same for a name that a program gave by call. Engines pass signatures there, of 200 characters some of them; any other
// text stays as it is. A signature is told by a parameter list directly behind the name and at the end (but for qualifiers),
// together with what a plain label has not: "::" in the name, or a type in front of it.
FunctionName parse_given_name(const char* text);

// Default name: what a lane without a name is called: "thread 3".

constexpr size_t kDefaultNameBytes = 24;
constexpr uint32_t kFiberName = 3;

// By the number of a flamelet_lane_kind. Without the locale that printf would bring in.
inline void write_default_name(char* text, uint32_t kind, uint32_t id) {
  static const char* const words[] = {"thread ", "GPU ", "external ", "fiber "};
  const char* word = words[kind];
  while (*word != 0) *text++ = *word++;
  char digits[10];
  uint32_t count = 0;
  do {
    digits[count++] = static_cast<char>('0' + id % 10);
    id /= 10;
  } while (id != 0);
  while (count != 0) *text++ = digits[--count];
  *text = 0;
}

}  // namespace flamelet

#endif  // FLAMELET_SRC_NAMES_H
