// SPDX-License-Identifier: MIT
//
// capture_tables.h: a capture's own copies of the recorder's strings and sites, under the same ids. What does not fit is
// counted, and shown as "(unknown)".
#ifndef FLAMELET_SRC_CAPTURE_TABLES_H
#define FLAMELET_SRC_CAPTURE_TABLES_H

#include "flamelet/base.h"
#include "record/page.h"

namespace flamelet {

class StringCopies {
 public:
  struct Entry {
    size_t offset;
    uint32_t size;
    bool known;
  };

  void attach(Entry* entries, uint32_t capacity, char* bytes, size_t byte_capacity);
  void clear();

  bool put(uint32_t id, const flamelet_string& text);  // false if it does not fit
  bool has(uint32_t id) const { return id < capacity_ && entries_[id].known; }
  flamelet_string get(uint32_t id) const;  // only if has(id)

  uint32_t count() const { return count_; }  // ids from here on were never put
  size_t byte_count() const { return byte_count_; }

 private:
  Entry* entries_ = nullptr;
  uint32_t capacity_ = 0;
  char* bytes_ = nullptr;
  size_t byte_capacity_ = 0;
  size_t byte_count_ = 0;
  uint32_t count_ = 0;
};

class SiteCopies {
 public:
  void attach(SiteRecord* records, bool* known, uint32_t capacity);
  void clear();

  bool put(uint32_t id, const SiteRecord& site);  // false if it does not fit
  bool has(uint32_t id) const { return id < capacity_ && known_[id]; }
  const SiteRecord& get(uint32_t id) const { return records_[id]; }  // only if has(id)
  // The name of a site, 0 if it is not known: for every span, so without a second look.
  uint32_t name(uint32_t id) const { return id < capacity_ ? records_[id].name : 0; }

  uint32_t count() const { return count_; }  // ids from here on were never put

 private:
  SiteRecord* records_ = nullptr;
  bool* known_ = nullptr;
  uint32_t capacity_ = 0;
  uint32_t count_ = 0;
};

struct TableNews {
  uint64_t copied = 0;
  uint64_t refused = 0;
};

// Copies what is new in one of the recorder's tables, which has `count` entries by now. An entry that is still being
// written (`get` is false) is asked for again the next time; the ones after it need not wait for it. Entries below
// *settled are copied or refused for good.
template <class Copies, class Item>
void copy_new(Copies* copies, uint32_t count, bool (*get)(uint32_t, Item*), uint32_t* settled, TableNews* news) {
  bool all_settled = true;
  for (uint32_t id = *settled; id < count; ++id) {
    Item item;
    if (!copies->has(id)) {
      if (!get(id, &item)) {
        all_settled = false;
      } else if (copies->put(id, item)) {
        ++news->copied;
      }
    }
    if (!all_settled) continue;
    *settled = id + 1;
    if (!copies->has(id)) ++news->refused;
  }
}

}  // namespace flamelet

#endif  // FLAMELET_SRC_CAPTURE_TABLES_H
