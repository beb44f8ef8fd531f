// SPDX-License-Identifier: MIT
//
// rounds.h: how often a test repeats itself in this build.
#pragma once

#include <cstdint>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FLAMELET_TESTS_SLOWER 20
#elif __has_feature(address_sanitizer)
#define FLAMELET_TESTS_SLOWER 4
#endif
#elif defined(__SANITIZE_THREAD__)
#define FLAMELET_TESTS_SLOWER 20
#elif defined(__SANITIZE_ADDRESS__)
#define FLAMELET_TESTS_SLOWER 4
#endif
#ifndef FLAMELET_TESTS_SLOWER
#define FLAMELET_TESTS_SLOWER 1
#endif

// `count` random rounds on one thread: fewer under a sanitizer, by what it makes them slower.
inline uint32_t rounds(uint32_t count) {
  return (count + FLAMELET_TESTS_SLOWER - 1) / FLAMELET_TESTS_SLOWER;
}
