// SPDX-License-Identifier: MIT
//
// perf_names.h: the names of PERF blocks, copied, so that they outlive a session and mean the same in the next. Index 0
// is "(overflow)".
#ifndef FLAMELET_PERF_SRC_NAMES_H
#define FLAMELET_PERF_SRC_NAMES_H

#include "flamelet/base.h"
#include "platform/hash_index.h"

namespace flamelet {

class PerfNames {
 public:
  struct Entry {
    size_t offset;
    size_t size;
  };

  // `slots`: HashIndex::slots_for(capacity); capacity >= 1, byte_capacity >= kMinBytes.
  static constexpr size_t kMinBytes = 16;
  void attach(Entry* entries, uint32_t capacity, uint32_t* slots, char* bytes, size_t byte_capacity);

  // 0 if there is no room for it; counted.
  uint32_t intern(flamelet_string text);
  flamelet_string get(uint32_t index) const;
  uint32_t count() const { return count_; }
  uint64_t overflowed() const { return overflowed_; }

 private:
  uint32_t append(flamelet_string text);

  HashIndex index_;
  Entry* entries_ = nullptr;
  char* bytes_ = nullptr;
  uint32_t capacity_ = 0;
  uint32_t count_ = 0;
  size_t byte_capacity_ = 0;
  size_t byte_count_ = 0;
  uint64_t overflowed_ = 0;
};

}  // namespace flamelet

#endif  // FLAMELET_PERF_SRC_NAMES_H
