// SPDX-License-Identifier: MIT
#include "platform/system_clock.h"

#include <time.h>

namespace flamelet {
namespace {

uint64_t read_clock(clockid_t id) {
  timespec time;
  clock_gettime(id, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

uint64_t os_clock_ns() {
  return read_clock(CLOCK_MONOTONIC);
}

uint64_t unix_clock_ns() {
  return read_clock(CLOCK_REALTIME);
}

}  // namespace flamelet
