// SPDX-License-Identifier: MIT
//
// random_numbers.h: the same random numbers for the same seed on every machine, which the standard distributions do not
// promise.
#ifndef FLAMELET_TOOLS_RANDOM_NUMBERS_H
#define FLAMELET_TOOLS_RANDOM_NUMBERS_H

#include <cstddef>
#include <cstdint>

namespace flamelet::tools {

// splitmix64 (Steele, Lea and Flood 2014).
class RandomNumbers {
 public:
  explicit RandomNumbers(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // One of 0 .. count - 1, for a count below 2^32: the bias is below count / 2^32.
  size_t below(size_t count) { return static_cast<size_t>((next() >> 32) * count >> 32); }

 private:
  uint64_t state_;
};

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_RANDOM_NUMBERS_H
