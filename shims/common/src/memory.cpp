// SPDX-License-Identifier: MIT
//
// memory.cpp: pools of memory and the addresses that are live in them. The table of addresses is cut into shards, so
// that threads seldom meet; its memory comes from malloc(), which a program's operator new does not see.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "flamelet/detail/hash.h"
#include "flamelet_shim/calls.h"
#include "platform/thread_local.h"
#include "spin_lock.h"

namespace flamelet {
namespace {

// ---- live addresses: a table of allocations by address and pool. Zero is an empty one, so a static one needs no
// constructor. One thread at a time.

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

// ---- memory

constexpr uint32_t kMaxPools = 64;  // the last one is for all others
constexpr uint32_t kShards = 64;
constexpr const char* kCategory = "memory";

struct Pool {
  char name[80];
  char live_name[96], alloc_name[96], free_name[96];  // of the counters, with their units
  flamelet_site live, allocated, freed;
  Atomic<uint64_t> bytes;
};
Pool pools[kMaxPools] = {};
Atomic<uint32_t> pool_count;  // pools below it are whole
Atomic<uint32_t> pools_lock;  // of who adds

struct alignas(64) Shard {
  Atomic<uint32_t> lock;
  LiveAddresses addresses;
};
Shard shards[kShards] = {};

// malloc() may be the program's own and tell of what it does, while a shard is locked.
FLAMELET_THREAD_LOCAL_ bool inside;
class Entry {
 public:
  Entry() : allowed_(!inside) {
    if (allowed_)
      inside = true;
    else
      flamelet_shim_note_(FLAMELET_SHIM_NOTE_MEMORY_NESTED_);
  }
  ~Entry() {
    if (allowed_) inside = false;
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;
  explicit operator bool() const { return allowed_; }

 private:
  bool allowed_;
};

void make_site(flamelet_site* site, const char* name) {
  *site = {0, name, kCategory, "", "", 0, 0};
}

// `text` and `end`, cut where there is no room.
void join(char* to, size_t room, const char* text, const char* end) {
  size_t size = strlen(text);
  const size_t end_size = strlen(end);
  if (size + end_size >= room) size = room - 1 - end_size;
  memcpy(to, text, size);
  memcpy(to + size, end, end_size + 1);
}

void make_pool(Pool* pool, const char* name) {
  join(pool->name, sizeof(pool->name), name, "");
  join(pool->live_name, sizeof(pool->live_name), name, " (B)");
  join(pool->alloc_name, sizeof(pool->alloc_name), name, " alloc (B each)");
  join(pool->free_name, sizeof(pool->free_name), name, " free (B each)");
  make_site(&pool->live, pool->live_name);
  make_site(&pool->allocated, pool->alloc_name);
  make_site(&pool->freed, pool->free_name);
}

Pool* find_pool(const char* name, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (strncmp(pools[i].name, name, sizeof(pools[i].name) - 1) == 0) return &pools[i];
  return nullptr;
}

Pool* pool_of(const char* name) {
  if (name == nullptr) name = kCategory;
  Pool* pool = find_pool(name, pool_count.load_acquire());  // pairs with the release below
  if (pool != nullptr) return pool;
  const SpinGuard guard(pools_lock);
  const uint32_t count = pool_count.load_relaxed();
  pool = find_pool(name, count);
  if (pool != nullptr) return pool;
  if (count >= kMaxPools - 1) {
    flamelet_shim_note_(FLAMELET_SHIM_NOTE_MEMORY_POOLS_);
    if (count == kMaxPools) return &pools[kMaxPools - 1];
    name = "other pools";
  }
  make_pool(&pools[count], name);
  pool_count.store_release(count + 1);
  return &pools[count];
}

uint32_t number_of(const Pool* pool) {
  return static_cast<uint32_t>(pool - pools);
}

Shard& shard_of(uintptr_t address) {
  return shards[flamelet::spread_key(address) >> 58];
}

void record(Pool* pool, flamelet_site* event, uint64_t size, uint64_t live) {
  flamelet_site_counter_(event, static_cast<double>(size));
  flamelet_site_counter_(&pool->live, static_cast<double>(live));
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

void flamelet_shim_alloc(const void* address, size_t size, const char* pool_name) {
  const Entry entry;
  if (!entry || address == nullptr) return;
  Pool* pool = pool_of(pool_name);
  Shard& shard = shard_of(reinterpret_cast<uintptr_t>(address));
  uint64_t before = 0;
  LiveAddresses::Added added;
  {
    const SpinGuard guard(shard.lock);
    added = shard.addresses.add({reinterpret_cast<uintptr_t>(address), size, number_of(pool)}, &before);
  }
  if (added == LiveAddresses::Added::kNoMemory) {
    flamelet_shim_note_(FLAMELET_SHIM_NOTE_ALLOC_UNTRACKED_);
    return;
  }
  if (added == LiveAddresses::Added::kAgain) flamelet_shim_note_(FLAMELET_SHIM_NOTE_ALLOC_TWICE_);
  record(pool, &pool->allocated, size, pool->bytes.fetch_add_relaxed(size - before) + size - before);
}

void flamelet_shim_free(const void* address, const char* pool_name) {
  const Entry entry;
  if (!entry || address == nullptr) return;
  Pool* pool = pool_of(pool_name);
  Shard& shard = shard_of(reinterpret_cast<uintptr_t>(address));
  uint64_t size = 0;
  bool known;
  {
    const SpinGuard guard(shard.lock);
    known = shard.addresses.remove(reinterpret_cast<uintptr_t>(address), number_of(pool), &size);
  }
  if (!known) return flamelet_shim_note_(FLAMELET_SHIM_NOTE_FREE_UNKNOWN_);
  record(pool, &pool->freed, size, pool->bytes.fetch_sub_relaxed(size) - size);
}

void flamelet_shim_discard(const char* pool_name) {
  const Entry entry;
  if (!entry) return;
  Pool* pool = pool_of(pool_name);
  uint64_t size = 0;
  for (Shard& shard : shards) {
    const SpinGuard guard(shard.lock);
    size += shard.addresses.remove_pool(number_of(pool));
  }
  if (size != 0) record(pool, &pool->freed, size, pool->bytes.fetch_sub_relaxed(size) - size);
}
