// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT  // after tests/precompiled.h, the next line alone says nothing
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

// AddressSanitizer asks for this. Of a library that was loaded later, the leak checker of clang 14 takes a thread's
// variables for a block of an older C library if they begin 16 bytes into a page, as one heap chunk in 256 does. Then
// it reads wherever the chunk's header points, and dies. So it must not look for them.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "intercept_tls_get_addr=0";
}
