// SPDX-License-Identifier: MIT
#include "capture/page_store.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace flamelet {
namespace {

class Store : public PageStore {
 public:
  explicit Store(uint32_t capacity, uint32_t raw_pages = 2)
      : raw_(raw_pages), numbers_(raw_pages + capacity), infos_(capacity), packed_(kBytes / sizeof(uint64_t)) {
    attach({raw_.data(), numbers_.data(), infos_.data(), numbers_.data() + raw_pages,
            reinterpret_cast<unsigned char*>(packed_.data())},
           {capacity, raw_pages, kBytes});
  }

 private:
  static constexpr size_t kBytes = size_t{1} << 20;

  std::vector<PageWords> raw_;
  std::vector<uint32_t> numbers_;
  std::vector<PageInfo> infos_;
  std::vector<uint64_t> packed_;
};

PageId add(Store* store, PageList* list, uint64_t begin_ticks) {
  if (store->full()) store->evict();
  if (!store->has_raw_page()) REQUIRE(store->pack_one());
  const PageId id = store->add(list);
  store->info(id).begin_ticks = begin_ticks;
  return id;
}

}  // namespace

TEST_CASE("the oldest page goes when the store is full, and its links are dead") {
  Store store(3);
  PageList list;
  const PageId first = add(&store, &list, 10);
  const PageId second = add(&store, &list, 20);
  add(&store, &list, 30);
  CHECK(store.full());
  CHECK(store.holds(first));
  const PageId fourth = add(&store, &list, 40);
  CHECK_FALSE(store.holds(first));
  CHECK(store.holds(fourth));
  CHECK(store.oldest() == second);
  CHECK(store.held() == 3);
  CHECK(store.info(second).previous == first);
  CHECK(store.page_before(list, 5) == second);
}

TEST_CASE("an empty list finds no page") {
  Store store(3);
  PageList list, other;
  CHECK(store.page_before(list, 5) == 0);
  add(&store, &list, 1);
  for (uint64_t i = 0; i < 3; ++i) add(&store, &other, i);
  CHECK(store.page_before(list, 5) == 0);
  CHECK(store.first_where(list, [](PageId) { return true; }) == 0);
}

TEST_CASE("nothing is held after a clear, and old names stay dead") {
  Store store(4);
  PageList list;
  const PageId before = add(&store, &list, 1);
  store.clear();
  CHECK(store.held() == 0);
  CHECK_FALSE(store.holds(before));
  PageList fresh;
  CHECK(add(&store, &fresh, 1) != before);
  CHECK_FALSE(store.holds(before));
}

TEST_CASE("a rotated page stays where it is under a new name") {
  Store store(2);
  PageList idle, busy;
  PageId id = add(&store, &idle, 1);
  store.writable_words(id)[7] = 77;
  store.info(id).kept_words = 8;
  add(&store, &busy, 2);
  const PageId renamed = store.rotate(&idle);
  CHECK(store.held() == 2);
  CHECK_FALSE(store.holds(id));
  CHECK(store.holds(renamed));
  CHECK(idle.newest == renamed);
  PageRoom room;
  CHECK(store.words(renamed, &room).words[7] == 77);
  const PageId next = add(&store, &idle, 3);
  CHECK(store.info(next).previous == renamed);
  CHECK(store.info(renamed).next == next);
  CHECK(store.page_before(idle, 3) == renamed);
}

TEST_CASE("a search finds what a walk finds, with many tracks and evictions") {
  std::mt19937 random(3);
  for (uint32_t capacity : {2u, 7u, 64u, 500u}) {
    Store store(capacity);
    std::vector<PageList> lists(5);
    std::vector<std::vector<PageId>> pages(5);
    uint64_t ticks = 0;
    for (int step = 0; step < 3000; ++step) {
      const size_t track = random() % 8 == 0 ? random() % 5 : 0;
      ticks += random() % 3;
      pages[track].push_back(add(&store, &lists[track], ticks));
      const size_t asked = random() % 5;
      const uint64_t at = ticks - random() % (2 * capacity + 3);
      PageId expected = 0;
      for (PageId id : pages[asked]) {
        if (!store.holds(id)) continue;
        if (expected == 0 || store.info(id).begin_ticks < at) expected = id;
      }
      REQUIRE(store.page_before(lists[asked], at) == expected);
    }
  }
}

TEST_CASE("a search takes few steps") {
  Store store(4096);
  PageList list;
  for (uint64_t i = 0; i < 10000; ++i) add(&store, &list, i);
  uint32_t most = 0;
  for (uint64_t at = 0; at < 10000; at += 7) {
    uint32_t steps = 0;
    store.first_where(list, [&](PageId id) {
      ++steps;
      return store.info(id).begin_ticks >= at;
    });
    if (steps > most) most = steps;
  }
  CHECK(most <= 2 * 12 * 12);
}

}  // namespace flamelet
