// SPDX-License-Identifier: MIT
#include "files.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "command.h"
#include "display_text.h"

namespace flamelet::tools {
namespace {

[[noreturn]] void fail(ExitCode code, const std::string& what, const std::string& path) {
  const char* const reason = std::strerror(errno);
  throw CommandError(code, what + " " + printable(path) + ": " + reason);
}

constexpr size_t kPieceBytes = size_t{1} << 20;

int64_t now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace

InputFile::InputFile(const std::string& path)
    : path_(path), number_(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (number_ < 0) fail(kExitInput, "cannot open", path_);
  struct stat status = {};
  if (fstat(number_, &status) != 0) fail(kExitInput, "cannot read", path_);
  is_regular_ = S_ISREG(status.st_mode) && path != "-";
  size_ = S_ISREG(status.st_mode) ? status.st_size : 0;
}

InputFile::~InputFile() {
  if (number_ > STDERR_FILENO) ::close(number_);
}

// The next bytes, to bytes_[from]; 0 at the end.
size_t InputFile::fill(size_t from) {
  for (;;) {
    const ssize_t count = ::read(number_, bytes_.data() + from, bytes_.size() - from);
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) fail(kExitInput, "cannot read", path_);
  }
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
  Progress progress("reading " + (path_ == "-" ? "standard input" : printable(path_)), static_cast<uint64_t>(size_));
  const auto give = [&](size_t count) {
    read_bytes_ += static_cast<int64_t>(count);
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
  for (;;) {
    const ssize_t result = ::read(number_, to, size);
    if (result < 0 && errno == EINTR) continue;
    *count = result < 0 ? 0 : static_cast<size_t>(result);
    return result >= 0;
  }
}

bool InputFile::read_at(uint64_t offset, char* to, size_t size) const {
  while (size != 0) {
    const ssize_t result = pread(number_, to, size, static_cast<off_t>(offset));
    if (result < 0 && errno == EINTR) continue;
    if (result == 0) errno = EIO;  // it was longer before
    if (result <= 0) return false;
    to += result;
    offset += static_cast<uint64_t>(result);
    size -= static_cast<size_t>(result);
  }
  return true;
}

bool InputFile::is_removed() const {
  struct stat status = {};
  return is_regular_ && fstat(number_, &status) == 0 && status.st_nlink == 0;
}

bool InputFile::restart_if_cut() {
  struct stat status = {};
  if (!is_regular_ || fstat(number_, &status) != 0 || status.st_size >= read_bytes_) return false;
  read_bytes_ = 0;
  lseek(number_, 0, SEEK_SET);
  return true;
}

OutputFile::OutputFile(const std::string& path) : path_(path), number_(STDOUT_FILENO) {
  if (path == "-") return;
  struct stat old = {};
  const bool is_there = stat(path.c_str(), &old) == 0;
  if (is_there && S_ISDIR(old.st_mode)) {
    errno = EISDIR;
    fail(kExitOutput, "cannot write", path_);
  }
  if (is_there && !S_ISREG(old.st_mode)) {
    number_ = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (number_ < 0) fail(kExitOutput, "cannot write", path_);
    return;
  }
  temporary_ = path + ".XXXXXX";
  number_ = mkostemp(temporary_.data(), O_CLOEXEC);  // O_EXCL, mode 0600
  if (number_ < 0) fail(kExitOutput, "cannot write", path_);
  const mode_t hidden = umask(0);
  umask(hidden);
  // Where the file system knows no modes, the file is as good without.
  [[maybe_unused]] const int ignored = fchmod(number_, is_there ? old.st_mode & 0777 : 0666 & ~hidden);
}

OutputFile::~OutputFile() {
  if (path_ != "-" && number_ >= 0) ::close(number_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

bool OutputFile::write(std::string_view piece) {
  if (error_ == 0 && !write_all(number_, piece)) error_ = errno;
  errno = error_;
  return error_ == 0;
}

void OutputFile::finish() {
  const char* const name = path_ == "-" ? "to the standard output" : path_.c_str();
  errno = error_;
  if (error_ != 0) fail(kExitOutput, "cannot write", name);
  if (path_ == "-") return;
  if (temporary_.empty()) {
    if (::close(std::exchange(number_, -1)) != 0) fail(kExitOutput, "cannot write", name);
    return;
  }
  if (fsync(number_) != 0 || ::close(std::exchange(number_, -1)) != 0 ||
      std::rename(temporary_.c_str(), path_.c_str()) != 0)
    fail(kExitOutput, "cannot write", name);
  temporary_.clear();
}

void check_output(const std::string& path) {
  struct stat old = {};
  const bool is_opened = stat(path.c_str(), &old) == 0 && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode);
  // Whoever reads a pipe would take a first opening for all.
  if (path != "-" && !is_opened) const OutputFile file(path);
}

void write_file(const std::string& path, std::string_view content) {
  OutputFile file(path);
  file.write(content);
  file.finish();
}

Progress::Progress(std::string what, uint64_t all, Unit unit)
    : what_(std::move(what)), all_(all), unit_(unit), is_terminal_(isatty(STDERR_FILENO) == 1), begin_ms_(now_ms()) {}

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
  winsize size = {};
  const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  const std::string line = progress_text(what_, done_, all_, unit_);
  std::fprintf(stderr, "\r%s\033[K", cut_to(line, is_known ? size.ws_col - 1u : 79).c_str());  // it must not wrap
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
  if (!write_all(STDOUT_FILENO, text)) fail(kExitOutput, "cannot write to", "the standard output");
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

size_t terminal_rows() {
  winsize size = {};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row != 0 ? size.ws_row : 24;
}

size_t terminal_columns(size_t otherwise) {
  constexpr size_t kLeast = 40;
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return std::max<size_t>(size.ws_col, kLeast);
  if (const char* text = std::getenv("COLUMNS")) {
    size_t columns = 0;
    if (std::from_chars(text, text + std::strlen(text), columns).ec == std::errc() && columns != 0)
      return std::clamp<size_t>(columns, kLeast, 1000);
  }
  return otherwise;
}

}  // namespace flamelet::tools
