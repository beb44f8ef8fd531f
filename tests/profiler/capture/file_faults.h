// SPDX-License-Identifier: MIT
//
// file_faults.h: the operating system's file calls, of which one can be made to fail. The linker puts these functions in
// front of the C library's (--wrap, in tests/CMakeLists.txt), so the libraries under test are those that ship. Between
// begin() and end() calls are counted and written down; outside of it they only pass through. One thread.
#pragma once

#include <cstddef>
#include <vector>

namespace file_faults {

enum class Call { kOpen, kStat, kRead, kWrite, kTruncate, kReserve, kMap, kSync, kClose, kRename, kUnlink, kMode };

struct Plan {
  static constexpr size_t kNone = static_cast<size_t>(-1);

  size_t fails_at = kNone;              // the call of this number, from 0,
  int error = 0;                        // with this errno; 0: a read or write that moves nothing
  bool goes_on = false;                 // and so does every later call of its kind
  bool interrupts = false;              // a signal comes first into every call
  size_t most_bytes = kNone;            // that a read or write moves
  size_t dies_at = kNone;               // the process is killed in the write that would make more bytes than that
  void (*before)(Call call) = nullptr;  // comes before each call
};

void begin(const Plan& plan);
// The calls that were made, the failed ones too; errno stays as it is.
std::vector<Call> end();

}  // namespace file_faults
