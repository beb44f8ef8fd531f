// SPDX-License-Identifier: MIT
//
// file.h: what a file of the operating system can do. Paths are UTF-8. Every failure leaves its reason in errno, and a
// signal is no failure: an engine's timers and profilers send signals at any time.
#ifndef FLAMELET_PLATFORM_FILE_H
#define FLAMELET_PLATFORM_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "platform/file_identity.h"

namespace flamelet {

enum class FileUse {
  kRead,        // at any offset; never waits for a pipe
  kReadStream,  // from its begin to its end; may be a pipe
  kWriteThere,  // to what is there, through links: a device or a pipe
  kNew,         // made here: a path that exists, also as a link, is refused (EEXIST)
  kAppend,      // made or continued; readable; never through a link, never waits for a pipe
};

// What a path leads to, through links.
enum class PathKind { kNothing, kFile, kFolder, kOther };  // kOther: a device, a pipe, ...
PathKind kind_of_path(const char* path);

enum class StandardStream { kInput, kOutput, kError };

// On POSIX systems, once the program has closed the file's descriptor, every call fails with EBADF and touches nothing.
class File {
 public:
  File() = default;
  ~File();  // errno stays as it is
  File(File&& other) noexcept : handle_(other.handle_), identity_(other.identity_) { other.handle_ = kNoHandle; }
  File& operator=(File&& other) noexcept {
    const intptr_t mine = handle_;
    const FileIdentity my_identity = identity_;
    handle_ = other.handle_;
    identity_ = other.identity_;
    other.handle_ = mine;
    other.identity_ = my_identity;
    return *this;
  }

  // A file that is made here is for this user alone (mode 0600).
  bool open(const char* path, FileUse use);
  // A second handle of the stream: closing it leaves the stream open.
  bool open_standard(StandardStream stream);
  bool is_open() const { return handle_ != kNoHandle; }
  // False: it has no size because it is no regular file (EINVAL), or nobody knows.
  bool get_size(uint64_t* size) const;
  // A regular file that has no name any more.
  bool is_removed() const;
  // The same readers as those of the file at this path, if there is one.
  void copy_readers(const char* path);

  // How many bytes there were, 0 at the end, or -1. May be fewer than asked for.
  // After read_at() it is not said where read_next() goes on.
  int64_t read_at(uint64_t offset, void* bytes, size_t count) const;
  int64_t read_next(void* bytes, size_t count);
  // All of them, where the file is, or for kAppend at its end. `written`, if not NULL, counts also what a failure left.
  bool write(const void* bytes, size_t count, uint64_t* written = nullptr);
  bool truncate(uint64_t size);
  // read_next() begins anew.
  bool rewind();
  // To the disk.
  bool flush();
  // Closed in any case. False: a write that was put off has failed.
  bool close();

 private:
  static constexpr intptr_t kNoHandle = -1;

  intptr_t handle_ = kNoHandle;
  FileIdentity identity_ = {};  // on POSIX systems
};

// In one step; what stood at `to` is gone.
bool replace_file(const char* from, const char* to);
void remove_file(const char* path);
// So that a new name in it survives a power failure, where that can be had.
void flush_folder(const char* folder);
// Calls visit(user, name, bytes) for each regular file that has its name in the folder. False: it cannot be read.
bool visit_folder(const char* folder, void (*visit)(void* user, const char* name, uint64_t bytes), void* user);

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_FILE_H
