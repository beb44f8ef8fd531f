// SPDX-License-Identifier: MIT
#include "platform/windows/windows.h"

#include <errno.h>
#include <wchar.h>

namespace flamelet {

// ---- errors

namespace {

int errno_of(DWORD error) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
      return ENOENT;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return EEXIST;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_WRITE_PROTECT:
      return EACCES;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return ENOSPC;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
      return ENOMEM;
    case ERROR_TOO_MANY_OPEN_FILES:
      return EMFILE;
    case ERROR_INVALID_HANDLE:
      return EBADF;
    case ERROR_BAD_EXE_FORMAT:
      return ENOEXEC;
    case ERROR_NO_DATA:  // a pipe that nobody reads any more
    case ERROR_BROKEN_PIPE:
      return EPIPE;
    default:
      return EIO;
  }
}

}  // namespace

void set_errno() {
  errno = errno_of(GetLastError());
}

// ---- wide path

namespace {

constexpr DWORD kMostUnits = 4096;

// A longer one is refused, because a folder of that name could hold no file of the old short form.
constexpr DWORD kLongestUnits = 247;

bool is_device_or_has_prefix(const wchar_t* path) {
  return wcsncmp(path, L"\\\\.\\", 4) == 0 || wcsncmp(path, L"\\\\?\\", 4) == 0;
}

}  // namespace

WidePath::WidePath(const char* path) {
  static_assert(sizeof text_ / sizeof text_[0] >= kMostUnits + 8, "the prefix has room");
  good_ = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, text_, kMostUnits) != 0;
  if (!good_) {
    errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EILSEQ;
    return;
  }
  // With a prefix the system takes a path as it is: so it has to be absolute, and without slashes and dots.
  wchar_t full[kMostUnits];
  const DWORD units = GetFullPathNameW(text_, kMostUnits, full, nullptr);
  if (units <= kLongestUnits || is_device_or_has_prefix(full)) return;
  good_ = units < kMostUnits;
  if (!good_) {
    errno = ENAMETOOLONG;
    return;
  }
  const bool is_share = full[0] == L'\\' && full[1] == L'\\';
  wcscpy(text_, is_share ? L"\\\\?\\UNC" : L"\\\\?\\");
  wcscat(text_, is_share ? full + 1 : full);
}

}  // namespace flamelet
