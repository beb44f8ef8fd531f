// SPDX-License-Identifier: MIT
#include "platform/system.h"

#include <malloc.h>

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

namespace flamelet::ui {
namespace {

bool read_attributes(const char* path, WIN32_FILE_ATTRIBUTE_DATA* attributes) {
  wchar_t wide[4096];
  constexpr int kMost = static_cast<int>(sizeof wide / sizeof wide[0]);
  return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, kMost) != 0 &&
         GetFileAttributesExW(wide, GetFileExInfoStandard, attributes) != 0;
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

LocalTime local_time() {
  SYSTEMTIME time;
  GetLocalTime(&time);
  return {time.wYear, time.wMonth, time.wDay, time.wHour, time.wMinute, time.wSecond};
}

}  // namespace flamelet::ui
