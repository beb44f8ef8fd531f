// SPDX-License-Identifier: MIT
#include "capture/capture_tables.h"

#include <string.h>

namespace flamelet {

void StringCopies::attach(Entry* entries, uint32_t capacity, char* bytes, size_t byte_capacity) {
  entries_ = entries;
  capacity_ = capacity;
  bytes_ = bytes;
  byte_capacity_ = byte_capacity;
  clear();
}

void StringCopies::clear() {
  memset(entries_, 0, capacity_ * sizeof(Entry));
  byte_count_ = 0;
  count_ = 0;
}

bool StringCopies::put(uint32_t id, const flamelet_string& text) {
  if (id >= capacity_ || text.size > UINT32_MAX || text.size >= byte_capacity_ - byte_count_) return false;
  memcpy(bytes_ + byte_count_, text.text, text.size);
  bytes_[byte_count_ + text.size] = 0;
  entries_[id] = {byte_count_, static_cast<uint32_t>(text.size), true};
  byte_count_ += text.size + 1;
  if (id >= count_) count_ = id + 1;
  return true;
}

flamelet_string StringCopies::get(uint32_t id) const {
  return {bytes_ + entries_[id].offset, entries_[id].size};
}

void SiteCopies::attach(SiteRecord* records, bool* known, uint32_t capacity) {
  records_ = records;
  known_ = known;
  capacity_ = capacity;
  clear();
}

void SiteCopies::clear() {
  memset(records_, 0, capacity_ * sizeof(SiteRecord));
  memset(known_, 0, capacity_ * sizeof(bool));
  count_ = 0;
}

bool SiteCopies::put(uint32_t id, const SiteRecord& site) {
  if (id >= capacity_) return false;
  records_[id] = site;
  known_[id] = true;
  if (id >= count_) count_ = id + 1;
  return true;
}

}  // namespace flamelet
