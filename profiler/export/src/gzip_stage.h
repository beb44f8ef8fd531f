// SPDX-License-Identifier: MIT
//
// gzip_stage.h: compresses what passes, for another stage.
#ifndef FLAMELET_EXPORT_SRC_GZIP_STAGE_H
#define FLAMELET_EXPORT_SRC_GZIP_STAGE_H

#include <zlib.h>

#include <new>
#include <vector>

#include "output.h"

namespace flamelet::formats {

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

#endif  // FLAMELET_EXPORT_SRC_GZIP_STAGE_H
