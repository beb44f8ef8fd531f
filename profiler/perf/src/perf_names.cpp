// SPDX-License-Identifier: MIT
#include "perf_names.h"

#include <string.h>

namespace flamelet {

void PerfNames::attach(Entry* entries, uint32_t capacity, uint32_t* slots, char* bytes, size_t byte_capacity) {
  index_.attach(slots, HashIndex::slots_for(capacity));
  entries_ = entries;
  capacity_ = capacity;
  bytes_ = bytes;
  byte_capacity_ = byte_capacity;
  append({"(overflow)", 10});  // never found: a block may have this name
}

uint32_t PerfNames::intern(flamelet_string text) {
  const uint32_t hash = hash_of_text(text.text, text.size);
  const uint32_t found = index_.find(hash, [&](uint32_t at) {
    return entries_[at].size == text.size && memcmp(bytes_ + entries_[at].offset, text.text, text.size) == 0;
  });
  if (found != HashIndex::kNone) return found;
  if (count_ == capacity_ || text.size >= byte_capacity_ - byte_count_) {
    ++overflowed_;
    return 0;
  }
  index_.add(hash, count_);
  return append(text);
}

uint32_t PerfNames::append(flamelet_string text) {
  entries_[count_] = {byte_count_, text.size};
  memcpy(bytes_ + byte_count_, text.text, text.size);
  byte_count_ += text.size;
  bytes_[byte_count_++] = 0;
  return count_++;
}

flamelet_string PerfNames::get(uint32_t index) const {
  return {bytes_ + entries_[index].offset, entries_[index].size};
}

}  // namespace flamelet
