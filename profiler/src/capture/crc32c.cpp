// SPDX-License-Identifier: MIT
#include "capture/crc32c.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define FLAMELET_CRC32C_INSTRUCTION
#include <cpuid.h>
#include <nmmintrin.h>

#include "platform/atomic.h"
#endif

namespace flamelet {
namespace {

// after[k][b]: what the byte b does to the sum with k zero bytes behind it.
struct Tables {
  uint32_t after[8][256];
};

constexpr Tables make_tables() {
  Tables tables = {};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0x82F63B78u : 0u);
    tables.after[0][byte] = sum;
  }
  for (uint32_t k = 1; k < 8; ++k) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t sum = tables.after[k - 1][byte];
      tables.after[k][byte] = (sum >> 8) ^ tables.after[0][sum & 0xFF];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

#if defined(FLAMELET_CRC32C_INSTRUCTION)
#if defined(__clang__) && __clang_major__ >= 14  // tells the instruction from the others that came with it
#define FLAMELET_CRC32C_TARGET "sse4.2,crc32"
#else
#define FLAMELET_CRC32C_TARGET "sse4.2"
#endif
// Not by __builtin_cpu_supports(): some compilers' libraries lack what it reads. Asked once, as cpuid takes long in a
// virtual machine.
bool has_instruction() {
  static Atomic<int> known{0};     // -1 = it has none
  int has = known.load_relaxed();  // relaxed: threads that both ask store the same
  if (has == 0) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    has = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & (1u << 20)) != 0 ? 1 : -1;
    known.store_relaxed(has);
  }
  return has > 0;
}

__attribute__((target(FLAMELET_CRC32C_TARGET))) uint32_t crc32c_by_instruction(const void* bytes, size_t size) {
  const unsigned char* at = static_cast<const unsigned char*>(bytes);
  uint64_t sum = 0xFFFFFFFFu;
  for (; size >= 8; size -= 8, at += 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    sum = _mm_crc32_u64(sum, word);
  }
  uint32_t rest = static_cast<uint32_t>(sum);
  for (; size != 0; --size, ++at) rest = _mm_crc32_u8(rest, *at);
  return ~rest;
}
#endif

}  // namespace

uint32_t crc32c(const void* bytes, size_t size) {
#if defined(FLAMELET_CRC32C_INSTRUCTION)
  if (has_instruction()) return crc32c_by_instruction(bytes, size);
#endif
  return crc32c_by_table(bytes, size);
}

uint32_t crc32c_by_table(const void* bytes, size_t size) {
  const auto& after = kTables.after;
  const unsigned char* at = static_cast<const unsigned char*>(bytes);
  uint32_t sum = 0xFFFFFFFFu;
  for (; size >= 8; size -= 8, at += 8) {
    uint32_t low, high;
    memcpy(&low, at, 4);
    memcpy(&high, at + 4, 4);
    low ^= sum;
    sum = after[7][low & 0xFF] ^ after[6][(low >> 8) & 0xFF] ^ after[5][(low >> 16) & 0xFF] ^ after[4][low >> 24] ^
          after[3][high & 0xFF] ^ after[2][(high >> 8) & 0xFF] ^ after[1][(high >> 16) & 0xFF] ^ after[0][high >> 24];
  }
  for (; size != 0; --size, ++at) sum = (sum >> 8) ^ after[0][(sum ^ *at) & 0xFF];
  return ~sum;
}

}  // namespace flamelet
