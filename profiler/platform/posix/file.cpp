// SPDX-License-Identifier: MIT
#include "platform/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/posix/file_calls.h"

namespace flamelet {

namespace {

int descriptor(intptr_t handle) {
  return static_cast<int>(handle);
}

int flags_of(FileUse use) {
  switch (use) {
    case FileUse::kRead:
      return O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    case FileUse::kReadStream:
      return O_RDONLY | O_CLOEXEC | O_NOCTTY;
    case FileUse::kWriteThere:
      return O_WRONLY | O_CLOEXEC | O_NOCTTY;
    case FileUse::kWriteNow:
      return O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    case FileUse::kNew:
      return O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    case FileUse::kAppend:
      break;
  }
  return O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
}

}  // namespace

PathKind kind_of_path(const char* path) {
  struct stat status;
  if (stat(path, &status) != 0) return PathKind::kNothing;
  return S_ISREG(status.st_mode) ? PathKind::kFile : S_ISDIR(status.st_mode) ? PathKind::kFolder : PathKind::kOther;
}

File::~File() {
  if (!is_open()) return;
  const int why = errno;
  if (is_same_file(descriptor(handle_), identity_)) ::close(descriptor(handle_));
  errno = why;
}

bool File::open(const char* path, FileUse use) {
  handle_ = retried([&] { return ::open(path, flags_of(use), 0600); });
  if (is_open()) identity_ = identity_of(descriptor(handle_));
  return is_open();
}

bool File::open_standard(StandardStream stream) {
  const int number = stream == StandardStream::kInput    ? STDIN_FILENO
                     : stream == StandardStream::kOutput ? STDOUT_FILENO
                                                         : STDERR_FILENO;
  handle_ = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (is_open()) identity_ = identity_of(descriptor(handle_));
  return is_open();
}

bool File::get_size(uint64_t* size) const {
  struct stat status;
  if (fstat(descriptor(handle_), &status) != 0 || !is_same_file(status, identity_)) return false;
  *size = static_cast<uint64_t>(status.st_size);
  if (S_ISREG(status.st_mode)) return true;
  errno = EINVAL;
  return false;
}

bool File::is_removed() const {
  struct stat status;
  return fstat(descriptor(handle_), &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0;
}

bool File::is_replaced(const char* path) const {
  struct stat status;
  return stat(path, &status) == 0 && !is_same_file(status, identity_);
}

// Where the file system knows no modes, the file is as good without.
void File::copy_readers(const char* path) {
  struct stat status;
  if (stat(path, &status) != 0) return;
  [[maybe_unused]] const int ignored = fchmod(descriptor(handle_), status.st_mode & 0777);
}

int64_t File::read_at(uint64_t offset, void* bytes, size_t count) const {
  if (!is_same_file(descriptor(handle_), identity_)) return -1;
  return retried([&] { return pread(descriptor(handle_), bytes, count, static_cast<off_t>(offset)); });
}

int64_t File::read_next(void* bytes, size_t count) {
  if (!is_same_file(descriptor(handle_), identity_)) return -1;
  return retried([&] { return ::read(descriptor(handle_), bytes, count); });
}

bool File::write(const void* bytes, size_t count, uint64_t* written) {
  if (!is_same_file(descriptor(handle_), identity_)) return false;
  const HoldFileLimitSignal held;
  const char* at = static_cast<const char*>(bytes);
  while (count != 0) {
    const ssize_t moved = retried([&] { return ::write(descriptor(handle_), at, count); });
    if (moved == 0) errno = EIO;  // no file system should; not again and again
    if (moved <= 0) return false;
    if (written != nullptr) *written += static_cast<uint64_t>(moved);
    at += moved;
    count -= static_cast<size_t>(moved);
  }
  return true;
}

bool File::truncate(uint64_t size) {
  const HoldFileLimitSignal held;
  return is_same_file(descriptor(handle_), identity_) &&
         retried([&] { return ftruncate(descriptor(handle_), static_cast<off_t>(size)); }) == 0;
}

bool File::rewind() {
  return is_same_file(descriptor(handle_), identity_) && lseek(descriptor(handle_), 0, SEEK_SET) == 0;
}

bool File::flush() {
  return is_same_file(descriptor(handle_), identity_) && retried([&] { return fsync(descriptor(handle_)); }) == 0;
}

bool File::close() {
  const int closed = descriptor(handle_);
  handle_ = kNoHandle;
  if (!is_same_file(closed, identity_)) return false;
  // A signal here stops nothing that was not flushed; the descriptor is gone.
  return ::close(closed) == 0 || errno == EINTR;
}

bool replace_file(const char* from, const char* to) {
  return rename(from, to) == 0;
}

void remove_file(const char* path) {
  unlink(path);
}

void flush_folder(const char* folder) {
  const int opened = retried([&] { return ::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (opened < 0) return;
  retried([&] { return fsync(opened); });
  ::close(opened);
}

bool visit_folder(const char* folder, void (*visit)(void*, const char*, uint64_t), void* user) {
  DIR* const opened = opendir(folder);
  if (opened == nullptr) return false;
  while (const dirent* entry = readdir(opened)) {
    struct stat status;
    if (fstatat(dirfd(opened), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode))
      visit(user, entry->d_name, static_cast<uint64_t>(status.st_size));
  }
  closedir(opened);
  return true;
}

// ---- mapped file

// Makes an empty file one of so many zeros, on the disk, so that no write to a mapping of it finds that full. Returns an
// errno; 0 = done.
static int reserve_file_bytes(int descriptor, size_t bytes) {
#ifdef __APPLE__
  fstore_t store = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, static_cast<off_t>(bytes), 0};
  if (fcntl(descriptor, F_PREALLOCATE, &store) != 0) return errno;
  return ftruncate(descriptor, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
#else
  const HoldFileLimitSignal held;
  int why;
  do why = posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  while (why == EINTR);  // not retried(): it answers with the error itself
  return why;
#endif
}

flamelet_result map_new_file(const char* path, size_t bytes, void** memory) {
  const int descriptor = retried([&] { return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600); });
  if (descriptor < 0) return FLAMELET_ERROR_FILE_OPEN;
  flamelet_result result = FLAMELET_OK;
  int why = reserve_file_bytes(descriptor, bytes);
  if (why != 0) {
    result = FLAMELET_ERROR_FILE_WRITE;
  } else {
    *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    why = errno;
    if (*memory == MAP_FAILED) result = FLAMELET_ERROR_OUT_OF_MEMORY;
  }
  close(descriptor);  // the mapping keeps the file
  if (result != FLAMELET_OK) {
    unlink(path);
    errno = why;
  }
  return result;
}

void unmap_file(void* memory, size_t bytes) {
  munmap(memory, bytes);
}

}  // namespace flamelet
