// SPDX-License-Identifier: MIT
#include "capture/page_store.h"

#include <doctest/doctest.h>

#include <cstring>
#include <deque>
#include <random>
#include <vector>

namespace flamelet {
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

}  // namespace flamelet
