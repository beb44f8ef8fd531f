// SPDX-License-Identifier: MIT
//
// same_text.h: are the texts still those that were at their addresses before? Asked at each call by name, so they are read
// by 16 bytes at a time where that is allowed.
#ifndef FLAMELET_SRC_SAME_TEXT_H
#define FLAMELET_SRC_SAME_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

}  // namespace flamelet

#endif  // FLAMELET_SRC_SAME_TEXT_H
