// SPDX-License-Identifier: MIT
//
// output.h: bytes on their way out. A stage is whatever takes bytes in pieces: the caller's sink, a compressor before
// it. Output gathers small appends into large pieces for a stage.
#ifndef FLAMELET_EXPORT_SRC_OUTPUT_H
#define FLAMELET_EXPORT_SRC_OUTPUT_H

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "flamelet/export.h"

namespace flamelet::formats {

class Stage {
 public:
  virtual ~Stage() = default;
  // False: no more can be taken.
  virtual bool write(const void* data, size_t size) = 0;
  virtual bool finish() { return true; }
};

class SinkStage final : public Stage {
 public:
  explicit SinkStage(flamelet_sink sink) : sink_(sink) {}
  bool write(const void* data, size_t size) override {
    if (!sink_.write(sink_.user, data, size)) return false;
    bytes_ += size;
    return true;
  }
  uint64_t bytes() const { return bytes_; }

 private:
  flamelet_sink sink_;
  uint64_t bytes_ = 0;
};

class Output {
 public:
  explicit Output(Stage& stage) : stage_(stage), buffer_(kBufferBytes) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void append(std::string_view text) {
    if (text.size() > kBufferBytes - used_) {
      flush();
      if (text.size() > kBufferBytes) {
        if (!failed_) failed_ = !stage_.write(text.data(), text.size());
        return;
      }
    }
    memcpy(buffer_.data() + used_, text.data(), text.size());
    used_ += text.size();
  }

  // Room for `size` bytes, at most kMaxReserve; commit() says where they end.
  static constexpr size_t kMaxReserve = 1024;
  char* reserve(size_t size) {
    if (size > kBufferBytes - used_) flush();
    return buffer_.data() + used_;
  }
  void commit(const char* end) { used_ = static_cast<size_t>(end - buffer_.data()); }

  template <class Integer>
  void append_integer(Integer value) {
    char* at = reserve(24);
    commit(std::to_chars(at, at + 24, value).ptr);
  }

  // Also after a failure, when everything else is dropped.
  bool failed() const { return failed_; }
  bool finish() {
    flush();
    if (!failed_) failed_ = !stage_.finish();
    return !failed_;
  }

 private:
  static constexpr size_t kBufferBytes = size_t{256} << 10;

  void flush() {
    if (!failed_ && used_ != 0) failed_ = !stage_.write(buffer_.data(), used_);
    used_ = 0;
  }

  Stage& stage_;
  std::vector<char> buffer_;
  size_t used_ = 0;
  bool failed_ = false;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_EXPORT_SRC_OUTPUT_H
