// SPDX-License-Identifier: MIT
#include "record/intern_table.h"

#include <string.h>

#include "flamelet/detail/hash.h"
#include "record/clock.h"

namespace flamelet {
namespace {

constexpr size_t round_up(size_t size, size_t to) {
  return (size + to - 1) / to * to;
}

uint32_t slots_for(uint32_t max_entries) {
  uint32_t slots = 16;
  while (slots < 2 * max_entries) slots *= 2;  // at most half full: a probe always meets a free slot
  return slots;
}

uint32_t places_for(uint32_t max_entries) {
  uint32_t places = 1;
  while (places < max_entries) places *= 2;
  return places;
}

// Adds to a counter unless it would pass the limit. A loop and not fetch_add, so that a full table stays at its limit
// however often it is asked.
template <class Number>
bool take(Atomic<Number>* counter, Number amount, Number limit, Number* start) {
  for (;;) {
    const Number seen = counter->load_relaxed();  // relaxed: only reserves, publishes nothing
    if (seen > limit || amount > limit - seen) return false;
    *start = seen;
    if (counter->cas_relaxed(seen, seen + amount)) return true;
  }
}

}  // namespace

// Eight bytes at a time: the two halves of a product of 128 bits, folded, so that every bit of a word changes the low
// bits of the hash. The tail is padded with zeros, and the size tells paddings apart.
uint64_t InternTable::hash(const void* bytes, size_t size) {
  const char* at = static_cast<const char*>(bytes);
  uint64_t hash = kGoldenRatio ^ size;
  while (size != 0) {
    uint64_t word = 0;
    const size_t step = size < 8 ? size : 8;
    memcpy(&word, at, step);
    at += step;
    size -= step;
    const Wide product = Wide{hash ^ word} * 0xD6E8FEB86659FD93u;
    hash = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }
  return hash;
}

size_t InternTable::required_bytes(uint32_t max_entries, size_t text_bytes) {
  return round_up(text_bytes, 16) + round_up(sizeof(uint64_t) * places_for(max_entries), 16) +
         sizeof(uint32_t) * slots_for(max_entries);
}

void InternTable::create(void* memory, uint32_t max_entries, size_t text_bytes) {
  text_ = static_cast<char*>(memory);
  text_bytes_ = round_up(text_bytes, 16);
  entries_ = reinterpret_cast<Atomic<uint64_t>*>(text_ + text_bytes_);
  slots_ = reinterpret_cast<Atomic<uint32_t>*>(text_ + text_bytes_ +
                                               round_up(sizeof(uint64_t) * places_for(max_entries), 16));
  max_entries_ = max_entries;
  before_texts_ = text_ + offsetof(Entry, text) - 1;
  id_mask_ = places_for(max_entries) - 1;
  slot_mask_ = slots_for(max_entries) - 1;
  for (uint32_t i = 0; i <= id_mask_; ++i) entries_[i].store_relaxed(0);
  for (uint32_t i = 0; i <= slot_mask_; ++i) slots_[i].store_relaxed(0);
  // relaxed: the table is published by whoever publishes the session.
  count_.store_relaxed(0u);
  text_used_.store_relaxed(uint64_t{0});
}

const InternTable::Entry* InternTable::entry(uint32_t id) const {
  if (id >= max_entries_) return nullptr;
  const uint64_t offset = entries_[id].load_acquire();  // pairs with the release in append()
  return offset == 0 ? nullptr : reinterpret_cast<const Entry*>(text_ + (offset - 1));
}

uint32_t InternTable::append(const void* bytes, size_t size, Room left) {
  uint32_t id = 0;
  uint64_t offset = 0;
  const uint64_t room = round_up(offsetof(Entry, text) + size + 1, 8);
  // The text first: if only the entries are full, the text that was taken is lost, but no id is left without text.
  if (count_.load_relaxed() >= max_entries_ - left.entries) return kFull;
  if (!take(&text_used_, room, uint64_t{text_bytes_ - left.text_bytes}, &offset)) return kFull;
  if (!take(&count_, 1u, max_entries_ - left.entries, &id)) return kFull;
  Entry* made = reinterpret_cast<Entry*>(text_ + offset);
  made->id = id;
  made->size = static_cast<uint32_t>(size);
  // Not through made->text: the text goes on beyond that array's eight bytes.
  char* text = text_ + offset + offsetof(Entry, text);
  if (size != 0) memcpy(text, bytes, size);
  text[size] = 0;
  entries_[id].store_release(offset + 1);  // pairs with the acquire in entry()
  return id;
}

// Slots of its own: a HashIndex has one writer.
uint32_t InternTable::intern(const void* bytes, size_t size, Room left) {
  if (size > kMaxSize) return kFull;
  uint32_t mine = kFull;
  for (uint32_t slot = static_cast<uint32_t>(hash(bytes, size)) & slot_mask_;; slot = (slot + 1) & slot_mask_) {
    uint32_t seen = slots_[slot].load_acquire();  // pairs with the CAS below
    if (seen == 0) {
      if (mine == kFull && (mine = append(bytes, size, left)) == kFull) return kFull;
      if (slots_[slot].cas_release(0, mine + 1)) return mine;
      seen = slots_[slot].load_acquire();
      // Another thread took the slot; `seen` is its id. If its bytes are ours too, our copy stays unused.
    }
    if (has(seen - 1, bytes, size)) return seen - 1;
  }
}

uint32_t InternTable::find(const void* bytes, size_t size) const {
  for (uint32_t slot = static_cast<uint32_t>(hash(bytes, size)) & slot_mask_;; slot = (slot + 1) & slot_mask_) {
    const uint32_t seen = slots_[slot].load_acquire();  // pairs with the CAS in intern()
    if (seen == 0) return kFull;
    if (has(seen - 1, bytes, size)) return seen - 1;
  }
}

bool InternTable::has(uint32_t id, const void* bytes, size_t size) const {
  const Entry* other = entry(id);
  return other->size == size && (size == 0 || memcmp(other->text, bytes, size) == 0);
}

uint32_t InternTable::count() const {
  return count_.load_relaxed();
}
size_t InternTable::bytes_used() const {
  return static_cast<size_t>(text_used_.load_relaxed());
}

const char* InternTable::text(uint32_t id, size_t* size) const {
  const Entry* found = entry(id);
  if (found == nullptr) return nullptr;
  *size = found->size;
  return found->text;
}

}  // namespace flamelet
