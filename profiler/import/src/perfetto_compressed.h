// SPDX-License-Identifier: MIT
//
// perfetto_compressed.h: what a piece of memory was before zlib compressed it, in pieces.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_COMPRESSED_H
#define FLAMELET_IMPORT_SRC_PERFETTO_COMPRESSED_H

#include <zlib.h>

#include <algorithm>
#include <new>
#include <protozero/data_view.hpp>

namespace flamelet::formats {

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

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_COMPRESSED_H
