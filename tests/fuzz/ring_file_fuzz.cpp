// SPDX-License-Identifier: MIT
//
// Any bytes as the file of a ring.
#include "flamelet/capture_file.h"
#include "fuzz.h"
#include "support/string_io.h"
#include "use_capture.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  flamelet_load_options options = flamelet_load_options_default();
  options.allocator = reusing_allocator();
  options.max_bytes = size_t{256} << 20;
  flamelet_capture* capture = nullptr;
  const uint32_t variant = variant_of(bytes, size);
  StringSource from = {{reinterpret_cast<const char*>(bytes), size}};
  if (variant % 8 == 0) from.piece = 61;
  const flamelet_result result = flamelet_capture_recover_from(&options, from.file(), &capture, nullptr);
  FUZZ_CHECK(result != FLAMELET_ERROR_FILE_READ);  // it asks for what is there
#ifdef FLAMELET_FUZZ_REPLAY
  FUZZ_CHECK(result == FLAMELET_OK);  // a seed of an older format is refused at its first bytes: write it anew
#endif
  if (result != FLAMELET_OK) {
    FUZZ_CHECK(capture == nullptr);
    return 0;
  }
  use_capture(capture, variant);
  if (is_asked_more(variant)) save_and_load_capture(capture, variant);
  flamelet_capture_destroy(capture);
  return 0;
}
