// SPDX-License-Identifier: MIT
//
// detail/hash.h: how keys and texts are hashed. C++, and no part of the interface.
#ifndef FLAMELET_DETAIL_HASH_H
#define FLAMELET_DETAIL_HASH_H

#include <stddef.h>
#include <stdint.h>

namespace flamelet {

// 2^64 / golden ratio.
constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15u;

// Spreads keys that lie close to each other over the high bits: multiplicative hashing (Knuth, TAOCP 3, 6.4). Different
// keys stay different.
constexpr uint64_t spread_key(uint64_t key) {
  return key * kGoldenRatio;
}

// FNV-1a, of 64 bits, and of 32, which the colours of scopes are chosen by.
template <class Word>
struct Fnv;
template <>
struct Fnv<uint64_t> {
  static constexpr uint64_t kStart = 0xCBF29CE484222325u, kFactor = 0x100000001B3u;
};
template <>
struct Fnv<uint32_t> {
  static constexpr uint32_t kStart = 0x811C9DC5u, kFactor = 0x01000193u;
};
inline constexpr uint64_t kFnvStart = Fnv<uint64_t>::kStart;

// The hash, and one value more: in FNV-1a a byte.
template <class Word>
constexpr Word fnv_next(Word hash, Word value) {
  return (hash ^ value) * Fnv<Word>::kFactor;
}
template <class Word = uint64_t>
constexpr Word fnv_of_text(const char* text, size_t size, Word hash = Fnv<Word>::kStart) {
  for (size_t i = 0; i < size; ++i) hash = fnv_next<Word>(hash, static_cast<unsigned char>(text[i]));
  return hash;
}

}  // namespace flamelet

#endif  // FLAMELET_DETAIL_HASH_H
