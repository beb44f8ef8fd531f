// SPDX-License-Identifier: MIT
#include "perf_names.h"

#include <string.h>

namespace flamelet {

void PerfNames::attach(Entry* entries, uint32_t capacity, uint32_t* buckets, char* bytes, size_t byte_capacity) {
  entries_ = entries;
  capacity_ = capacity;
  buckets_ = buckets;
  bytes_ = bytes;
  byte_capacity_ = byte_capacity;
  append({"(overflow)", 10});
}

uint32_t PerfNames::intern(flamelet_string text) {
  uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (size_t i = 0; i < text.size; ++i) hash = (hash ^ static_cast<unsigned char>(text.text[i])) * 0x100000001B3u;
  uint32_t* link = &buckets_[(hash >> 32) % kBuckets];
  for (uint32_t at = *link; at != 0; at = entries_[at].next)
    if (entries_[at].size == text.size && memcmp(bytes_ + entries_[at].offset, text.text, text.size) == 0) return at;
  if (count_ == capacity_ || text.size >= byte_capacity_ - byte_count_) {
    ++overflowed_;
    return 0;
  }
  const uint32_t index = append(text);
  entries_[index].next = *link;
  *link = index;
  return index;
}

uint32_t PerfNames::append(flamelet_string text) {
  entries_[count_] = {byte_count_, text.size, 0};
  memcpy(bytes_ + byte_count_, text.text, text.size);
  byte_count_ += text.size;
  bytes_[byte_count_++] = 0;
  return count_++;
}

flamelet_string PerfNames::get(uint32_t index) const {
  return {bytes_ + entries_[index].offset, entries_[index].size};
}

}  // namespace flamelet
