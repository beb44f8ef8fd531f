// SPDX-License-Identifier: MIT
//
// file.h: what a file of the operating system can do. Paths are UTF-8. Every failure leaves its reason in errno, and a
// signal is no failure: an engine's timers and profilers send signals at any time.
#ifndef FLAMELET_PLATFORM_FILE_H
#define FLAMELET_PLATFORM_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "flamelet/base.h"

namespace flamelet {

// What a handle was opened to. A program may close handles that it does not know, as daemons and launchers do, and the
// system then gives their numbers to others. So what is kept open is recognised each time before it is used or closed. A
// handle that the program closes between the look and the use is beyond that.
struct FileIdentity {
  uint64_t device, file;
};

enum class FileUse {
  kRead,        // at any offset; never waits for a pipe
  kReadStream,  // from its begin to its end; may be a pipe
  kWriteThere,  // to what is there, through links: a device or a pipe
  kWriteNow,    // the same, but never waits for who reads a pipe (ENXIO: nobody does)
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
  // Another file is at this path. False also where nobody knows.
  bool is_replaced(const char* path) const;
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

// Old file: a regular file that is read at any offset.

class OldFile {
 public:
  // False: errno says why. Never waits for a pipe.
  bool open(const char* path) { return file_.open(path, FileUse::kRead) && file_.get_size(&size_); }
  uint64_t size() const { return size_; }
  // As flamelet_source::read.
  bool read(uint64_t offset, void* bytes, size_t size, size_t* count);
  // Passes on what came of the reading, with errno as the read that failed left it.
  flamelet_result done(flamelet_result result) const;

 private:
  File file_;
  uint64_t size_ = 0;
  int why_failed_ = 0;
};

// New file: a file that appears under its name whole, or not at all. It is written under a temporary name in the same
// folder (never through a link), flushed to the disk, and renamed. Where the folder cannot be flushed, a power failure may
// bring the file before it back, also whole. A link is replaced, not followed, unless it leads to a device or a pipe: they
// stay, and are written to.

// Who may read the new file.
enum class FileReaders {
  kThisUser,
  kAsBefore,  // who could read the file that it replaces; without one, this user
};

// False: errno says why. A file that is neither committed nor discarded is discarded.
class NewFile {
 public:
  NewFile() = default;
  ~NewFile() { discard(); }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  bool open(const char* path, FileReaders readers = FileReaders::kThisUser);
  bool write(const void* bytes, size_t count) { return file_.write(bytes, count); }
  bool commit();
  // errno stays as it is.
  void discard();
  const char* temporary() const { return is_there_ ? "" : temporary_; }  // the path of what is open

 private:
  static constexpr size_t kMaxPath = 4096;

  void remove_temporary();

  File file_;
  bool is_there_ = false;  // a device or a pipe
  size_t path_size_ = 0;
  char temporary_[kMaxPath];  // the path itself is what it begins with
};

// Append file: a log file that grows. Every failure is an answer with its errno, and leaves the file usable.

class AppendFile {
 public:
  // Makes the file (mode 0600) or appends to it; never follows a symbolic link, never waits for a pipe. A file that does
  // not end with a line gets a line's end. False: errno says why.
  bool open(const char* path);
  bool is_open() const { return file_.is_open(); }
  // False: some of it may have been written. A signal is no failure.
  bool append(const char* bytes, size_t count);
  // Takes back what was written behind `size`.
  bool truncate(uint64_t size);
  uint64_t size() const { return size_; }
  // On its way to the disk, and closed in any case.
  bool close();
  int last_errno() const { return last_errno_; }

 private:
  bool failed();

  File file_;
  uint64_t size_ = 0;
  int last_errno_ = 0;
};

// Mapped file: a new file as memory. What is stored there is in the file at once, also if the process dies with its next
// step; only a power failure can lose it.

// Makes a file of zeros (mode 0600; a path that exists, also as a link, is refused) whose space is reserved, so that no
// store meets a full disk. The memory is aligned to the system's pages. After an error nothing is left behind.
flamelet_result map_new_file(const char* path, size_t bytes, void** memory);
// The file stays.
void unmap_file(void* memory, size_t bytes);

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_FILE_H
