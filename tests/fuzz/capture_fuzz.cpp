// SPDX-License-Identifier: MIT
//
// Any bytes as a capture file. They are loaded as they are, and once more with their checksums mended, because no fuzzer
// guesses those.
#include <cstring>
#include <vector>

#include "capture/capture_format.h"
#include "capture/crc32c.h"
#include "flamelet/capture_file.h"
#include "fuzz.h"
#include "use_capture.h"

using namespace flamelet;

namespace {

// True if any checksum was wrong.
bool mend_checksums(std::vector<char>* bytes) {
  bool mended = false;
  for (size_t at = sizeof(FileHeader); at + sizeof(ChunkHeader) <= bytes->size();) {
    ChunkHeader header;
    std::memcpy(&header, bytes->data() + at, sizeof header);
    const size_t payload = at + sizeof header;
    if (header.magic != kChunkMagic || header.payload_bytes > bytes->size() - payload) {
      at += 8;
      continue;
    }
    const ChunkHeader before = header;
    header.payload_crc = crc32c(bytes->data() + payload, header.payload_bytes);
    header.header_crc = crc32c(&header, offsetof(ChunkHeader, header_crc));
    mended |= std::memcmp(&before, &header, sizeof header) != 0;
    std::memcpy(bytes->data() + at, &header, sizeof header);
    at = payload + header.payload_bytes;
  }
  return mended;
}

void load(const void* bytes, size_t size, uint32_t variant) {
  flamelet_load_options options = {};
  options.allocator = reusing_allocator();
  options.max_bytes = size_t{256} << 20;
  flamelet_capture* capture = nullptr;
  flamelet_load_report report;
  if (flamelet_capture_load_bytes(&options, bytes, size, &capture, &report) != FLAMELET_OK) {
    FUZZ_CHECK(capture == nullptr);
    return;
  }
  use_capture(capture, variant);
  save_and_load_capture(capture, variant);
  flamelet_capture_destroy(capture);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const uint32_t variant = crc32c(bytes, size);
  load(bytes, size, variant);
  std::vector<char> mended(bytes, bytes + size);
  if (mend_checksums(&mended)) load(mended.data(), mended.size(), variant);
  return 0;
}
