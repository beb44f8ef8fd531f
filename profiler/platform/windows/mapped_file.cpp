// SPDX-License-Identifier: MIT
#include "platform/mapped_file.h"

#include <errno.h>

#include "platform/windows/windows.h"

namespace flamelet {

flamelet_result map_new_file(const char* path, size_t bytes, void** memory) {
  const WidePath wide(path);
  if (!wide.good()) return FLAMELET_ERROR_FILE_OPEN;
  const HANDLE file = CreateFileW(wide.text(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, nullptr, CREATE_NEW,
                                  FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    set_errno();
    return FLAMELET_ERROR_FILE_OPEN;
  }
  // The mapping reserves the space, or is refused.
  const HANDLE mapping = CreateFileMappingW(file, nullptr, PAGE_READWRITE, static_cast<DWORD>(uint64_t{bytes} >> 32),
                                            static_cast<DWORD>(bytes & 0xFFFFFFFFu), nullptr);
  if (mapping == nullptr) set_errno();
  *memory = mapping == nullptr ? nullptr : MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, bytes);
  if (mapping != nullptr && *memory == nullptr) set_errno();
  const int why = errno;
  if (mapping != nullptr) CloseHandle(mapping);  // the view keeps both
  CloseHandle(file);
  if (*memory != nullptr) return FLAMELET_OK;
  DeleteFileW(wide.text());
  errno = why;
  return mapping == nullptr ? FLAMELET_ERROR_FILE_WRITE : FLAMELET_ERROR_OUT_OF_MEMORY;
}

void unmap_file(void* memory, size_t) {
  UnmapViewOfFile(memory);
}

}  // namespace flamelet
