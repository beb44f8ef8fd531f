// SPDX-License-Identifier: MIT
#include "capture/byte_ring.h"

#include <string.h>

namespace flamelet {

void ByteRing::attach(unsigned char* bytes, size_t size) {
  bytes_ = bytes;
  size_ = size;
  clear();
}

ByteRing::Head ByteRing::head_at(size_t offset) const {
  Head head;
  memcpy(&head, bytes_ + offset, sizeof head);
  return head;
}

void ByteRing::append(size_t bytes, uint32_t dropped) {
  const Head head = {static_cast<uint32_t>(bytes), dropped};
  memcpy(bytes_ + end_, &head, sizeof head);
  used_ += bytes;
  end_ = end_ + bytes == size_ ? 0 : end_ + bytes;
}

unsigned char* ByteRing::room(size_t most_bytes) {
  const size_t needed = sizeof(Head) + most_bytes;
  if (used_ == 0) begin_ = end_ = 0;
  const bool wraps = used_ != 0 && end_ <= begin_;
  if (!wraps && size_ - end_ < needed && begin_ >= needed) append(size_ - end_, 1);  // goes on at the start
  const size_t limit = used_ != 0 && end_ <= begin_ ? begin_ : size_;
  return limit - end_ < needed ? nullptr : bytes_ + end_ + sizeof(Head);
}

size_t ByteRing::keep(size_t bytes) {
  const size_t piece = end_ + sizeof(Head);
  append((sizeof(Head) + bytes + kAlignment - 1) & ~(kAlignment - 1), 0);
  return piece;
}

void ByteRing::drop(size_t piece) {
  Head head = head_at(piece - sizeof(Head));
  head.dropped = 1;
  memcpy(bytes_ + piece - sizeof(Head), &head, sizeof head);
  while (used_ != 0 && head_at(begin_).dropped != 0) {
    const size_t bytes = head_at(begin_).bytes;
    used_ -= bytes;
    begin_ = begin_ + bytes == size_ ? 0 : begin_ + bytes;
  }
}

}  // namespace flamelet
