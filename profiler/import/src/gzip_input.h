// SPDX-License-Identifier: MIT
//
// gzip_input.h: the bytes of a trace in order, decompressed if they were gzipped, and as UTF-8 if they are text in UTF-16.
#ifndef FLAMELET_IMPORT_SRC_GZIP_INPUT_H
#define FLAMELET_IMPORT_SRC_GZIP_INPUT_H

#include <zlib.h>
#include <algorithm>
#include <cstdint>
#include <new>
#include <protozero/data_view.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "flamelet/import.h"

namespace flamelet::formats {

class Input {
 public:
  // Hands out no more than `max_bytes`.
  Input(flamelet_source source, uint64_t max_bytes);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // The first bytes, up to kPeekBytes, without taking them. For telling the format.
  static constexpr size_t kPeekBytes = 256;
  std::string_view peek();

  // Less than `count` bytes only at the end.
  size_t read(void* to, size_t count);

  uint64_t bytes() const { return bytes_; }  // read so far
  bool gzip() const { return gzip_; }
  bool utf16() const { return utf16_; }                          // what is read is UTF-8 nevertheless
  uint64_t halves_repaired() const { return halves_repaired_; }  // of pairs of surrogates, which became U+FFFD
  bool failed() const { return failed_; }                        // the source said that it cannot read
  bool cut_off() const { return cut_off_; }  // the compressed data ends early, or is damaged, or max_bytes were read
  bool gzip_damaged() const { return gzip_damaged_; }  // it, or its checksum: then nothing need be cut off

 private:
  static constexpr size_t kRawBytes = size_t{64} << 10;

  bool fill();  // more raw bytes; false at the end
  size_t read_source(char* to, size_t size);
  size_t take(char* to, size_t count);
  size_t unpack(char* to, size_t count);
  bool read_utf16();
  size_t inflate_some(char* to, size_t count);
  void end_damaged(const char* why);

  flamelet_source source_;
  uint64_t source_at_ = 0;
  uint64_t max_bytes_;
  uint64_t bytes_ = 0;
  std::vector<char> raw_;
  size_t raw_at_ = 0;
  size_t raw_end_ = 0;
  bool raw_ended_ = false;
  std::vector<char> peeked_;
  size_t peeked_at_ = 0;
  bool has_peeked_ = false;
  bool utf16_ = false;
  size_t high_byte_ = 0;    // of two, in UTF-16
  uint32_t high_half_ = 0;  // of a pair of surrogates that is not whole yet; 0: none
  uint64_t halves_repaired_ = 0;
  std::string text_;  // in UTF-8, a piece of what was UTF-16
  size_t text_at_ = 0;
  z_stream stream_ = {};
  bool gzip_ = false;
  bool stream_ended_ = false;  // between two gzip members
  bool failed_ = false;
  bool cut_off_ = false;
  bool gzip_damaged_ = false;
};

// Perfetto compressed: what a piece of memory was before zlib compressed it, in pieces.

class InflateSource {
 public:
  // Not more than `max_bytes` come out. `bytes` are less than 4 GiB.
  InflateSource(protozero::data_view bytes, size_t max_bytes) : left_(max_bytes) {
    stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    if (inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
  }
  ~InflateSource() { inflateEnd(&stream_); }
  InflateSource(const InflateSource&) = delete;
  InflateSource& operator=(const InflateSource&) = delete;

  size_t read(void* to, size_t count) {
    count = std::min({count, left_, size_t{1} << 30});
    if (ended_ || count == 0) return 0;
    stream_.next_out = static_cast<unsigned char*>(to);
    stream_.avail_out = static_cast<uInt>(count);
    const int answer = inflate(&stream_, Z_NO_FLUSH);
    ended_ = answer != Z_OK || stream_.avail_out != 0;
    whole_ = answer == Z_STREAM_END;
    const size_t made = count - stream_.avail_out;
    left_ -= made;
    bytes_ += made;
    return made;
  }
  size_t bytes() const { return bytes_; }  // that came out
  // What came out is not all that went in.
  bool damaged() const { return !whole_; }

 private:
  z_stream stream_ = {};
  size_t left_;
  size_t bytes_ = 0;
  bool ended_ = false, whole_ = false;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_GZIP_INPUT_H
