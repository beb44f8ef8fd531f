// SPDX-License-Identifier: MIT
#include "platform/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

namespace flamelet {

// ---- old file

bool OldFile::read(uint64_t offset, void* bytes, size_t size, size_t* count) {
  const int64_t got = file_.read_at(offset, bytes, size);
  if (got < 0) why_failed_ = errno;
  if (got == 0) why_failed_ = EIO;  // it was longer before
  *count = got < 0 ? 0 : static_cast<size_t>(got);
  return got >= 0;
}

flamelet_result OldFile::done(flamelet_result result) const {
  if (result == FLAMELET_ERROR_FILE_READ) errno = why_failed_;
  return result;
}

// ---- new file

bool NewFile::open(const char* path, FileReaders readers) {
  constexpr int kMostTemporary = 10000;
  constexpr size_t kSuffixBytes = sizeof ".tmp--2147483648";  // any int
  path_size_ = strlen(path);
  if (path_size_ == 0 || path_size_ > kMaxPath - kSuffixBytes) {
    errno = path_size_ == 0 ? ENOENT : ENAMETOOLONG;
    return false;
  }
  memcpy(temporary_, path, path_size_ + 1);
  const PathKind kind = kind_of_path(path);
  if (kind == PathKind::kFolder) errno = EISDIR;
  if (kind == PathKind::kFolder) return false;
  is_there_ = kind == PathKind::kOther;
  if (is_there_) return file_.open(path, FileUse::kWriteThere);
  // A process that was killed while it saved has left its temporary file: take the next name.
  for (int i = 0; i < kMostTemporary && !file_.is_open(); ++i) {
    snprintf(temporary_ + path_size_, kSuffixBytes, ".tmp-%02d", i);
    if (!file_.open(temporary_, FileUse::kNew) && errno != EEXIST) return false;
  }
  if (file_.is_open() && readers == FileReaders::kAsBefore) file_.copy_readers(path);
  return file_.is_open();
}

bool NewFile::commit() {
  if (is_there_) return file_.close();
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
  if (!is_there_) remove_file(temporary_);
  errno = why;
}

void NewFile::discard() {
  if (file_.is_open()) remove_temporary();
}

// ---- append file

bool AppendFile::failed() {
  last_errno_ = errno;
  return false;
}

bool AppendFile::open(const char* path) {
  if (!file_.open(path, FileUse::kAppend)) return failed();
  bool good = file_.get_size(&size_);
  if (good) {
    char last = '\n';
    if (size_ != 0) {
      const int64_t got = file_.read_at(size_ - 1, &last, 1);
      if (got == 0) errno = EIO;  // it was longer before
      good = got == 1;
    }
    // A process that was killed while it wrote may have left half a line.
    if (good && last != '\n') good = append("\n", 1);
  }
  if (good) return true;
  failed();
  file_.close();
  errno = last_errno_;
  return false;
}

bool AppendFile::append(const char* bytes, size_t count) {
  return file_.write(bytes, count, &size_) || failed();
}

bool AppendFile::truncate(uint64_t size) {
  if (!file_.truncate(size)) return failed();
  size_ = size;
  return true;
}

bool AppendFile::close() {
  if (!file_.is_open()) return true;
  bool good = file_.flush() || failed();
  if (!file_.close()) good = failed();
  return good;
}

}  // namespace flamelet
