// SPDX-License-Identifier: MIT
//
// output.h: bytes on their way out. A stage is whatever takes bytes in pieces: the caller's sink, a compressor before
// it. Output gathers small appends into large pieces for a stage.
#ifndef FLAMELET_EXPORT_SRC_OUTPUT_H
#define FLAMELET_EXPORT_SRC_OUTPUT_H

#include <zlib.h>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "flamelet/base.h"
#include "flamelet/export.h"

namespace flamelet::formats {

// Text: names as other programs accept them.

inline std::string_view view(flamelet_string text) {
  return {text.text, text.size};
}

// A name has no more than this, also where the replacements make it longer: then its end is cut off.
inline constexpr size_t kMaxTextBytes = 65535;

// Appends `text`, with U+FFFD for every byte that is in no UTF-8 sequence. True if there was none.
bool append_utf8(std::string_view text, std::string* to);

// Appends `text` as a JSON string, quotes included. Control characters, quotes and backslashes are escaped.
bool append_json_string(std::string_view text, std::string* to);

// Appends `text` as one frame of a collapsed stack: what separates frames and lines becomes ':' and ' '.
bool append_collapsed_frame(std::string_view text, std::string* to);

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

// Gzip stage: compresses what passes, for another stage.

class GzipStage final : public Stage {
 public:
  explicit GzipStage(Stage& next) : next_(next), buffer_(size_t{64} << 10) {
    // 15 bits of window, and 16 for gzip's header, which zlib leaves without a time: equal input, equal output.
    // Level 1: a trace is large and repeats itself, so speed matters more than the last tenth of size.
    if (deflateInit2(&stream_, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  }
  ~GzipStage() override { deflateEnd(&stream_); }
  GzipStage(const GzipStage&) = delete;
  GzipStage& operator=(const GzipStage&) = delete;

  bool write(const void* data, size_t size) override {
    const auto* at = static_cast<const unsigned char*>(data);
    while (size != 0) {
      const size_t piece = size < kPiece ? size : kPiece;
      stream_.next_in = const_cast<unsigned char*>(at);
      stream_.avail_in = static_cast<uInt>(piece);
      if (!drain(Z_NO_FLUSH)) return false;
      at += piece;
      size -= piece;
    }
    return true;
  }
  bool finish() override { return drain(Z_FINISH) && next_.finish(); }

 private:
  static constexpr size_t kPiece = size_t{1} << 30;  // zlib counts in 32 bits

  bool drain(int flush) {
    do {
      stream_.next_out = buffer_.data();
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&stream_, flush);
      const size_t made = buffer_.size() - stream_.avail_out;
      if (made != 0 && !next_.write(buffer_.data(), made)) return false;
    } while (stream_.avail_out == 0);
    return true;
  }

  Stage& next_;
  z_stream stream_ = {};
  std::vector<unsigned char> buffer_;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_EXPORT_SRC_OUTPUT_H
