// SPDX-License-Identifier: MIT
//
// new_file.h: a file that appears under its name whole, or not at all. It is written under a temporary name in the same
// folder (never through a link), flushed to the disk, and renamed. Where the folder cannot be flushed, a power failure may
// bring the file before it back, also whole.
#ifndef FLAMELET_PLATFORM_NEW_FILE_H
#define FLAMELET_PLATFORM_NEW_FILE_H

#include <stddef.h>

#include "flamelet/base.h"
#include "platform/file.h"

namespace flamelet {

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

 private:
  static constexpr size_t kMaxPath = 4096;

  void remove_temporary();

  File file_;
  size_t path_size_ = 0;
  char temporary_[kMaxPath];  // the path itself is what it begins with
};

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_NEW_FILE_H
