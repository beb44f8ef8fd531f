// SPDX-License-Identifier: MIT
#include "files.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "command_line.h"
#include "display_text.h"
#include "platform/system.h"

namespace flamelet::tools {
namespace {

[[noreturn]] void fail(ExitCode code, const std::string& what, const std::string& path) {
  const char* const reason = std::strerror(errno);
  throw CommandError(code, what + " " + printable(path) + ": " + reason);
}

// Regular files that were opened to be read.
std::vector<std::string>& inputs() {
  static std::vector<std::string> paths;
  return paths;
}

constexpr size_t kPieceBytes = size_t{1} << 20;

int64_t now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

InputFile::InputFile(const std::string& path) : path_(path) {
  const bool is_open =
      path == "-" ? file_.open_standard(StandardStream::kInput) : file_.open(path.c_str(), FileUse::kReadStream);
  if (!is_open) fail(kExitInput, "cannot open", path_);
  is_regular_ = file_.get_size(&size_) && path != "-";
  if (is_regular_) inputs().push_back(path);
}

// The next bytes, to bytes_[from]; 0 at the end.
size_t InputFile::fill(size_t from) {
  const int64_t count = file_.read_next(bytes_.data() + from, bytes_.size() - from);
  if (count < 0) fail(kExitInput, "cannot read", path_);
  return static_cast<size_t>(count);
}

std::string_view InputFile::head() {
  constexpr size_t kHeadBytes = 4096;
  if (bytes_.empty()) bytes_.resize(kPieceBytes);
  while (head_bytes_ < kHeadBytes) {
    const size_t count = fill(head_bytes_);
    if (count == 0) break;
    head_bytes_ += count;
  }
  return {bytes_.data(), head_bytes_};
}

void InputFile::read(const std::function<void(std::string_view piece)>& take) {
  Progress progress("reading " + (path_ == "-" ? "standard input" : printable(path_)), size_);
  const auto give = [&](size_t count) {
    read_bytes_ += count;
    take({bytes_.data(), count});
    progress.add(count);
  };
  if (bytes_.empty()) bytes_.resize(kPieceBytes);
  if (std::exchange(head_given_, head_bytes_) != head_bytes_) give(head_bytes_);
  for (size_t count = fill(0); count != 0; count = fill(0)) give(count);
}

bool InputFile::pull(char* to, size_t size, size_t* count) {
  *count = std::min(size, head_bytes_ - head_given_);
  if (*count != 0) {
    std::memcpy(to, bytes_.data() + head_given_, *count);
    head_given_ += *count;
    return true;
  }
  const int64_t result = file_.read_next(to, size);
  *count = result < 0 ? 0 : static_cast<size_t>(result);
  return result >= 0;
}

bool InputFile::read_at(uint64_t offset, char* to, size_t size) const {
  while (size != 0) {
    const int64_t result = file_.read_at(offset, to, size);
    if (result == 0) errno = EIO;  // it was longer before
    if (result <= 0) return false;
    to += result;
    offset += static_cast<uint64_t>(result);
    size -= static_cast<size_t>(result);
  }
  return true;
}

bool InputFile::is_removed() const {
  return is_regular_ && file_.is_removed();
}

bool InputFile::restart_if_cut() {
  uint64_t size = 0;
  if (!is_regular_ || !file_.get_size(&size) || size >= read_bytes_) return false;
  read_bytes_ = 0;
  file_.rewind();
  return true;
}

OutputFile::OutputFile(const std::string& path, FileReaders readers) : path_(path) {
  std::error_code ignored;
  for (const std::string& input : inputs())
    if (readers == FileReaders::kAsBefore &&  // a capture may be saved where it was
        std::filesystem::equivalent(std::filesystem::u8path(input), std::filesystem::u8path(path), ignored))
      throw CommandError(kExitUsage, "cannot write " + printable(path) + ": it is read for that");
  const bool is_open = path == "-" ? stream_.open_standard(StandardStream::kOutput) : file_.open(path.c_str(), readers);
  if (!is_open) fail_to_write();
  if (path != "-") set_unfinished(file_.temporary());
}

OutputFile::~OutputFile() {
  file_.discard();
  set_unfinished("");
}

void OutputFile::fail_to_write() const {
  fail(kExitOutput, "cannot write", path_ == "-" ? "to the standard output" : path_);
}

bool OutputFile::write(std::string_view piece) {
  const auto write_to = [&](auto& file) { return file.write(piece.data(), piece.size()); };
  if (error_ == 0 && !(stream_.is_open() ? write_to(stream_) : write_to(file_))) error_ = errno;
  errno = error_;
  return error_ == 0;
}

void OutputFile::finish() {
  errno = error_;
  if (error_ != 0 || !(stream_.is_open() ? stream_.close() : file_.commit())) fail_to_write();
}

void check_output(const std::string& path) {
  // Whoever reads a pipe would take a first opening for all.
  if (path != "-" && kind_of_path(path.c_str()) != PathKind::kOther) const OutputFile file(path);
}

void write_file(const std::string& path, std::string_view content) {
  OutputFile file(path);
  file.write(content);
  file.finish();
}

Progress::Progress(std::string what, uint64_t all, Unit unit)
    : what_(std::move(what)), all_(all), unit_(unit), is_terminal_(is_terminal(Stream::kError)), begin_ms_(now_ms()) {}

Progress::~Progress() {
  if (shown_ms_ != 0) std::fprintf(stderr, "\r\033[K");
}

void Progress::add(size_t amount) {
  constexpr int64_t kPatienceMs = 500, kBetweenMs = 100;
  done_ += amount;
  if (!is_terminal_) return;
  const int64_t time_ms = now_ms();
  if (time_ms - begin_ms_ < kPatienceMs || time_ms - shown_ms_ < kBetweenMs) return;
  shown_ms_ = time_ms;
  const size_t columns = terminal_size(Stream::kError).columns;
  const std::string line = progress_text(what_, done_, all_, unit_);
  std::fprintf(stderr, "\r%s\033[K", cut_to(line, columns != 0 ? columns - 1 : 79).c_str());  // it must not wrap
}

std::string progress_text(const std::string& what, uint64_t done, uint64_t all, Progress::Unit unit) {
  const auto text_of = [&](uint64_t amount) {
    return unit == Progress::Unit::kBytes ? bytes_text(amount) : std::to_string(amount) + " spans";
  };
  if (all == 0) return text_of(done) + ", " + what;
  const double share = static_cast<double>(std::min(done, all)) / static_cast<double>(all);
  constexpr int kCells = 20;
  std::string bar;
  for (int cell = 0; cell < kCells; ++cell) bar += cell + 0.5 < share * kCells ? "█" : "░";
  return bar + right(fixed(std::floor(share * 100), 0), 4) + " % of " + text_of(all) + ", " + what;
}

std::string bytes_text(uint64_t bytes) {
  const double number = static_cast<double>(bytes);
  if (bytes < 10000) return std::to_string(bytes) + " bytes";
  if (bytes < 10000 * 1024) return fixed(number / 1024, 1) + " KiB";
  return fixed(number / 1024 / 1024, 1) + " MiB";
}

void print(std::string_view text) {
  OutputFile output("-");
  output.write(text);
  output.finish();
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

size_t terminal_rows() {
  const size_t rows = terminal_size(Stream::kOutput).rows;
  return rows != 0 ? rows : 24;
}

size_t terminal_columns(size_t otherwise) {
  constexpr size_t kLeast = 40;
  if (const size_t columns = terminal_size(Stream::kOutput).columns; columns != 0) return std::max(columns, kLeast);
  if (const char* text = std::getenv("COLUMNS")) {
    size_t columns = 0;
    if (std::from_chars(text, text + std::strlen(text), columns).ec == std::errc() && columns != 0)
      return std::clamp<size_t>(columns, kLeast, 1000);
  }
  return otherwise;
}

}  // namespace flamelet::tools
