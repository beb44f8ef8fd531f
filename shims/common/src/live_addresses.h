// SPDX-License-Identifier: MIT
//
// live_addresses.h: a table of allocations by address and pool. Zero is an empty one, so a static one needs no
// constructor. One thread at a time.
#ifndef FLAMELET_SHIM_LIVE_ADDRESSES_H
#define FLAMELET_SHIM_LIVE_ADDRESSES_H

#include <stdint.h>
#include <stdlib.h>

namespace flamelet {

struct Allocation {
  uintptr_t address;  // 0: none
  uint64_t size;
  uint32_t pool;
};

class LiveAddresses {
 public:
  enum class Added { kNew, kAgain, kNoMemory };

  // kAgain: the address was live, and `before` is the size that it had.
  Added add(const Allocation& allocation, uint64_t* before) {
    if (4 * (count_ + 1) > 3 * capacity_ && !grow()) return Added::kNoMemory;
    size_t place = find(allocation.address, allocation.pool);
    const bool again = entries_[place].address != 0;
    if (again)
      *before = entries_[place].size;
    else
      ++count_;
    entries_[place] = allocation;
    return again ? Added::kAgain : Added::kNew;
  }

  bool remove(uintptr_t address, uint32_t pool, uint64_t* size) {
    if (count_ == 0) return false;
    const size_t place = find(address, pool);
    if (entries_[place].address == 0) return false;
    *size = entries_[place].size;
    take_out(place);
    return true;
  }

  // Returns the bytes that were live there.
  uint64_t remove_pool(uint32_t pool) {
    uint64_t bytes = 0;
    for (size_t place = 0; place < capacity_;) {
      if (entries_[place].address != 0 && entries_[place].pool == pool) {
        bytes += entries_[place].size;
        take_out(place);  // moves another one here: look again
      } else {
        ++place;
      }
    }
    // What was moved over the end of the table to its begin was looked at; what came from its begin was, too.
    return bytes;
  }

 private:
  size_t first_place(uintptr_t address, uint32_t pool) const {
    return static_cast<size_t>(((uint64_t{address} ^ pool) * 0xD1342543DE82EF95u) >> 20) & (capacity_ - 1);
  }

  // Where it is, or where it belongs.
  size_t find(uintptr_t address, uint32_t pool) const {
    size_t place = first_place(address, pool);
    while (entries_[place].address != 0 && !(entries_[place].address == address && entries_[place].pool == pool))
      place = (place + 1) & (capacity_ - 1);
    return place;
  }

  // Moves what follows back, so that no search ends too early.
  void take_out(size_t place) {
    --count_;
    for (size_t next = place;;) {
      next = (next + 1) & (capacity_ - 1);
      if (entries_[next].address == 0) break;
      const size_t first = first_place(entries_[next].address, entries_[next].pool);
      if (((next - first) & (capacity_ - 1)) < ((next - place) & (capacity_ - 1))) continue;  // it would stand before
      entries_[place] = entries_[next];
      place = next;
    }
    entries_[place].address = 0;
  }

  bool grow() {
    Allocation* const old = entries_;
    const size_t old_capacity = capacity_;
    Allocation* entries =
        static_cast<Allocation*>(calloc(old_capacity == 0 ? 64 : 2 * old_capacity, sizeof(Allocation)));
    if (entries == nullptr) return false;
    entries_ = entries;
    capacity_ = old_capacity == 0 ? 64 : 2 * old_capacity;
    for (size_t i = 0; i < old_capacity; ++i)
      if (old[i].address != 0) entries_[find(old[i].address, old[i].pool)] = old[i];
    free(old);
    return true;
  }

  Allocation* entries_;
  size_t capacity_;  // a power of two, or 0
  size_t count_;
};

}  // namespace flamelet

#endif  // FLAMELET_SHIM_LIVE_ADDRESSES_H
