// SPDX-License-Identifier: MIT
#include "capture/page_store.h"

#include <string.h>

namespace flamelet {

// ---- byte ring

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

void PageStore::attach(const Memory& memory, const Sizes& sizes) {
  memory_ = memory;
  capacity_ = sizes.pages;
  raw_count_ = sizes.raw_pages;
  packed_.attach(memory.packed, sizes.packed_bytes);
  for (uint32_t i = 0; i < capacity_; ++i) memory_.places[i] = i;
  for (uint32_t i = 0; i < raw_count_; ++i) memory_.owners[i] = i + 1 < raw_count_ ? i + 1 : kNone;
  free_raw_ = 0;
}

void PageStore::clear() {
  // The names go on, so that every old link is dead.
  while (held() != 0) evict();
}

uint32_t PageStore::likely_capacity() const {
  const uint64_t bytes = packed_count_ == 0 ? 1 : packed_.used() / packed_count_ + 1;
  const uint64_t pages = raw_count_ + packed_.size() / bytes;
  const uint32_t likely = pages < capacity_ ? static_cast<uint32_t>(pages) : capacity_;
  return likely > held() ? likely : held();
}

uint32_t PageStore::room() const {
  const size_t bytes = packed_.size() - packed_.used();
  const uint32_t most = capacity_ - held();
  const size_t fitting =
      bytes < 2 * kPackRoom ? 0 : (bytes - 2 * kPackRoom) / (kMostPackedBytes + ByteRing::kPieceBytes);
  return fitting < most ? static_cast<uint32_t>(fitting) : most;
}

void PageStore::free_raw_page(PageInfo* info) {
  memory_.owners[info->raw] = free_raw_;
  free_raw_ = info->raw;
  info->raw = PageInfo::kPacked;
}

void PageStore::take_raw_page(uint32_t place) {
  const uint32_t raw = free_raw_;
  free_raw_ = memory_.owners[raw];
  memory_.owners[raw] = place;
  memory_.infos[place].raw = raw;
}

void PageStore::evict() {
  PageInfo& gone = info(first_);
  if (!gone.is_packed()) {
    free_raw_page(&gone);
  } else {
    packed_.drop(gone.packed);
    --packed_count_;
  }
  gone.ticket = 0;
  ++first_;
}

PageId PageStore::rotate(PageList* list) {
  uint32_t& from = memory_.places[first_ % capacity_];
  uint32_t& to = memory_.places[end_ % capacity_];
  const uint32_t place = from;
  from = to;
  to = place;
  ++first_;
  list->newest = end_++;
  return list->newest;
}

// The next one in turn that is closed, else the next one.
uint32_t PageStore::page_to_pack() {
  uint32_t raw = 0;
  for (uint32_t tried = 0; tried <= raw_count_; ++tried) {
    raw = hand_;
    hand_ = hand_ + 1 == raw_count_ ? 0 : hand_ + 1;
    if (memory_.infos[memory_.owners[raw]].closed) break;
  }
  return raw;
}

// Only where no raw page is free.
bool PageStore::pack_one() {
  unsigned char* const bytes = packed_.room(kPackRoom);
  if (bytes == nullptr) return false;
  PageInfo& page = memory_.infos[memory_.owners[page_to_pack()]];
  const uint32_t size = pack_page(memory_.raw[page.raw].words, page.shape(), bytes);
  free_raw_page(&page);
  page.packed = packed_.keep(size);
  ++packed_count_;
  return true;
}

void PageStore::unpack_in_place(PageId id) {
  PageInfo& page = info(id);
  take_raw_page(place(id));
  unpack_page(packed_.at(page.packed), page.shape(), &memory_.raw[page.raw]);
  packed_.drop(page.packed);
  --packed_count_;
}

const uint64_t* PageStore::words_at(uint32_t place, PageRoom* room) const {
  const PageInfo& page = info_at(place);
  if (!page.is_packed()) return memory_.raw[page.raw].words;
  if (room->place != place) unpack_page(packed_.at(page.packed), page.shape(), &room->page);
  room->place = place;
  return room->page.words;
}

size_t PageStore::pack_at(uint32_t place, const PackedShape& shape, bool is_own_shape, unsigned char* bytes) const {
  const PageInfo& page = info_at(place);
  if (is_own_shape && page.is_packed()) {
    memcpy(bytes, packed_.at(page.packed), packed_.bytes_of(page.packed));
    return packed_.bytes_of(page.packed);
  }
  PageRoom room;
  return pack_page(words_at(place, &room), shape, bytes);
}

size_t PageStore::likely_packed_bytes() const {
  return packed_count_ == 0 ? kMostPackedBytes / 2 : packed_.used() / packed_count_ * 9 / 8;
}

bool PageStore::shows_at(uint32_t place, uint32_t level, uint64_t scope_id) const {
  const PageInfo& page = info_at(place);
  const uint32_t count = page.whole_open_count();
  if (level >= count) return false;
  if (!page.is_packed()) return OpenBlock{memory_.raw[page.raw].words, count}.shows(level, scope_id);
  uint64_t pairs[2 * FLAMELET_MAX_DEPTH];
  unpack_block(packed_.at(page.packed), page.shape(), level + 1, pairs);
  return OpenBlock{pairs, count}.shows(level, scope_id);
}

PageId PageStore::add(PageList* list) {
  const PageId id = end_++;
  PageInfo& added = info(id);
  added = PageInfo();
  take_raw_page(place(id));
  added.previous = list->newest;
  added.ordinal = list->count++;
  added.low_ticks = added.range_low_ticks = UINT64_MAX;
  if (holds(added.previous)) info(added.previous).next = id;
  // ordinal - 1 ends in as many ones as ordinal has zeros at the end; each jump clears one of them.
  PageId jump = added.previous;
  for (uint64_t bits = added.ordinal - 1; holds(jump) && (bits & 1) != 0; bits >>= 1) {
    const PageInfo& part = info(jump);
    if (part.range_low_ticks < added.range_low_ticks) added.range_low_ticks = part.range_low_ticks;
    if (part.range_high_ticks > added.range_high_ticks) added.range_high_ticks = part.range_high_ticks;
    jump = part.jump;
  }
  added.jump = jump;
  list->newest = id;
  return id;
}

void PageStore::note_submitted(PageId id, uint64_t begin_ticks, uint64_t end_ticks) {
  PageInfo& page = info(id);
  if (begin_ticks < page.low_ticks) page.low_ticks = begin_ticks;
  if (end_ticks > page.high_ticks) page.high_ticks = end_ticks;
  if (begin_ticks < page.range_low_ticks) page.range_low_ticks = begin_ticks;
  if (end_ticks > page.range_high_ticks) page.range_high_ticks = end_ticks;
}

PageId PageStore::page_before(const PageList& list, uint64_t ticks) const {
  const PageId after = first_where(list, [&](PageId id) { return info(id).begin_ticks >= ticks; });
  if (after == 0) return holds(list.newest) ? list.newest : 0;
  return holds(info(after).previous) ? info(after).previous : after;
}

}  // namespace flamelet
