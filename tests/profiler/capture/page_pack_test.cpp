// SPDX-License-Identifier: MIT
#include "capture/page_store.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "profiler/record/page_builder.h"

namespace flamelet {
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

TEST_CASE("packing: a page of equal steps takes a byte an event") {
  ScopeWords scopes;
  while (scopes.words.size() + 2 <= kPageWords) {
    scopes.event(WordType::kBegin, 7, 10);
    scopes.event(WordType::kEnd, 0, 10);
  }
  CHECK(check_packing(scopes.words, scopes.shape()) < kPageWords);
}

TEST_CASE("packing: times that go back, and the longest that there are, stay as they are") {
  ScopeWords scopes;
  for (const int64_t step : {int64_t{5}, int64_t{-5}, int64_t{1} << 42, -(int64_t{1} << 43), int64_t{0}}) {
    scopes.event(WordType::kBegin, 65535, static_cast<uint64_t>(step));
    scopes.event(WordType::kNext, 0, 1);
  }
  check_packing(scopes.words, scopes.shape());
}

TEST_CASE("packing: words that no event has yet are kept behind the others") {
  ScopeWords scopes;
  for (uint32_t i = 0; i < 50; ++i) scopes.event(i % 2 == 0 ? WordType::kBegin : WordType::kEnd, i % 2 == 0 ? i : 0, i);
  PackedShape shape = scopes.shape();
  scopes.words.push_back(0x0123456789ABCDEF);
  scopes.words.push_back(~uint64_t{0});
  shape.count += 2;
  check_packing(scopes.words, shape);
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

TEST_CASE("packing: the pages of tracks with fibers and every kind of event come back to the bit") {
  std::mt19937_64 random(3);
  uint64_t ticket = 1;
  PageBuilder track(1, &ticket);
  uint64_t ticks = 1000;
  for (uint32_t i = 0; i < 20000; ++i) {
    ticks += random() % 300;
    if (random() % 2 == 0 && track.stack.scopes.size() < 20)
      track.begin(ticks, static_cast<uint32_t>(random() % 60));
    else if (!track.stack.scopes.empty())
      track.end(ticks);
  }
  for (const auto& built : track.pages) {
    const Words words(built->page.words, built->page.words + built->words);
    check_packing(words, {built->page.header.base_ticks, built->words, built->words, built->page.header.open_count});
  }
}

}  // namespace flamelet
