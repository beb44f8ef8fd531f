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

// A text as it was, to be compared.
struct KnownText {
  const char* text;  // 16 bytes of it can be read at least
  uint32_t bytes;    // with the zero
  // The largest offset in a page of memory at which the comparison stays on the page.
  uint16_t last_offset;
  uint16_t mask;  // the bits of its bytes among the first 16
};

constexpr uint32_t kTextWidth = 16;

inline KnownText know_text(const char* text, size_t size) {
  const uint32_t bytes = static_cast<uint32_t>(size) + 1;
  const uint32_t read = bytes < kTextWidth ? kTextWidth : bytes;
  const uint32_t mask = bytes >= kTextWidth ? 0xFFFF : (1u << bytes) - 1;
  return {text, bytes, static_cast<uint16_t>(read <= 4096 ? 4096 - read : 0), static_cast<uint16_t>(mask)};
}

#ifdef FLAMELET_WIDE_TEXT_
__attribute__((always_inline)) inline __m128i equal_bytes(const char* a, const char* b) {
  return _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a)),
                        _mm_loadu_si128(reinterpret_cast<const __m128i*>(b)));
}
__attribute__((always_inline)) inline __m128i equal_pair(const char* a, const char* b) {
  return _mm_and_si128(equal_bytes(a, b), equal_bytes(a + kTextWidth, b + kTextWidth));
}
#endif

// Whether the C string is still the known one. False too, in the quick form, if it cannot tell: the text may have become
// shorter, so that only what is on one page of memory can be read.
__attribute__((always_inline)) inline bool is_surely(const char* text, const KnownText& known) {
#ifdef FLAMELET_WIDE_TEXT_
  if ((reinterpret_cast<uintptr_t>(text) & 4095) > known.last_offset) return false;
  const size_t bytes = known.bytes;
  if (bytes <= kTextWidth) {
    const uint32_t equal = static_cast<uint32_t>(_mm_movemask_epi8(equal_bytes(text, known.text)));
    return (~equal & known.mask) == 0;
  }
  const char* const known_text = known.text;
  __m128i all = _mm_and_si128(equal_bytes(text, known_text),
                              equal_bytes(text + bytes - kTextWidth, known_text + bytes - kTextWidth));
  // What is between the first 16 bytes and the last. The last step overlaps what is before.
  if (bytes > 3 * kTextWidth) {
    const size_t last = bytes - 3 * kTextWidth;
    for (size_t at = kTextWidth; at < last; at += 2 * kTextWidth)
      all = _mm_and_si128(all, equal_pair(text + at, known_text + at));
    all = _mm_and_si128(all, equal_pair(text + last, known_text + last));
  } else if (bytes > 2 * kTextWidth) {
    all = _mm_and_si128(all, equal_bytes(text + kTextWidth, known_text + kTextWidth));
  }
  return _mm_movemask_epi8(all) == 0xFFFF;
#else
  return strcmp(text, known.text) == 0;
#endif
}

// The same for one of at most 16 bytes.
__attribute__((always_inline)) inline bool is_surely_short(const char* text, const KnownText& known) {
#ifdef FLAMELET_WIDE_TEXT_
  if ((reinterpret_cast<uintptr_t>(text) & 4095) > 4096 - kTextWidth) return false;
  const uint32_t equal = static_cast<uint32_t>(_mm_movemask_epi8(equal_bytes(text, known.text)));
  return (~equal & known.mask) == 0;
#else
  return strcmp(text, known.text) == 0;
#endif
}

inline bool is_still(const char* text, const KnownText& known) {
  return strcmp(text, known.text) == 0;
}

}  // namespace flamelet

#endif  // FLAMELET_SRC_SAME_TEXT_H
