// SPDX-License-Identifier: MIT
//
// intern_table.h: an append-only set of byte strings with small ids, in fixed memory. Used twice: for strings, and for
// sites (whose bytes are a SiteRecord). Guarantees:
//   - the same bytes always give the same id and the same address, from any thread;
//   - lock-free: a thread that stops inside intern() blocks nobody;
//   - never overwritten: what was read once stays valid as long as the memory.
//
// Memory orders: an entry's bytes are written, then `entries[id]` is stored with release; every reader loads it with
// acquire. A hash slot is set by CAS with release after that, and loaded with acquire.
#ifndef FLAMELET_SRC_INTERN_TABLE_H
#define FLAMELET_SRC_INTERN_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "platform/atomic.h"

namespace flamelet {

class InternTable {
 private:
  struct Entry {
    uint32_t id;
    uint32_t size;
    char text[8];  // and on
  };

 public:
  static constexpr uint32_t kFull = UINT32_MAX;
  static constexpr uint32_t kMaxSize = 65535;  // longer bytes are refused

  // Bytes of memory for `max_entries` entries and `text_bytes` bytes of text; 16-byte aligned. Each entry takes its
  // size plus 9, rounded up to 8.
  static size_t required_bytes(uint32_t max_entries, size_t text_bytes);
  void create(void* memory, uint32_t max_entries, size_t text_bytes);

  // The id of these bytes, or kFull. New bytes are kept only if that much room is left afterwards.
  struct Room {
    uint32_t entries;
    size_t text_bytes;
  };
  uint32_t intern(const void* bytes, size_t size, Room left = {0, 0});
  // The same, but nothing is added: kFull if they are not there.
  uint32_t find(const void* bytes, size_t size) const;

  // The id of a pointer that text() returned; false for any other pointer. Reads nothing outside the table.
  bool find_id(const void* pointer, uint32_t* id) const {
    // 1 + the entry's offset. One pointer too many passes, that into the first entry's head, which nobody has.
    const uintptr_t offset = reinterpret_cast<uintptr_t>(pointer) - reinterpret_cast<uintptr_t>(before_texts_);
    if (offset >= text_bytes_) return false;
    // The bytes before an arbitrary pointer into the text may be anything, so the entry has to confirm them.
    __builtin_memcpy(id, before_texts_ + offset - offsetof(Entry, text), sizeof(*id));
    *id &= id_mask_;
    return entries_[*id].load_acquire() == offset;  // acquire: pairs with the release in append()
  }
  uint32_t id_of(const void* pointer) const {
    uint32_t id;
    return find_id(pointer, &id) ? id : kFull;
  }

  // What the table is searched by.
  static uint64_t hash(const void* bytes, size_t size);

  uint32_t count() const;
  uint32_t limit() const { return max_entries_; }
  size_t bytes_used() const;
  size_t bytes_limit() const { return text_bytes_; }

  // NULL for an id that does not exist or is still being written. text[size] is 0.
  const char* text(uint32_t id, size_t* size) const;

  // For readers of a copy of the memory: entry i is { uint32_t id, size; char text[size]; } at text_begin() +
  // entries_begin()[i] - 1, if that is not 0.
  const char* text_begin() const { return text_; }
  const Atomic<uint64_t>* entries_begin() const { return entries_; }

 private:
  uint32_t append(const void* bytes, size_t size, Room left);
  bool has(uint32_t id, const void* bytes, size_t size) const;
  const Entry* entry(uint32_t id) const;

  char* text_ = nullptr;
  const char* before_texts_ = nullptr;   // 1 before where the text of an entry at offset 0 stands
  uint32_t id_mask_ = 0;                 // there are as many places for entries
  Atomic<uint64_t>* entries_ = nullptr;  // offset + 1 of entry i, 0 = not yet written
  Atomic<uint32_t>* slots_ = nullptr;    // id + 1, 0 = free
  size_t text_bytes_ = 0;
  uint32_t max_entries_ = 0;
  uint32_t slot_mask_ = 0;
  Atomic<uint32_t> count_;
  Atomic<uint64_t> text_used_;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_INTERN_TABLE_H
