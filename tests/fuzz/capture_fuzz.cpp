// SPDX-License-Identifier: MIT
//
// Any bytes as a capture file. Where checksums are wrong it is loaded as it is, and then, to be used, with these mended,
// because no fuzzer guesses them.
#include <cstring>
#include <vector>

#include "capture/capture_format.h"
#include "capture/file_chunks.h"
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

flamelet_capture* load(const void* bytes, size_t size) {
  flamelet_load_options options = flamelet_load_options_default();
  options.allocator = reusing_allocator();
  options.max_bytes = size_t{8} << 20;
  flamelet_capture* capture = nullptr;
  flamelet_load_report report;
  const flamelet_result result = flamelet_capture_load_bytes(&options, bytes, size, &capture, &report);
  FUZZ_CHECK((result == FLAMELET_OK) == (capture != nullptr));
  return capture;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const uint32_t variant = variant_of(bytes, size);
  flamelet_capture* capture = load(bytes, size);
  std::vector<char> mended(bytes, bytes + size);
  if (mend_checksums(&mended)) {
    flamelet_capture_destroy(capture);
    capture = load(mended.data(), mended.size());
  }
  if (capture == nullptr) return 0;
  use_capture(capture, variant);
  if (is_asked_more(variant)) save_and_load_capture(capture, variant);
  flamelet_capture_destroy(capture);
  return 0;
}
