// SPDX-License-Identifier: MIT
#include "capture/file_chunks.h"

#include <string.h>

namespace flamelet {

size_t least_entry_bytes(uint32_t type) {
  switch (type) {
    case kBuildChunk:
      return sizeof(BuildInfo);
    case kCategoriesChunk:
      return sizeof(CategoryNames);
    case kSessionChunk:
      return kSessionBytesOfVersion1;
    case kStringsChunk:
      return sizeof(StringEntry);
    case kSitesChunk:
      return sizeof(SiteEntry);
    case kLanesChunk:
      return sizeof(LaneEntry);
    case kFramesChunk:
      return sizeof(FrameEntry);
    case kThreadTimesChunk:
      return sizeof(ThreadTimeEntry);
    case kDropsChunk:
      return kLeastDropsBytes;
    case kStatesChunk:
      return kLeastStatesBytes;
    case kSwitchesChunk:
    case kStateBeforeChunk:
      return sizeof(SwitchEntry);
    case kIntervalsChunk:
    case kNamedFramesChunk:
      return sizeof(IntervalEntry);
    case kTriggerChunk:
      return sizeof(TriggerEntry);
    case kPagesChunk:
      return sizeof(PageEntry);
    case kKeptPagesChunk:
      return sizeof(KeptPageEntry);
    default:
      return 0;
  }
}

namespace {

// Whether the header is one that was written as such: then its sizes can be believed as far as the file goes.
bool is_whole(const ChunkHeader& header) {
  if (header.magic != kChunkMagic || (header.type == kEndChunk && header.count != 0)) return false;
  return header.header_crc == crc32c(&header, offsetof(ChunkHeader, header_crc)) &&
         header.payload_bytes <= kMaxChunkBytes && header.payload_bytes % 8 == 0 &&
         uint64_t{header.count} * least_entry_bytes(header.type) <= header.payload_bytes;
}

}  // namespace

bool ChunkWalk::next(ChunkHeader* header) {
  while (source_.size() - next_ >= sizeof(ChunkHeader) && !ended_) {
    if (!source_.get(next_, header, sizeof *header)) break;
    if (is_whole(*header) && source_.size() - next_ - sizeof *header >= header->payload_bytes) {
      payload_ = next_ + sizeof *header;
      next_ = payload_ + header->payload_bytes;
      ended_ = header->type == kEndChunk;
      return true;
    }
    if (is_whole(*header)) break;  // its payload is cut off
    ++damaged_;
    next_ = find_whole(next_ + 8);
  }
  return false;
}

// Chunks begin at multiples of 8 bytes. Each byte is read once, whatever looks like a header.
uint64_t ChunkWalk::find_whole(uint64_t from) {
  constexpr size_t kHeaderWords = sizeof(ChunkHeader) / sizeof(uint64_t);
  uint64_t window[512] = {};
  size_t kept = 0;
  while (from + kept * 8 < source_.size()) {
    const uint64_t left = source_.size() - from;
    const size_t count = left < sizeof window ? static_cast<size_t>(left) : sizeof window;
    if (!source_.get(from + kept * 8, window + kept, count - kept * 8)) break;
    size_t i = 0;
    for (; i + kHeaderWords <= count / 8; ++i) {
      ChunkHeader header;
      memcpy(&header, window + i, sizeof header);
      if (is_whole(header)) return from + 8 * i;
    }
    if (count < sizeof window) break;
    kept = kHeaderWords - 1;
    memcpy(window, window + i, kept * 8);
    from += 8 * i;
  }
  return source_.size();
}

void ChunkSizes::add(const ChunkHeader& header) {
  if (header.payload_bytes > largest_payload) largest_payload = header.payload_bytes;
  switch (header.type) {
    case kPagesChunk:
    case kKeptPagesChunk:
      pages += header.count;
      break;
    case kLanesChunk:
      lanes += header.count;
      break;
    case kFramesChunk:
      frames += header.count;
      break;
    case kThreadTimesChunk:
      thread_times += header.count;
      break;
    case kSwitchesChunk:
      switches += header.count;
      break;
    case kIntervalsChunk:
      intervals += header.count;
      break;
    case kNamedFramesChunk:
      named_frames += header.count;
      break;
    case kStringsChunk:  // each entry has 8 bytes more than its text, which is enough for the zero behind it
      string_bytes += header.payload_bytes;
      if (header.id_limit > string_limit) string_limit = header.id_limit;
      break;
    case kSitesChunk:
      if (header.id_limit > site_limit) site_limit = header.id_limit;
      break;
    default:
      break;
  }
}

}  // namespace flamelet

// ---- The checksum -------------------------------------------------------------------------------------------------

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
