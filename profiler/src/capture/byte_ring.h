// SPDX-License-Identifier: MIT
//
// byte_ring.h: pieces of bytes one behind the other in a block of memory that is a ring. They go in about the order in which
// they came: what is dropped out of turn is free once all before it is dropped too.
#ifndef FLAMELET_SRC_BYTE_RING_H
#define FLAMELET_SRC_BYTE_RING_H

#include <stddef.h>
#include <stdint.h>

namespace flamelet {

class ByteRing {
 public:
  static constexpr size_t kAlignment = 8;
  // What a piece takes besides its bytes.
  static constexpr size_t kPieceBytes = 16;

  // `size`: a multiple of kAlignment.
  void attach(unsigned char* bytes, size_t size);
  void clear() { begin_ = end_ = used_ = 0; }

  // Memory for the next piece; NULL if there are not so many bytes in a row.
  unsigned char* room(size_t most_bytes);
  // Keeps what was written there, and returns where it is.
  size_t keep(size_t bytes);
  void drop(size_t piece);
  const unsigned char* at(size_t piece) const { return bytes_ + piece; }
  // Of a piece, rounded up to kAlignment.
  size_t bytes_of(size_t piece) const { return head_at(piece - sizeof(Head)).bytes - sizeof(Head); }

  size_t size() const { return size_; }
  size_t used() const { return used_; }  // also by pieces that were dropped out of turn

 private:
  struct Head {
    uint32_t bytes;  // with the head, up to the next one
    uint32_t dropped;
  };
  Head head_at(size_t offset) const;
  void append(size_t bytes, uint32_t dropped);

  unsigned char* bytes_ = nullptr;
  size_t size_ = 0;
  size_t begin_ = 0;  // the oldest piece
  size_t end_ = 0;    // behind the newest one
  size_t used_ = 0;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_BYTE_RING_H
