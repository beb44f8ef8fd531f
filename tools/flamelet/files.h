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
  // Hands out the whole file in pieces, the head first. Shows its progress on a terminal if it takes long. Again: what
  // came since.
  void read(const std::function<void(std::string_view piece)>& take);

  // The same on demand: up to `size` of the next bytes; *count is 0 at the end. False: errno says why.
  bool pull(char* to, size_t size, size_t* count);

  // A regular file that has no name any more.
  bool is_removed() const;
  // A regular file that is shorter than what was read of it: the next read begins anew.
  bool restart_if_cut();

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
  size_t head_given_ = 0;  // bytes of the head that were handed out
  int64_t read_bytes_ = 0;
};

// All of it, in pieces.
void read_file(const std::string& path, const std::function<void(std::string_view piece)>& take);

// A file that is written in pieces; "-" is the standard output. Until finish(), it stands under a temporary name that
// goes with the object, so whoever looks at `path` finds the old content or the new.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  bool write(std::string_view piece);  // false: errno says why
  void finish();                       // a CommandError if anything failed

 private:
  const std::string path_;
  std::string temporary_;  // "": the standard output, or finished
  int number_;
  int error_ = 0;  // errno of the first failure
};

// How much was done, on a terminal, of work whose end is not known: "132.5 MiB". Nothing if it is quick.
class ByteProgress {
 public:
  explicit ByteProgress(std::string what);
  ~ByteProgress();
  ByteProgress(const ByteProgress&) = delete;
  ByteProgress& operator=(const ByteProgress&) = delete;
  void add(size_t bytes);

 private:
  const std::string what_;
  const bool is_terminal_;
  const int64_t begin_ms_;
  int64_t shown_ms_ = 0;
  uint64_t bytes_ = 0;
};

// "525.8 KiB"
std::string bytes_text(uint64_t bytes);

// All of it, as an OutputFile. A link is replaced, not followed.
void write_file(const std::string& path, std::string_view content);

// To the standard output; complains when it is full or closed.
void print(std::string_view text);

bool ends_with(std::string_view text, std::string_view end);

// Of the terminal, or of COLUMNS; 100 where there is neither.
size_t terminal_columns();
size_t terminal_rows();  // 24 where there is none

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_FILES_H
