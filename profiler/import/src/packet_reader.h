// SPDX-License-Identifier: MIT
//
// packet_reader.h: the packets of a protobuf trace one by one, each whole in memory and none longer than a limit.
//
// A length is believed as far as bytes follow: the buffer grows with what was read, not with what was promised.
#ifndef FLAMELET_IMPORT_SRC_PACKET_READER_H
#define FLAMELET_IMPORT_SRC_PACKET_READER_H

#include <cstdint>
#include <cstring>
#include <protozero/data_view.hpp>
#include <vector>

namespace flamelet::formats {

// Source: size_t read(void* to, size_t count), which answers less than `count` only at the end.
template <class Source>
class PacketReader {
 public:
  enum class Result { kPacket, kOther, kEnd, kTruncated };

  explicit PacketReader(Source& in) : in_(in), buffer_(kReadBytes) {}

  // The next field of the file. kPacket: it is a packet, and `packet` is it until the next call. kOther: it is something
  // else, or longer than kMaxPacketBytes, and was skipped. kTruncated: the file ends inside of it, or it is none.
  Result next(protozero::data_view* packet) {
    uint64_t tag, value;
    while (fill(1) && buffer_[at_] == 0) ++at_;  // a file that was grown in advance ends in zeros, which are no field
    if (!fill(1)) return Result::kEnd;
    if (!read_varint(&tag)) return Result::kTruncated;
    switch (tag & 7) {
      case 0:
        return read_varint(&value) ? Result::kOther : Result::kTruncated;
      case 1:
        return skip(8) ? Result::kOther : Result::kTruncated;
      case 5:
        return skip(4) ? Result::kOther : Result::kTruncated;
      case 2:
        break;
      default:
        return Result::kTruncated;
    }
    if (!read_varint(&value)) return Result::kTruncated;
    if (tag >> 3 != 1 || value > kMaxPacketBytes) return skip(value) ? Result::kOther : Result::kTruncated;
    const auto size = static_cast<size_t>(value);
    if (!fill(size)) return Result::kTruncated;
    *packet = {buffer_.data() + at_, size};
    at_ += size;
    return Result::kPacket;
  }

  static constexpr size_t kMaxPacketBytes = size_t{16} << 20;

 private:
  static constexpr size_t kReadBytes = size_t{64} << 10;

  // At least `size` bytes from at_ on are in the buffer.
  bool fill(size_t size) {
    while (end_ - at_ < size) {
      if (at_ != 0) {
        memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
        end_ -= at_;
        at_ = 0;
      }
      if (end_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
      const size_t got = in_.read(buffer_.data() + end_, buffer_.size() - end_);
      if (got == 0) return false;
      end_ += got;
    }
    return true;
  }

  bool skip(uint64_t size) {
    while (size > end_ - at_) {
      size -= end_ - at_;
      at_ = end_ = 0;
      end_ = in_.read(buffer_.data(), buffer_.size());
      if (end_ == 0) return false;
    }
    at_ += static_cast<size_t>(size);
    return true;
  }

  bool read_varint(uint64_t* value) {
    *value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (!fill(1)) return false;
      const auto byte = static_cast<unsigned char>(buffer_[at_++]);
      *value |= shift < 64 ? uint64_t{byte & 0x7Fu} << shift : 0;
      if (byte < 0x80) return true;
    }
    return false;
  }

  Source& in_;
  std::vector<char> buffer_;
  size_t at_ = 0, end_ = 0;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_PACKET_READER_H
