// SPDX-License-Identifier: MIT
//
// fuzz.h: what the fuzz targets share. A target defines LLVMFuzzerTestOneInput; whatever the bytes are, it has to return,
// and none of its FUZZ_CHECKs may fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#define FUZZ_CHECK(condition)                                                                  \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      std::fprintf(stderr, "%s:%d: this does not hold: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                            \
    }                                                                                          \
  } while (false)

// A number that is the input's own, so that an input that fails does so each time.
inline uint32_t variant_of(const uint8_t* bytes, size_t size) {
  uint64_t hash = size;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
  return static_cast<uint32_t>(hash >> 20);
}
// What costs many times as much as reading is asked of one input in a hundred; of all where these are a few seeds.
#ifdef FLAMELET_FUZZ_REPLAY
constexpr uint32_t kAskedMore = 1;
#else
constexpr uint32_t kAskedMore = 100;
#endif
inline bool is_asked_more(uint32_t variant) {
  return variant % kAskedMore == 0;
}

// What read(text, piece) sees must not depend on the size of the pieces in which it gets the text.
template <class Read>
void check_pieces(const uint8_t* bytes, size_t size, Read read) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const size_t piece = size == 0 ? 1 : 1 + bytes[size / 2] % 61;
  FUZZ_CHECK(read(text, piece) == read(text, size == 0 ? 1 : size));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);
