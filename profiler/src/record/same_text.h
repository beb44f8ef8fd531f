// SPDX-License-Identifier: MIT
//
// same_text.h: is a text still the one that was at its address before? Asked at each call by name, so it is read by
// 16 bytes at a time where that is allowed.
#ifndef FLAMELET_SRC_SAME_TEXT_H
#define FLAMELET_SRC_SAME_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A sanitizer takes bytes that are read behind the end of a text, on the same page of memory, for a mistake.
#if defined(__SSE2__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FLAMELET_WIDE_TEXT_ 1
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#undef FLAMELET_WIDE_TEXT_
#endif
#endif
#endif

#ifdef FLAMELET_WIDE_TEXT_
#include <emmintrin.h>
#endif

namespace flamelet {

constexpr uint32_t kTextWidth = 16;

// How a text of known size is compared by 16 bytes.
struct TextSteps {
  static constexpr uint16_t kAsString = UINT16_MAX;

  // Whole steps before the last one. 0: there is one step alone. kAsString: it has to be compared as a string.
  uint16_t before_last;
  uint16_t last;  // where the last step begins, which overlaps the one before; of one step alone, the bits of its bytes
};

// Whether `bytes` from there on, and 16 at least, are on one page of memory. If the text becomes shorter, bytes behind its
// end are read; those must not be on another page.
inline bool is_on_one_page(const char* text, size_t bytes) {
  const size_t read = bytes < kTextWidth ? kTextWidth : bytes;
  return (reinterpret_cast<uintptr_t>(text) & 4095) + read <= 4096;
}

inline TextSteps text_steps(const char* text, size_t size) {
  const size_t bytes = size + 1;  // with the zero
  if (!is_on_one_page(text, bytes)) return {TextSteps::kAsString, 0};
  if (bytes <= kTextWidth) return {0, static_cast<uint16_t>((1u << bytes) - 1)};
  return {static_cast<uint16_t>(size / kTextWidth), static_cast<uint16_t>(bytes - kTextWidth)};
}

#ifdef FLAMELET_WIDE_TEXT_
__attribute__((always_inline)) inline __m128i equal_bytes(const char* a, const char* b) {
  return _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a)),
                        _mm_loadu_si128(reinterpret_cast<const __m128i*>(b)));
}
#endif

// Whether the C string is still what it was: a copy, of which 16 bytes can be read at least. False too if it cannot tell.
__attribute__((always_inline)) inline bool is_surely(const char* text, const char* was, const TextSteps& how) {
#ifdef FLAMELET_WIDE_TEXT_
  const size_t last = how.last;
  const auto step = [=](size_t i) { return equal_bytes(text + i * kTextWidth, was + i * kTextWidth); };
  __m128i all = _mm_set1_epi8(-1);
  switch (how.before_last) {
    default:
      if (how.before_last == TextSteps::kAsString) return false;
      for (size_t i = how.before_last; i > 7; --i) all = _mm_and_si128(all, step(i - 1));
      // fallthrough
    case 7:
      all = _mm_and_si128(all, step(6));
      // fallthrough
    case 6:
      all = _mm_and_si128(all, step(5));
      // fallthrough
    case 5:
      all = _mm_and_si128(all, step(4));
      // fallthrough
    case 4:
      all = _mm_and_si128(all, step(3));
      // fallthrough
    case 3:
      all = _mm_and_si128(all, step(2));
      // fallthrough
    case 2:
      all = _mm_and_si128(all, step(1));
      // fallthrough
    case 1:
      all = _mm_and_si128(_mm_and_si128(all, step(0)), equal_bytes(text + last, was + last));
      return _mm_movemask_epi8(all) == 0xFFFF;
    case 0:
      return (~static_cast<uint32_t>(_mm_movemask_epi8(step(0))) & last) == 0;
  }
#else
  return how.before_last != TextSteps::kAsString && strcmp(text, was) == 0;
#endif
}

// The same for a text that has less than 16 bytes, kept where it is compared.
struct alignas(16) KnownShortText {
  char text[kTextWidth];
  char ignored[kTextWidth];  // all bits set behind the zero

  void know(const char* now, size_t size) {
    memset(this, 0, sizeof(*this));
    memcpy(text, now, size);
    memset(ignored + size + 1, 0xFF, kTextWidth - size - 1);
  }
};

__attribute__((always_inline)) inline bool is_surely(const char* now, const KnownShortText& known) {
#ifdef FLAMELET_WIDE_TEXT_
  const __m128i ignored = _mm_load_si128(reinterpret_cast<const __m128i*>(known.ignored));
  return _mm_movemask_epi8(_mm_or_si128(equal_bytes(now, known.text), ignored)) == 0xFFFF;
#else
  return strcmp(now, known.text) == 0;
#endif
}

}  // namespace flamelet

#endif  // FLAMELET_SRC_SAME_TEXT_H
