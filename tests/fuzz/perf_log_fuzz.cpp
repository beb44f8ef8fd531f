// SPDX-License-Identifier: MIT
//
// Any bytes as a performance log: whole and in pieces they give the same frames, which then are analysed.
#include <string>
#include <string_view>

#include "fuzz.h"
#include "log_analysis.h"

using namespace flamelet::tools;

namespace {

// Small enough to be met.
constexpr LogLimits kLimits = {4096, 64, 4096, 256, 4};

std::string read(std::string_view text, size_t piece) {
  AnalysisOptions options;
  options.above_ns = 1000;
  options.points = options.bars = true;
  LogAnalysis analysis(options);
  std::string seen;
  const NameTable* names = nullptr;
  LogReader reader(
      [&](const LogFrame& frame) {
        FUZZ_CHECK(!frame.blocks.empty() || (frame.has_begin && !frame.has_end));
        analysis.add(frame, *names);
        seen += std::to_string(frame.line) + ' ' + std::to_string(frame.blocks.size()) + '\n';
      },
      [&](uint64_t line, const char* problem) { seen += std::to_string(line) + problem + '\n'; }, kLimits);
  names = &reader.names();
  for (size_t at = 0; at < text.size(); at += piece) reader.feed(text.substr(at, piece));
  reader.finish();
  FUZZ_CHECK(reader.names().size() <= kLimits.names);
  for (uint32_t name : analysis.by_total()) {
    const RoutineAnalysis& routine = analysis.routine(name);
    FUZZ_CHECK(routine.min_ns <= routine.max_ns && routine.frame_count <= analysis.frame_count());
    FUZZ_CHECK(routine.points.size() <= RoutineAnalysis::kMaxRanges);
    seen += (*names)[name] + ' ' + std::to_string(routine.deviation_ns()) + '\n';
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  check_pieces(bytes, size, read);
  return 0;
}
