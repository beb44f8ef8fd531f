// SPDX-License-Identifier: MIT
//
// files.h: files in and out. Failures are a CommandError that names the file and the reason.
#ifndef FLAMELET_TOOLS_FILES_H
#define FLAMELET_TOOLS_FILES_H

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace flamelet::tools {

// A file that is read once, from its begin to its end; "-" is the standard input.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // What the file begins with, to tell what it is: its first bytes, all of a shorter file.
  std::string_view head();
  // Hands out the whole file in pieces, the head first. Shows its progress on a terminal if it takes long.
  void read(const std::function<void(std::string_view piece)>& take);

  bool is_regular() const { return is_regular_; }
  const std::string& path() const { return path_; }

 private:
  size_t fill(size_t from);

  const std::string path_;
  int number_;
  bool is_regular_ = false;
  int64_t size_ = 0;
  std::vector<char> bytes_;
  size_t head_bytes_ = 0;
};

// All of it, in pieces.
void read_file(const std::string& path, const std::function<void(std::string_view piece)>& take);

// Writes to a temporary file beside it, and renames that: whoever looks at `path` finds the old content or the new. A
// link is replaced, not followed.
void write_file(const std::string& path, std::string_view content);

// To the standard output; complains when it is full or closed.
void print(std::string_view text);

bool ends_with(std::string_view text, std::string_view end);

// Of the terminal, or of COLUMNS; 100 where there is neither.
size_t terminal_columns();

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_FILES_H
