// SPDX-License-Identifier: MIT
//
// Any bytes as another tool's trace, given in pieces. What comes of one input in a hundred is asked everything, and
// exported; our own file must then be read without a repair.
#include <string>
#include <string_view>

#include "flamelet/export.h"
#include "flamelet/import.h"
#include "fuzz.h"
#include "support/string_io.h"
#include "use_capture.h"

namespace {

flamelet_capture* import(std::string_view text, size_t piece, flamelet_import_report* report) {
  flamelet_import_options options = flamelet_import_options_default();
  options.max_bytes = size_t{1} << 20;  // of a small file that unpacks to a large one
  flamelet_capture_config& limits = options.capture;
  limits.allocator = reusing_allocator();
  limits.max_tracks = limits.max_frames = limits.max_intervals = 64;
  limits.max_sites = limits.max_strings = 256;
  limits.string_bytes = size_t{64} << 10;
  limits.budget_bytes = flamelet_capture_memory_required(&limits) + 32 * FLAMELET_PAGE_BYTES;
  StringSource from = {text, piece};
  flamelet_capture* capture = nullptr;
  const flamelet_result result = flamelet_import(&options, from.stream(), &capture, report);
  FUZZ_CHECK(!from.has_gaps);
  FUZZ_CHECK((result == FLAMELET_OK) == (capture != nullptr));
  FUZZ_CHECK((result == FLAMELET_OK) == (report->message[0] == 0));
  return capture;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  flamelet_import_report report;
  const uint32_t variant = variant_of(bytes, size);
  flamelet_capture* capture = import(text, 1 + variant % 5000, &report);
  if (capture == nullptr) return 0;
  if (!is_asked_more(variant)) {
    flamelet_capture_destroy(capture);
    return 0;
  }
  use_capture(capture, variant);

  std::string again;
  flamelet_export_report written;
  FUZZ_CHECK(flamelet_export(capture, FLAMELET_EXPORT_CHROME, nullptr, sink_to(&again), &written) == FLAMELET_OK);
  flamelet_capture_destroy(capture);
  capture = import(again, SIZE_MAX, &report);
  FUZZ_CHECK(capture != nullptr);
  FUZZ_CHECK(!report.truncated && report.texts_repaired == 0 && report.events_damaged == 0);
  FUZZ_CHECK(report.spans == written.spans && report.points == written.points);
  flamelet_capture_destroy(capture);
  return 0;
}
