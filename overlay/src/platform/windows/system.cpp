// SPDX-License-Identifier: MIT
#include "platform/system.h"

#include <malloc.h>
#include <wchar.h>

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

namespace flamelet::ui {
namespace {

// Longer paths need a prefix, and must be absolute then. The files themselves are written and read with it, too.
constexpr DWORD kLongestUnits = 247;

bool read_attributes(const char* path, WIN32_FILE_ATTRIBUTE_DATA* attributes) {
  constexpr DWORD kMostUnits = 4096;
  wchar_t wide[kMostUnits], full[kMostUnits], prefixed[kMostUnits + 8];
  if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, kMostUnits) == 0) return false;
  const DWORD units = GetFullPathNameW(wide, kMostUnits, full, nullptr);
  if (units == 0 || units >= kMostUnits) return false;
  const bool has_prefix = wcsncmp(full, L"\\\\?\\", 4) == 0;
  if (units <= kLongestUnits || has_prefix) return GetFileAttributesExW(full, GetFileExInfoStandard, attributes) != 0;
  const bool is_share = full[0] == L'\\' && full[1] == L'\\';
  wcscpy(prefixed, is_share ? L"\\\\?\\UNC" : L"\\\\?\\");
  wcscat(prefixed, is_share ? full + 1 : full);
  return GetFileAttributesExW(prefixed, GetFileExInfoStandard, attributes) != 0;
}

}  // namespace

void* allocate_aligned(size_t size, size_t alignment) {
  return _aligned_malloc(size, alignment);
}

void free_aligned(void* memory) {
  _aligned_free(memory);
}

bool path_exists(const char* path) {
  WIN32_FILE_ATTRIBUTE_DATA attributes;
  return read_attributes(path, &attributes);
}

uint64_t size_of_file(const char* path) {
  WIN32_FILE_ATTRIBUTE_DATA attributes;
  if (!read_attributes(path, &attributes)) return 0;
  return uint64_t{attributes.nFileSizeHigh} << 32 | attributes.nFileSizeLow;
}

bool list_folder(const char* path, VisitEntry visit, void* user) {
  constexpr DWORD kMostUnits = 4096;
  wchar_t wide[kMostUnits + 2];
  if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, kMostUnits) == 0) return false;
  wcscat(wide, L"\\*");
  WIN32_FIND_DATAW entry;
  const HANDLE found = FindFirstFileW(wide, &entry);
  if (found == INVALID_HANDLE_VALUE) return false;
  do {
    char name[4 * MAX_PATH];
    if (WideCharToMultiByte(CP_UTF8, 0, entry.cFileName, -1, name, sizeof name, nullptr, nullptr) != 0)
      visit(user, name, (entry.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0);
  } while (FindNextFileW(found, &entry) != 0);
  FindClose(found);
  return true;
}

LocalTime local_time() {
  SYSTEMTIME time;
  GetLocalTime(&time);
  return {time.wYear, time.wMonth, time.wDay, time.wHour, time.wMinute, time.wSecond};
}

bool start_thread(void (*run)(void*), void* user, std::thread* thread) {
  *thread = std::thread(run, user);
  return true;
}

}  // namespace flamelet::ui
