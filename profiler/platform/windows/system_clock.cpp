// SPDX-License-Identifier: MIT
#include "platform/system_clock.h"

#include "platform/windows/windows.h"

namespace flamelet {

uint64_t os_clock_ns() {
  LARGE_INTEGER count, frequency;
  QueryPerformanceCounter(&count);
  QueryPerformanceFrequency(&frequency);
  const uint64_t ticks = static_cast<uint64_t>(count.QuadPart), rate = static_cast<uint64_t>(frequency.QuadPart);
  return ticks / rate * 1'000'000'000 + ticks % rate * 1'000'000'000 / rate;
}

uint64_t unix_clock_ns() {
  FILETIME time;
  GetSystemTimeAsFileTime(&time);
  const uint64_t since_1601 = (uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime) * 100;
  return since_1601 - 11'644'473'600u * uint64_t{1'000'000'000};
}

}  // namespace flamelet
