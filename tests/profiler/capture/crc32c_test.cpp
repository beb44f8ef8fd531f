// SPDX-License-Identifier: MIT
#include "capture/file_chunks.h"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <string>

namespace flamelet {

// RFC 3720, B.4.
TEST_CASE("crc32c: the sums of the published examples") {
  unsigned char bytes[32];
  const auto sums_to = [&](uint32_t expected) {
    CHECK(crc32c(bytes, sizeof bytes) == expected);
    CHECK(crc32c_by_table(bytes, sizeof bytes) == expected);
  };
  std::memset(bytes, 0, sizeof bytes);
  sums_to(0x8A9136AA);
  std::memset(bytes, 0xFF, sizeof bytes);
  sums_to(0x62A8AB43);
  for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<unsigned char>(i);
  sums_to(0x46DD794E);
  for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<unsigned char>(31 - i);
  sums_to(0x113FDB5C);
  CHECK(crc32c("123456789", 9) == 0xE3069283);
  CHECK(crc32c(nullptr, 0) == 0);
}

TEST_CASE("crc32c: the instruction and the table give the same sum, at any size and place") {
  std::string bytes(300, 0);
  std::mt19937 random(1);
  for (char& byte : bytes) byte = static_cast<char>(random());
  for (size_t from = 0; from < 8; ++from) {
    for (size_t size = 0; size < 100; ++size)
      REQUIRE(crc32c(&bytes[from], size) == crc32c_by_table(&bytes[from], size));
  }
}

}  // namespace flamelet
