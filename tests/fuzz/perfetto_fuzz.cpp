// SPDX-License-Identifier: MIT
//
// Any bytes as a Perfetto trace, whole or in pieces. One input in a hundred is also used, and read both ways: that gives
// the same capture, and what that is exported as is imported as the same once more.
#include <cstring>
#include <string>

#include "flamelet/export.h"
#include "flamelet/import.h"
#include "fuzz.h"
#include "support/string_io.h"
#include "use_capture.h"

namespace {

// NULL if it was refused.
flamelet_capture* import(const void* bytes, size_t size, size_t piece, flamelet_import_report* report) {
  StringSource from = {{static_cast<const char*>(bytes), size}, piece};
  flamelet_import_options options = flamelet_import_options_default();
  options.capture.allocator = reusing_allocator();
  options.capture.max_frames = 64;
  options.capture.max_tracks = 64;
  options.capture.max_sites = 128;
  options.capture.max_strings = 256;
  options.capture.string_bytes = size_t{16} << 10;
  options.capture.max_intervals = 64;
  options.capture.budget_bytes = flamelet_capture_memory_required(&options.capture) + 32 * FLAMELET_PAGE_BYTES;
  options.max_bytes = size_t{1} << 20;
  flamelet_capture* capture = nullptr;
  const flamelet_result result =
      flamelet_import(&options, piece == size ? from.file() : from.stream(), &capture, report);
  FUZZ_CHECK((result == FLAMELET_OK) == (capture != nullptr));
  return capture;
}

std::string exported(const flamelet_capture* capture) {
  std::string bytes;
  FUZZ_CHECK(flamelet_export(capture, FLAMELET_EXPORT_PERFETTO, nullptr, sink_to(&bytes), nullptr) == FLAMELET_OK);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  if (size == 0 || bytes[0] != '\n') return 0;  // another format
  const uint32_t variant = variant_of(bytes, size);
  flamelet_import_report report, again_report;
  flamelet_capture* const capture = import(bytes, size, variant % 4 == 0 ? size : 1 + variant % 61, &report);
  if (!is_asked_more(variant)) {
    flamelet_capture_destroy(capture);
    return 0;
  }
  flamelet_capture* const in_pieces = import(bytes, size, 1 + bytes[size / 2] % 61, &again_report);
  FUZZ_CHECK((capture == nullptr) == (in_pieces == nullptr));
  if (capture == nullptr) return 0;
  const std::string first = exported(capture);
  FUZZ_CHECK(first == exported(in_pieces));
  flamelet_capture_destroy(in_pieces);
  use_capture(capture, variant);
  flamelet_capture_destroy(capture);

  flamelet_capture* const again = import(first.data(), first.size(), first.size(), &again_report);
  FUZZ_CHECK(again != nullptr && !again_report.truncated && again_report.events_damaged == 0);
  const bool all = again_report.events_over_limits == 0 && again_report.events_evicted == 0 &&
                   again_report.times_clamped == 0 && report.events_over_limits == 0 && report.events_evicted == 0;
  if (all) FUZZ_CHECK(exported(again) == first);
  flamelet_capture_destroy(again);
  return 0;
}
