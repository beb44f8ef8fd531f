// SPDX-License-Identifier: MIT
//
// A seeded random generator. The standard library's distributions differ between implementations; a seed has to give
// the same game everywhere.
#pragma once

#include <cstdint>

namespace demo {

// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // In [0, 1).
  float unit() { return static_cast<float>(next() >> 40) * 0x1p-24f; }
  float range(float low, float high) { return low + (high - low) * unit(); }
  // In [0, count).
  uint32_t below(uint32_t count) { return static_cast<uint32_t>((next() >> 32) * count >> 32); }

 private:
  uint64_t state_;
};

}  // namespace demo
