// SPDX-License-Identifier: MIT
#include "record/clock.h"

#include <string.h>

#include <algorithm>

#include "flamelet/detail/record.h"
#include "platform/process.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace flamelet {
namespace {

constexpr uint64_t kFinalAfterNs = 2'000'000'000;  // reading error of ~100 ns over 2 s: 0.05 ppm
constexpr uint64_t kLeastNs = 50'000;              // a shorter base says too little: wait for it

// The counter is of use only if it runs at one rate in every power state of every core.
flamelet_clock_kind counter_kind() {
#if defined(FLAMELET_INLINE_RECORD_) && defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0) return FLAMELET_CLOCK_TSC;
#elif defined(FLAMELET_INLINE_RECORD_) && defined(__aarch64__)
  return FLAMELET_CLOCK_CNTVCT;  // constant rate by architecture
#endif
  return FLAMELET_CLOCK_OS;
}

uint64_t to_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}
double from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

}  // namespace

void Clock::start(const flamelet_config& config) {
  function_ = config.clock;
  user_ = config.clock_user;
  if (config.clock != nullptr)
    kind_ = FLAMELET_CLOCK_INJECTED;
  else
    kind_ = config.force_os_clock ? FLAMELET_CLOCK_OS : counter_kind();
  latest_ticks_ = UINT64_MAX;
  origin_ = read_pair();
  origin_unix_ns_ = unix_clock_ns();
  const double rate = kind_ == FLAMELET_CLOCK_INJECTED ? config.clock_ticks_per_second : 1e9;
  const uint64_t halfway = UINT64_MAX / 2;
  const uint64_t least = origin_.ticks > halfway ? UINT64_MAX : origin_.ticks + halfway;
  latest_ticks_ = std::max(TickConverter(origin_.ticks, rate).to_ticks(TickConverter::kMostNs), least);
  // relaxed: the clock is published by whoever publishes the session.
  rate_bits_.store_relaxed(to_bits(rate));
  next_at_.store_relaxed(uint64_t{0});
  final_.store_relaxed(!is_inline());
}

uint64_t Clock::now_ticks() const {
#ifdef FLAMELET_INLINE_RECORD_
  if (is_inline()) return flamelet_counter_ticks_();
#endif
  if (kind_ == FLAMELET_CLOCK_INJECTED) {
    const uint64_t ticks = function_(user_);
    return ticks <= latest_ticks_ ? ticks : 0;
  }
  return kind_ == FLAMELET_CLOCK_OS ? os_clock_ns() : 0;
}

// Both clocks at one moment: the reading whose two counter reads lie closest together wins.
Clock::Pair Clock::read_pair() const {
  Pair best = {now_ticks(), os_clock_ns()};
  if (!is_inline()) return best;
  uint64_t best_width = UINT64_MAX;
  for (int i = 0; i < 4; ++i) {
    const uint64_t before = now_ticks();
    const uint64_t os_ns = os_clock_ns();
    const uint64_t width = now_ticks() - before;
    if (width < best_width) {
      best_width = width;
      best = {before + width / 2, os_ns};
    }
  }
  return best;
}

void Clock::calibrate() {
  // relaxed: two threads that both measure both store good values.
  if (final_.load_relaxed()) return;
  if (now_ticks() - origin_.ticks < next_at_.load_relaxed()) return;
  Pair pair = read_pair();
  while (pair.os_ns - origin_.os_ns < kLeastNs) pair = read_pair();
  if (pair.ticks <= origin_.ticks) return;  // the counter was set back: the rate is what it was
  const uint64_t elapsed_ns = pair.os_ns - origin_.os_ns;
  const double ticks = static_cast<double>(pair.ticks - origin_.ticks);
  const double ticks_per_ns = ticks / static_cast<double>(elapsed_ns);
  const double final_ticks = ticks_per_ns * static_cast<double>(kFinalAfterNs);
  rate_bits_.store_relaxed(to_bits(ticks_per_ns * 1e9));
  next_at_.store_relaxed(static_cast<uint64_t>(2 * ticks < final_ticks ? 2 * ticks : final_ticks));
  if (elapsed_ns >= kFinalAfterNs) final_.store_relaxed(true);
}

double Clock::ticks_per_second() {
  calibrate();
  return from_bits(rate_bits_.load_relaxed());
}

flamelet_clock Clock::info() {
  flamelet_clock info = {};
  info.ticks_per_second = ticks_per_second();
  info.kind = kind_;
  info.rate_is_final = final_.load_relaxed();
  info.origin_ticks = origin_.ticks;
  info.origin_unix_ns = origin_unix_ns_;
  return info;
}

}  // namespace flamelet
