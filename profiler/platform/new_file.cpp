// SPDX-License-Identifier: MIT
#include "platform/new_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

namespace flamelet {

bool NewFile::open(const char* path, FileReaders readers) {
  constexpr int kMostTemporary = 10000;
  constexpr size_t kSuffixBytes = sizeof ".tmp--2147483648";  // any int
  path_size_ = strlen(path);
  if (path_size_ == 0 || path_size_ > kMaxPath - kSuffixBytes) {
    errno = path_size_ == 0 ? ENOENT : ENAMETOOLONG;
    return false;
  }
  memcpy(temporary_, path, path_size_);
  // A process that was killed while it saved has left its temporary file: take the next name.
  for (int i = 0; i < kMostTemporary && !file_.is_open(); ++i) {
    snprintf(temporary_ + path_size_, kSuffixBytes, ".tmp-%02d", i);
    if (!file_.open(temporary_, FileUse::kNew) && errno != EEXIST) return false;
  }
  if (file_.is_open() && readers == FileReaders::kAsBefore) file_.copy_readers(path);
  return file_.is_open();
}

bool NewFile::commit() {
  char path[kMaxPath];
  memcpy(path, temporary_, path_size_);
  path[path_size_] = 0;
  bool good = file_.flush();
  // An error of close() is one of a write that was put off.
  if (good) good = file_.close() && replace_file(temporary_, path);
  if (!good) {
    remove_temporary();
    return false;
  }
  // A folder that cannot be opened or flushed is no failure: the new file is there, and whoever were told otherwise would
  // save it once more for nothing.
  while (path_size_ != 0 && path[path_size_ - 1] != '/') --path_size_;
  path[path_size_] = 0;
  flush_folder(path_size_ == 0 ? "." : path);
  return true;
}

void NewFile::remove_temporary() {
  const int why = errno;
  if (file_.is_open()) file_.close();
  remove_file(temporary_);
  errno = why;
}

void NewFile::discard() {
  if (file_.is_open()) remove_temporary();
}

}  // namespace flamelet
