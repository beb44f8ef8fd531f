// SPDX-License-Identifier: MIT
//
// guarded_page.h: a page of memory, behind which no byte can be read.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <sys/mman.h>
#endif

namespace recorder_test {

class GuardedPage {
 public:
#ifdef _WIN32
  GuardedPage()
      : memory_(static_cast<char*>(VirtualAlloc(nullptr, 2 * kBytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE))) {
    DWORD before;
    REQUIRE(memory_ != nullptr);
    REQUIRE(VirtualProtect(memory_ + kBytes, kBytes, PAGE_NOACCESS, &before) != 0);
  }
  ~GuardedPage() {
    VirtualFree(memory_, 0, MEM_RELEASE);
  }
#else
  GuardedPage()
      : memory_(
            static_cast<char*>(mmap(nullptr, 2 * kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    REQUIRE(memory_ != MAP_FAILED);
    REQUIRE(mprotect(memory_ + kBytes, kBytes, PROT_NONE) == 0);
  }
  ~GuardedPage() {
    munmap(memory_, 2 * kBytes);
  }
#endif
  GuardedPage(const GuardedPage&) = delete;
  GuardedPage& operator=(const GuardedPage&) = delete;

  char* begin() const {
    return memory_;
  }
  char* end() const {
    return memory_ + kBytes;
  }

 private:
  static constexpr size_t kBytes = 4096;

  char* memory_;
};

}  // namespace recorder_test
