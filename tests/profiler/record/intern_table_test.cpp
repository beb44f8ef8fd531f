// SPDX-License-Identifier: MIT
#include "record/intern_table.h"

#include <doctest/doctest.h>

#include <atomic>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "support/recording.h"

using flamelet::InternTable;
using recorder_test::on_threads;

namespace {

// A table in memory of its own. The memory is exactly as large as was asked for, so that a sanitizer sees one byte more.
class Table {
 public:
  Table(uint32_t max_entries, size_t text_bytes)
      : memory_(new (std::align_val_t{64}) char[InternTable::required_bytes(max_entries, text_bytes)]) {
    table_.create(memory_, max_entries, text_bytes);
  }
  ~Table() { operator delete[](memory_, std::align_val_t{64}); }
  InternTable* operator->() { return &table_; }
  uint32_t intern(const std::string& text) { return table_.intern(text.data(), text.size()); }
  std::string text(uint32_t id) {
    size_t size = 0;
    const char* text = table_.text(id, &size);
    return text == nullptr ? "(none)" : std::string(text, size);
  }

 private:
  char* memory_;
  InternTable table_;
};

}  // namespace

TEST_CASE("intern table: bytes that differ only in zeros are different") {
  Table table(16, 1024);
  const std::vector<std::string> texts = {"",  std::string(1, '\0'), std::string(2, '\0'), std::string(8, '\0'),
                                          "a", {"a\0", 2},           {"a\0b", 3},          {"a\0c", 3}};
  for (uint32_t i = 0; i < texts.size(); ++i) CHECK(table.intern(texts[i]) == i);
  for (uint32_t i = 0; i < texts.size(); ++i) CHECK(table.text(i) == texts[i]);
  CHECK(table->intern(nullptr, 0) == 0);  // empty bytes may have no address
}

TEST_CASE("intern table: the limit of entries holds exactly that many, and what is in it is still found") {
  constexpr uint32_t kEntries = 100;
  Table table(kEntries, 64 * 1024);
  for (uint32_t i = 0; i < kEntries; ++i) REQUIRE(table.intern("entry " + std::to_string(i)) == i);
  CHECK(table.intern("one too many") == InternTable::kFull);
  CHECK(table.intern("and another") == InternTable::kFull);
  CHECK(table->count() == kEntries);
  for (uint32_t i = 0; i < kEntries; ++i) CHECK(table.intern("entry " + std::to_string(i)) == i);
}

TEST_CASE("intern table: the room for text holds exactly what the header says") {
  // 7 bytes + 9, rounded up to 8: 16 bytes each.
  Table table(64, 4 * 16);
  for (uint32_t i = 0; i < 4; ++i) CHECK(table.intern("123456" + std::to_string(i)) == i);
  CHECK(table->bytes_used() == table->bytes_limit());
  CHECK(table.intern("x") == InternTable::kFull);
  CHECK(table->count() == 4);
  CHECK(table.intern("1234563") == 3);
}

TEST_CASE("intern table: a text that does not fit leaves room for one that does") {
  Table table(64, 64);
  CHECK(table.intern(std::string(100, 'x')) == InternTable::kFull);
  CHECK(table->bytes_used() == 0);
  CHECK(table.intern("fits") == 0);
}

TEST_CASE("intern table: the longest text is kept whole, a longer one refused") {
  Table table(4, 256 * 1024);
  const std::string longest(InternTable::kMaxSize, 'x');
  const uint32_t id = table.intern(longest);
  CHECK(table.text(id) == longest);
  CHECK(table.intern(longest + "x") == InternTable::kFull);
  CHECK(table->count() == 1);
}

TEST_CASE("intern table: an id that was not given has no text") {
  Table table(16, 1024);
  table.intern("only");
  size_t size = 0;
  CHECK(table->text(1, &size) == nullptr);
  CHECK(table->text(15, &size) == nullptr);
  CHECK(table->text(16, &size) == nullptr);
  CHECK(table->text(InternTable::kFull, &size) == nullptr);
}

TEST_CASE("intern table: an address finds its id, and no other address does") {
  Table table(64, 4096);
  std::vector<const char*> addresses;
  size_t size = 0;
  // Texts that look like entries: every aligned place in them holds a small number.
  for (uint32_t i = 0; i < 32; ++i) {
    std::string text;
    for (uint32_t word = 0; word < 8; ++word) {
      const uint32_t number = word % 2 == 0 ? i : 8;
      text.append(reinterpret_cast<const char*>(&number), sizeof(number));
    }
    text.push_back(static_cast<char>(i));
    addresses.push_back(table->text(table.intern(text), &size));
  }
  for (uint32_t i = 0; i < addresses.size(); ++i) {
    CHECK(table->id_of(addresses[i]) == i);
    for (size_t offset = 1; offset <= size; ++offset) CHECK(table->id_of(addresses[i] + offset) == InternTable::kFull);
  }
  const char outside[16] = {};
  CHECK(table->id_of(outside) == InternTable::kFull);
  CHECK(table->id_of(nullptr) == InternTable::kFull);
  CHECK(table->id_of(addresses[0] - 8) == InternTable::kFull);
  CHECK(table->id_of(addresses[0] - 9) == InternTable::kFull);
  // Behind the last entry, up to the last byte of the table's text.
  for (const char* at = addresses.back() + 1; at < addresses[0] + 4096; ++at)
    CHECK(table->id_of(at) == InternTable::kFull);
}

TEST_CASE("intern table: threads that meet on the same text agree") {
  constexpr uint32_t kThreads = 4, kTexts = 300, kRounds = 20;
  for (uint32_t round = 0; round < kRounds; ++round) {
    Table table(kThreads * kTexts, 256 * 1024);
    std::vector<std::vector<uint32_t>> ids(kThreads, std::vector<uint32_t>(kTexts));
    std::atomic<uint32_t> ready{0};
    on_threads(kThreads, [&](uint32_t t) {
      ++ready;
      while (ready.load() != kThreads) std::this_thread::yield();
      for (uint32_t i = 0; i < kTexts; ++i) ids[t][i] = table.intern("text " + std::to_string(i));
    });
    for (uint32_t i = 0; i < kTexts; ++i) {
      REQUIRE(table.text(ids[0][i]) == "text " + std::to_string(i));
      for (uint32_t t = 1; t < kThreads; ++t) REQUIRE(ids[t][i] == ids[0][i]);
    }
  }
}

TEST_CASE("intern table: threads that fill it leave no entry without text and no slot without entry") {
  constexpr uint32_t kThreads = 4, kEntries = 200;
  Table table(kEntries, 64 * 1024);
  std::atomic<uint32_t> given{0}, refused{0};
  on_threads(kThreads, [&](uint32_t t) {
    for (uint32_t i = 0; i < kEntries; ++i) {
      const uint32_t id = table.intern(std::to_string(t) + ":" + std::to_string(i));
      ++(id == InternTable::kFull ? refused : given);
    }
  });
  CHECK(given == kEntries);
  CHECK(refused == (kThreads - 1) * kEntries);
  for (uint32_t id = 0; id < kEntries; ++id) CHECK(table.intern(table.text(id)) == id);
}

TEST_CASE("intern table: names that differ only at their end are spread over the table") {
  for (const size_t size : {8u, 16u, 24u, 100u}) {
    CAPTURE(size);
    std::set<uint64_t> places;
    std::string name(size, 'n');
    for (char a = 'a'; a <= 'z'; ++a)
      for (char b = 'a'; b <= 'z'; ++b) {
        name[size - 2] = a;
        name[size - 1] = b;
        places.insert(InternTable::hash(name.data(), name.size()) & 0x7FFF);
      }
    CHECK(places.size() > 26 * 26 * 95 / 100);  // a few meet, by chance
  }
}
