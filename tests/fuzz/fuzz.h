// SPDX-License-Identifier: MIT
//
// fuzz.h: what the fuzz targets share. A target defines LLVMFuzzerTestOneInput; whatever the bytes are, it has to return,
// and none of its FUZZ_CHECKs may fail.
#ifndef FLAMELET_TESTS_FUZZ_H
#define FLAMELET_TESTS_FUZZ_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define FUZZ_CHECK(condition)                                                                  \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      std::fprintf(stderr, "%s:%d: this does not hold: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                            \
    }                                                                                          \
  } while (false)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

#endif  // FLAMELET_TESTS_FUZZ_H
