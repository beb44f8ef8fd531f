// SPDX-License-Identifier: MIT
//
// taken_files.h: a program that closes every descriptor that it does not know, as daemons, launchers and test runners do,
// and opens files of its own, which get their numbers. (Linux)
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

namespace recorder_test {

class TakenFiles {
 public:
  TakenFiles() : known_(open_now()) {}
  ~TakenFiles() {
    for (const int file : taken_) ::close(file);
  }
  TakenFiles(const TakenFiles&) = delete;
  TakenFiles& operator=(const TakenFiles&) = delete;

  // Closes what was opened since the constructor, and opens a file of its own with each of the numbers. Returns how many.
  // Their text is what a thread's times look like.
  size_t take() {
    for (const int file : open_now()) {
      if (std::binary_search(known_.begin(), known_.end(), file)) continue;
      char path[] = "/tmp/flamelet_taken_XXXXXX";
      const int own = mkstemp(path);
      unlink(path);
      const std::string text = text_of(file);
      if (write(own, text.data(), text.size()) != static_cast<ssize_t>(text.size())) abort();
      dup2(own, file);
      if (own != file) ::close(own);
      taken_.push_back(file);
    }
    return taken_.size();
  }

  // How many of them are not as they were: closed, written or moved.
  size_t damaged() const {
    size_t count = 0;
    for (const int file : taken_) {
      char text[256];
      const std::string expected = text_of(file);
      const ssize_t size = pread(file, text, sizeof text, 0);
      if (size < 0 || std::string(text, static_cast<size_t>(size)) != expected ||
          lseek(file, 0, SEEK_CUR) != static_cast<off_t>(expected.size()))
        ++count;
    }
    return count;
  }

 private:
  static std::string text_of(int file) { return "40000000000 90000000000 7 of " + std::to_string(file) + "\n"; }
  static std::vector<int> open_now() {
    std::vector<int> files;
    DIR* folder = opendir("/proc/self/fd");
    if (folder == nullptr) return files;
    while (const dirent* entry = readdir(folder))
      if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(folder)) files.push_back(atoi(entry->d_name));
    closedir(folder);
    std::sort(files.begin(), files.end());
    return files;
  }

  const std::vector<int> known_;
  std::vector<int> taken_;
};

}  // namespace recorder_test
