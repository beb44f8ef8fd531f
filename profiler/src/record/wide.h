// SPDX-License-Identifier: MIT
//
// wide.h: unsigned integers of 128 bits. `Wide` is the compiler's own where it has one, and otherwise a class with the
// operators that are used: processors of 32 bits have none, nor has MSVC. Both give the same results to the last bit.
#ifndef FLAMELET_SRC_WIDE_H
#define FLAMELET_SRC_WIDE_H

#include <stdint.h>

namespace flamelet {

class WideInteger {
 public:
  constexpr WideInteger(uint64_t value = 0) : low_(value) {}
  explicit constexpr operator uint64_t() const { return low_; }

  friend constexpr WideInteger operator+(WideInteger a, WideInteger b) {
    const uint64_t low = a.low_ + b.low_;
    return WideInteger(a.high_ + b.high_ + (low < a.low_), low);
  }
  friend constexpr WideInteger operator-(WideInteger a, WideInteger b) {
    return WideInteger(a.high_ - b.high_ - (a.low_ < b.low_), a.low_ - b.low_);
  }
  friend constexpr WideInteger operator*(WideInteger a, WideInteger b) {
    return product(a.low_, b.low_) + WideInteger(a.high_ * b.low_ + a.low_ * b.high_, 0);
  }
  // As on paper, bit by bit; the divisor is not 0.
  friend constexpr WideInteger operator/(WideInteger a, WideInteger b) {
    WideInteger quotient, rest;
    for (int place = 127; place >= 0; --place) {
      const bool carry = rest.high_ >> 63 != 0;  // a bit that no longer fits, so that b surely does
      rest = (rest << 1) + ((a >> place).low_ & 1);
      quotient = quotient << 1;
      if (!carry && b > rest) continue;
      rest = rest - b;
      quotient = quotient + 1;
    }
    return quotient;
  }
  friend constexpr WideInteger operator%(WideInteger a, WideInteger b) { return a - a / b * b; }
  // By 0 to 127 places.
  friend constexpr WideInteger operator<<(WideInteger a, int places) {
    if (places == 0) return a;
    if (places >= 64) return WideInteger(a.low_ << (places - 64), 0);
    return WideInteger(a.high_ << places | a.low_ >> (64 - places), a.low_ << places);
  }
  friend constexpr WideInteger operator>>(WideInteger a, int places) {
    if (places == 0) return a;
    if (places >= 64) return WideInteger(0, a.high_ >> (places - 64));
    return WideInteger(a.high_ >> places, a.low_ >> places | a.high_ << (64 - places));
  }
  friend constexpr bool operator>(WideInteger a, WideInteger b) {
    return a.high_ > b.high_ || (a.high_ == b.high_ && a.low_ > b.low_);
  }

 private:
  constexpr WideInteger(uint64_t high, uint64_t low) : high_(high), low_(low) {}

  static constexpr WideInteger product(uint64_t a, uint64_t b) {
    constexpr uint64_t kHalf = UINT32_MAX;
    const uint64_t low = (a & kHalf) * (b & kHalf);
    const uint64_t first = (a >> 32) * (b & kHalf) + (low >> 32);
    const uint64_t second = (a & kHalf) * (b >> 32) + (first & kHalf);
    return WideInteger((a >> 32) * (b >> 32) + (first >> 32) + (second >> 32), second << 32 | (low & kHalf));
  }

  uint64_t high_ = 0, low_ = 0;
};

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 Wide;
#else
using Wide = WideInteger;
#endif

}  // namespace flamelet

#endif  // FLAMELET_SRC_WIDE_H
