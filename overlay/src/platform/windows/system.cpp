// SPDX-License-Identifier: MIT
#include "platform/system.h"

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

namespace flamelet {

bool path_exists(const char* path) {
  wchar_t wide[4096];
  constexpr int kMost = static_cast<int>(sizeof wide / sizeof wide[0]);
  return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, kMost) != 0 &&
         GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES;
}

LocalTime local_time() {
  SYSTEMTIME time;
  GetLocalTime(&time);
  return {time.wYear, time.wMonth, time.wDay, time.wHour, time.wMinute, time.wSecond};
}

}  // namespace flamelet
