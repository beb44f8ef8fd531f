// SPDX-License-Identifier: MIT
//
// windows.h: the system's own header without what it brings unasked, and what the sources of this folder share.
#ifndef FLAMELET_PLATFORM_WINDOWS_WINDOWS_H
#define FLAMELET_PLATFORM_WINDOWS_WINDOWS_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

namespace flamelet {

// errno from GetLastError().
void set_errno();

// What the program asks for afterwards stays as it was.
class KeepLastError {
 public:
  KeepLastError() : error_(GetLastError()) {}
  ~KeepLastError() { SetLastError(error_); }
  KeepLastError(const KeepLastError&) = delete;
  KeepLastError& operator=(const KeepLastError&) = delete;

 private:
  DWORD error_;
};

// A path in UTF-8 as the system takes it, with the prefix that a long one needs.
class WidePath {
 public:
  explicit WidePath(const char* path);
  bool good() const { return good_; }  // false: errno says why
  const wchar_t* text() const { return text_; }

 private:
  bool good_;
  wchar_t text_[4096 + 8];
};

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_WINDOWS_WINDOWS_H
