// SPDX-License-Identifier: MIT
//
// files.h: files in and out. Failures are a CommandError that names the file and the reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/file.h"

namespace flamelet::tools {

// A path in UTF-8. C++20 has a type of its own for that.
inline std::string utf8_of(const std::filesystem::path& path) {
  const auto text = path.u8string();
  return {text.begin(), text.end()};
}

// A file that is read once from its begin to its end, or, if it is a regular file, anywhere; "-" is the standard input.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // What the file begins with, to tell what it is: its first bytes, all of a shorter file. Before the first read().
  std::string_view head();
  // Hands out the whole file in pieces, the head first. Shows its progress on a terminal if it takes long. Again: what
  // came since.
  void read(const std::function<void(std::string_view piece)>& take);

  // The same on demand: up to `size` of the next bytes; *count is 0 at the end. False: errno says why.
  bool pull(char* to, size_t size, size_t* count);

  // All of these bytes of a regular file. False: errno says why.
  bool read_at(uint64_t offset, char* to, size_t size) const;

  // A regular file that has no name any more.
  bool is_removed() const;
  // A regular file whose path leads to another one by now.
  bool is_replaced() const { return is_regular_ && file_.is_replaced(path_.c_str()); }
  // A regular file that is shorter than what was read of it: the next read begins anew.
  bool restart_if_cut();

  bool is_regular() const { return is_regular_; }
  uint64_t size() const { return size_; }  // of a regular file, when it was opened; else 0
  const std::string& path() const { return path_; }

 private:
  size_t fill(size_t from);

  const std::string path_;
  File file_;
  bool is_regular_ = false;
  uint64_t size_ = 0;
  std::vector<char> bytes_;
  size_t head_bytes_ = 0;
  size_t head_given_ = 0;  // bytes of the head that were handed out
  uint64_t read_bytes_ = 0;
};

// A file that is written in pieces; "-" is the standard output. Whoever looks at `path` finds the old content until
// finish(), then the new (NewFile). Who may read the file is as it was, and of a new one this user alone. A CommandError if an
// InputFile has read it, but for a capture.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path, FileReaders readers = FileReaders::kAsBefore);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  bool write(std::string_view piece);  // false: errno says why
  void finish();                       // a CommandError if anything failed

 private:
  [[noreturn]] void fail_to_write() const;

  const std::string path_;
  File stream_;  // the standard output; else not open
  NewFile file_;
  int error_ = 0;  // errno of the first failure
};

// How much of a long work is done, on the standard error if that is a terminal. Nothing if it is quick, and nothing is
// left of it on the terminal.
class Progress {
 public:
  enum class Unit { kBytes, kSpans };
  explicit Progress(std::string what, uint64_t all = 0, Unit unit = Unit::kBytes);  // 0: not known
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void add(size_t amount);

 private:
  const std::string what_;
  const uint64_t all_;
  const Unit unit_;
  const bool is_terminal_;
  const int64_t begin_ms_;
  int64_t shown_ms_ = 0;
  uint64_t done_ = 0;
};

// "██████████░░░░░░░░░░  50 % of 525.8 KiB, reading game.flamelet"; "132.5 MiB, writing game.json" if the end is not known.
std::string progress_text(const std::string& what, uint64_t done, uint64_t all,
                          Progress::Unit unit = Progress::Unit::kBytes);

// "525.8 KiB"
std::string bytes_text(uint64_t bytes);

// Fails as an OutputFile of this path would, before there is anything to write.
void check_output(const std::string& path);

// All of it, as an OutputFile.
void write_file(const std::string& path, std::string_view content);

// To the standard output; complains when it is full or closed.
void print(std::string_view text);

bool ends_with(std::string_view text, std::string_view end);

// The terminal's columns, or what COLUMNS says; `otherwise` where there is neither.
size_t terminal_columns(size_t otherwise = 100);
size_t terminal_rows();  // 24 where there is none

}  // namespace flamelet::tools
