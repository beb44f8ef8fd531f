// SPDX-License-Identifier: MIT
#include "platform/file.h"

#include <errno.h>
#include <string.h>
#include <wchar.h>

#include "platform/windows/windows.h"

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

// ---- file

namespace {

HANDLE handle_of(intptr_t handle) {
  return reinterpret_cast<HANDLE>(handle);
}

DWORD access_of(FileUse use) {
  switch (use) {
    case FileUse::kRead:
    case FileUse::kReadStream:
      return GENERIC_READ;
    case FileUse::kWriteThere:
    case FileUse::kWriteNow:
    case FileUse::kNew:
      return GENERIC_WRITE;
    case FileUse::kAppend:
      break;
  }
  return GENERIC_READ | GENERIC_WRITE;
}

DWORD at_most_a_gigabyte(size_t count) {
  constexpr size_t kMost = size_t{1} << 30;
  return static_cast<DWORD>(count < kMost ? count : kMost);
}

OVERLAPPED at_offset(uint64_t offset) {
  OVERLAPPED at = {};
  at.Offset = static_cast<DWORD>(offset);
  at.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return at;
}

int64_t read(intptr_t handle, void* bytes, size_t count, OVERLAPPED* at) {
  DWORD got = 0;
  if (ReadFile(handle_of(handle), bytes, at_most_a_gigabyte(count), &got, at) != 0) return got;
  const DWORD why = GetLastError();
  if (why == ERROR_HANDLE_EOF || why == ERROR_BROKEN_PIPE) return 0;
  set_errno();
  return -1;
}

bool is_pipe_or_device(const char* path) {
  return (path[0] == '\\' || path[0] == '/') && (path[1] == '\\' || path[1] == '/') && path[2] == '.';
}

}  // namespace

PathKind kind_of_path(const char* path) {
  if (is_pipe_or_device(path)) return PathKind::kOther;  // a pipe must not be opened to ask
  const WidePath wide(path);
  if (!wide.good()) return PathKind::kNothing;
  const HANDLE file = CreateFileW(wide.text(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                  OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);  // which folders need
  if (file == INVALID_HANDLE_VALUE) return PathKind::kNothing;
  BY_HANDLE_FILE_INFORMATION info;
  PathKind kind = PathKind::kOther;
  if (GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, &info) != 0)
    kind = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? PathKind::kFolder : PathKind::kFile;
  CloseHandle(file);
  return kind;
}

File::~File() {
  if (is_open()) CloseHandle(handle_of(handle_));
}

// A file has the access rules of its folder.
bool File::open(const char* path, FileUse use) {
  static_assert(sizeof(HANDLE) == sizeof(intptr_t), "handle_ holds one");
  const WidePath wide(path);
  if (!wide.good()) return false;
  const bool makes = use == FileUse::kNew || use == FileUse::kAppend;
  const DWORD made = use == FileUse::kNew ? CREATE_NEW : makes ? OPEN_ALWAYS : OPEN_EXISTING;
  const DWORD flags = FILE_ATTRIBUTE_NORMAL | (makes ? FILE_FLAG_OPEN_REPARSE_POINT : 0);  // never through a link
  const HANDLE file = CreateFileW(wide.text(), access_of(use), FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                  nullptr, made, flags, nullptr);
  handle_ = reinterpret_cast<intptr_t>(file);
  if (is_open()) return true;
  set_errno();
  return false;
}

bool File::open_standard(StandardStream stream) {
  const DWORD name = stream == StandardStream::kInput    ? STD_INPUT_HANDLE
                     : stream == StandardStream::kOutput ? STD_OUTPUT_HANDLE
                                                         : STD_ERROR_HANDLE;
  const HANDLE mine = GetCurrentProcess(), standard = GetStdHandle(name);
  HANDLE second = nullptr;
  if (standard == nullptr || standard == INVALID_HANDLE_VALUE) {  // a program without a console
    errno = EBADF;
    return false;
  }
  if (DuplicateHandle(mine, standard, mine, &second, 0, FALSE, DUPLICATE_SAME_ACCESS) == 0) {
    set_errno();
    return false;
  }
  handle_ = reinterpret_cast<intptr_t>(second);
  return true;
}

bool File::get_size(uint64_t* size) const {
  BY_HANDLE_FILE_INFORMATION info;
  if (GetFileType(handle_of(handle_)) != FILE_TYPE_DISK) {
    errno = EINVAL;
    return false;
  }
  if (GetFileInformationByHandle(handle_of(handle_), &info) == 0) {
    set_errno();
    return false;
  }
  *size = uint64_t{info.nFileSizeHigh} << 32 | info.nFileSizeLow;
  if ((info.dwFileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT)) == 0) return true;
  errno = EINVAL;
  return false;
}

// A name that was deleted stays until its last handle is closed; then, or with POSIX semantics at once, no link is left.
bool File::is_removed() const {
  FILE_STANDARD_INFO info;
  return GetFileInformationByHandleEx(handle_of(handle_), FileStandardInfo, &info, sizeof info) != 0 &&
         (info.DeletePending != 0 || info.NumberOfLinks == 0);
}

bool File::is_replaced(const char*) const {
  return false;
}

void File::copy_readers(const char*) {}

int64_t File::read_at(uint64_t offset, void* bytes, size_t count) const {
  OVERLAPPED at = at_offset(offset);
  return read(handle_, bytes, count, &at);
}

int64_t File::read_next(void* bytes, size_t count) {
  return read(handle_, bytes, count, nullptr);
}

bool File::write(const void* bytes, size_t count, uint64_t* written) {
  const char* at = static_cast<const char*>(bytes);
  while (count != 0) {
    // Behind the end. A file that is made here is written by nobody else.
    OVERLAPPED end = at_offset(UINT64_MAX);
    DWORD moved = 0;
    if (WriteFile(handle_of(handle_), at, at_most_a_gigabyte(count), &moved, &end) == 0) {
      set_errno();
      return false;
    }
    if (moved == 0) {  // a pipe that does not wait; not again and again
      errno = EIO;
      return false;
    }
    if (written != nullptr) *written += moved;
    at += moved;
    count -= moved;
  }
  return true;
}

bool File::truncate(uint64_t size) {
  LARGE_INTEGER to;
  to.QuadPart = static_cast<LONGLONG>(size);
  if (SetFilePointerEx(handle_of(handle_), to, nullptr, FILE_BEGIN) != 0 && SetEndOfFile(handle_of(handle_)) != 0)
    return true;
  set_errno();
  return false;
}

bool File::rewind() {
  const LARGE_INTEGER begin = {};
  if (SetFilePointerEx(handle_of(handle_), begin, nullptr, FILE_BEGIN) != 0) return true;
  set_errno();
  return false;
}

bool File::flush() {
  if (FlushFileBuffers(handle_of(handle_)) != 0) return true;
  set_errno();
  return false;
}

bool File::close() {
  const HANDLE closed = handle_of(handle_);
  handle_ = kNoHandle;
  if (CloseHandle(closed) != 0) return true;
  set_errno();
  return false;
}

bool replace_file(const char* from, const char* to) {
  const WidePath wide_from(from), wide_to(to);
  if (!wide_from.good() || !wide_to.good()) return false;
  if (MoveFileExW(wide_from.text(), wide_to.text(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0)
    return true;
  set_errno();
  return false;
}

void remove_file(const char* path) {
  const WidePath wide(path);
  if (wide.good()) DeleteFileW(wide.text());
}

// Nothing to do: replace_file() writes through.
void flush_folder(const char*) {}

bool visit_folder(const char* folder, void (*visit)(void*, const char*, uint64_t), void* user) {
  char pattern[4096];
  const size_t size = strlen(folder);
  if (size > sizeof pattern - 3) {
    errno = ENAMETOOLONG;
    return false;
  }
  memcpy(pattern, folder, size);
  memcpy(pattern + size, "/*", 3);
  const WidePath wide(pattern);
  if (!wide.good()) return false;
  WIN32_FIND_DATAW found;
  const HANDLE search = FindFirstFileW(wide.text(), &found);
  if (search == INVALID_HANDLE_VALUE) {
    set_errno();
    return false;
  }
  do {
    constexpr DWORD kNoFile = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_DEVICE;
    char name[4 * MAX_PATH];
    if ((found.dwFileAttributes & kNoFile) == 0 &&
        WideCharToMultiByte(CP_UTF8, 0, found.cFileName, -1, name, sizeof name, nullptr, nullptr) != 0)
      visit(user, name, uint64_t{found.nFileSizeHigh} << 32 | found.nFileSizeLow);
  } while (FindNextFileW(search, &found) != 0);
  FindClose(search);
  return true;
}

// ---- mapped file

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
