// SPDX-License-Identifier: MIT
#include "capture/page_store.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <random>
#include <vector>

#include "profiler/record/page_builder.h"

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

// ---- Byte ring ----------------------------------------------------------------------------------------------------
namespace {

class RingOfBytes {
 public:
  explicit RingOfBytes(size_t size) : memory_(size / sizeof(uint64_t)) {
    ring.attach(reinterpret_cast<unsigned char*>(memory_.data()), size);
  }
  bool add(size_t bytes, unsigned char value, size_t* piece) {
    unsigned char* const at = ring.room(bytes);
    if (at == nullptr) return false;
    std::memset(at, value, bytes);
    *piece = ring.keep(bytes);
    return true;
  }

  ByteRing ring;

 private:
  std::vector<uint64_t> memory_;
};

}  // namespace

TEST_CASE("a ring of bytes keeps pieces until they are dropped, whatever their sizes and the order") {
  struct Piece {
    size_t at, bytes;
    unsigned char value;
  };
  std::mt19937 random(7);
  RingOfBytes bytes(4096);
  std::deque<Piece> held;
  uint32_t refused = 0;
  for (uint32_t turn = 0; turn < 20000; ++turn) {
    Piece piece = {0, 1 + random() % 900, static_cast<unsigned char>(turn)};
    if (bytes.add(piece.bytes, piece.value, &piece.at)) {
      held.push_back(piece);
    } else {
      ++refused;
      REQUIRE_FALSE(held.empty());
      const size_t which = random() % 4 == 0 ? random() % held.size() : 0;
      bytes.ring.drop(held[which].at);
      held.erase(held.begin() + static_cast<ptrdiff_t>(which));
    }
    for (const Piece& other : held)
      REQUIRE(std::vector<unsigned char>(bytes.ring.at(other.at), bytes.ring.at(other.at) + other.bytes) ==
              std::vector<unsigned char>(other.bytes, other.value));
    REQUIRE(bytes.ring.used() <= bytes.ring.size());
  }
  CHECK(refused > 1000);
  for (const Piece& piece : held) bytes.ring.drop(piece.at);
  CHECK(bytes.ring.used() == 0);
}

TEST_CASE("a ring of bytes has no room for a piece that is longer than it") {
  RingOfBytes bytes(64);
  size_t piece = 0;
  CHECK_FALSE(bytes.add(57, 1, &piece));
  CHECK(bytes.add(56, 1, &piece));
  CHECK_FALSE(bytes.add(1, 1, &piece));
  bytes.ring.drop(piece);
  CHECK(bytes.add(56, 1, &piece));
}

// ---- Page pack ----------------------------------------------------------------------------------------------------
namespace {

using Words = std::vector<uint64_t>;

// Packs the words, and checks that they come back to the bit. Returns the bytes that they took.
uint32_t check_packing(const Words& words, const PackedShape& shape) {
  std::vector<unsigned char> room(kPackRoom, 0xA5);
  const uint32_t size = pack_page(words.data(), shape, room.data());
  REQUIRE(size <= kMostPackedBytes);
  // In memory of its own size, so that a sanitizer sees what is read behind it.
  const std::vector<unsigned char> packed(room.begin(), room.begin() + size);
  PageWords page;
  unpack_page(packed.data(), shape, &page);
  REQUIRE(std::equal(words.begin(), words.begin() + shape.count, page.words));
  if (shape.whole >= 2 * shape.open_count) {
    uint64_t pairs[2 * FLAMELET_MAX_DEPTH];
    unpack_block(packed.data(), shape, shape.open_count, pairs);
    REQUIRE(std::equal(words.begin(), words.begin() + 2 * shape.open_count, pairs));
  }
  return size;
}

constexpr uint64_t kBase = uint64_t{123} << kTickBits;

struct ScopeWords {
  Words words;
  uint64_t ticks = kBase;

  void event(WordType type, uint32_t id, uint64_t after) { words.push_back((ticks += after) + make_code(type, id)); }
  PackedShape shape() const {
    const uint32_t count = static_cast<uint32_t>(words.size());
    return {kBase, count, count, 0};
  }
};

}  // namespace

TEST_CASE("packing: scopes of a game take a third of their words or less") {
  std::mt19937_64 random(1);
  ScopeWords scopes;
  while (scopes.words.size() + 12 <= kPageWords) {
    scopes.event(WordType::kBegin, 300, random() % 4000);
    for (uint32_t i = 0; i < 5; ++i) {
      scopes.event(WordType::kBegin, 301 + static_cast<uint32_t>(random() % 3), random() % 500);
      scopes.event(WordType::kEnd, 0, random() % 9000);
    }
    scopes.event(WordType::kEnd, 0, random() % 100);
  }
  CHECK(check_packing(scopes.words, scopes.shape()) < kPageWords * 8 / 3);
}

TEST_CASE_FIXTURE(ScopeWords, "packing: a page of equal steps takes a byte an event") {
  while (words.size() + 2 <= kPageWords) {
    event(WordType::kBegin, 7, 10);
    event(WordType::kEnd, 0, 10);
  }
  CHECK(check_packing(words, shape()) < kPageWords);
}

TEST_CASE("packing: an open block that has not come whole is kept as it is") {
  check_packing({1, 2, 3}, {kBase, 3, 0, 2});
  check_packing({}, {kBase, 0, 0, 0});
}

TEST_CASE("packing: words at random of all kinds come back to the bit") {
  std::mt19937_64 random(2);
  for (uint32_t turn = 0; turn < 3000; ++turn) {
    Words words;
    const uint32_t open_count = static_cast<uint32_t>(random() % 4 == 0 ? random() % FLAMELET_MAX_DEPTH : random() % 3);
    while (words.size() < 2 * open_count) words.push_back(random());
    const uint32_t sites = 1 + static_cast<uint32_t>(random() % 3 == 0 ? random() % 65536 : random() % 40);
    const uint64_t most_ticks = uint64_t{1} << (1 + random() % 43), steps = random() % 2;
    uint64_t ticks = kBase;
    for (;;) {
      const auto type = static_cast<WordType>(random() % 3 != 0 ? random() % 2 : random() % kWordTypes);
      uint32_t id = type == WordType::kEnd && random() % 9 != 0 ? 0 : static_cast<uint32_t>(random() % sites);
      if (type == WordType::kFiber || type == WordType::kFrame) id %= 12;
      if (type == WordType::kMore) id = static_cast<uint32_t>(random() % 6) << 8 | static_cast<uint32_t>(random() % 6);
      const uint32_t size = event_words(type, id);
      if (words.size() + size > kPageWords || (random() % 300 == 0 && turn % 2 == 0)) break;
      ticks = kBase + (steps * (ticks - kBase) + random() % most_ticks) % (kTickMask - 2 * kTickSlack);
      words.push_back(ticks + make_code(type, id));
      for (uint32_t i = 1; i < size; ++i) words.push_back(random() >> (random() % 64));
    }
    const uint32_t whole = static_cast<uint32_t>(words.size());
    while (words.size() < kPageWords && random() % 4 == 0) words.push_back(random());
    check_packing(words, {kBase, static_cast<uint32_t>(words.size()), whole, open_count});
  }
}

}  // namespace flamelet
