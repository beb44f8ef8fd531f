// SPDX-License-Identifier: MIT
//
// Any bytes as the file of a ring.
#include <cstring>

#include "flamelet/capture_file.h"
#include "fuzz.h"
#include "use_capture.h"

namespace {

struct Bytes {
  const uint8_t* bytes;
  size_t size;
  static size_t read(void* self, uint64_t offset, void* to, size_t count) {
    const Bytes& from = *static_cast<Bytes*>(self);
    FUZZ_CHECK(offset <= from.size && count <= from.size - offset);
    std::memcpy(to, from.bytes + offset, count);
    return count;
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  flamelet_load_options options = {};
  options.allocator = reusing_allocator();
  options.max_bytes = size_t{256} << 20;
  flamelet_capture* capture = nullptr;
  Bytes from = {bytes, size};
  if (flamelet_capture_recover_read(&options, Bytes::read, &from, size, &capture, nullptr) != FLAMELET_OK) {
    FUZZ_CHECK(capture == nullptr);
    return 0;
  }
  const uint32_t variant = variant_of(bytes, size);
  use_capture(capture, variant);
  if (is_asked_more(variant)) save_and_load_capture(capture, variant);
  flamelet_capture_destroy(capture);
  return 0;
}
